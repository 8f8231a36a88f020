"""`rtec new`: a folder with a small description that runs, to be changed into one's own."""

from __future__ import annotations

import re
from pathlib import Path

import click

from rtec.errors import ConfigError, Problem

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

_DESCRIPTION = """\
% When do machines overheat?
%
% Input events:  switched_on(Machine), switched_off(Machine), reading(Machine, Degrees)
% Output:        running, temperature (simple fluents), overheating (static fluent)

% A simple fluent holds from the time-point after it is initiated until it is terminated.

initiatedAt(running(Machine)=true, T) :-
    happensAt(switched_on(Machine), T).

terminatedAt(running(Machine)=true, T) :-
    happensAt(switched_off(Machine), T).

% A fluent has one value at a time: initiating another one ends it.

initiatedAt(temperature(Machine)=high, T) :-
    happensAt(reading(Machine, Degrees), T),
    Degrees > 80.

initiatedAt(temperature(Machine)=normal, T) :-
    happensAt(reading(Machine, Degrees), T),
    Degrees =< 80.

% A static fluent is made of the intervals of others.

holdsFor(overheating(Machine)=true, I) :-
    holdsFor(running(Machine)=true, I1),
    holdsFor(temperature(Machine)=high, I2),
    intersect_all([I1,I2], I).
"""

_STREAM = """\
switched_on|2|2|press
reading|5|5|press|61.5
switched_on|11|11|drill
reading|25|25|press|84.0
reading|33|33|drill|90.5
switched_off|41|41|drill
reading|58|52|press|79.5
switched_off|70|70|press
"""

_SIDECAR = """\
# What `rtec run --desc {name}` uses where no flag says otherwise.
stream = ["stream.csv"]  # name|arrival|time|arguments, files relative to this one
start = 0
end = 80
window = 40              # each query time looks so far back
step = 20                # query times: 20, 40, 60, 80
tick = 1
"""


@click.command("new")
@click.argument("name")
def command(name: str) -> None:
    """Make a folder NAME with a small working description and stream."""
    for path in make(Path(name)):
        click.echo(f"made {path}")
    description = Path(name) / f"{Path(name).name}.prolog"
    click.echo(f"""
next:
  rtec run --desc {description} --format table     what is recognised
  rtec check {description}                         what is wrong with it, after a change
  rtec graph {description} -o graph.svg            what depends on what""")


def make(folder: Path) -> list[Path]:
    """Make the folder and its files, all of them or none.

    Raises:
        ConfigError: The name is of no use, the folder is there already or cannot be made.
    """
    name = folder.name
    if not _NAME.fullmatch(name):
        raise ConfigError(
            Problem(
                f"`{name or folder}` cannot be the name of a description",
                "bad-name",
                remedy="use letters, digits, `_` and `-`, a letter first",
            )
        )
    texts = {
        f"{name}.prolog": _DESCRIPTION,
        f"{name}.toml": _SIDECAR.format(name=folder),
        "stream.csv": _STREAM,
    }
    made = []
    try:
        folder.mkdir()
        for file, text in texts.items():
            made.append(folder / file)
            made[-1].write_text(text, encoding="utf-8")
    except FileExistsError:
        raise ConfigError(
            Problem(f"{folder} is there already", "bad-name", remedy="choose another name")
        ) from None
    except OSError as error:
        for path in made:
            path.unlink(missing_ok=True)
        if made:
            folder.rmdir()
        raise ConfigError(
            Problem(f"cannot make {folder}: {error.strerror}", "unwritable-output")
        ) from None
    return made
