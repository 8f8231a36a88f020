"""The parts of a job at work: those of the first stage, and those of the second.

A part of the first stage takes records and gives answers, and for every part of the second
stage the facts that this one needs at the query time. A part of the second stage takes these
facts and gives answers. Nothing here needs Spark.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from rtec import bridge
from rtec.compiler.program import Program
from rtec.runtime.answers import Recognitions
from rtec.runtime.buffer import Buffer, Due
from rtec.runtime.records import RecordBatch, TermText
from rtec.runtime.session import Session
from rtec.runtime.windows import Window
from rtec.spark.columns import ColumnReader, Columns, Whereabouts
from rtec.spark.objects import key_argument, object_name
from rtec.spark.package import Moves
from rtec.spark.positions import Entity
from rtec.spark.routing import distinct, entity_of, pair_key
from rtec.spark.split import Places, Split, part_of, part_of_pair


class Handed(NamedTuple):
    """Facts as columns, and others as a text that Prolog reads; empty if there are none."""

    columns: list[Columns]
    text: str


Facts: TypeAlias = dict[str, list[list[Any]]] | Handed
"""For each predicate the arguments of its facts; or what the engine has made of them."""

_OFFSETS = {"fluent": 0, "event": 1, "point": 2, "broken": 2}
"""What stands before the arguments in the facts of a store."""
_NAME = r"('(?:[^'\\]|\\.)*'|\w+)/(\d+)"
_STEP = re.compile(rf"rtec_step\(\d+, (\w+)\((?:\[(\w+)\()?{_NAME}")
_OUTPUT = re.compile(rf"rtec_output_(fluent|event)\({_NAME}")


def staged(program: Program, split: Split, second: bool) -> Program:
    """Leave to a program the steps of one stage; those of the other are done elsewhere."""
    if not split.second:
        return program
    lines = [_staged_line(line, split, second) for line in program.text.splitlines()]
    return replace(program, text="\n".join(lines) + "\n", description=None, graph=None)


def _staged_line(line: str, split: Split, second: bool) -> str:
    if line.startswith("rtec_step("):
        found = _STEP.match(line)
        is_second = found is not None and _step_entity(found) in split.second
        return line if is_second == second else "rtec_elsewhere(" + line[len("rtec_step(") :]
    if line.startswith("rtec_output_"):
        found = _OUTPUT.match(line)
        if found is not None:
            entity = (found[1], _unquoted(found[2]), int(found[3]))
            return line if (entity in split.second) == second else ""
    return line


def _step_entity(found: re.Match[str]) -> Entity:
    kind, member, name, arity = found.groups()
    is_event = (member or kind) == "event"
    return ("event" if is_event else "fluent", _unquoted(name), int(arity))


def _unquoted(name: str) -> str:
    if name[0] != "'":
        return name
    return name[1:-1].replace("\\'", "'").replace("\\\\", "\\")


class StageSession(Session):
    """A session of one stage, which hands facts on or gets them."""

    def stores(self, entities: Iterable[Entity]) -> list[tuple[int, str, int, str]]:
        """Find the predicates that hold what rules read of some entities."""
        rows = [(i, *entity) for i, entity in enumerate(entities)]
        found: list[tuple[int, str, int, str]] = bridge.call("bridge_stores", self._module, rows)
        return found

    def facts(self, stores: list[tuple[int, str, int, str]]) -> list[tuple[int, str, list[Any]]]:
        """Fetch all facts of some predicates, as they are after the last query time."""
        fields = iter(bridge.call("bridge_facts", self._module, stores))
        return list(zip(fields, fields, fields, strict=True))

    def give(self, stores: list[tuple[int, str, int, str]], several: Iterable[Facts]) -> None:
        """Put facts in the place of those that some predicates have."""
        joined: dict[str, list[list[Any]]] = {}
        texts: list[str] = []
        columns: list[Columns] = []
        for facts in several:
            if isinstance(facts, Handed):
                texts += [facts.text] if facts.text else []
                columns += facts.columns
                continue
            for predicate, rows in facts.items():
                joined.setdefault(predicate, []).extend(rows)
        if self._columns is not None:
            there = [each.addresses() for each in columns]
            if self._give(stores, joined, texts, there):
                return
        for each in columns:
            joined.setdefault(each.predicate, []).extend(each.rows())
        self._give(stores, joined, texts, [])

    def _give(self, stores: Any, joined: dict[str, Any], texts: Any, columns: Any) -> bool:
        given = list(joined.items())
        return bool(bridge.call("bridge_given", self._module, stores, given, texts, columns))

    def meet(self, members: list[Any], pairs: list[Any]) -> None:
        """Note where facts about objects and pairs go from now on."""
        bridge.command("bridge_met", self._module, members, pairs)

    def columns(
        self, stores: list[list[Any]], reader: ColumnReader
    ) -> tuple[dict[int, list[Columns]], list[Any]]:
        """Fetch what stores hold by the part that it goes to; list those that have no columns."""

        def read(answer: list[Any]) -> tuple[dict[int, list[Columns]], list[Any]]:
            return reader.read(answer[0]), answer[1]

        found: tuple[dict[int, list[Columns]], list[Any]] = bridge.call(
            "bridge_columns", self._module, stores, then=read
        )
        return found

    def texts(self, stores: list[list[Any]], everyone: list[int]) -> dict[int, str]:
        """Fetch the facts of other stores by the part that they go to, for Prolog to read."""
        found = bridge.call("bridge_blocks", self._module, stores, everyone)
        return dict(zip(found[::2], found[1::2], strict=True))


@dataclass
class Intake:
    """The records of a part of the first stage, before the engine gets them.

    Attributes:
        split: What is done in which part.
        number: Which part this is.
        buffer: Records of its own.
        copies: Records that belong to another part, of pairs with an object of its own.
        met: The members of each pair that has an object of this part, in the order of some
            record, and the part of the second stage that the pair goes to.
        known: The keys of these pairs, in which 7 and 7.0 differ.
    """

    split: Split
    number: int
    buffer: Buffer
    copies: Buffer
    met: list[tuple[tuple[Any, ...], int]] = field(default_factory=list)
    known: set[Hashable] = field(default_factory=set)

    @classmethod
    def empty(cls, split: Split, number: int, moves: Moves) -> Intake:
        """Begin without records."""
        own, copies = (Buffer(start=moves.start, tick=moves.tick) for _ in range(2))
        return cls(split, number, own, copies)

    def add(self, batch: RecordBatch) -> None:
        """Take records; each counts from the first query time at or after its arrival."""
        split = self.split
        paths = split.paths(batch.name, batch.arity, batch.kind == "event")
        if len(paths) < 2 or (split.parts == 1 and not split.second):
            self.buffer.add(batch)
            return
        first = _places(split.parts).of(batch.args[paths[0][0]].tolist())
        own = np.array(first) == self.number
        if split.second and split.by_pairs:
            self._note(distinct([batch.args[path[0]] for path in paths]))
        if own.all():
            self.buffer.add(batch)
            return
        if own.any():
            self.buffer.add(batch.filter(own))
        if entity_of(batch) in split.copied:
            self.copies.add(batch.filter(~own))

    def take(self, batches: Iterable[RecordBatch], met: Iterable[tuple[Any, ...]]) -> None:
        """Take records that were sent here alone, unless they are copied; and pairs that meet."""
        for batch in batches:
            if entity_of(batch) in self.split.copied:
                self.add(batch)
            else:
                self.buffer.add(batch)
        self._note(met)

    def _note(self, pairs: Iterable[tuple[Any, ...]]) -> None:
        for pair in pairs:
            key = pair_key(pair)
            if key not in self.known:
                self.known.add(key)
                names = [object_name(item) for item in pair]
                self.met.append((pair, part_of_pair(names, self.split.targets)))


@cache
def _places(parts: int) -> Places:
    """The parts of objects, which several intakes may find out together."""
    return Places(parts)


class FirstPart:
    """A part of the first stage; of the only one, where there is no second."""

    def __init__(
        self, program: Program, moves: Moves, split: Split, number: int, snapshot: bytes = b""
    ) -> None:
        """Begin, or go on from a snapshot of the engine."""
        self._split = split
        self._number = number
        self.session = _session(staged(program, split, second=False), moves, snapshot)
        self._stores = self.session.stores(split.feeds) if split.second else []
        self._routed: list[list[Any]] = [
            [predicate, arity, [path[0] + _OFFSETS[how] + 1 for path in split.keys[feed]], how]
            for index, predicate, arity, how in self._stores
            for feed in [split.feeds[index]]
        ]
        self._everyone = list(range(split.targets)) if number == 0 else []
        self._where = Whereabouts(split.targets, self._everyone)
        positions = {store[0]: [key - 1 for key in store[2]] for store in self._routed}
        self._reader = ColumnReader(positions, self._where, bridge.call("bridge_native"))
        self._learnt = self._told = self._told_members = 0
        self._members: dict[tuple[Any, type, int], None] = {}
        self._names: dict[Any, str] = {}
        self._places = Places(split.parts)

    def close(self) -> None:
        """Give the engine's memory back."""
        self.session.close()

    def query(self, window: Window, intake: Intake) -> tuple[Recognitions, Due]:
        """Reason over a window; return what this part has to report, and what was due."""
        due, more = intake.buffer.take(window), intake.copies.take(window)
        both = Due(
            [*due.insert, *more.insert],
            [*due.retract, *more.retract],
            [*due.rest, *more.rest],
        )
        answers = self.session.advance(window, both)
        return self._split.own_answers(answers, self._number, self._places), due

    def facts(self, intake: Intake, is_first: bool) -> dict[int, Facts]:
        """What each part of the second stage needs to know, as of the last query time.

        At the first query time everybody gets something, so that it reasons even if nothing
        more ever comes.
        """
        split, number = self._split, self._number
        found: dict[int, Facts] = {}
        if not split.second:
            return found
        everyone = list(range(split.targets))
        if is_first and number == 0:
            found = {target: {} for target in everyone}
        if split.by_pairs and self._is_flat():
            return {**found, **self._handed(intake)}
        partners = self._partners(intake)
        offsets = {store[1]: _OFFSETS[store[3]] for store in self._stores}
        paths = [split.keys[entity] for entity in split.feeds]
        for index, predicate, args in self.session.facts(self._stores):
            names = [self._key_name(args, offsets[predicate], path) for path in paths[index]]
            if "" in names:  # a pattern for everybody
                names = []
            if (part_of(names[0], split.parts) if names else 0) != number:
                continue
            targets: Iterable[int] = everyone
            if split.by_pairs and len(names) == 1:
                targets = partners.get(names[0], ())
            elif split.by_pairs and names:
                targets = (part_of_pair(names, split.targets),)
            for target in targets:
                facts = found.setdefault(target, {})
                assert isinstance(facts, dict)
                facts.setdefault(predicate, []).append(args)
        return found

    def _is_flat(self) -> bool:
        """Whether all keys are arguments, not inside of them: then Prolog sorts facts out."""
        keys = [path for feed in self._split.feeds for path in self._split.keys[feed]]
        inside = any(store[3] == "broken" for store in self._stores)
        return not inside and all(len(path) == 1 for path in keys)

    def _handed(self, intake: Intake) -> dict[int, Facts]:
        """What the engine hands out by itself: columns, and the facts of stores that have none."""
        self._learn(intake)
        columns, others = self.session.columns(self._routed, self._reader)
        texts: dict[int, str] = {}
        if others:
            self._tell(intake)
            texts = self.session.texts(others, self._everyone)
        return {
            target: Handed(columns.get(target, []), texts.get(target, ""))
            for target in columns.keys() | texts.keys()
        }

    def _learn(self, intake: Intake) -> None:
        """Note where facts go about pairs that have met since the last time, and their members."""
        for items, target in intake.met[self._learnt :]:
            parts = self._places.of(items)
            for item, part in zip(items, parts, strict=True):
                member = (item, type(item), target)
                if part == self._number and member not in self._members:
                    self._members[member] = None
                    self._where.add((item,), target)
            if parts[0] == self._number:
                self._where.add(items, target)
        self._learnt = len(intake.met)

    def _tell(self, intake: Intake) -> None:
        """Tell the engine of pairs that it has not heard of."""
        if self._told == len(intake.met):
            return
        members = list(self._members)[self._told_members :]
        pairs: list[Any] = []
        for items, target in intake.met[self._told :]:
            if self._places.of(items)[0] == self._number:
                pairs += [[_plain(item) for item in items], target]
        told = [part for item, _, target in members for part in (_plain(item), target)]
        self.session.meet(told, pairs)
        self._told, self._told_members = len(intake.met), len(self._members)

    def _partners(self, intake: Intake) -> dict[str, set[int]]:
        """For each object the parts of the second stage that it has a pair in."""
        found: dict[str, set[int]] = {}
        for items, target in intake.met:
            for item in items:
                found.setdefault(object_name(item), set()).add(target)
        return found

    def _key_name(self, args: list[Any], offset: int, path: tuple[int, ...]) -> str:
        item = args[path[0] + offset]
        if isinstance(item, list):
            item = item[0]
            if item == "_":
                return ""
        if len(path) > 1:
            item = key_argument([item], (0, *path[1:]))
        if item is None or isinstance(item, float):
            return "" if item is None else object_name(item)
        name = self._names.get(item)
        if name is None:
            if len(self._names) > 100_000:
                self._names.clear()
            name = self._names[item] = object_name(item)
        return name


class SecondPart:
    """A part of the second stage."""

    def __init__(self, program: Program, moves: Moves, split: Split, snapshot: bytes = b"") -> None:
        """Begin, or go on from a snapshot."""
        self.session = _session(staged(program, split, second=True), moves, snapshot)
        self._stores = self.session.stores(split.feeds)

    def query(self, window: Window, facts: Iterable[Facts]) -> Recognitions:
        """Reason over a window, with what the parts of the first stage say of it."""
        self.session.give(self._stores, facts)
        return self.session.advance(window, Due())

    def close(self) -> None:
        """Give the engine's memory back."""
        self.session.close()


def _session(program: Program, moves: Moves, snapshot: bytes) -> StageSession:
    if snapshot:
        restored = StageSession.restore(program, snapshot, time_limit=moves.time_limit)
        assert isinstance(restored, StageSession)
        return restored
    return StageSession(
        program,
        window=moves.size,
        start=moves.start,
        tick=moves.tick,
        time_limit=moves.time_limit,
        memory=moves.memory,
    )


def _plain(item: Any) -> Any:
    """An object as Prolog gets it: the text of a compound in a list."""
    return [str(item)] if isinstance(item, TermText) else item
