"""``sandbox completion``: lets a shell complete commands, options and file names."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

_WHERE = {
    "bash": "sandbox completion bash > ~/.local/share/bash-completion/completions/sandbox",
    "zsh": 'sandbox completion zsh > "${fpath[1]}/_sandbox"',
    "fish": "sandbox completion fish > ~/.config/fish/completions/sandbox.fish",
}


@click.command("completion", epilog="\b\nExample:\n  " + "\n  ".join(_WHERE.values()))
@click.argument("shell", type=click.Choice(list(_WHERE)))
def command(shell: str) -> None:
    """The script that lets a shell complete what you type; see the examples for where it goes."""
    from sandbox.cli import program  # noqa: PLC0415 - the program imports this command

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(program, {}, "sandbox", "_SANDBOX_COMPLETE").source())
