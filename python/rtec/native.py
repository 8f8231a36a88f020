"""The library in C for the innermost loops: found, or compiled when it is first needed.

The sources lie beside the Prolog files. A library belongs to its sources and to one
SWI-Prolog, and is kept, like compiled programs, in the user's cache folder. Where it cannot be
had (no compiler, no cache), Prolog does the same work more slowly; nothing is ever
reported from here, but `rtec doctor` says how it stands.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rtec.environment import cache_root, prolog_folder

VARIABLE = "RTEC_NATIVE"
"""Names the library for Prolog; set by a user, it is taken as it is, and `off` is none."""

_FLAGS = ("-std=c11", "-O2", "-shared", "-fPIC")
_ENDING = ".so"
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Native:
    """The library, or why there is none."""

    library: Path | None
    reason: str = ""


def prepare_native(home: Path) -> Native:
    """Let Prolog find the library: set the variable that it looks at.

    Args:
        home: The home folder of the SWI-Prolog that will load it.
    """
    given = os.environ.get(VARIABLE)
    if given == "off":
        return Native(None, f"switched off by {VARIABLE}")
    if given:
        return Native(Path(given))
    native = find_native(home)
    if native.library is not None:
        os.environ[VARIABLE] = str(native.library)
    return native


def find_native(home: Path) -> Native:
    """Return the library for a SWI-Prolog, compiled now if it has not been before."""
    root = cache_root()
    if root is None:
        return Native(None, "there is no cache folder to keep it in")
    header = home / "include" / "SWI-Prolog.h"
    if not header.is_file():
        return Native(None, f"{header} is missing")
    sources = sorted((prolog_folder() / "native").glob("*.[ch]"))
    name = _digest([header, *sources])
    library, failure = root / "native" / f"{name}{_ENDING}", root / "native" / f"{name}.failed"
    if library.is_file():
        return Native(library)
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return Native(None, "there is no C compiler")
    try:
        if failure.is_file():
            return Native(None, failure.read_text(encoding="utf-8"))
        library.parent.mkdir(parents=True, exist_ok=True)
        said = _compile(compiler, header.parent, sources, library)
        if said:
            failure.write_text(said, encoding="utf-8")
            return Native(None, said)
    except OSError as error:
        return Native(None, str(error))
    return Native(library)


def _compile(compiler: str, include: Path, sources: list[Path], library: Path) -> str:
    """Compile to a temporary name and move into place; return what went wrong, if anything.

    Several processes may do this at once: each moves a whole library into place.
    """
    flags = list(_FLAGS)
    if sys.platform == "darwin":
        flags += ["-undefined", "dynamic_lookup"]
    files = [str(source) for source in sources if source.suffix == ".c"]
    with tempfile.TemporaryDirectory(dir=library.parent, prefix=".new-") as folder:
        made = Path(folder) / library.name
        command = [compiler, *flags, f"-I{include}", "-o", str(made), *files]
        try:
            ended = subprocess.run(command, capture_output=True, text=True, timeout=_LONGEST)
        except subprocess.TimeoutExpired:
            return f"{compiler} took longer than {_LONGEST} s"
        if ended.returncode != 0:
            return ended.stderr.strip() or f"{compiler} failed"
        os.replace(made, library)
    return ""


def _digest(files: list[Path]) -> str:
    digest = hashlib.sha256(" ".join((*_FLAGS, sys.platform)).encode())
    for file in files:
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:32]
