"""What the language allows is never called an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtec.compiler import compile_description
from rtec.compiler.examination import Examination, examine
from rtec.runtime.sidecar import bundled_descriptions, find_description, read_sidecar
from strategies import descriptions

IDIOMS = {
    "free variables in terminations": """
        initiatedAt(gap(V)=near, T) :- happensAt(gap_start(V), T).
        terminatedAt(gap(V)=_, T) :- happensAt(gap_end(V), T).
        terminatedAt(gap(_)=_Value, T) :- happensAt(reset, T).
    """,
    "explicit ranges": """
        initiatedAt(a(X)=true, T1, T, T2) :- happensAt(e(X), T), T1 =< T, T < T2.
        terminatedAt(a(X)=true, T1, T, T2) :- happensAt(f(X), T).
        initiatedAt(b(X)=true, T1, T, T2) :- initiatedAt(a(X)=true, T1, T, T2).
    """,
    "initiates and terminates": """
        initiates(go_to(X, Y), location(X)=Y, T).
        terminates(sleep(X), location(X)=_, T) :- person(X).
        person(chris).
    """,
    "initially of every instance": """
        initially(status(_)=null).
        initiatedAt(status(M)=open, T) :- happensAt(opens(M), T), holdsAt(status(M)=null, T).
    """,
    "values of two kinds": """
        initiatedAt(punctuality(V)=punctual, T) :- happensAt(arrives(V, scheduled), T).
        terminatedAt(punctuality(V)=punctual, T) :- happensAt(arrives(V, late), T).
        holdsFor(punctuality(V)=non_punctual, I) :-
            holdsFor(punctuality(V)=punctual, I1), complement_all([I1], I).
    """,
    "emptiness tests and cuts": """
        holdsFor(near(A, B)=true, I) :-
            holdsFor(close(A, B)=true, I1), I1 \\= [], !,
            holdsFor(seen(A)=true, I2), \\+ I2 = [], \\+ one_is(tug, A, B),
            intersect_all([I1, I2], I3),
            intDurGreater(I3, 60, I).
        holdsFor(near(_, _)=true, []).
        one_is(tug, a, b).
    """,
    "fluents told apart by constants": """
        holdsFor(close(A, B, 24)=true, I) :- holdsFor(distance(A, B, 24)=true, I).
        holdsFor(close(A, B, 25)=true, I) :-
            holdsFor(close(A, B, 24)=true, I1), holdsFor(distance(A, B, 25)=true, I2),
            union_all([I1, I2], I).
    """,
    "an event named like its fluent": """
        initiatedAt(stop(V)=true, T) :- happensAt(stop(V), T).
        terminatedAt(stop(V)=true, T) :- happensAt(go(V), T).
        initiatedAt(rest(V)=true, T) :- happensAt(stop(V), T), \\+ holdsAt(stop(V)=true, T).
    """,
    "counting and branching": """
        happensAt(result(M, Outcome), T) :-
            happensAt(close(M), T),
            findall(V, holdsAt(voted(V, M)=aye, T), Ayes),
            length(Ayes, For),
            aggregate_all(count, holdsAt(voted(_, M)=nay, T), Against),
            ( For > Against -> Outcome = carried ; Outcome = lost ).
        initiatedAt(voted(V, M)=Vote, T) :- happensAt(vote(V, M, Vote), T).
    """,
    "a disjunction first": """
        initiatedAt(on(X)=true, T) :-
            ( happensAt(press(X), T) ; happensAt(voice(X, on), T) ), \\+ happensAt(block(X), T).
    """,
    "other times": """
        initiatedAt(calm(X)=true, T) :-
            happensAt(tick(X), T), T2 is T-60, holdsAt(still(X)=true, T2).
        initiatedAt(again(X)=true, T) :- happensAt(e(X), T), happensAt(e(X), T2), T2 < T.
        initiatedAt(still(X)=true, T) :- happensAt(stops(X), T).
    """,
    "delays with bodies": """
        initiatedAt(quote(M)=true, T) :- happensAt(present(M), T).
        fi(quote(M)=true, quote(M)=expiring, R) :- member(M-R, [a-5, b-6]).
        fi(quote(M)=expiring, quote(M)=false, 4).
        p(quote(_)=true).
    """,
    "groundings supply instances": """
        initiatedAt(voted(_V, M)=null, T) :- happensAt(opens(M), T).
        grounding(voted(V, _)=null) :- agent(V).
        grounding(opens(M)) :- motion(M).
        dynamicDomain(motion(_)).
        agent(a).
        holdsFor(pow(propose(_P, M))=true, I) :- holdsFor(voted(a, M)=null, I).
        grounding(pow(propose(P, M))=true) :- agent(P), motion(M).
    """,
    "input fluents and fillers": """
        collectIntervals(proximity(_, _)=true).
        buildFromPoints(coord(_)=_).
        points(noise(_)=_).
        needsGrounding(_, _, _) :- fail.
        buildFromPoints(_) :- fail.
        index(proximity(A, _)=true, A).
        cachingOrder(busy(_)=true).
        initiatedAt(busy(A)=true, T) :-
            happensAt(start(proximity(A, _)=true), T), holdsAt(noise(A)=N, T), N > 3.
    """,
    "cycles": """
        initiatedAt(contract(M)=true, T) :-
            happensAt(accept(M), T), not holdsAt(suspended(M)=true, T).
        initiatedAt(suspended(M)=true, T) :- initiatedAt(contract(M)=false, T).
        initiatedAt(contract(M)=false, T) :- happensAt(cancel(M), T), holdsAt(contract(M)=true, T).
        fi(suspended(M)=true, suspended(M)=false, 10).
    """,
    "helpers that ask about time": """
        initiatedAt(crowd(P)=true, T) :- happensAt(enters(_, P), T), full(P, T).
        initiatedAt(inside(X, P)=true, T) :- happensAt(enters(X, P), T).
        full(P, T) :- findall(X, holdsAt(inside(X, P)=true, T), Xs), length(Xs, N), N >= 3.
    """,
    "Allen relations": """
        holdsFor(vanished(V)=true, I) :-
            holdsFor(inside(V)=true, S), holdsFor(gap(V)=true, T),
            allen(meets, S, T, target, I).
        holdsFor(odd(V)=true, I) :-
            holdsFor(inside(V)=true, S), holdsFor(gap(V)=true, T), overlapped_by(S, T, lhs, I).
    """,
    "a narrative": """
        happensAt(go_to(chris, work), 9).
        initiatedAt(location(X)=Y, T) :- happensAt(go_to(X, Y), T).
    """,
    "similar names on purpose": """
        initiatedAt(walking(P)=true, T) :- happensAt(sensor1(P), T).
        initiatedAt(talking(P)=true, T) :- happensAt(sensor2(P), T).
        initiatedAt(voted(V)=true, T) :- happensAt(vote(V), T), holdsAt(stalking(V)=1, T).
        initiatedAt(quick(V)=true, T) :- happensAt(abrupt_acceleration_start(V), T).
        initiatedAt(slow(V)=true, T) :- happensAt(abrupt_deceleration_start(V), T).
    """,
}


def examined(folder: Path, text: str) -> Examination:
    """Write a description down and look at it."""
    path = folder / "rules.prolog"
    path.write_text(text)
    return examine(path)


def told(found: Examination) -> str:
    return "\n".join(str(p) for p in found.errors)


@pytest.mark.parametrize("idiom", IDIOMS)
def test_an_idiom_is_no_error(idiom: str, tmp_path: Path) -> None:
    found = examined(tmp_path, IDIOMS[idiom])
    assert not found.errors, told(found)


@pytest.mark.parametrize("name", bundled_descriptions())
@pytest.mark.parametrize("with_stream", [True, False])
def test_a_bundled_description_is_without_mistakes(name: str, with_stream: bool) -> None:
    path = find_description(name)
    sidecar = read_sidecar(path)
    found = examine(path, sidecar.background, streams=sidecar.stream if with_stream else ())
    assert not found.errors and not found.warnings, "\n".join(map(str, found.problems))


def test_the_manual_s_spelling(root: Path) -> None:
    folder = root / "descriptions" / "toy" / "manual"
    rules, declarations = folder / "toy_rules.prolog", folder / "toy_declarations.prolog"
    domain = folder / "toy_var_domain.prolog"
    apart = examine(rules, [domain], declarations)
    together = examine(rules, [domain, declarations])
    assert not apart.problems and not together.problems
    assert [h.args for h in apart.description.hints] == [
        h.args for h in together.description.hints
    ]
    assert compile_description(rules, [domain, declarations], cached=False).outputs == {
        "rich", "location", "happy",
    }  # fmt: skip


@settings(max_examples=settings.default.max_examples)
@given(data=st.data())
def test_a_random_description_is_no_error(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    features = data.draw(st.fixed_dictionaries({
        name: st.booleans() for name in ("cycles", "delays", "allen", "durations", "groundings")
    }))  # fmt: skip
    random = data.draw(descriptions(**features))
    folder = tmp_path_factory.mktemp("random")
    (folder / "background.prolog").write_text(random.background_text)
    (folder / "rules.prolog").write_text(random.text)
    found = examine(folder / "rules.prolog", [folder / "background.prolog"])
    assert not found.errors, told(found)
