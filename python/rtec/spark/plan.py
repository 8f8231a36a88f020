"""The partition plan of a description: derived from its rules, with the rule behind each step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path as FilePath

from rtec.compiler.dependencies import Graph, helper_reads
from rtec.compiler.description import Description, Hint, Rule, split_fvp
from rtec.compiler.lifting import AUX_PREFIX
from rtec.compiler.passes import analyse
from rtec.compiler.program import Program
from rtec.compiler.terms import Term, conjuncts, variables
from rtec.errors import ConfigError, Place, Problem
from rtec.spark.criterion import Criterion, Fault
from rtec.spark.positions import (
    Entity,
    Keys,
    Path,
    Sort,
    at,
    clauses,
    domains,
    event,
    fluent,
    head_of,
    keys_of,
    mentioned,
    sorts,
)
from rtec.spark.stages import Reason, Sorter, Stages, Subject, Unknown

_MOST_SORTS = 24


@dataclass(frozen=True)
class PartitionPlan:
    """How a stream can be split for a description.

    Attributes:
        keys: For each event and fluent the paths to its keys; none if it concerns everybody.
        inputs: The inputs, as they stand in `keys`.
        outputs: The outputs.
        called: How rules call the thing that the stream is split by.
        fault: Why it cannot be split; None if it can.
        spontaneous: Whether answers about objects without records are possible.
        feeds: For each relational output the non-relational ones that it reads.
        witnesses: For each entity a rule that shows its keys.
        stages: What is worked out object by object, and what after that; None if it goes by
            groups of objects that meet, or cannot be split.
        alone: Why the second stage is in one part; None if it is not.
    """

    keys: Keys
    inputs: tuple[Entity, ...]
    outputs: tuple[Entity, ...]
    called: str = ""
    fault: Problem | None = None
    spontaneous: bool = False
    feeds: dict[Entity, tuple[Entity, ...]] = field(default_factory=dict)
    witnesses: dict[Entity, Place] = field(default_factory=dict)
    stages: Stages | None = None
    alone: Problem | None = None

    @property
    def whole(self) -> bool:
        """Whether everything has to be in one partition."""
        return self.fault is not None

    @property
    def relational(self) -> bool:
        """Whether records bring objects together."""
        return not self.whole and any(len(self.keys[i]) > 1 for i in self.inputs)

    @property
    def warning(self) -> Problem | None:
        """What keeps some of the work in one partition."""
        return self.fault or self.alone

    def paths(self, name: str, arity: int, is_event: bool) -> tuple[Path, ...]:
        """The keys of an input record or of an answer."""
        return self.keys.get(("event" if is_event else "fluent", name, arity), ())


def plan(program: Program, groups: bool = True) -> PartitionPlan:
    """Derive the partition plan of a program.

    Args:
        program: A compiled description.
        groups: Whether objects that meet may be kept together. That is better than a second
            stage in one part, but has to be known beforehand, so not for live streams.

    Raises:
        ConfigError: The program has no description with it.
    """
    return derive(description_of(program), [FilePath(b) for b in program.background], groups)


def description_of(program: Program) -> Description:
    """The description of a program, which one that only runs does not have."""
    if program.description is None:
        raise ConfigError(
            Problem(
                f"the rules of `{program.name}` are needed to split its stream, "
                "and the program is without them",
                "no-rules",
                remedy="compile it with `rtec.compiler.compile_description(path, background)`",
            )
        )
    return program.description


def derive(
    description: Description, background: Sequence[FilePath] = (), groups: bool = True
) -> PartitionPlan:
    """Find the best way: two stages, or groups of objects that meet, or a first stage at least."""
    staged = _staged(_Case.of(description, background, lifted=True))
    if staged is not None and staged.alone is None:
        return staged
    grouped = _grouped(_Case.of(description, background))
    if staged is not None and (grouped.whole or not groups):
        return staged
    if grouped.whole or groups:
        return grouped
    return replace(grouped, fault=_problem("who meets whom is not known beforehand"))


def _staged(case: _Case) -> PartitionPlan | None:
    """Find the keys by which the first stage does most; None if it has nothing to do."""
    if case.fault is not None:
        return None
    best: tuple[tuple[int, ...], Keys, tuple[Sort, ...], Stages] | None = None
    for chosen in case.choices():
        keys = keys_of(chosen, case.entities)
        if not any(keys[i] for i in case.inputs):
            continue
        if any(len(path) > 1 for i in case.inputs for path in keys[i]):
            continue  # Spark does not look into compound arguments of records
        stages = case.stages(keys)
        if stages is None or not _visible(stages, keys):
            continue
        rank = (
            len(stages.second) if stages.alone is not None else 0,
            len(stages.second),
            sum(not keys[e] for e in case.outputs),
            sum(not keys[i] for i in case.inputs),
            sum(len(keys[i]) > 1 for i in case.inputs),
            len(chosen),
        )
        if best is None or rank < best[0]:
            best = (rank, keys, chosen, stages)
    if best is None:
        return None
    _, keys, chosen, stages = best
    alone = None if stages.alone is None else case.reason(stages.alone)
    found = case.result(keys, case.called(chosen), None, case.spontaneous(keys, stages.first))
    return replace(found, stages=stages, alone=alone)


def _visible(stages: Stages, keys: Keys) -> bool:
    """Whether something that is reported, and not by one part only, gains by splitting."""
    gaining = stages.first if stages.alone is not None else stages.first | stages.second
    return any(keys[e] and not e[1].startswith(AUX_PREFIX) for e in gaining)


def _grouped(case: _Case) -> PartitionPlan:
    """Find the keys by which the fewest things concern everybody and the fewest are joined."""
    if case.fault is not None:
        return case.result({}, "", case.fault, False)
    candidates = case.choices()
    best: tuple[tuple[int, ...], PartitionPlan] | None = None
    nearest: tuple[int, Problem] | None = None
    for chosen in candidates:
        keys = keys_of(chosen, case.entities)
        if not any(keys[i] for i in case.inputs):
            continue
        if any(len(path) > 1 for i in case.inputs for path in keys[i]):
            continue  # Spark does not look into compound arguments of records
        faults, spontaneous = case.judge(keys)
        if faults:
            distance = len(faults) + sum(not keys[e] for e in case.entities)
            if nearest is None or distance < nearest[0]:
                nearest = (distance, faults[0])
            continue
        rank = (
            sum(not keys[e] for e in case.outputs),
            sum(not keys[i] for i in case.inputs),
            sum(len(keys[i]) > 1 for i in case.inputs),
            len(chosen),
        )
        if best is None or rank < best[0]:
            best = (rank, case.result(keys, case.called(chosen), None, spontaneous))
    if best is not None and best[0][0] < max(1, len(case.outputs)):
        return best[1]
    return case.result({}, "", nearest[1] if nearest else _nothing(case), False)


@dataclass
class _Case:
    """A description with what the search needs to know of it."""

    description: Description
    entities: list[Entity]
    inputs: tuple[Entity, ...]
    outputs: tuple[Entity, ...]
    sorts: list[Sort]
    reading: frozenset[tuple[str, int]]
    known_domains: frozenset[tuple[str, int]]
    fault: Problem | None
    graph: Graph
    _known: dict[int, list[Subject]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, description: Description, background: Sequence[FilePath], lifted: bool = False
    ) -> _Case:
        """Take a description as it was written, or with its auxiliaries."""
        with_auxiliaries, entities, graph = analyse(description)
        reads = helper_reads(with_auxiliaries, entities)
        description = with_auxiliaries if lifted else description
        inputs = [("event", *k) for k in sorted(entities.input_events)]
        inputs += [("fluent", *k) for k in sorted(entities.input_fluents)]
        heads = set(map(head_of, description.rules))
        mentions = {entity for clause in clauses(description) for entity, _ in clause}
        texts = [_text(path) for path in background]
        fault = None
        for path, text in zip(background, texts, strict=True):
            if re.search(r"^\s*preProcessing\s*\(", text, re.MULTILINE):
                fault = _problem(f"preProcessing/1 of {path.name} may read records of every entity")
        dynamic = domains(description)
        stated = {
            key for key in dynamic
            if any(re.search(rf"(?<!\w){re.escape(key[0])}\s*\(", text) for text in texts)
        }  # fmt: skip
        return cls(
            description,
            sorted({*inputs, *heads, *mentions}),
            tuple(inputs),
            tuple(sorted(heads - set(inputs))),
            sorts(description),
            frozenset(key for key, found in reads.items() if found),
            frozenset(stated),
            fault,
            graph,
        )

    def choices(self) -> Iterator[tuple[Sort, ...]]:
        """Yield sets of sorts to key by, the small and the widely used first."""
        inputs = set(self.inputs)
        usable = [s for s in self.sorts if any(entity in inputs for entity, _ in s)]
        usable.sort(key=lambda s: (-len({entity for entity, _ in s}), sorted(s)))
        hinted = self._hinted()
        usable.sort(key=lambda s: not any(position in s for position in hinted))
        usable = usable[:_MOST_SORTS]
        most = 3 if len(usable) <= 12 else 2
        for count in range(1, most + 1):
            yield from combinations(usable, count)

    def _hinted(self) -> list[tuple[Entity, Path]]:
        """The positions that `index/2` names."""
        found: list[tuple[Entity, Path]] = []
        for hint in self.description.hints_of("index"):
            fvp = split_fvp(hint.args[0])
            subject = fvp[0] if fvp else hint.args[0]
            entity = fluent(subject) if fvp else event(subject)
            names = [v.name for v in variables(subject)]
            for variable in variables(hint.args[1]):
                if variable.name in names:
                    found.append((entity, (names.index(variable.name),)))
        return found

    def stages(self, keys: Keys) -> Stages | None:
        """Sort the outputs into stages; None if that is not known to give the same answers."""
        dynamic = frozenset(domains(self.description))
        sorter = Sorter(
            keys,
            frozenset(self.inputs),
            tuple(self.description.rules),
            self.graph,
            self.reading,
            dynamic,
            frozenset(entity for _, entity, _ in self._grounded()),
            self._known,
        )
        try:
            found = sorter.stages()
            if dynamic and (found.second or any(self._groundings(Criterion(keys, dynamic)))):
                return None
        except (Unknown, Fault):
            return None
        return found

    def reason(self, reason: Reason) -> Problem:
        """Say which rule keeps the second stage in one partition."""
        return _problem(
            reason.text,
            self.description.place(reason.rule.clause.span),
            "the second stage needs all objects in one partition",
            "the first stage is still split",
        )

    def spontaneous(self, keys: Keys, heads: frozenset[Entity]) -> bool:
        """Whether some outputs may be about objects without records, as far as can be told."""
        criterion = Criterion(keys, frozenset(domains(self.description)), self.reading)
        verdicts = (
            criterion.judge(rule)
            for rule in self.description.rules
            if rule.kind != "postponed" and head_of(rule) in heads
        )
        return bool(self.description.hints_of("grounding")) or any(
            verdict.spontaneous or verdict.fault is not None for verdict in verdicts
        )

    def judge(self, keys: Keys) -> tuple[list[Problem], bool]:
        """Try keys on all rules and groundings."""
        dynamic = frozenset(domains(self.description))
        criterion = Criterion(keys, dynamic, self.reading)
        faults, spontaneous = [], False
        for rule in self.description.rules:
            if rule.kind == "postponed":
                continue
            verdict = criterion.judge(rule)
            spontaneous |= verdict.spontaneous
            if verdict.fault is not None:
                faults.append(self._rule_problem(rule, verdict.fault))
        try:
            faults.extend(self._groundings(criterion))
        except Fault as fault:
            faults.append(_problem(f"in a grounding, {fault}"))
        spontaneous |= bool(self.description.hints_of("grounding"))
        return faults, spontaneous

    def _grounded(self) -> Iterator[tuple[Hint, Entity, Term]]:
        """The groundings, and what each of them is about."""
        for hint in self.description.hints_of("grounding"):
            fvp = split_fvp(hint.args[0])
            subject = fvp[0] if fvp else hint.args[0]
            yield hint, fluent(subject) if fvp else event(subject), subject

    def _groundings(self, criterion: Criterion) -> Iterator[Problem]:
        """Find groundings that bring objects together which no record does."""
        dynamic = domains(self.description)
        for hint, entity, subject in self._grounded():
            terms = criterion.terms(entity, subject)
            found = list(mentioned(hint.body, dynamic))
            place = self.description.place(hint.clause.span)
            if entity in self.inputs:
                for domain, goal in found:
                    if not set(criterion.terms(domain, goal)) <= set(terms):
                        yield _problem(
                            f"the domain `{domain[1]}/{domain[2]}` takes objects from where "
                            f"`{entity[1]}/{entity[2]}` has no key",
                            place,
                        )
                continue
            together = any(
                set(terms) <= set(criterion.terms(domain, goal))
                and domain[1:] not in self.known_domains
                and len(conjuncts(hint.body)) >= 1
                for domain, goal in found
            )
            if len(terms) > 1 and not together:
                yield _problem("a grounding pairs objects that no record brings together", place)

    def called(self, chosen: Sequence[Sort]) -> str:
        """How rules call what the stream is split by: the most frequent variable."""
        names = []
        for sort in chosen:
            counts: dict[str, int] = {}
            for mentions in clauses(self.description):
                for entity, term in mentions:
                    for path in (p for e, p in sort if e == entity):
                        leaf = at(term, path)
                        name = getattr(leaf, "name", "")
                        if type(leaf).__name__ == "Var" and not name.startswith("_"):
                            counts[name] = counts.get(name, 0) + 1
            names.append(max(counts, key=lambda n: counts[n]) if counts else "?")
        return " and ".join(names)

    def result(
        self, keys: Keys, called: str, fault: Problem | None, spontaneous: bool
    ) -> PartitionPlan:
        """Put a plan together."""
        keys = {entity: keys.get(entity, ()) for entity in self.entities}
        feeds: dict[Entity, set[Entity]] = {}
        witnesses: dict[Entity, Place] = {}
        bodies = ((rule, list(mentioned(rule.body, set()))) for rule in self.description.rules)
        for rule, read in bodies:
            head = head_of(rule)
            place = self.description.place(rule.clause.span)
            for entity, _ in [(head, rule.entity), *read]:
                if place is not None:
                    witnesses.setdefault(entity, place)
            if len(keys[head]) > 1:
                feeds.setdefault(head, set()).update(
                    e for e, _ in read if e in self.outputs and len(keys[e]) == 1
                )
        return PartitionPlan(
            keys, self.inputs, self.outputs, called, fault, spontaneous,
            {head: tuple(sorted(read)) for head, read in feeds.items()}, witnesses,
        )  # fmt: skip

    def _rule_problem(self, rule: Rule, fault: str) -> Problem:
        return _problem(fault, self.description.place(rule.clause.span))


def _problem(
    reason: str,
    place: Place | None = None,
    what: str = "this needs the whole stream in one partition",
    remedy: str = "everything still runs, but in one partition only",
) -> Problem:
    if place is not None and place.end_column is None:
        place = Place(place.path, place.line, place.column, None, place.text)
    return Problem(
        f"{what}: {reason}",
        "one-partition",
        place,
        remedy,
        "warning",
    )


def _nothing(case: _Case) -> Problem:
    if not case.inputs:
        return _problem("the description reads no records, so there is nothing to split")
    return _problem("no argument of the inputs runs through the rules as a key")


def _text(path: FilePath) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
