"""The Python API: what a program compiles, runs, inserts and gets back."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rtec
from rtec.environment import data_folder

DAY = [
    rtec.Record("go_to", 9, ("chris", "work")),
    rtec.Record("win_lottery", 13, ("chris",)),
    rtec.Record("go_to", 17, ("chris", "pub")),
    rtec.Record("lose_wallet", 19, ("chris",)),
    rtec.Record("go_to", 21, ("chris", "home")),
]
ANSWERS = {
    ("happy", "true"): ((14, 22),),
    ("location", "home"): ((22, None),),
    ("location", "pub"): ((18, 22),),
    ("location", "work"): ((10, 18),),
    ("rich", "true"): ((14, 20),),
}


@pytest.fixture(scope="module")
def toy() -> rtec.Program:
    return rtec.compile("toy.prolog")


def answers(recognitions: object) -> dict[tuple[str, object], object]:
    return {(r.fluent, r.value): r.intervals for r in recognitions}  # type: ignore[attr-defined]


class TestNames:
    def test_every_public_name_exists_and_is_listed(self) -> None:
        for name in rtec.__all__:
            assert getattr(rtec, name) is not None
            assert name in dir(rtec)

    def test_each_home_has_its_names(self) -> None:
        assert sorted(rtec._HOME) == sorted(rtec.__all__)
        for name, home in rtec._HOME.items():
            assert getattr(importlib.import_module(home), name) is getattr(rtec, name)

    def test_other_names_do_not(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
            rtec.nonsense  # noqa: B018

    def test_importing_is_cheap(self) -> None:
        code = "import sys, rtec; print(*sys.modules, sep='\\n')"
        seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        heavy = {"janus_swi", "pyarrow", "numpy", "pandas", "rich", "click", "rtec.bridge"}
        assert "rtec" in seen.stdout.split()
        assert not heavy & set(seen.stdout.split())

    def test_errors_form_a_family(self) -> None:
        for name in ("ConfigError", "DescriptionError", "EngineError", "StreamError"):
            assert issubclass(getattr(rtec, name), rtec.RtecError)


class TestCompile:
    def test_a_sidecar_gives_the_background(self, root: Path) -> None:
        program = rtec.compile(root / "descriptions" / "voting" / "voting.prolog")
        assert {Path(b).name for b in program.background} == {"roles.prolog", "deadlines.prolog"}

    def test_background_that_is_given_counts_instead(self, tmp_path: Path) -> None:
        (tmp_path / "a.prolog").write_text(
            "initiatedAt(at(X)=Y, T) :- happensAt(go(X, Y), T), place(Y).\n"
        )
        (tmp_path / "a.toml").write_text('background = ["places.prolog"]\n')
        (tmp_path / "places.prolog").write_text("place(home).\n")
        (tmp_path / "others.prolog").write_text("place(moon).\n")
        go = [rtec.Record("go", 1, ("x", "home")), rtec.Record("go", 2, ("y", "moon"))]
        program = rtec.compile(tmp_path / "a.prolog")
        assert [r.args for r in rtec.run(program, go)] == [("x",)]
        for given in (tmp_path / "others.prolog", [str(tmp_path / "others.prolog")]):
            program = rtec.compile(tmp_path / "a.prolog", background=given)
            assert [r.args for r in rtec.run(program, go)] == [("y",)]

    def test_declarations_beside_the_rules(self, root: Path) -> None:
        manual = root / "descriptions" / "toy" / "manual"
        program = rtec.compile(
            manual / "toy_rules.prolog",
            [manual / "toy_var_domain.prolog"],
            declarations=manual / "toy_declarations.prolog",
        )
        assert answers(rtec.run(program, DAY, window=21, start=0)) == ANSWERS

    def test_all_mistakes_come_together(self, tmp_path: Path) -> None:
        file = tmp_path / "bad.prolog"
        file.write_text("holdsAt(f=true, T) :- happensAt(e, T).\ninitiatedAt(g=true, T) :-\n")
        with pytest.raises(rtec.DescriptionError) as caught:
            rtec.compile(file)
        assert len(caught.value.problems) >= 2
        assert all(p.place is not None and p.place.path == str(file) for p in caught.value.problems)

    def test_an_unknown_name(self) -> None:
        with pytest.raises(rtec.ConfigError, match="did you mean `toy.prolog`"):
            rtec.compile("toi.prolog")

    def test_trust(self, tmp_path: Path) -> None:
        file = tmp_path / "shell.prolog"
        file.write_text(
            "initiatedAt(f=true, T) :- happensAt(e, T), getenv('PATH', _), shell(true).\n"
        )
        with pytest.raises(rtec.DescriptionError, match="shell"):
            rtec.compile(file)
        trusted = rtec.compile(file, trust=True)
        assert [r.fluent for r in rtec.run(trusted, [rtec.Record("e", 3)])] == ["f"]

    def test_a_program_can_be_pickled(self, toy: rtec.Program) -> None:
        copy = pickle.loads(pickle.dumps(toy))
        assert copy == toy
        assert answers(rtec.run(copy, DAY, window=21, start=0)) == ANSWERS


def table() -> pa.Table:
    return pa.table(
        {
            "name": [r.name for r in DAY],
            "time": [r.time for r in DAY],
            "args": [list(r.args) for r in DAY],
        }
    )


class TestRun:
    def test_the_day_of_the_manual(self, toy: rtec.Program) -> None:
        assert answers(rtec.run(toy, DAY, window=21, start=0, end=21)) == ANSWERS

    @pytest.mark.parametrize("form", ["path", "text path", "records", "generator", "table",
                                      "dataframe", "parquet", "several"])
    def test_every_kind_of_stream(self, form: str, toy: rtec.Program, tmp_path: Path) -> None:
        file = data_folder() / "toy" / "stream.csv"
        pq.write_table(table(), tmp_path / "day.parquet")
        streams = {
            "path": file,
            "text path": str(file),
            "records": DAY,
            "generator": (r for r in DAY),
            "table": table(),
            "dataframe": pd.DataFrame(table().to_pandas()),
            "parquet": tmp_path / "day.parquet",
            "several": [DAY[:2], table().slice(2)],
        }
        assert answers(rtec.run(toy, streams[form], window=21, start=0)) == ANSWERS

    def test_query_times(self, toy: rtec.Program) -> None:
        run = rtec.run(toy, DAY, window=10, start=0, end=25)
        found = list(run.query_times())
        assert [a.query_time for a in found] == [10, 20, 25]
        assert [len(a) for a in found] == [1, 4, 5]

    def test_settings_of_windows(self, toy: rtec.Program) -> None:
        run = rtec.run(toy, DAY, window=10, step=5, start=0, end=12)
        assert [a.query_time for a in run.query_times()] == [5, 10, 12]

    def test_merge_reports_once(self, toy: rtec.Program) -> None:
        assert answers(rtec.run(toy, DAY, window=5, start=0, end=21, merge=True)) == ANSWERS

    def test_tables(self, toy: rtec.Program) -> None:
        made = rtec.run(toy, DAY, window=21, start=0).to_arrow()
        assert made.column_names == ["query_time", "fluent", "args", "value", "start", "end"]
        assert made.column("end").to_pylist() == [22, None, 22, 18, 20]
        frame = rtec.run(toy, DAY, window=21, start=0).to_pandas()
        assert list(frame["fluent"]) == ["happy", "location", "location", "location", "rich"]
        [one] = rtec.run(toy, DAY, window=21, start=0).query_times()
        assert one.to_arrow() == made
        assert one.to_pandas().equals(frame)

    def test_nothing_recognised_is_an_empty_table(self, toy: rtec.Program) -> None:
        made = rtec.run(toy, [], start=0, end=5).to_arrow()
        assert made.num_rows == 0 and made.num_columns == 6

    def test_output_events_are_dataclasses_too(self, tmp_path: Path) -> None:
        file = tmp_path / "e.prolog"
        file.write_text("happensAt(twice(X), T) :- happensAt(a(X), T), happensAt(b(X), T).\n")
        records = [rtec.Record(n, t, (3,)) for n in "ab" for t in (4, 7)]
        [found] = rtec.run(rtec.compile(file), records, window=10, start=0)
        assert found == rtec.EventRecognition(7, "twice", (3,), (4, 7))

    def test_it_is_lazy_and_read_once(self, toy: rtec.Program) -> None:
        taken: list[int] = []

        def records() -> Iterator[rtec.Record]:
            for number in range(100_000):
                taken.append(number)
                yield rtec.Record("go_to", number, ("chris", f"p{number % 7}"))

        run = rtec.run(toy, records(), window=10, start=0)
        assert not taken
        assert next(iter(run)).query_time == 10
        assert len(taken) < 100_000
        run.close()
        assert list(run) == []

    def test_warnings(self, toy: rtec.Program) -> None:
        records = [*DAY, rtec.Record("go_too", 8, ("chris", "work"))]
        run = rtec.run(toy, records, window=5, step=10, start=0)
        list(run)
        slugs = [w.slug for w in run.warnings]
        assert slugs == ["step-over-window", "unknown-record"]
        assert "did you mean `go_to`" in str(run.warnings[1])

    def test_a_malformed_record_stops_or_is_skipped(self, toy: rtec.Program) -> None:
        records = [*DAY, rtec.Record("go_to", 30, ("chris",))]
        with pytest.raises(rtec.StreamError, match="go_to"):
            list(rtec.run(toy, records, window=40, start=0))
        run = rtec.run(toy, records, window=40, start=0, on_error="skip")
        assert answers(run) == ANSWERS
        assert len(run.warnings) == 1

    def test_wrong_settings_are_refused_at_once(self, toy: rtec.Program) -> None:
        with pytest.raises(rtec.ConfigError, match="window is -1"):
            rtec.run(toy, DAY, window=-1)
        with pytest.raises(rtec.ConfigError, match="ends at 3, before its start 5"):
            rtec.run(toy, DAY, start=5, end=3)
        with pytest.raises(rtec.StreamError, match="no_such_file"):
            rtec.run(toy, "no_such_file.csv")
        with pytest.raises(rtec.StreamError, match="cannot read records from int"):
            rtec.run(toy, 3)  # type: ignore[arg-type]

    def test_a_time_limit_names_the_fluent(self, tmp_path: Path) -> None:
        file = tmp_path / "loop.prolog"
        file.write_text(
            "initiatedAt(f=true, T) :- happensAt(e, T), forever(1).\n"
            "forever(N) :- M is N+1, forever(M).\n"
        )
        program = rtec.compile(file)
        with pytest.raises(rtec.EngineError, match="f/0.*time limit of 0.2"):
            list(rtec.run(program, [rtec.Record("e", 1)], time_limit=0.2))
        # The engine is as good as before.
        assert answers(rtec.run(rtec.compile("toy.prolog"), DAY, window=21, start=0)) == ANSWERS


BEFORE = """
initiatedAt(early=true, T) :- happensAt(a, T).
terminatedAt(early=true, T) :- happensAt(z, T).
initiatedAt(alarm=true, T) :- happensAt(b, T).
holdsFor(late=true, I) :-
    holdsFor(early=true, I1), holdsFor(alarm=true, I2), allen(before, I1, I2, target, I).
"""


class TestSession:
    def test_records_of_any_kind(self, toy: rtec.Program) -> None:
        for records in (DAY, tuple(DAY), iter(DAY), table(), table().to_pandas(),
                        data_folder() / "toy" / "stream.csv"):
            with rtec.Session(toy, window=21) as session:
                session.insert(records)
                assert answers(session.query(21)) == ANSWERS

    def test_one_record(self, toy: rtec.Program) -> None:
        with rtec.Session(toy, window=21) as session:
            session.insert(DAY[1])
            assert answers(session.query(14))[("rich", "true")] == ((14, None),)

    def test_insert_in_pieces_is_insert_at_once(self, toy: rtec.Program) -> None:
        with rtec.Session(toy, window=21) as session:
            for record in reversed(DAY):
                session.insert([record])
            assert answers(session.query(21)) == ANSWERS

    def test_the_first_window_is_no_longer_than_the_others(self, toy: rtec.Program) -> None:
        record = rtec.Record("win_lottery", 0, ("chris",))
        for window, found in ((20, 2), (21, 2), (19, 0)):
            with rtec.Session(toy, window=window) as session:
                session.insert(record)
                assert len(session.query(20)) == found

    def test_memory_is_part_of_a_snapshot(self, tmp_path: Path) -> None:
        file = tmp_path / "before.prolog"
        file.write_text(BEFORE)
        program = rtec.compile(file)
        records = [rtec.Record("a", 1), rtec.Record("z", 3), rtec.Record("b", 25)]
        for memory, found in ((None, 1), (20, 1), (10, 0)):
            session = rtec.Session(program, window=10, memory=memory)
            session.insert(records)
            session.query(10)
            session = rtec.Session.restore(program, session.snapshot())
            session.query(20)
            names = [r.fluent for r in session.query(30) if isinstance(r, rtec.FluentRecognition)]
            assert names.count("late") == found
            in_a_run = rtec.run(program, records, window=10, start=0, end=30, memory=memory)
            assert [r.fluent for r in in_a_run].count("late") == found  # type: ignore[union-attr]

    def test_retract_takes_tables_too(self, toy: rtec.Program) -> None:
        with rtec.Session(toy, window=30) as session:
            session.insert(DAY)
            session.query(21)
            session.retract(table().slice(3, 1))
            assert answers(session.query(22))[("rich", "true")] == ((14, None),)
            session.retract(DAY[1])
            assert ("rich", "true") not in answers(session.query(23))

    def test_malformed_records_leave_the_session_as_it_was(self, toy: rtec.Program) -> None:
        with rtec.Session(toy, window=21) as session:
            with pytest.raises(rtec.StreamError, match="not an integer"):
                session.insert([DAY[0], rtec.Record("go_to", 1.5, ("a", "b"))])  # type: ignore[arg-type]
            assert len(session.query(21)) == 0

    def test_unknown_names_are_warned_about(self, toy: rtec.Program) -> None:
        with rtec.Session(toy, window=21) as session:
            session.insert([rtec.Record("go_two", 3, ()), *DAY])
            assert answers(session.query(21)) == ANSWERS
            [warning] = session.warnings
            assert warning.slug == "unknown-record" and "go_two" in warning.message

    def test_a_snapshot_goes_on_elsewhere(self, toy: rtec.Program, tmp_path: Path) -> None:
        with rtec.Session(toy, window=10) as session:
            session.insert(DAY)
            session.query(10)
            (tmp_path / "snapshot").write_bytes(session.snapshot())
            expected = session.query(18), session.query(25)
        code = (
            "import rtec, pathlib, sys\n"
            "program = rtec.compile('toy.prolog')\n"
            "data = pathlib.Path(sys.argv[1]).read_bytes()\n"
            "with rtec.Session.restore(program, data) as s:\n"
            "    print([*s.query(18), *s.query(25)])\n"
        )
        told = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "snapshot")],
            capture_output=True, text=True, check=True,
        )
        assert told.stdout == f"{[*expected[0], *expected[1]]}\n"

    def test_a_restored_session_is_a_session(self, toy: rtec.Program) -> None:
        with rtec.Session(toy, window=21) as session:
            session.insert(DAY)
            with rtec.Session.restore(toy, session.snapshot()) as copy:
                assert isinstance(copy, rtec.Session)
                copy.insert(rtec.Record("win_lottery", 20, ("ann",)))
                assert len(copy.query(21)) == len(session.query(21)) + 2

    def test_a_snapshot_of_another_program(self, toy: rtec.Program, tmp_path: Path) -> None:
        file = tmp_path / "other.prolog"
        file.write_text("initiatedAt(f=true, T) :- happensAt(e, T).\n")
        with rtec.Session(toy, window=21) as session:
            with pytest.raises(rtec.ConfigError, match="another program"):
                rtec.Session.restore(rtec.compile(file), session.snapshot())
            with pytest.raises(rtec.ConfigError, match="damaged"):
                rtec.Session.restore(toy, session.snapshot()[:20])

    def test_a_snapshot_of_another_version(self, toy: rtec.Program) -> None:
        older = zlib.compress(b"crtec.runtime.records\n_unpickled\n(I1\ntR.")  # calls it as it was
        with pytest.raises(rtec.ConfigError, match="another version of rtec"):
            rtec.Session.restore(toy, older)

    def test_query_times_move_forward(self, toy: rtec.Program) -> None:
        with rtec.Session(toy, window=21) as session:
            session.query(10)
            with pytest.raises(rtec.ConfigError, match="10 is not after the last one, 10"):
                session.query(10)

    def test_a_closed_session_says_so(self, toy: rtec.Program) -> None:
        session = rtec.Session(toy, window=21)
        session.close()
        session.close()
        for use in (lambda: session.query(3), lambda: session.insert(DAY), session.snapshot):
            with pytest.raises(rtec.EngineError, match="the session is closed"):
                use()

    def test_a_session_cannot_be_pickled(self, toy: rtec.Program) -> None:
        with rtec.Session(toy, window=21) as session:
            with pytest.raises(TypeError, match="send its snapshot"):
                pickle.dumps(session)

    def test_an_exception_in_a_rule_names_it(self, tmp_path: Path) -> None:
        file = tmp_path / "boom.prolog"
        file.write_text("initiatedAt(f(X)=true, T) :- happensAt(e(X), T), Y is X+1, Y > 0.\n")
        with rtec.Session(rtec.compile(file), window=10) as session:
            session.insert(rtec.Record("e", 1, ("not_a_number",)))
            with pytest.raises(rtec.EngineError, match="boom.prolog:1.*`f/1`.*not_a_number"):
                session.query(5)


@pytest.mark.parametrize(
    "error",
    [
        rtec.EngineError("it went wrong"),
        rtec.StreamError(rtec.Problem("no", "slug", rtec.Place("f.csv", 3, 1, 5, "text"), "do")),
        rtec.DescriptionError(rtec.Problem("a", "x"), rtec.Problem("b", "y")),
    ],
)
def test_errors_survive_pickling(error: rtec.RtecError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert copy.problems == error.problems
    assert str(copy) == str(error)


def test_an_error_of_the_engine_is_plain_data(tmp_path: Path) -> None:
    file = tmp_path / "boom.prolog"
    file.write_text("initiatedAt(f=true, T) :- happensAt(e(X), T), atom_length(X, 3, 4).\n"
                    "atom_length(_, _, _) :- throw(oops(a, B, B)).\n")
    with pytest.raises(rtec.EngineError) as caught:
        list(rtec.run(rtec.compile(file), [rtec.Record("e", 1, ("a",))]))
    copy = pickle.loads(pickle.dumps(caught.value))
    assert "oops(a" in str(copy) and str(copy) == str(caught.value)


def test_a_program_that_breaks_off_in_a_run_ends() -> None:
    code = (
        "import rtec\n"
        "day = [rtec.Record('go_to', t, ('chris', 'work')) for t in (9, 19)]\n"
        "for found in rtec.run(rtec.compile('toy.prolog'), day, window=5):\n"
        "    raise SystemExit('broke off')\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert told.returncode == 1 and told.stderr == "broke off\n"
