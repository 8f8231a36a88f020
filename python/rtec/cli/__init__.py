"""The command `rtec`: a group whose commands are loaded only when they are called.

Each command is the object `command` in the module `rtec.cli.NAME`. Its one-line help is kept
here, so that `rtec --help` imports none of them.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from rtec.errors import RtecError

COMMANDS = {
    "run": "Recognise the fluents and events of a description in a stream.",
    "report": "Sum up what a run recognised.",
    "check": "Report every mistake of a description.",
    "compile": "Write the Prolog module that a description is compiled to.",
    "graph": "Draw what depends on what in a description.",
    "repl": "Run a stream, then ask questions at a Prolog prompt.",
    "new": "Make a folder with a small working description and stream.",
    "doctor": "Say what is installed, and what to do about what is not.",
    "generate": "Write synthetic streams.",
    "bench": "Measure speed and memory.",
    "opiec": "Find probabilistic maximal intervals.",
    "noise": "Add noise and probabilities to a stream.",
    "replay": "Send a stream at the pace of its arrival times.",
    "spark": "Recognise on Spark, in batches or continuously.",
}
"""The commands in the order of the help page."""

INTERRUPTED = 130
READER_GONE = 141


class LazyGroup(click.Group):
    """A group that imports the module of a command when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands whose modules exist."""
        folder = Path(__file__).parent
        return [
            name
            for name in COMMANDS
            if (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()
        ]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(f"rtec.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the help kept here."""
        listed = [(name, COMMANDS[name]) for name in self.list_commands(ctx)]
        if listed:
            with formatter.section("Commands"):
                formatter.write_dl(listed)


def _show_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        import importlib.metadata  # slow to load, and hardly ever asked for

        click.echo(f"rtec {importlib.metadata.version('rtec')}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Recognise composite events and durative situations in streams of events.

    The Run-Time Event Calculus: write rules, point `rtec` at a stream, and get the maximal
    intervals of every fluent, window by window.
    """


def main() -> None:
    """Run the command line, and end the process with its exit code."""
    sys.exit(execute(sys.argv[1:]))


def execute(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code.

    0 is done, 1 means that the user's input is wrong, 2 wrong usage of the command line.
    """
    if "_RTEC_COMPLETE" in os.environ:  # a shell asks for completions
        cli.main(list(arguments), prog_name="rtec")
    try:
        with cli.make_context("rtec", list(arguments)) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except RtecError as error:
        click.echo(str(error), err=True)
        return 1
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo(err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # Whatever is still buffered must go somewhere when Python closes its output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    return 0
