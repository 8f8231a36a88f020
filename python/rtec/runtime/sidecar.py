"""The sidecar of a description: a TOML file beside it with the defaults of its runs.

background = ["areas.prolog"]      # files, relative to the sidecar
stream = ["sample.csv"]
window = 3600
step = 600
tick = 1
start = 0
end = 86400
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from rtec.environment import descriptions_folder
from rtec.errors import ConfigError, Place, Problem

_PATHS = ("background", "stream")
_NUMBERS = ("window", "step", "tick", "start", "end")
ENDING = ".prolog"


@dataclass(frozen=True, slots=True)
class Sidecar:
    """Defaults of a description's runs; None where nothing is said."""

    background: tuple[Path, ...] = ()
    stream: tuple[Path, ...] = ()
    window: int | None = None
    step: int | None = None
    tick: int | None = None
    start: int | None = None
    end: int | None = None


def find_description(name: str) -> Path:
    """Find a description by its path, or else among the bundled ones.

    Bundled descriptions are found by file name, with or without its ending, and so is the
    description in a folder of the same name, as `rtec new` makes it.

    Raises:
        ConfigError: There is none.
    """
    given = Path(name)
    if given.is_file():
        return given
    if (given / f"{given.resolve().name}{ENDING}").is_file():
        return given / f"{given.resolve().name}{ENDING}"
    folder = descriptions_folder()
    stem = given.name.removesuffix(ENDING)
    candidates = [folder / stem / f"{stem}{ENDING}"] if given.name == name else []
    if not given.is_absolute():
        candidates += [folder / name, folder / f"{name}{ENDING}"]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    bundled = bundled_descriptions()
    close = get_close_matches(stem, bundled, 1)
    hint = f"did you mean `{close[0]}{ENDING}`?" if close else "bundled: " + ", ".join(bundled)
    if given.exists():
        raise ConfigError(
            Problem(f"the description {name} is not a file", "no-description", remedy=hint)
        )
    raise ConfigError(Problem(f"there is no description {name}", "no-description", remedy=hint))


def bundled_descriptions() -> list[str]:
    """List the names of the bundled descriptions."""
    return sorted(
        p.name for p in descriptions_folder().iterdir() if (p / f"{p.name}{ENDING}").is_file()
    )


def read_sidecar(description: Path) -> Sidecar:
    """Read the sidecar of a description; without one, nothing is said.

    Raises:
        ConfigError: The sidecar is malformed.
    """
    path = description.with_suffix(".toml")
    if not path.is_file():
        return Sidecar()
    try:
        text = path.read_text(encoding="utf-8")
        settings = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _wrong(f"the sidecar {path} is not TOML: {error}") from None
    except UnicodeDecodeError:
        raise _wrong(f"the sidecar {path} is not text in UTF-8") from None
    except OSError as error:
        raise _wrong(f"cannot read the sidecar {path}: {error.strerror}") from None
    sidecar = Sidecar()
    for key, value in settings.items():
        try:
            sidecar = replace(sidecar, **{key: _setting(key, value, path)})
        except ValueError as error:
            raise ConfigError(_problem(path, text, key, *error.args)) from None
    return sidecar


def _setting(key: str, value: Any, path: Path) -> Any:
    """Check one setting; a ValueError has what is wrong, and a remedy."""
    if key in _PATHS:
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
            raise ValueError(f"`{key}` has to be a list of file names", None)
        return tuple(path.parent / n for n in names)
    if key in _NUMBERS:
        if type(value) is not int:
            raise ValueError(f"`{key}` has to be an integer", None)
        return value
    known = [*_PATHS, *_NUMBERS]
    close = get_close_matches(key, known, 1)
    hint = f"did you mean `{close[0]}`?" if close else f"known: {', '.join(known)}"
    raise ValueError(f"`{key}` is no setting of a sidecar", hint)


def _problem(path: Path, text: str, key: str, message: str, remedy: str | None) -> Problem:
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().removeprefix('"').startswith(key):
            column = line.index(key) + 1
            place = Place(str(path), number, column, column + len(key), line)
            return Problem(message, "bad-sidecar", place, remedy)
    return Problem(message, "bad-sidecar", Place(str(path), 1), remedy)


def _wrong(message: str) -> ConfigError:
    return ConfigError(Problem(message, "bad-sidecar"))
