"""Pass: conditions on whole intervals get their arguments from cached auxiliaries.

Most holdsFor rules say point by point where a fluent holds, and can be evaluated
inside a window. A duration filter, an Allen relation or any user predicate over
interval lists looks at whole intervals, and must see their real start even when
it lies before the window. Stored fluents keep their real start, results of
`union_all` and the like inside a rule do not: this pass gives each such result a
hidden fluent of its own.

    holdsFor(f(X)=true, I) :-                holdsFor(rtec_aux_1(X)=true, I3) :-
        holdsFor(a(X)=true, I1),                 holdsFor(a(X)=true, I1),
        holdsFor(b(X)=true, I2),       ==>       holdsFor(b(X)=true, I2),
        union_all([I1,I2], I3),                  union_all([I1,I2], I3).
        intDurGreater(I3, 600, I).           holdsFor(f(X)=true, I) :-
                                                 holdsFor(rtec_aux_1(X)=true, I3),
                                                 intDurGreater(I3, 600, I).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rtec.compiler.allen import allen_condition
from rtec.compiler.bodies import GOAL_ARGUMENTS
from rtec.compiler.description import Description, Rule
from rtec.compiler.references import reference
from rtec.compiler.terms import (
    Compound,
    Term,
    Var,
    compound,
    conjunction,
    conjuncts,
    list_items,
    subterms,
    variables,
)

POINTWISE = {
    ("union_all", 2), ("intersect_all", 2), ("relative_complement_all", 3), ("complement_all", 2),
}  # fmt: skip
_TESTS = {"=", "\\=", "==", "\\=="}
AUX_PREFIX = "rtec_aux_"


def is_pointwise(goal: Term) -> bool:
    """Whether a goal combines interval lists point by point."""
    return isinstance(goal, Compound) and (goal.functor, goal.arity) in POINTWISE


def interval_inputs(goal: Compound) -> list[Var]:
    """The interval variables that a pointwise goal reads."""
    found: list[Var] = []
    for arg in goal.args[:-1]:
        for item in [arg, *list_items(arg)[0]]:
            if isinstance(item, Var) and item not in found:
                found.append(item)
    return found


@dataclass
class Flow:
    """How the interval variables of a flat holdsFor body are made, goal by goal.

    Attributes:
        goals: The goals in order.
        made_by: For each interval variable the position of the goal that makes it.
        whole: Positions of the goals that look at whole intervals.
    """

    goals: list[Term]
    made_by: dict[str, int] = field(default_factory=dict)
    whole: list[int] = field(default_factory=list)


def interval_flow(rule: Rule) -> Flow:
    """Follow the interval variables through a body."""
    body = conjuncts(rule.body)
    flow = Flow(body)
    later = _interval_uses(body, rule.time)
    for position, goal in enumerate(body):
        ref = reference(goal)
        if ref is not None and ref.reading == "holdsFor":
            if isinstance(ref.time, Var):
                flow.made_by.setdefault(ref.time.name, position)
        elif isinstance(goal, Compound) and is_pointwise(goal):
            output = goal.args[-1]
            if isinstance(output, Var):
                flow.made_by.setdefault(output.name, position)
        elif ref is None and not _is_test(goal):
            names = [v.name for v in variables(goal)]
            if any(name in flow.made_by for name in names):
                flow.whole.append(position)
                for name in names:
                    if name in later and name not in flow.made_by:
                        flow.made_by[name] = position
    return flow


def _interval_uses(body: list[Term], head: Term | None) -> set[str]:
    uses = {head.name} if isinstance(head, Var) else set()
    for goal in body:
        if isinstance(goal, Compound) and is_pointwise(goal):
            uses.update(v.name for v in interval_inputs(goal))
        elif (
            isinstance(goal, Compound)
            and reference(goal) is None
            and (goal.functor, goal.arity) not in GOAL_ARGUMENTS
        ):
            uses.update(v.name for v in variables(goal))
    return uses


def _is_test(goal: Term) -> bool:
    """Emptiness tests and cuts do not look at intervals, only at whether there are any."""
    if not isinstance(goal, Compound):
        return True
    if goal.functor in ("\\+", "not") and goal.arity == 1:
        return _is_test(goal.args[0])
    if goal.functor in _TESTS and goal.arity == 2:
        return any(list_items(arg)[1] == arg and _is_nil(arg) for arg in goal.args)
    return False


def _is_nil(term: Term) -> bool:
    return not list_items(term)[0] and getattr(term, "name", None) == "[]"


def lift(description: Description) -> Description:
    """Return the description with auxiliaries where rules look at whole intervals."""
    rules: list[Rule] = []
    counter = [0]
    for rule in description.rules:
        if rule.kind == "static":
            rules.extend(_lift_rule(rule, counter))
        else:
            rules.append(rule)
    lifted = replace(description)
    lifted.rules = rules
    return lifted


def _lift_rule(rule: Rule, counter: list[int]) -> list[Rule]:
    extra: list[Rule] = []
    while True:
        flow = interval_flow(rule)
        step = _next_lift(rule, flow)
        if step is None:
            return [*extra, rule]
        variable, positions = step
        counter[0] += 1
        auxiliary, call = _auxiliary(rule, flow, variable, positions, counter[0])
        extra.extend(_lift_rule(auxiliary, counter))
        last = flow.made_by[variable.name]
        goals = [call if i == last else goal for i, goal in enumerate(flow.goals)]
        rule = replace(rule, body=conjunction(_without_dead(goals, rule.time)))


def _next_lift(rule: Rule, flow: Flow) -> tuple[Var, list[int]] | None:
    """The first interval variable that needs an auxiliary, and the goals that make it."""
    for position in flow.whole:
        for variable in variables(flow.goals[position]):
            maker = flow.made_by.get(variable.name)
            if maker is not None and maker < position and is_pointwise(flow.goals[maker]):
                return variable, _slice(flow, variable.name)
    head = rule.time.name if isinstance(rule.time, Var) else ""
    for position in flow.whole:
        for variable in variables(flow.goals[position]):
            if flow.made_by.get(variable.name) == position and variable.name != head:
                if _feeds_pointwise(flow, variable):
                    return variable, _slice(flow, variable.name)
    return None


def _feeds_pointwise(flow: Flow, variable: Var) -> bool:
    return any(
        isinstance(goal, Compound) and is_pointwise(goal) and variable in interval_inputs(goal)
        for goal in flow.goals
    )


def _slice(flow: Flow, name: str) -> list[int]:
    """Positions of the goals needed to make an interval variable, in order."""
    needed: set[int] = set()
    todo = [name]
    while todo:
        position = flow.made_by.get(todo.pop())
        if position is None or position in needed:
            continue
        needed.add(position)
        goal = flow.goals[position]
        todo.extend(
            v.name for v in variables(goal) if flow.made_by.get(v.name, position) != position
        )
        if position in flow.whole:
            todo.extend(_bound_by_tests(flow, position, needed))
    return sorted(needed)


def _bound_by_tests(flow: Flow, position: int, needed: set[int]) -> list[str]:
    """Atemporal goals before a whole goal may bind its other arguments (a threshold, say)."""
    wanted = {v.name for v in variables(flow.goals[position])}
    for i in range(position - 1, -1, -1):
        goal = flow.goals[i]
        plain = reference(goal) is None and not is_pointwise(goal) and i not in flow.whole
        if plain and isinstance(goal, Compound) and not _is_test(goal):
            names = {v.name for v in variables(goal)}
            if names & wanted and not names & flow.made_by.keys():
                needed.add(i)
                wanted |= names
    return []


def _auxiliary(
    rule: Rule, flow: Flow, variable: Var, positions: list[int], number: int
) -> tuple[Rule, Term]:
    goals = [flow.goals[i] for i in positions]
    arguments = [Var(v.name) for v in variables(conjunction(goals)) if v.name not in flow.made_by]
    used = _names_outside(rule, flow, positions)
    arguments = [v for v in arguments if v.name in used]
    name = f"{AUX_PREFIX}{number}"
    from rtec.compiler.terms import Atom

    fluent: Term = Compound(name, tuple(arguments)) if arguments else Atom(name)
    true = Atom("true")
    outside = tuple(
        goal
        for i, goal in enumerate(flow.goals)
        if i not in positions and (ref := reference(goal)) is not None and ref.reading == "holdsFor"
    )
    auxiliary = Rule(
        "static", fluent, true, variable, conjunction(goals), rule.clause,
        context=(*outside, *rule.context),
    )  # fmt: skip
    return auxiliary, compound("holdsFor", compound("=", fluent, true), variable)


def _names_outside(rule: Rule, flow: Flow, positions: list[int]) -> set[str]:
    """Variables that the rest of the rule shares; every entity argument counts as shared."""
    names = {v.name for v in variables(rule.entity)}
    for i, goal in enumerate(flow.goals):
        if i not in positions:
            names.update(v.name for v in variables(goal))
    for i in positions:
        ref = reference(flow.goals[i])
        if ref is not None and ref.entity is not None:
            names.update(v.name for v in variables(ref.entity) if not v.name.startswith("_"))
    return names


def _without_dead(goals: list[Term], head: Term | None) -> list[Term]:
    """Drop interval goals whose result nobody reads any more."""
    changed = True
    while changed:
        changed = False
        for i, goal in enumerate(goals):
            output = _output(goal)
            if output is None or output == head:
                continue
            if not any(output in set(subterms(g)) for j, g in enumerate(goals) if j != i):
                goals = goals[:i] + goals[i + 1 :]
                changed = True
                break
    return goals


def _output(goal: Term) -> Var | None:
    if not isinstance(goal, Compound):
        return None
    ref = reference(goal)
    if (ref is not None and ref.reading == "holdsFor") or is_pointwise(goal):
        last = goal.args[-1]
        return last if isinstance(last, Var) else None
    return None


def is_whole(rule: Rule) -> bool:
    """Whether a (lifted) static rule looks at whole intervals."""
    return bool(interval_flow(rule).whole)


def remembers(rule: Rule) -> bool:
    """Whether a rule that looks at whole intervals need not look again when the window leaves some.

    So it is with Allen conditions, which remember what they have looked at.
    """
    flow = interval_flow(rule)
    related = {goal for goal in flow.whole if allen_condition(flow.goals[goal]) is not None}
    others = (goal for goal in flow.goals if isinstance(goal, Compound) and _is_test(goal))
    return related == set(flow.whole) and not any(others)
