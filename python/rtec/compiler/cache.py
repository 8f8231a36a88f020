"""Compiled programs on disk, so that the same description is compiled once.

An entry is found by a hash of everything that the program was made from: the text and the
paths of the files, and the compiler's own source. Files that background files load are
known only after compilation, so an entry lists all files with the hashes they had, and
counts only while they have them still.

Entries are written to a temporary name and moved into place; processes that compile the
same description at the same time write the same bytes. A cache that cannot be read or
written is as good as none: nothing is ever reported from here.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import io
import os
import pickle
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rtec.compiler.program import Program
from rtec.environment import cache_root, prolog_folder

MOST_ENTRIES = 200
_ENDING = ".program"
_PLAIN = {"set", "frozenset", "dict", "list", "tuple"}


def cache_folder() -> Path | None:
    """Where entries are kept; None if the cache is switched off with RTEC_CACHE=off."""
    root = cache_root()
    return None if root is None else root / "programs"


def program_key(files: Sequence[Path], trust: bool) -> str | None:
    """The name of the entry for files given on the command line; None if one is unreadable."""
    digest = hashlib.sha256()
    for part in (_compiler_digest(), str(trust)):
        _add(digest, part.encode())
    for file in files:
        try:
            data = file.read_bytes()
        except OSError:
            return None
        _add(digest, str(file).encode("utf-8", "surrogateescape"))
        _add(digest, data)
    return digest.hexdigest()


def load(key: str) -> Program | None:
    """Fetch a program, if there is an intact entry whose files have not changed."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        entry = _Reader(io.BytesIO((folder / f"{key}{_ENDING}").read_bytes())).load()
        program, files = entry
    except Exception:  # anything may be in a damaged file
        return None
    if not isinstance(program, Program) or not isinstance(files, dict):
        return None
    if any(file_digest(Path(path)) != digest for path, digest in files.items()):
        return None
    return program


def store(key: str, program: Program, files: Iterable[Path]) -> None:
    """Keep a program, with the files it was made from."""
    folder = cache_folder()
    if folder is None:
        return
    entry = (program, {str(file): file_digest(file) for file in files})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        data = pickle.dumps(entry, protocol=5)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, folder / f"{key}{_ENDING}")
        except OSError:
            os.unlink(temporary)
            raise
        _prune(folder)
    except (OSError, pickle.PicklingError, RecursionError):
        return


def file_digest(path: Path) -> str:
    """A hash of a file; empty if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _prune(folder: Path) -> None:
    """Forget the entries that were written longest ago."""
    entries = [e for e in os.scandir(folder) if e.name.endswith(_ENDING)]
    if len(entries) <= MOST_ENTRIES:
        return
    entries.sort(key=lambda e: e.stat().st_mtime)
    for entry in entries[: len(entries) - MOST_ENTRIES]:
        os.unlink(entry.path)


class _Reader(pickle.Unpickler):
    """Reads nothing but rtec's own dataclasses and plain containers."""

    def find_class(self, module: str, name: str) -> Any:
        if module == "builtins" and name in _PLAIN:
            return super().find_class(module, name)
        if module.split(".")[0] == "rtec":
            found = getattr(importlib.import_module(module), name, None)
            if isinstance(found, type) and dataclasses.is_dataclass(found):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} does not belong into a cached program")


def _add(digest: Any, data: bytes) -> None:
    """Add a part with its length, so that parts cannot run into each other."""
    digest.update(len(data).to_bytes(8, "big"))
    digest.update(data)


@cache
def _compiler_digest() -> str:
    """A hash of the compiler's source, so that a changed compiler compiles anew."""
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    sources = sorted(folder.rglob("*.py"))
    sources += sorted((prolog_folder() / "rtec").glob("*.pl"))
    for source in sources:
        _add(digest, source.name.encode())
        _add(digest, source.read_bytes())
    return digest.hexdigest()
