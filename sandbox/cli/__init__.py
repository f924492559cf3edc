"""The command line. `main` is the entry; each command has a module that is imported when it is used."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from sandbox.cli.group import LazyGroup
from sandbox.errors import UserError

DONE = 0
WRONG_INPUT = 2
OUR_FAULT = 3
"""a fault of the program itself, neither of the input nor of the call."""
INTERRUPTED = 130

COMMANDS = {
    "moves": ("sandbox.cli.moves:command", "Where a fighter may move, what it costs, what has to be rolled."),
    "status": (
        "sandbox.cli.status:command",
        "What fighters are, whom they are engaged with, what can become of them.",
    ),
    "stand": ("sandbox.cli.stand:command", "Whether a base can stand at a place, and why not."),
    "play": ("sandbox.cli.play:command", "A game: orders, dice, a log, kept in a file and gone on with."),
    "view": ("sandbox.cli.view:command", "A picture of a scene or of a model."),
    "check": ("sandbox.cli.check:command", "Whether a build plays and prints, and what to change."),
    "layout": ("sandbox.cli.layout:command", "Zone Mortalis layouts: checked, shown, written another way."),
    "explain": (
        "sandbox.cli.explain:command",
        "One move in plain sentences, with its measurements and rules.",
    ),
    "teach": ("sandbox.cli.teach:command", "Lessons that show the rules on small boards."),
    "export": ("sandbox.cli.export:command", "A board to print, for CAD programs, for other tabletops."),
    "bundle": ("sandbox.cli.bundle:bundle_command", "A scene with its models in one file, to send."),
    "unbundle": ("sandbox.cli.bundle:unbundle_command", "Take such a file apart again."),
    "rules": ("sandbox.cli.rules:command", "What a rule pack says, its constants and its open settings."),
    "new": ("sandbox.cli.new:command", "A commented scene to begin with, from your models."),
    "doctor": ("sandbox.cli.doctor:command", "What this machine has, what is missing, what to do."),
    "schema": ("sandbox.cli.schema:command", "JSON Schemas for editors: scene, layout, pack, lesson."),
    "completion": ("sandbox.cli.completion:command", "Lets your shell complete commands and options."),
}
"""name: (module and attribute, one line of help), in the order of the help."""

_FIRST = """\
A battlefield sandbox: real terrain meshes in, legal skirmish-game moves out.

Three ways to begin:
  sandbox check tower.stl                 does this build play? what is too shallow, too narrow, too steep?
  sandbox new tower.stl ruin.stl          a commented scene from your models; then: sandbox view battlefield.yaml
  sandbox teach                           lessons that show the movement rules on small boards

With a scene: sandbox moves SCENE --fighter ID asks where somebody may go, sandbox explain says why (not), sandbox play
referees a game, sandbox layout check judges a walled board. sandbox doctor says whether all is there, sandbox --help
lists every command, and every command has --help with an example."""


@click.command(
    "sandbox",
    cls=LazyGroup,
    lazy=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="\b\nExample:\n  sandbox moves scenes/gantry.yaml --fighter kal --to 11,13.9,3",
)
@click.version_option(package_name="sandbox", message="sandbox %(version)s")
@click.pass_context
def program(context: click.Context) -> None:
    """A battlefield sandbox: real terrain meshes in, legal skirmish-game moves out."""
    if context.invoked_subcommand is None:
        click.echo(_FIRST)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command (argv without the program's name; None: the process's own) and return its exit status.

    Wrong input and wrong calls end in one line on standard error and status 2, never in a traceback.
    """
    try:
        status = program.main(
            args=None if argv is None else list(argv), prog_name="sandbox", standalone_mode=False
        )
    except UserError as error:
        return _fail(str(error), WRONG_INPUT)
    except click.ClickException as error:
        return _fail(_usage(error), WRONG_INPUT)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except (BrokenPipeError, SystemExit):
        # The reader of our output has gone (`| head`), which click turns into SystemExit; commands themselves
        # leave by click's own Exit. Python must not complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        if os.environ.get("SANDBOX_TRACE"):
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return _fail(f"a fault in sandbox itself ({what}); SANDBOX_TRACE=1 shows where", OUR_FAULT)
    return status if isinstance(status, int) else DONE


def _usage(error: click.ClickException) -> str:
    text = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    return f"{text} (see {context.command_path} --help)" if context is not None else text


def _fail(text: str, status: int) -> int:
    click.echo(f"sandbox: {text}", err=True)
    return status
