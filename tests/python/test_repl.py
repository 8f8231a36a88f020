"""`rtec repl`: the manual's session in a terminal, the history of runs, records by hand."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
import rtec
from hypothesis import given, settings
from hypothesis import strategies as st
from rtec.cli.options import choose
from rtec.cli.repl import prepare, prompt_command
from rtec.environment import find_swipl
from rtec.model import Scalar
from rtec.runtime.records import is_compound

RTEC = [sys.executable, "-c", "from rtec.cli import main; main()"]
PROMPT = r"\?- "

LAMP = """
initiatedAt(on(X)=true, T) :- happensAt(press(X), T).
terminatedAt(on(X)=true, T) :- happensAt(release(X), T), release_works(X).
holdsFor(lit(X)=true, I) :- holdsFor(on(X)=true, I1), holdsFor(power(X)=true, I2),
    intersect_all([I1,I2], I).
happensAt(flash(X), T) :- happensAt(press(X), T), happensAt(release(X), T).
collectIntervals(power(_)=true).
"""
BACKGROUND = "release_works(X) :- \\+ broken(X).\nbroken(cellar).\n"
STREAM = """press|3|3|a
power|4|1|9|true|a
release|6|6|a
press|14|14|b
press|15|15|a
release|24|15|a
press|35|21|lamp 7
"""


@pytest.fixture
def lamp(tmp_path: Path) -> list[str]:
    """Options for a description with input fluents, events and background."""
    (tmp_path / "lamp.prolog").write_text(LAMP)
    (tmp_path / "facts.prolog").write_text(BACKGROUND)
    (tmp_path / "s.csv").write_text(STREAM)
    return ["--desc", str(tmp_path / "lamp.prolog"), "--background", str(tmp_path / "facts.prolog")]


class Piped:
    """A prompt whose questions come from a pipe: every question gets all of its answers."""

    def __init__(self, *options: str, ask: str = "") -> None:
        told = subprocess.run(
            [*RTEC, "repl", *options], input=ask, capture_output=True, text=True, timeout=120
        )
        self.code, self.out, self.err = told.returncode, told.stdout, told.stderr
        self.answers = self.out.split(".\n")[:-1]


class Terminal:
    """A prompt in a real terminal."""

    def __init__(self, *options: str) -> None:
        variables = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        self.child = pexpect.spawn(
            RTEC[0], [*RTEC[1:], "repl", *options],
            env={**variables, "TERM": "xterm"}, encoding="utf-8", timeout=60,
            dimensions=(50, 200),
        )  # fmt: skip
        self.child.expect(PROMPT)
        self.greeting = plain(self.child.before)

    def ask(self, question: str) -> list[str]:
        """Ask, typing a semicolon for as long as there are more answers."""
        self.child.sendline(question)
        self.child.expect(r"\n")
        answers = []
        while True:
            # An answer that is not the last waits for a key, after a blank.
            which = self.child.expect([r"(?<=[\])]) (?!\S)", PROMPT])
            text = re.sub(r"^\s*;\s*|\s*\d*\s*$", "", plain(self.child.before))
            answers.append(" ".join(text.split()))
            if which == 1:
                return answers
            self.child.send(";")

    def leave(self) -> int | None:
        """Type `halt.` and return the exit code."""
        self.child.sendline("halt.")
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus


def plain(text: str) -> str:
    """Leave out what makes colours and moves the cursor."""
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)


@pytest.fixture
def toy() -> Iterator[Terminal]:
    terminal = Terminal("--desc", "toy.prolog")
    yield terminal
    terminal.child.close(force=True)


class TestTerminal:
    def test_the_session_of_the_manual(self, toy: Terminal) -> None:
        assert "toy.prolog: 1 query time, the last at 21." in toy.greeting
        assert toy.ask("holdsFor(happy(chris)=true,I).") == ["I = [(14,22)]."]
        assert toy.ask("holdsFor(F,I).") == [
            "F = (location(chris)=home), I = [(22,inf)]",
            "F = (location(chris)=pub), I = [(18,22)]",
            "F = (location(chris)=work), I = [(10,18)]",
            "F = (rich(chris)=true), I = [(14,20)]",
            "F = (happy(chris)=true), I = [(14,22)].",
        ]
        assert toy.ask("holdsAt(F,16).") == [
            "F = (location(chris)=work)",
            "F = (rich(chris)=true)",
            "F = (happy(chris)=true).",
        ]
        assert toy.ask("holdsFor(rich(chris)=false,I).") == ["I = []."]
        assert toy.leave() == 0

    def test_feeding_it_by_hand(self, toy: Terminal) -> None:
        assert toy.ask("insert(happensAt(win_lottery(chris), 20)).") == ["true."]
        assert toy.ask("query(21).") == ["true."]
        assert toy.ask("holdsFor(rich(chris)=true, I).") == ["I = [(14,20),(21,inf)]."]
        assert toy.ask("window(W, Q).") == ["W = Q, Q = 21."]
        assert toy.leave() == 0

    def test_errors_are_one_line_and_the_prompt_goes_on(self, toy: Terminal) -> None:
        assert toy.ask("holdsFor(hapy(X)=true, I).") == [
            "ERROR: the description has no fluent hapy/1; did you mean happy/1?"
        ]
        assert toy.ask("query(3).") == [
            "ERROR: query time 3 is before the last one, 21; reasoning moves forward"
        ]
        assert toy.ask("insert(happensAt(go_to(chris), 3)).") == [
            "ERROR: the description reads no event go_to/1; did you mean go_to/2?"
        ]
        assert "X = 3." in toy.ask("X is 1+2.")
        assert toy.leave() == 0

    def test_the_end_of_input_leaves(self, toy: Terminal) -> None:
        toy.child.sendeof()
        toy.child.expect(pexpect.EOF)
        toy.child.close()
        assert toy.child.exitstatus == 0

    def test_a_rule_that_loops_can_be_interrupted(self, tmp_path: Path) -> None:
        (tmp_path / "loop.prolog").write_text(
            "initiatedAt(f(X)=true, T) :- happensAt(e(X), T), until(X).\n"
            "until(0).\nuntil(N) :- N \\= 0, until(N).\n"
        )
        terminal = Terminal("--desc", str(tmp_path / "loop.prolog"))
        assert terminal.ask("insert(happensAt(e(0), 1)), query(5).") == ["true."]
        terminal.child.sendline("insert(happensAt(e(1), 6)), query(10).")
        with pytest.raises(pexpect.TIMEOUT):
            terminal.child.expect(PROMPT, timeout=1)
        terminal.child.sendintr()
        terminal.child.expect(r"\? $")
        terminal.child.send("a")
        terminal.child.expect(PROMPT)
        # As if it had not been asked.
        assert terminal.ask("window(_, Q).") == ["Q = 5."]
        assert terminal.ask("insert(-happensAt(e(1), 6)), query(10).") == ["true."]
        assert terminal.ask("holdsFor(F, I).") == ["F = (f(0)=true), I = [(2,inf)]."]
        assert terminal.leave() == 0


class TestHistory:
    def test_earlier_windows_are_still_known(self, lamp: list[str], tmp_path: Path) -> None:
        told = Piped(
            *lamp, "--stream", str(tmp_path / "s.csv"), "--window", "20", "--step", "10",
            ask="holdsFor(F=V, I).\nhappensAt(E, T).\nhappensAt(end(on(X)=true), T).\n",
        )  # fmt: skip
        assert told.answers == [
            "F = on(a),\nV = true,\nI = [(4,7)] ;\n"
            "F = on(b),\nV = true,\nI = [(15,inf)] ;\n"
            "F = on('lamp 7'),\nV = true,\nI = [(22,inf)] ;\n"
            "F = lit(a),\nV = true,\nI = [(4,7)] ;\n"
            "F = power(a),\nV = true,\nI = [(1,9)]",
            "E = press(a),\nT = 3 ;\n"
            "E = release(a),\nT = 6 ;\n"
            "E = press(b),\nT = 14 ;\n"
            "E = flash(a),\nT = 15 ;\n"
            "E = press(a),\nT = 15 ;\n"
            "E = release(a),\nT = 15 ;\n"
            "E = press('lamp 7'),\nT = 21",
            "X = a,\nT = 6",
        ]
        assert told.code == 0
        assert told.err.strip().startswith("lamp.prolog: 4 query times, the last at 35.")

    def test_background_can_be_asked(self, lamp: list[str]) -> None:
        assert Piped(*lamp, ask="broken(X).\nrelease_works(cellar).\n").answers == [
            "X = cellar", "false",
        ]  # fmt: skip

    @pytest.mark.parametrize("name", ["toy", "voting", "transport", "phage", "activity",
                                      "maritime"])
    def test_it_is_what_a_run_reports_merged(self, name: str) -> None:
        ask = (
            "use_module(library(http/json)), nl, forall(holdsFor(F=V, I), ("
            "F =.. [N|As], maplist([A,S]>>(number(A) -> S = A ; format(string(S), '~q', [A])), "
            "[V|As], L), findall([S,E], member((S,E), I), Is), "
            "json_write(current_output, [N,L,Is], [width(0)]), nl)), nl.\n"
        )
        told = Piped("--desc", name, ask=ask)
        found = {}
        for line in told.out.splitlines():
            if line.startswith("["):
                fluent, (value, *args), intervals = json.loads(line)
                found[fluent, tuple(args), value] = tuple(
                    (s, None if e == "inf" else e) for s, e in intervals
                )
        chosen = choose(name)
        how = chosen.settings
        program = rtec.compile(name)
        run = rtec.run(
            program, list(chosen.streams), merge=True, window=how.window, step=how.step,
            start=how.start, end=how.end, tick=how.tick,
        )  # fmt: skip
        expected = {
            (r.fluent, tuple(map(quoted, r.args)), quoted(r.value)): r.intervals
            for r in run
            if isinstance(r, rtec.FluentRecognition)
        }
        assert {k: v for k, v in found.items() if k[0] not in program.inputs} == expected
        assert expected


def quoted(item: object) -> object:
    """Atoms as Prolog would quote them; compound arguments are Prolog text already."""
    if isinstance(item, str) and not re.fullmatch(r"[a-z]\w*|[a-z]\w*\(.*\)|\[\]", item):
        return f"'{item}'"
    return item


class TestByHand:
    def test_a_stream_inserted_piece_by_piece(self, lamp: list[str], tmp_path: Path) -> None:
        ask = "window(20, Q).\n"
        for query_time in (11, 21, 31, 35):
            for line in STREAM.splitlines():
                if query_time - 10 < int(line.split("|")[1]) <= query_time:
                    ask += f'insert("{line}").\n'
            ask += f"query({query_time}).\n"
        ask += "holdsFor(F=V, I).\nhappensAt(E, T).\n"
        whole = Piped(
            *lamp, "--stream", str(tmp_path / "s.csv"), "--window", "20", "--step", "10",
            "--start", "1", ask="holdsFor(F=V, I).\nhappensAt(E, T).\n",
        )  # fmt: skip
        pieces = Piped(*lamp, "--start", "1", ask=ask)
        assert pieces.answers[-2:] == whole.answers[-2:]
        assert pieces.err.count("\n") == 1, pieces.err

    def test_reasoning_again_is_reasoning_with_all_that_is_known(self, lamp: list[str]) -> None:
        """Thrice at the same query time, an error in between, then on."""
        ask = """
            window(10, _).
            insert([happensAt(press(a), 2), holdsFor(power(a)=true, [(1,40)])]), query(8).
            insert(happensAt(release(a), 12)), query(15).
            insert(happensAt(press(b), 13)), query(15).
            insert(happensAt(press(nobody), x)).
            insert(-happensAt(release(a), 12)), query(15).
            holdsFor(F=V, I).
            insert(happensAt(release(a), 20)), query(22).
            holdsFor(F=V, I).
            happensAt(E, T).
        """
        told = Piped(*lamp, ask=ask)
        assert [told.answers[i] for i in (-4, -2, -1)] == [
            "F = on(a),\nV = true,\nI = [(3,inf)] ;\n"
            "F = on(b),\nV = true,\nI = [(14,inf)] ;\n"
            "F = lit(a),\nV = true,\nI = [(3,inf)] ;\n"
            "F = power(a),\nV = true,\nI = [(1,inf)]",
            "F = on(a),\nV = true,\nI = [(3,21)] ;\n"
            "F = on(b),\nV = true,\nI = [(14,inf)] ;\n"
            "F = lit(a),\nV = true,\nI = [(3,21)] ;\n"
            "F = power(a),\nV = true,\nI = [(1,inf)]",
            "E = press(a),\nT = 2 ;\nE = press(b),\nT = 13 ;\nE = release(a),\nT = 20",
        ]
        assert told.err.count("ERROR") == 1 and "x is no time-point" in told.err

    def test_what_holds_initially_survives_reasoning_again(self, tmp_path: Path) -> None:
        (tmp_path / "i.prolog").write_text(
            "initially(at(home)=true).\n"
            "terminatedAt(at(X)=true, T) :- happensAt(leave(X), T).\n"
        )
        told = Piped(
            "--desc", str(tmp_path / "i.prolog"),
            ask="query(5).\ninsert(happensAt(leave(home), 4)), query(5).\nholdsFor(F, I).\n"
            "insert(-happensAt(leave(home), 4)), query(5).\nholdsFor(F, I).\n",
        )  # fmt: skip
        assert told.answers[2] == "F = (at(home)=true),\nI = [(0,5)]"
        assert told.answers[4] == "F = (at(home)=true),\nI = [(0,inf)]"

    def test_an_error_in_a_rule_leaves_everything_as_it_was(self, tmp_path: Path) -> None:
        (tmp_path / "d.prolog").write_text(
            "initiatedAt(f(X)=true, T) :- happensAt(e(X), T), X > 3.\n"
        )
        told = Piped(
            "--desc", str(tmp_path / "d.prolog"),
            ask="insert(happensAt(e(5), 1)), query(10).\n"
            "insert([happensAt(e(a), 12), happensAt(e(6), 13)]), query(20).\n"
            "window(W, Q).\nholdsFor(F, I).\nhappensAt(E, T).\n"
            "insert(-happensAt(e(a), 12)), query(20).\nholdsFor(F, I).\n",
        )  # fmt: skip
        before = "F = (f(5)=true),\nI = [(2,inf)]"
        assert told.answers == [
            "true",
            "W = inf,\nQ = 10", before, "E = e(5),\nT = 1",
            "true", f"{before} ;\nF = (f(6)=true),\nI = [(14,inf)]",
        ]  # fmt: skip
        errors = [line for line in told.err.splitlines() if line.startswith("ERROR")]
        assert len(errors) == 1 and "d.prolog:1: " in errors[0] and "`f/1`" in errors[0]

    def test_records_that_come_too_late_are_said(self, lamp: list[str]) -> None:
        told = Piped(
            *lamp, "--window", "5",
            ask="query(20).\ninsert(happensAt(press(a), 3)), query(21).\nholdsFor(F, I).\n",
        )  # fmt: skip
        assert "happensAt(press(a),3) came too late: nothing up to 16 counts" in told.err
        assert told.answers[-1] == "false"

    def test_windows_do_not_reach_back_into_what_is_forgotten(self, lamp: list[str]) -> None:
        told = Piped(
            *lamp, "--window", "5",
            ask="query(20).\nquery(30).\nwindow(50, 40).\nwindow(W, Q).\nwindow(10, 40).\n"
            "window(W, Q).\nwindow(0, Q).\nwindow(a, Q).\n",
        )  # fmt: skip
        assert told.answers[2:] == ["W = 5,\nQ = 30", "true", "W = 10,\nQ = 40"]
        errors = [line for line in told.err.splitlines() if line.startswith("ERROR")]
        assert len(errors) == 3
        assert "reach back to -10; what happened up to 25 is forgotten" in errors[0]

    def test_help(self, lamp: list[str]) -> None:
        told = Piped(*lamp, ask="help.\n")
        for name in ("holdsFor(", "holdsAt(", "happensAt(", "insert(", "query(", "window("):
            assert name in told.err


class TestStart:
    def test_a_wrong_description_is_said_as_ever(self, tmp_path: Path) -> None:
        (tmp_path / "bad.prolog").write_text("initiatedAt(f=true, T) :-\n")
        told = Piped("--desc", str(tmp_path / "bad.prolog"))
        assert told.code == 1 and "bad.prolog:1:" in told.err and "[syntax]" in told.err

    def test_an_error_while_the_stream_runs(self, tmp_path: Path) -> None:
        (tmp_path / "d.prolog").write_text(
            "initiatedAt(f(X)=true, T) :- happensAt(e(X), T), X > 3.\n"
        )
        (tmp_path / "s.csv").write_text("e|1|1|a\n")
        told = Piped(
            "--desc", str(tmp_path / "d.prolog"), "--stream", str(tmp_path / "s.csv"),
            ask="holdsFor(F, I).\n",
        )  # fmt: skip
        assert (told.code, told.out) == (1, "")
        [line] = told.err.splitlines()
        assert "d.prolog:1: error: evaluating" in line and line.endswith("[exception]")

    def test_a_malformed_stream_and_unknown_names(self, lamp: list[str], tmp_path: Path) -> None:
        (tmp_path / "bad.csv").write_text("press|3|x|a\n")
        told = Piped(*lamp, "--stream", str(tmp_path / "bad.csv"))
        assert told.code == 1 and "bad.csv:1" in told.err
        (tmp_path / "odd.csv").write_text("press|3|3|a\npres|4|4|a\n")
        told = Piped(*lamp, "--stream", str(tmp_path / "odd.csv"), ask="holdsFor(F, I).\n")
        assert told.code == 0 and "did you mean `press`" in told.err
        assert told.answers == ["F = (on(a)=true),\nI = [(4,inf)]"]

    def test_standard_input_is_for_the_prompt(self, lamp: list[str]) -> None:
        told = Piped(*lamp, "--stream", "-", ask=STREAM)
        assert told.code == 1 and "the prompt reads standard input" in told.err

    def test_nothing_is_left_behind(
        self, lamp: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "temporary").mkdir()
        monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
        (tmp_path / "bad.csv").write_text("press|3|x|a\n")
        assert Piped(*lamp, ask="query(5).\n").code == 0
        assert Piped(*lamp, "--stream", str(tmp_path / "bad.csv")).code == 1
        assert not list((tmp_path / "temporary").iterdir())


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
COMPOUND = st.sampled_from(["f(a)", "f(1.5,'B c')", "[a,b]", "g(\"s\",h([]))"])


@settings(max_examples=max(1, settings.default.max_examples // 50))
@given(rows=st.lists(st.tuples(TEXTS | NUMBERS | COMPOUND, TEXTS), min_size=1, max_size=50))
def test_every_argument_arrives_as_it_is(rows: list[tuple[Scalar, str]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "d.prolog").write_text("happensAt(f(X,Y), T) :- happensAt(e(X,Y), T).\n")
        (folder / "s.jsonl").write_text(
            "".join(
                json.dumps({"name": "e", "time": t, "args": row}) + "\n"
                for t, row in enumerate(rows, 1)
            )
        )
        (folder / "made").mkdir()
        chosen = choose(str(folder / "d.prolog"), stream=(str(folder / "s.jsonl"),))
        prepare(chosen, folder / "made")
        ask = (
            "use_module(library(http/json)), nl, forall(happensAt(f(X,Y), T), ("
            "( number(X) -> K = number, S = X ; atom(X) -> K = atom, atom_string(X, S) "
            "; K = term, format(string(S), '~q', [X]) ), atom(Y), atom_string(Y, Z), "
            "json_write(current_output, [T,K,S,Z], [width(0)]), nl)), nl.\n"
        )
        told = subprocess.run(
            prompt_command(find_swipl().program, folder / "made"),
            input=ask, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert told.returncode == 0, told.stderr
        assert not (folder / "made").exists()
    found = [json.loads(line) for line in told.stdout.split("\n") if line.startswith("[")]
    assert found == [
        [t, kind(x), x, y] for t, (x, y) in enumerate(rows, 1) if not is_compound(y)
    ]


def kind(item: Scalar) -> str:
    if isinstance(item, str):
        return "term" if is_compound(item) else "atom"
    return "number"
