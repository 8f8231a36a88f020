"""Writes docs/cli.md out of the help texts of the commands.

python .ci/cli_page.py docs/cli.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from rtec.cli import cli

WIDTH = 88


def page() -> str:
    """Return the whole page: the group first, then each command."""
    intro = "# Command line\n\nWritten by `make docs` from the help of the commands.\n"
    context = click.Context(cli, info_name="rtec", **cli.context_settings)
    return intro + "".join(sections(cli, context))


def sections(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the section of a command, then those of its subcommands."""
    context.max_content_width = context.terminal_width = WIDTH
    yield f"\n## {context.command_path}\n\n```\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from sections(below, click.Context(below, context, info_name=name))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
