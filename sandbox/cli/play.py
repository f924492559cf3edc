"""``sandbox play``: a game at a desk in the terminal, for two people beside a table."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sandbox.cli.output import print_json, warn, working
from sandbox.errors import UserError

if TYPE_CHECKING:
    from sandbox.play import Game, State
    from sandbox.play.desk import Desk


@click.command(
    "play",
    epilog="\b\nExamples:\n  sandbox play scenes/gantry.yaml"
    "\n  sandbox play scenes/gantry.yaml --practice --keep out/friday.game"
    "\n  sandbox play out/friday.game"
    "\n  echo 'kal move 12,10' | sandbox play scenes/gantry.yaml --seed 7",
)
@click.argument("scene", metavar="SCENE|GAME", type=click.Path(path_type=Path))
@click.option("--rules", metavar="PACK", help="A pack id or file instead of the scene's own.")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Another value for a constant.")
@click.option("--keep", type=click.Path(path_type=Path), help="The file that the game is kept in.")
@click.option("--seed", type=int, help="Of the dice that are rolled here; the same seed rolls the same.")
@click.option(
    "--dice",
    type=click.Choice(["roll", "type"]),
    default="roll",
    show_default=True,
    help="Rolled here, or typed in.",
)
@click.option("--practice", is_flag=True, help="Measure freely, whatever the pack says of declaring first.")
@click.option("--loose", is_flag=True, help="Anybody does anything at any time: activations are not counted.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="From a pipe: one JSON object for each line, with events and state.",
)
@click.option(
    "--language", type=click.Path(path_type=Path), help="A file with the sentences in another language."
)
@click.option("--verify", is_flag=True, help="Play a kept game again from its first order, and compare.")
def command(
    scene: Path,
    rules: str | None,
    settings: tuple[str, ...],
    keep: Path | None,
    seed: int | None,
    dice: str,
    practice: bool,
    loose: bool,
    as_json: bool,
    language: Path | None,
    verify: bool,
) -> None:
    """A game: orders, what is legal and why not, dice rolled or typed, a log; kept in a file from the first order.

    Orders are read from the terminal with completion, or line by line from a pipe. A GAME file goes on where it was.
    """
    with working("reading the game"):
        from sandbox.play.desk import desk  # noqa: PLC0415 - geometry and physics are slow to import

        if language is not None:
            from sandbox.teach.language import use_words  # noqa: PLC0415

            use_words(language)
        game = _game(scene, rules, settings, strict=not loose, practice=practice)
        warnings = game.table.field(game.state).warnings
    warn(warnings)
    if verify:
        with working("playing it again"):
            game.replayed()
        click.echo(f"{len(game.past)} orders lead to the same state again")
        return
    live = sys.stdin.isatty()
    if game.path is None and (keep is not None or live):
        from sandbox.play.game import kept_somewhere  # noqa: PLC0415

        if keep is not None and os.path.lexists(keep):
            raise UserError(f"is there already; `sandbox play {keep}` goes on with it", file=keep)
        game.save(keep if keep is not None else kept_somewhere(scene))
    the = desk(game, seed=seed, ask=_ask_live if live else _ask_piped)
    if dice == "type":
        the.say("dice type")
    if live:
        _live(the)
    else:
        _piped(the, as_json=as_json)


def _game(path: Path, rules: str | None, settings: tuple[str, ...], *, strict: bool, practice: bool) -> Game:
    """The game of a file that holds one, or a new one on a scene."""
    from sandbox.cli.comparing import chosen  # noqa: PLC0415
    from sandbox.play import Game, Table, is_game  # noqa: PLC0415

    if is_game(path):
        return Game.opened(path)
    table = Table.load(path, rules, settings=chosen(settings))
    return Game(table, table.begin(strict=strict, declare=False if practice else None))


def _piped(the: Desk, *, as_json: bool) -> None:
    """Orders from a pipe: each is shown with what it leads to."""
    for line in sys.stdin:
        if as_json:
            said = the.say(line)
            print_json({"line": line.strip(), "said": said, "events": the.events, "state": the.game.state})
        else:
            click.echo(f"> {line.strip()}")
            _show(the.say(line))
        if the.quitting:
            return


def _live(the: Desk) -> None:
    """Orders from the terminal."""
    from prompt_toolkit import PromptSession  # noqa: PLC0415
    from prompt_toolkit.completion import Completer, Completion  # noqa: PLC0415
    from prompt_toolkit.document import Document  # noqa: PLC0415

    from sandbox.play.desk import completions  # noqa: PLC0415
    from sandbox.play.words import say  # noqa: PLC0415

    class Words(Completer):
        def get_completions(self, document: Document, complete_event: object) -> Iterable[Completion]:
            typed = document.get_word_before_cursor(WORD=True)
            for word, meta in completions(the, document.text_before_cursor):
                yield Completion(word, start_position=-len(typed), display_meta=meta)

    session: PromptSession[str] = PromptSession(completer=Words(), complete_while_typing=False)
    _show([say("desk", "begin", file=the.game.path), *the.say("who"), say("desk", "hint")])
    while not the.quitting:
        state = the.game.state
        try:
            line = session.prompt(_prompt(state))
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        # who types dice has to see what is asked
        with nullcontext() if the.typing else working("working it out"):
            answer = _say(the, line)
        _show(answer)


def _prompt(state: State) -> str:
    from sandbox.play.words import say  # noqa: PLC0415

    name = "prompt-active" if state["active"] else "prompt"
    return say("desk", name, turn=state["turn"], name=state["active"])


def _say(the: Desk, line: str) -> list[str]:
    try:
        return the.say(line)
    except (KeyboardInterrupt, EOFError):
        from sandbox.play.words import say  # noqa: PLC0415

        return [say("desk", "broken-off")]


def _ask_live(question: str) -> str:
    from prompt_toolkit import prompt  # noqa: PLC0415

    return prompt(question)


def _ask_piped(question: str) -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    click.echo(f"{question}{line.strip()}")
    return line


def _show(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)
