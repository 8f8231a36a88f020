"""Lines of a live source that are no records: where it begins, how late it is, that it ends.

    #rtec replay      I can start after any line: tell me which (a server, as its first line)
    #rtec from N      start after N lines (the answer to `replay`); N lines came before the next
    #rtec time T      no record that arrives at or before T will come
    #rtec end         that was all

They are not counted as lines. A source need not send any: one that does not is taken as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

_SIGN = b"#rtec "
_MARK = re.compile(rb"#rtec (?:(replay|end)|(from|time) (-?[0-9]{1,18}))\s*")
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")

Verb: TypeAlias = Literal["replay", "from", "time", "end"]


@dataclass(frozen=True, slots=True)
class Mark:
    """One such line."""

    verb: Verb
    number: int = 0

    def line(self) -> bytes:
        r"""Write it.

        >>> Mark("from", 12).line(), Mark("end").line()
        (b'#rtec from 12\n', b'#rtec end\n')
        """
        number = f" {self.number}" if self.verb in ("from", "time") else ""
        return f"#rtec {self.verb}{number}\n".encode()


def parse_mark(line: bytes) -> Mark | None:
    """Read a line, if it is a mark; one that is misspelt is a malformed record."""
    match = _MARK.fullmatch(line)
    if match is None:
        return None
    plain, verb, number = match.groups()
    return Mark(cast(Verb, (plain or verb).decode()), int(number or 0))


def split_marks(data: bytes) -> Iterator[tuple[bytes, Mark | None]]:
    r"""Cut whole lines at the marks among them.

    >>> for part in split_marks(b"#rtec from 0\na|1|1\nb|2|2\n#rtec end\n"):
    ...     print(part)
    (b'#rtec from 0\n', Mark(verb='from', number=0))
    (b'a|1|1\nb|2|2\n', None)
    (b'#rtec end\n', Mark(verb='end', number=0))
    """
    if _SIGN not in data:
        if data:
            yield data, None
        return
    held: list[bytes] = []
    for line in _LINE.findall(data):
        mark = parse_mark(line)
        if mark is None:
            held.append(line)
            continue
        if held:
            yield b"".join(held), None
            held = []
        yield line, mark
    if held:
        yield b"".join(held), None
