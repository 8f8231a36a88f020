"""Where things are: the package's own folders, and the SWI-Prolog that janus embeds.

This file is the only one that knows a checkout from an installed wheel, and a private
SWI-Prolog from the system's. It imports nothing outside the standard library, and never janus.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rtec.errors import ConfigError, Problem

OLDEST_SWIPL = (9, 1, 12)
"""The first SWI-Prolog that janus works with."""

_PACKAGE = Path(__file__).resolve().parent
_INSTALL_SWIPL = (
    "install it (Debian 13: `apt install swi-prolog-core`; Ubuntu: the PPA swi-prolog/stable; "
    "macOS: `brew install swi-prolog`), or run `make install` in a checkout of rtec; "
    "`rtec doctor` shows what was found"
)


@dataclass(frozen=True, slots=True)
class Swipl:
    """One SWI-Prolog: the program, its home folder and its version."""

    program: Path
    home: Path
    version: tuple[int, int, int]


def checkout_folder() -> Path | None:
    """Return the root of the checkout that this package is run from, if it is one."""
    root = _PACKAGE.parent.parent
    return root if (root / "pyproject.toml").is_file() else None


def prolog_folder() -> Path:
    """Return the folder with `rtec.pl` and `rtec/`, the Prolog half."""
    return _own_folder("prolog")


def descriptions_folder() -> Path:
    """Return the folder of the bundled event descriptions."""
    return _own_folder("descriptions")


def data_folder() -> Path:
    """Return the folder of the bundled streams."""
    return _own_folder("data")


def _own_folder(name: str) -> Path:
    """Find a folder inside the package (a wheel) or at the root of the checkout."""
    for parent in (_PACKAGE, checkout_folder()):
        if parent is not None and (parent / name).is_dir():
            return parent / name
    raise ConfigError(
        Problem(
            f"rtec's own folder `{name}` is missing beside {_PACKAGE}",
            "broken-installation",
            remedy="the installation is incomplete; install rtec again",
        )
    )


def cache_root() -> Path | None:
    """Return where what can be made again is kept; None if RTEC_CACHE=off switches that off."""
    if os.environ.get("RTEC_CACHE") == "off":
        return None
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        root = Path(base) if base and os.path.isabs(base) else Path.home() / ".cache"
    except RuntimeError:  # no home
        return None
    return root / "rtec"


def prepare_swipl() -> Path:
    """Make `import janus_swi` find its Prolog home, and return that home.

    janus looks for it once, on import, in the variable `SWI_HOME_DIR`. One that is set
    already is kept, so that child processes, Spark's among them, do not search again.

    Raises:
        ConfigError: There is no SWI-Prolog, or only one that is too old.
    """
    given = os.environ.get("SWI_HOME_DIR")
    if given:
        if not Path(given).is_dir():
            raise ConfigError(
                Problem(
                    f"SWI_HOME_DIR names {given}, which is not a folder",
                    "no-swi-prolog",
                    remedy="unset it, and rtec looks for SWI-Prolog by itself",
                )
            )
        return Path(given)
    home = find_swipl().home
    os.environ["SWI_HOME_DIR"] = str(home)
    return home


@cache
def find_swipl() -> Swipl:
    """Return the SWI-Prolog to use.

    It is the one that the variable `SWIPL` names, else the one that this Python environment
    was set up with, else the checkout's private one, else the first on PATH.

    Raises:
        ConfigError: There is none, or only older ones than janus works with.
    """
    seen: list[Swipl] = []
    for program in _candidates():
        swipl = _ask_swipl(program)
        if swipl is not None and swipl.version >= OLDEST_SWIPL:
            return swipl
        if swipl is not None:
            seen.append(swipl)
    least = version_text(OLDEST_SWIPL)
    if seen:
        found = ", ".join(f"{version_text(s.version)} at {s.program}" for s in seen)
        message = f"rtec needs SWI-Prolog {least} or later; found only {found}"
    else:
        message = f"rtec needs SWI-Prolog {least} or later; found none"
    raise ConfigError(Problem(message, "no-swi-prolog", remedy=_INSTALL_SWIPL))


def janus_unusable(reason: str) -> ConfigError:
    """Make the error for a `janus_swi` that is missing or cannot be loaded."""
    return ConfigError(
        Problem(
            f"Python cannot load SWI-Prolog through janus: {reason}",
            "no-janus",
            remedy="`pip install --force-reinstall --no-cache-dir janus-swi` builds it for the "
            "SWI-Prolog on PATH; in a checkout, `make install`",
        )
    )


def version_text(version: tuple[int, ...]) -> str:
    """Write a version the usual way.

    >>> version_text((9, 2, 9))
    '9.2.9'
    """
    return ".".join(map(str, version))


def _candidates() -> Iterator[str]:
    """Yield programs that may be a good SWI-Prolog, the most explicit wish first."""
    if os.environ.get("SWIPL"):
        yield os.environ["SWIPL"]
    # Written by the set-up: janus in this environment is compiled for that very program.
    note = Path(sys.prefix) / ".swipl"
    if note.is_file():
        yield note.read_text(encoding="utf-8").strip()
    root = checkout_folder()
    if root is not None:
        yield str(root / ".swipl" / "bin" / "swipl")
    yield "swipl"


def _ask_swipl(name: str) -> Swipl | None:
    """Ask a program for its home and version; None if it is no working SWI-Prolog."""
    program = shutil.which(name)
    if program is None:
        return None
    # An inherited SWI_HOME_DIR would be repeated as the answer, whatever the program is.
    variables = {k: v for k, v in os.environ.items() if k != "SWI_HOME_DIR"}
    try:
        answer = subprocess.run(
            [program, "--dump-runtime-variables"],
            capture_output=True,
            text=True,
            env=variables,
            timeout=30,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    said = dict(re.findall(r'^(\w+)="(.*)";$', answer, re.MULTILINE))
    if not said.get("PLBASE") or not said.get("PLVERSION", "").isdigit():
        return None
    number = int(said["PLVERSION"])
    version = (number // 10000, number // 100 % 100, number % 100)
    return Swipl(Path(program).absolute(), Path(said["PLBASE"]), version)
