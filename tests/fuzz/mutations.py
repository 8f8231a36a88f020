"""Descriptions and streams that are almost right: small ones that are, and ways to spoil them."""

from __future__ import annotations

import gzip
import json
import re

from hypothesis import strategies as st

LAMP = """\
% Lamps, their switches and the power.
initiatedAt(on(X)=true, T) :- happensAt(press(X), T), \\+ holdsAt(broken(X)=true, T).
terminatedAt(on(X)=true, T) :- happensAt(release(X), T).
initiatedAt(warned(X)=true, T) :- happensAt(start(hot(X)=true), T).
initially(broken(old)=true).
holdsFor(lit(X)=true, I) :-
    holdsFor(on(X)=true, I1), holdsFor(power(X)=true, I2), intersect_all([I1,I2], I).
holdsFor(hot(X)=true, I) :- holdsFor(lit(X)=true, I1), intDurGreater(I1, 3, I).
happensAt(flash(X), T) :- happensAt(press(X), T), happensAt(release(X), T).
collectIntervals(power(_)=true).
"""
PEOPLE = """\
initiatedAt(location(X)=Y, T) :- happensAt(go_to(X,Y), T).
terminatedAt(location(X)=_, T) :- happensAt(vanish(X), T).
initiatedAt(crowd(Y)=big, T) :-
    happensAt(go_to(_,Y), T), findall(X, holdsAt(location(X)=Y, T), Xs), length(Xs, N), N > 1.
initiatedAt(crowd(Y)=small, T) :-
    happensAt(end(location(_)=Y), T), T2 is T - 5, ( T2 > 0 -> true ; Y == pub ).
holdsFor(alone(X)=true, I) :-
    holdsFor(location(X)=home, I1), holdsFor(location(X)=pub, I2),
    union_all([I1,I2], I3), relative_complement_all(I3, [I2], I).
fi(location(X)=pub, location(X)=home, 5).
p(location(_)=pub).
grounding(location(X)=Y) :- person(X), place(Y).
person(ann). person(bob). place(home). place(pub). place('North End').
"""
CYCLE = """\
initiatedAt(level(G)=1, T) :- happensAt(kick(G), T), feeds(H, G), holdsAt(level(H)=0, T).
initiatedAt(level(G)=0, T) :- happensAt(kick(H), T), feeds(H, G), holdsAt(high(H)=true, T).
initiatedAt(high(G)=true, T) :- happensAt(start(level(G)=1), T), \\+ holdsAt(high(G)=true, T).
terminatedAt(high(G)=true, T) :- happensAt(end(level(G)=1), T).
fi(high(G)=true, high(G)=false, 4).
initially(level(_)=0).
feeds(a, b). feeds(b, a).
holdsFor(during(G)=true, I) :-
    holdsFor(high(G)=true, I1), holdsFor(level(G)=1, I2), allen(overlaps, I1, I2, source, I).
"""
DESCRIPTIONS = [LAMP, PEOPLE, CYCLE]

LINES = """\
press|3|3|a
power|4|1|9|true|a
release|6|6|a
press|14|14|b
-release|15|6|a
press|15|15|'odd one'
go_to|3|3|ann|pub
go_to|5|4|bob|pub
vanish|9|9|ann
go_to|9|12|f(x,[1,2])|North End
kick|2|2|a
kick|8|7|b
"""
RECORDS = [
    {"name": "press", "time": 3, "args": ["a"]},
    {"name": "power", "arrival": 4, "time": 1, "end": 9, "value": "true", "args": ["a"]},
    {"name": "go_to", "time": 7, "args": ["ann", 2.5], "op": "+", "prob": 0.5},
    {"name": "kick", "time": 8, "args": ["b"]},
    {"name": "release", "arrival": 9, "time": 3, "args": ["a"], "op": "-"},
]
JSON_LINES = "".join(json.dumps(r) + "\n" for r in RECORDS)
STREAMS = [LINES.encode(), JSON_LINES.encode(), gzip.compress(LINES.encode(), mtime=0)]

# Words, signs and numbers that mean something to the reader, the compiler or the engine.
TOKENS = """
    initiatedAt terminatedAt initially initiates terminates holdsFor holdsAt happensAt start end
    union_all intersect_all relative_complement_all complement_all allen fi p grounding index
    dynamicDomain collectIntervals buildFromPoints points event simpleFluent sDFluent queryTime
    findall length is not \\+ ! ; -> , . :- = \\= == < > =< >= + - * // ( ) [ ] | { } ' " ` 0'a
    T X Y _ I I1 true false inf 0 1 -1 1.5 9999999999999999999999 a on(X)=true [] [(1,2)] 'a b'
    happensAt(press(X),T) holdsAt(on(X)=true,T) holdsFor(on(X)=true,I) location(X)=Y
    member(X,[a,b]) repeat fail throw(oops) X/0 atom_length(X,Y) nosuch(X) :-dynamic /* */ %
    \\ \\n é 中 \\x0 \\u0000
""".split()
FIELDS = ["", "|", "||", "x", "-1", "1.5", "1e400", "99999999999999999999", "f(", "f(a)", "[1,2",
          "'", '"', "\r", "\0", "null", "{", "}", "é", "-", "--press", "press"]  # fmt: skip
SPLIT = re.compile(r"\w+|\s+|[^\w\s]")


@st.composite
def spoilt_text(draw: st.DrawFn, texts: list[str], tokens: list[str]) -> str:
    """A text with some of its words left out, doubled, exchanged or replaced."""
    words: list[str] = []
    for text in draw(st.lists(st.sampled_from(texts), min_size=1, max_size=2)):
        words += SPLIT.findall(text)
    for _ in range(draw(st.integers(1, 6))):
        if not words:
            break
        place = draw(st.integers(0, len(words) - 1))
        other = draw(st.integers(0, len(words) - 1))
        match draw(st.sampled_from(["drop", "double", "swap", "replace", "insert", "cut"])):
            case "drop":
                del words[place]
            case "double":
                words.insert(other, words[place])
            case "swap":
                words[place], words[other] = words[other], words[place]
            case "replace":
                words[place] = draw(st.sampled_from(tokens))
            case "insert":
                words.insert(place, f" {draw(st.sampled_from(tokens))} ")
            case "cut":
                low, high = sorted((place, other))
                del words[low : min(high, low + 40)]
    return "".join(words)


@st.composite
def spoilt_rules(draw: st.DrawFn) -> str:
    """Rules with conditions left out, exchanged, negated, or in the wrong words; well-formed."""
    texts = draw(st.lists(st.sampled_from(DESCRIPTIONS), min_size=1, max_size=2, unique=True))
    clauses = [
        c.split(" :- ", 1)
        for text in texts
        for c in re.split(r"\.\s+", re.sub(r"%.*|\s+(?=\S)", " ", text))
        if c.strip()
    ]
    pool = [*GOALS, *(g for c in clauses if len(c) > 1 for g in conditions(c[1]))]
    for _ in range(draw(st.integers(1, 5))):
        if not clauses:
            break
        clause = draw(st.sampled_from(clauses))
        kind = draw(st.sampled_from(["goals", "goals", "word", "word", "drop", "head", "body"]))
        if kind == "drop":
            clauses.remove(clause)
        elif kind == "word":
            side = draw(st.integers(0, len(clause) - 1))
            clause[side] = draw(other_word(clause[side]))
        elif kind == "head":
            clause[0] = draw(st.sampled_from([c[0] for c in clauses] + HEADS))
        elif kind == "body" and len(clause) == 1:
            clause.append(draw(st.sampled_from(pool)))
        elif len(clause) > 1:
            clause[1] = ", ".join(draw(other_goals(conditions(clause[1]), pool)))
    return "".join(f"{' :- '.join(clause)}.\n" for clause in clauses)


def conditions(body: str) -> list[str]:
    """Split a body at the commas that are outside of brackets."""
    goals, depth = [""], 0
    for sign in body:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            goals.append("")
        else:
            goals[-1] += sign
    return [g.strip() for g in goals]


@st.composite
def other_goals(draw: st.DrawFn, goals: list[str], pool: list[str]) -> list[str]:
    """Conditions with one of them changed."""
    place = draw(st.integers(0, len(goals) - 1))
    goal, other = goals[place], draw(st.sampled_from(pool))
    return draw(
        st.sampled_from(
            [
                [*goals[:place], *goals[place + 1 :]] or ["true"],
                [*goals[:place], other, *goals[place:]],
                [*goals[:place], other, *goals[place + 1 :]],
                [*goals[:place], f"\\+ {goal}", *goals[place + 1 :]],
                [*goals[:place], f"( {goal} ; {other} )", *goals[place + 1 :]],
                [*goals[:place], f"( {goal} -> {other} ; true )", *goals[place + 1 :]],
                [*goals[:place], f"findall(X, {goal}, Xs)", "Xs = [X|_]", *goals[place + 1 :]],
                goals[::-1],
            ]
        )
    )


@st.composite
def other_word(draw: st.DrawFn, text: str) -> str:
    """A text with one of its names, variables or numbers exchanged for another of its kind."""
    words = list(re.finditer(r"\w+", text))
    if not words:
        return text
    word = draw(st.sampled_from(words))
    kind = "name" if word.group()[0].islower() else "digit" if word.group()[0].isdigit() else "var"
    return text[: word.start()] + draw(st.sampled_from(WORDS[kind])) + text[word.end() :]


HEADS = [
    "initiatedAt(on(X)=true, T)", "terminatedAt(on(X)=_, T)", "initially(on(_)=false)",
    "holdsFor(on(X)=V, I)", "holdsFor(all=true, I)", "happensAt(press(X), T)",
    "initiates(go_to(X,Y), location(X)=Y, T)", "terminates(press(X), on(X)=true, T)",
    "initiatedAt(on(X)=true, T1, T, T2)", "fi(on(X)=true, on(X)=false, R)", "p(on(_)=true)",
    "grounding(on(X)=true)", "dynamicDomain(person(_))", "buildFromPoints(power(_)=true)",
    "points(power(_)=true)", "collectIntervals(on(_)=true)", "index(on(X)=true, X)",
    "cachingOrder(on(_)=true)", "helper(X)", "person(X)", "holdsAt(on(X)=true, T)", "X",
    "initiatedAt(F, T)", "initiatedAt(X=Y, T)", "holdsFor(X=true, I)", "happensAt(E, T)",
    "initiatedAt(on(X)=f(Y), T)", "initiatedAt(\"text\"=true, T)", "initiatedAt(3=true, T)",
    "initiatedAt('odd name'(X)=true, T)", "happensAt(start(on(X)=true), T)",
]  # fmt: skip
GOALS = [
    "happensAt(press(X), T)", "happensAt(E, T)", "happensAt(start(on(X)=V), T)",
    "happensAt(end(lit(X)=true), T)", "holdsAt(on(X)=true, T)", "holdsAt(F=V, T)",
    "holdsAt(on(X)=true, T2)", "holdsFor(on(X)=true, I)", "holdsFor(F=true, I)",
    "holdsFor(X, I)", "holdsFor(on(_)=true, I4)", "union_all([I], I5)", "union_all(L, I)",
    "intersect_all([], I)", "relative_complement_all(I, [I1,I2], I)", "complement_all([I1], I)",
    "allen(before, I1, I2, target, I)", "allen(R, I1, I2, union, I)", "meets(I1, I2, source, I)",
    "I \\= []", "\\+ I = []", "!", "true", "fail", "T2 is T-5", "T2 is T/0", "X > 3", "T > 3",
    "N is X+1", "helper(X)", "person(X)", "queryTime(Q)", "initiatedAt(on(X)=true, T1, T, T2)",
    "terminatedAt(on(X)=true, T)", "length(Xs, N)", "member(X, Xs)", "throw(oops(X))",
    "atom_length(X, N)", "assertz(seen(X))", "call(X)", "X", "X = f(X,Y)", "sumlist(Xs, N)",
    "forall(person(X), holdsAt(on(X)=true, T))", "aggregate_all(count, holdsAt(on(_)=true, T), N)",
    "intDurGreater(I1, X, I)", "between(1, inf, X)", "repeat", "\\+ \\+ happensAt(press(X), T)",
    "nth0(N, [a,b], X)", "format(atom(X), '~w~w', [T])", "number_codes(X, [])",
]  # fmt: skip
WORDS = {
    "name": ["on", "lit", "hot", "power", "press", "release", "location", "true", "pub", "a",
             "initiatedAt", "terminatedAt", "holdsAt", "holdsFor", "happensAt", "level", "start",
             "union_all", "happensat", "onn", "is", "inf", "nosuch"],
    "var": ["X", "Y", "T", "I", "I1", "I2", "_", "V", "F", "G", "N"],
    "digit": ["0", "1", "-1", "2.5", "99999999999999999999", "0'a", "1.0Inf", "1r3"],
}  # fmt: skip


@st.composite
def spoilt_bytes(draw: st.DrawFn, originals: list[bytes]) -> bytes:
    """Bytes with some of them changed, cut out or doubled."""
    data = bytearray(draw(st.sampled_from(originals)))
    for _ in range(draw(st.integers(1, 5))):
        if not data:
            break
        place = draw(st.integers(0, len(data) - 1))
        match draw(st.sampled_from(["change", "cut", "double", "insert"])):
            case "change":
                data[place] = draw(st.integers(0, 255))
            case "cut":
                del data[place : place + draw(st.integers(1, 50))]
            case "double":
                data[place:place] = data[place : place + draw(st.integers(1, 50))]
            case "insert":
                data[place:place] = draw(st.binary(min_size=1, max_size=5))
    return bytes(data)


def spoilt_descriptions() -> st.SearchStrategy[bytes]:
    """Descriptions that were right before something happened to them."""
    words = spoilt_text(DESCRIPTIONS, TOKENS) | spoilt_rules() | spoilt_rules()
    encoded = words.map(lambda t: t.encode("utf-8", "replace"))
    return encoded | spoilt_bytes([d.encode() for d in DESCRIPTIONS])


def spoilt_streams() -> st.SearchStrategy[bytes]:
    """Streams that were right before something happened to them."""
    words = spoilt_text([LINES, JSON_LINES], FIELDS).map(lambda t: t.encode("utf-8", "replace"))
    return words | spoilt_bytes(STREAMS)


def options() -> st.SearchStrategy[list[str]]:
    """Flags of `rtec run`, sensible and not."""
    # With a far end or start, a run is right to take for ever.
    length = st.integers(1, 40) | st.sampled_from([0, -1, 10**6, 2**63, -(2**63)])
    place = st.integers(-5, 60)
    numbers = {"window": length, "step": length, "tick": length, "start": place, "end": place}
    flags = [st.tuples(st.just(f"--{name}"), n.map(str)) for name, n in numbers.items()]
    others = st.sampled_from(
        [("--merge",), ("--on-error", "skip"), ("--format", "csv"), ("--format", "parquet"),
         ("--format", "table"), ("--quiet",)]
    )  # fmt: skip
    return st.lists(st.one_of(*flags, others), max_size=4).map(
        lambda given: [part for flag in given for part in flag]
    )
