"""The parts of a job at work: those of the first stage, and those of the second.

A part of the first stage takes records and gives answers, and for every part of the second
stage the facts that this one needs at the query time. A part of the second stage takes these
facts and gives answers. Nothing here needs Spark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rtec import bridge
from rtec.compiler.program import Program
from rtec.runtime.answers import Recognitions
from rtec.runtime.buffer import Due
from rtec.runtime.records import TermText
from rtec.runtime.session import Session
from rtec.runtime.windows import Window
from rtec.spark.columns import ColumnReader, Columns, Learnt, Whereabouts
from rtec.spark.intake import Intake
from rtec.spark.objects import key_argument, object_name
from rtec.spark.package import Moves
from rtec.spark.passing import Passing, together
from rtec.spark.positions import Entity
from rtec.spark.split import Places, Split, part_of, part_of_pair


@dataclass(frozen=True, slots=True)
class Facts:
    """What a part of the second stage gets from one of the first at a query time.

    Attributes:
        rows: For each predicate the arguments of its facts.
        columns: Facts as columns, which the engine reads by itself.
        text: Others as a text that Prolog reads; empty if there are none.
        due: Records that are passed on.
    """

    rows: dict[str, list[list[Any]]] = field(default_factory=dict)
    columns: list[Columns] = field(default_factory=list)
    text: str = ""
    due: Due = field(default_factory=Due)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it without the names of its fields; nobody counts what is passed on."""
        due = self.due.insert, self.due.retract, self.due.rest
        return _unpickled, (self.rows, [*map(tuple, self.columns)], self.text, due)


def _unpickled(rows: Any, columns: Any, text: str, due: Any) -> Facts:
    return Facts(rows, [*map(Columns._make, columns)], text, Due(*due))


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
        entity = None if found is None else _step_entity(found)
        is_second = entity in split.second or entity in split.passed
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

    @cached_property
    def _numbers(self) -> Learnt:
        return Learnt()

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
        arities = {predicate: arity - 2 for _, predicate, arity, _ in stores}
        for facts in several:
            texts += [facts.text] if facts.text else []
            columns += facts.columns
            for predicate, rows in facts.rows.items():
                joined.setdefault(predicate, []).extend(rows)
        for each in columns:
            self._numbers.learn(each, arities[each.predicate])
        if self._columns is not None:
            there = [each.addresses() for each in columns]
            if self._give(stores, joined, texts, there):
                return
        for each in columns:
            joined.setdefault(each.predicate, []).extend(self._numbers.rows(each))
        self._give(stores, joined, texts, [])

    def _give(self, stores: Any, joined: dict[str, Any], texts: Any, columns: Any) -> bool:
        given = list(joined.items())
        return bool(bridge.call("bridge_given", self._module, stores, given, texts, columns))

    def meet(self, members: list[Any]) -> None:
        """Note where facts about objects go from now on."""
        bridge.command("bridge_met", self._module, members)

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


class FirstPart:
    """A part of the first stage; of the only one, where there is no second."""

    def __init__(
        self,
        program: Program,
        moves: Moves,
        split: Split,
        number: int,
        snapshot: bytes = b"",
        is_remembered: bool = False,
    ) -> None:
        """Begin, or go on from a snapshot of the engine.

        `is_remembered`: what is sent to a part of the second stage is all read by the same one,
        and in order, so that names have to be told only once.
        """
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
        self._places = Places(split.parts)
        places = self._places  # not `self`: nobody should have to look for a cycle
        self._where = Whereabouts(
            split.targets, self._everyone, lambda items: places.of(items)[0] == number
        )
        positions = {store[0]: [key - 1 for key in store[2]] for store in self._routed}
        library = bridge.call("bridge_native")
        self._reader = ColumnReader(positions, self._where, library, number, is_remembered)
        self._learnt = self._told = 0
        self._partners: dict[str, set[int]] = {}  # by name, the same as in _where
        self._names: dict[Any, str] = {}
        self._passing = Passing(split)
        self._passed: dict[int, Due] = {}

    def close(self) -> None:
        """Give the engine's memory back."""
        self.session.close()

    def query(
        self, window: Window, intake: Intake, is_first: bool
    ) -> tuple[Recognitions, Due, dict[int, Facts]]:
        """Reason over a window.

        At the first query time everybody gets something, so that it reasons even if nothing
        more ever comes.

        Returns:
            What this part has to report, what was due, and what each part of the second stage
            needs to know.
        """
        due, copies = intake.buffer.take(window), intake.copies.take(window)
        own, self._passed = self._passing.apart(due)

        def work() -> tuple[Recognitions, dict[int, Facts]]:
            answers = self.session.advance(window, together([own, copies]))
            return answers, self._facts(intake, is_first) if self._split.second else {}

        answers, facts = bridge.together(work)
        return self._split.own_answers(answers, self._number, self._places), due, facts

    def _facts(self, intake: Intake, is_first: bool) -> dict[int, Facts]:
        found: dict[int, Facts] = {}
        if is_first and self._number == 0:
            found = {target: Facts() for target in range(self._split.targets)}
        self._learn(intake)
        if self._is_flat:
            found.update(self._handed(intake))
        else:
            self._add_by_name(self._stores, found)
        for target, due in self._passed.items():
            found[target] = replace(found.get(target, Facts()), due=due)
        return found

    @cached_property
    def _is_flat(self) -> bool:
        """Whether all keys are arguments, not inside of them: then the engine sorts facts out."""
        keys = [path for feed in self._split.feeds for path in self._split.keys[feed]]
        inside = any(store[3] == "broken" for store in self._stores)
        return self._split.by_pairs and not inside and all(len(path) == 1 for path in keys)

    def _add_by_name(
        self, stores: list[tuple[int, str, int, str]], found: dict[int, Facts]
    ) -> None:
        """Sort facts out here, by the names of objects."""
        split = self._split
        offsets = {store[1]: _OFFSETS[store[3]] for store in stores}
        paths = [split.keys[entity] for entity in split.feeds]
        for index, predicate, args in self.session.facts(stores):
            names = [self._key_name(args, offsets[predicate], path) for path in paths[index]]
            if "" in names:  # a pattern for everybody
                names = []
            if (part_of(names[0], split.parts) if names else 0) != self._number:
                continue
            targets: Iterable[int] = range(split.targets)
            if split.by_pairs and len(names) == 1:
                targets = self._partners.get(names[0], ())
            elif split.by_pairs and names:
                targets = (part_of_pair(names, split.targets),)
            for target in targets:
                found.setdefault(target, Facts()).rows.setdefault(predicate, []).append(args)

    def _handed(self, intake: Intake) -> dict[int, Facts]:
        """What the engine hands out by itself: columns, and the facts of stores that have none."""
        columns, others = self.session.columns(self._routed, self._reader)
        single = [store for store in others if len(store[2]) < 2]
        texts: dict[int, str] = {}
        if single:
            self._tell(intake)
            texts = self.session.texts(single, self._everyone)
        found = {
            target: Facts({}, columns.get(target, []), texts.get(target, ""))
            for target in columns.keys() | texts.keys()
        }
        of_pairs = {store[0] for store in others if len(store[2]) > 1}
        if of_pairs:  # Prolog does not know where pairs go
            self._add_by_name([s for s in self._stores if s[1] in of_pairs], found)
        return found

    def _learn(self, intake: Intake) -> None:
        """Note where facts go about objects that have new pairs."""
        for item, target in intake.met[self._learnt :]:
            self._where.add(item, target)
            self._partners.setdefault(object_name(item), set()).add(target)
        self._learnt = len(intake.met)

    def _tell(self, intake: Intake) -> None:
        """Tell the engine of members that it has not heard of."""
        if self._told < len(intake.met):
            new = intake.met[self._told :]
            self.session.meet([part for item, target in new for part in (_plain(item), target)])
            self._told = len(intake.met)

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

    def query(self, window: Window, several: Sequence[Facts]) -> Recognitions:
        """Reason over a window, with what the parts of the first stage say of it."""

        def work() -> Recognitions:
            self.session.give(self._stores, several)
            return self.session.advance(window, together(facts.due for facts in several))

        return bridge.together(work)

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
