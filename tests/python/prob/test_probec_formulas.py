"""Formulas over independent leaves: what is simplified stays the same, what is counted is right."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product

import pytest
from hypothesis import given as generate
from hypothesis import settings
from hypothesis import strategies as st
from rtec.prob.probec.exact import Evaluator
from rtec.prob.probec.formulas import (
    FALSE,
    TRUE,
    Node,
    any_of,
    choose,
    conj,
    disj,
    exclusive,
    given,
    independent,
    leaf,
    neg,
    none_of,
    simpler,
)
from rtec.prob.probec.ground import Observed

pytest.importorskip("problog.program", reason="ProbLog is not installed")
PROBS = (0.5, 0.25, 0.75, 0.9)


@st.composite
def formulas(draw: st.DrawFn, leaves: list[Node], depth: int = 3) -> Node:
    """A formula over some leaves."""
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        node = draw(st.sampled_from(leaves))
    else:
        parts = [draw(formulas(leaves, depth - 1)) for _ in range(draw(st.integers(2, 3)))]
        node = draw(st.sampled_from([conj, disj]))(*parts)
    return neg(node) if draw(st.booleans()) else node


@st.composite
def samples(draw: st.DrawFn) -> tuple[list[Node], Node]:
    """Some leaves, and a formula over them."""
    leaves = [leaf(draw(st.sampled_from(PROBS))) for _ in range(draw(st.integers(2, 5)))]
    return leaves, draw(formulas(leaves))


def true_in(node: Node, world: Mapping[Node, bool]) -> bool:
    """Whether a formula is true if its leaves are."""
    if node.kind == "leaf":
        return world[node]
    inside = [true_in(child, world) for child in node.children]
    if node.kind == "not":
        return not inside[0]
    return any(inside) if node.kind in ("or", "false") else all(inside)


def worlds(leaves: list[Node]) -> list[tuple[dict[Node, bool], float]]:
    """All worlds, with their probabilities."""
    found = []
    for choice in product((True, False), repeat=len(leaves)):
        weight = 1.0
        for each, chosen in zip(leaves, choice, strict=True):
            weight *= (each.prob or 0.0) if chosen else 1.0 - (each.prob or 0.0)
        found.append((dict(zip(leaves, choice, strict=True)), weight))
    return found


@generate(samples())
def test_probability_is_the_sum_of_worlds(sample: tuple[list[Node], Node]) -> None:
    leaves, node = sample
    expected = sum(weight for world, weight in worlds(leaves) if true_in(node, world))
    assert abs(Evaluator().prob(node) - expected) < 1e-12


def test_all_small_formulas() -> None:
    """Disjunctions of two or three conjunctions of up to two literals; and with both swapped."""
    leaves = [leaf(prob) for prob in PROBS[:3]]
    literals = [*leaves, *map(neg, leaves)]
    possible = worlds(leaves)
    pairs = [pair for pair in combinations(literals, 2) if pair[0] is not neg(pair[1])]
    parts = [*((each,) for each in literals), *pairs]
    for outer, inner in ((disj, conj), (conj, disj)):
        made = [inner(*part) for part in parts]
        singles = made[: len(literals)]
        more = (each for each in combinations(made, 3) if each[0] in singles[:2])
        for chosen in (*combinations(made, 2), *more):
            node = outer(*chosen)
            expected = sum(weight for world, weight in possible if true_in(node, world))
            assert abs(Evaluator().prob(node) - expected) < 1e-12, node


@generate(samples(), st.data())
def test_what_is_known_is_put_in(sample: tuple[list[Node], Node], data: st.DataObject) -> None:
    leaves, node = sample
    known = {each: data.draw(st.booleans()) for each in leaves[:2]}
    after = given(node, known)
    assert after.support.isdisjoint(known)
    for world, _ in worlds(leaves):
        assert true_in(after, world) == true_in(node, {**world, **known})


@generate(samples())
def test_simpler_means_the_same(sample: tuple[list[Node], Node]) -> None:
    leaves, node = sample
    if node.kind in ("and", "or"):
        easier = simpler(node)
        for world, _ in worlds(leaves):
            assert easier is None or true_in(easier, world) == true_in(node, world)


@generate(st.data())
@settings(max_examples=settings.default.max_examples // 2)
def test_proofs(data: st.DataObject) -> None:
    leaves = [leaf(0.5) for _ in range(4)]
    proofs = [
        conj(*data.draw(st.lists(st.sampled_from([*leaves, *map(neg, leaves)]), min_size=1)))
        for _ in range(data.draw(st.integers(1, 4)))
    ]
    some, none = any_of(proofs), none_of(proofs)
    apart = exclusive(proofs)
    for world, _ in worlds(leaves):
        true = [proof for proof in dict.fromkeys(proofs) if true_in(proof, world)]
        assert true_in(some, world) == bool(true)
        assert true_in(none, world) == (not true)
        assert not apart or len(true) < 2 or FALSE in proofs


@generate(st.data())
def test_inertia(data: st.DataObject) -> None:
    """What holds next, whatever now, initiations and breaks have in common."""
    leaves = [leaf(data.draw(st.sampled_from(PROBS))) for _ in range(4)]
    now, initiated, broken = (data.draw(formulas(leaves, 2)) for _ in range(3))
    expected = sum(
        weight
        for world, weight in worlds(leaves)
        if (true_in(now, world) or true_in(initiated, world)) and not true_in(broken, world)
    )
    evaluator = Evaluator()
    assert abs(evaluator.prob(evaluator.inertia(now, initiated, broken)) - expected) < 1e-12


@generate(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), max_size=8), st.integers(0, 20))
def test_what_records_say_about_a_time_point(spans: list[tuple[int, int]], time: int) -> None:
    nodes = [leaf(0.5) for _ in spans]
    placed = [(s, s + size, node) for (s, size), node in zip(spans, nodes, strict=True)]
    expected = {node for start, end, node in placed if start <= time < end}
    assert Observed(spans=placed).at(time).support == expected


def test_constants_and_cases() -> None:
    a, b = leaf(0.5), leaf(0.5)
    assert leaf(1.0) is TRUE and leaf(0.0) is FALSE
    assert conj() is TRUE and disj() is FALSE
    assert neg(neg(a)) is a
    assert conj(a, b, neg(a)) is FALSE and disj(a, neg(a)) is TRUE
    assert any_of([a, conj(a, b)]) is a
    assert choose(a, b, b) is b
    assert Evaluator().prob(choose(a, b, TRUE)) == 0.75
    assert independent([a, b]) and not independent([a, conj(a, b)])
