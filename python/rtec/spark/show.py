"""A partition plan in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rtec.compiler.lifting import AUX_PREFIX
from rtec.spark.plan import PartitionPlan
from rtec.spark.positions import Entity, Path
from rtec.spark.stages import Stages


def show(plan: PartitionPlan) -> str:
    """Write a plan for people."""
    return "\n".join(_lines(plan)) + "\n"


def _lines(plan: PartitionPlan) -> Iterator[str]:
    if plan.fault is not None:
        yield "one partition: the stream cannot be split"
        yield str(plan.fault)
        return
    if plan.stages is not None:
        yield from _stages(plan, plan.stages)
        return
    how = "groups of objects that meet" if plan.relational else "key"
    yield f"split by {how}: {plan.called}"
    yield ""
    yield "inputs"
    yield from _table(plan, plan.inputs)
    for title, count in (("concerns everybody", 0), ("non-relational", 1), ("relational", 2)):
        chosen = [o for o in plan.outputs if min(len(plan.keys[o]), 2) == count]
        if chosen:
            yield ""
            yield f"outputs, {title}"
            yield from _table(plan, chosen)
    fed = {head: read for head, read in plan.feeds.items() if read}
    if fed:
        yield ""
        yield "non-relational outputs that feed relational ones"
        for head, read in sorted(fed.items()):
            yield f"  {_name(head)} reads {', '.join(map(_name, read))}"
    if plan.spontaneous:
        yield ""
        yield (
            "Some answers may concern objects without records (initially, grounding, or events "
            "without keys): each partition reports those of its own objects."
        )


def _stages(plan: PartitionPlan, stages: Stages) -> Iterator[str]:
    yield f"split by {plan.called}"
    yield ""
    yield "inputs"
    yield from _table(plan, plan.inputs)
    yield ""
    yield f"first stage, by {plan.called}: each object by itself"
    yield from _table(plan, _shown(stages.first))
    if not stages.second:
        return
    yield ""
    if stages.alone is None:
        yield "second stage, by pairs: only objects that meet, once for each pair"
    else:
        yield "second stage, in one partition"
    for entity in _shown(stages.second):
        reason = stages.joined[entity]
        place = plan.witnesses.get(entity)
        where = f"{place.path.rpartition('/')[2]}:{place.line}" if place else ""
        yield f"  {_name(entity):<32} {where}: {reason.text}"
    if plan.alone is not None:
        yield ""
        yield str(plan.alone)
    yield ""
    yield "what the second stage reads of the first, and of the input"
    yield from _table(plan, _shown(stages.feeds))


def _shown(entities: Iterable[Entity]) -> list[Entity]:
    """Leave out what rules were broken up into."""
    return sorted(e for e in entities if not e[1].startswith(AUX_PREFIX))


def _table(plan: PartitionPlan, entities: Iterable[Entity]) -> Iterator[str]:
    for entity in sorted(entities):
        place = plan.witnesses.get(entity)
        seen = f"   {place.path.rpartition('/')[2]}:{place.line}" if place else ""
        yield f"  {_name(entity):<32} {_where(plan.keys[entity])}{seen}".rstrip()


def _where(paths: tuple[Path, ...]) -> str:
    if not paths:
        return "to every partition"
    places = [".".join(str(i + 1) for i in path) for path in paths]
    noun = "argument" if len(places) == 1 else "arguments"
    return f"{noun} {' and '.join(places)}"


def _name(entity: Entity) -> str:
    return f"{entity[1]}/{entity[2]}"
