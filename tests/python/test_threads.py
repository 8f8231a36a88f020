"""Sessions in threads, programs side by side, and processes that are forked."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import rtec

COUNT = 6


def description(folder: Path, number: int) -> rtec.Program:
    """A program whose names exist in every other one too, with another meaning."""
    file = folder / f"d{number}.prolog"
    file.write_text(
        f"initiatedAt(on(X)=v{number}, T) :- happensAt(press(X), T).\n"
        f"terminatedAt(on(X)=v{number}, T) :- happensAt(release(X), T), limit(L), T > L.\n"
        f"limit({number}).\n"
    )
    return rtec.compile(file)


def presses(who: str, last: int) -> list[rtec.Record]:
    return [
        rtec.Record("press" if t % 2 else "release", t, (who,)) for t in range(1, last)
    ]


def expected(number: int, last: int) -> set[tuple[int, int | None]]:
    """Pressed at odd time-points; released at even ones after the limit."""
    first = next((t for t in range(2, last, 2) if t > number), None)
    found: set[tuple[int, int | None]] = {(2, None if first is None else first + 1)}
    if first is not None:
        found |= {(t + 1, t + 2) for t in range(first + 1, last - 1, 2)}
        if (last - 1) % 2:
            found.add((last, None))
    return found


def test_one_session_used_by_many_threads() -> None:
    program = rtec.compile("toy.prolog")
    with rtec.Session(program, window=1000) as session:

        def insert(number: int) -> None:
            for time_point in range(1, 50):
                session.insert(rtec.Record("go_to", time_point, (f"p{number}", f"l{time_point}")))

        with ThreadPoolExecutor(COUNT) as pool:
            list(pool.map(insert, range(COUNT)))
        assert len(session.query(60)) == COUNT * 49


def test_queries_and_inserts_of_one_session_do_not_mix() -> None:
    program = rtec.compile("toy.prolog")
    failures: list[BaseException] = []
    with rtec.Session(program, window=10_000) as session:
        done = threading.Event()

        def ask() -> None:
            query_time = 0
            try:
                while not done.is_set():
                    query_time += 1
                    session.query(query_time)
                    session.snapshot()
            except BaseException as error:
                failures.append(error)

        asking = threading.Thread(target=ask)
        asking.start()
        for number in range(300):
            # Late for every query time so far, and due at the next.
            session.insert(rtec.Record("win_lottery", 1, (f"p{number}",), arrival=0))
        done.set()
        asking.join()
        assert not failures
        assert session.query_time is not None
        found = {r.args[0] for r in session.query(session.query_time + 1) if r.fluent == "rich"}
        assert found == {f"p{n}" for n in range(300)}


def test_programs_side_by_side_keep_apart(tmp_path: Path) -> None:
    programs = [description(tmp_path, n) for n in range(COUNT)]
    sessions = [rtec.Session(p, window=100) for p in programs for _ in range(2)]
    for number, session in enumerate(sessions):
        session.insert(presses(f"x{number}", 12))
    for query_time in (5, 9, 20):
        found = [list(s.query(query_time)) for s in sessions]
    for number, rows in enumerate(found):
        [row] = rows
        assert (row.fluent, row.args, row.value) == ("on", (f"x{number}",), f"v{number // 2}")
        assert set(row.intervals) == expected(number // 2, 12)
    for session in sessions[::2]:
        session.close()
    for session in sessions[1::2]:  # closing one leaves the others alone
        assert len(session.query(30)) == 1
        session.close()


def test_programs_side_by_side_in_threads(tmp_path: Path) -> None:
    def work(number: int) -> set[tuple[int, int | None]]:
        program = description(tmp_path, number)
        rows = list(rtec.run(program, presses("x", 40), window=100, step=7, start=0, merge=True))
        assert [r.value for r in rows] == [f"v{number}"]
        return set(rows[0].intervals)

    with ThreadPoolExecutor(COUNT) as pool:
        found = list(pool.map(work, range(2 * COUNT)))
    assert found == [expected(n, 40) for n in range(2 * COUNT)]


def test_an_error_reaches_the_thread_that_asked(tmp_path: Path) -> None:
    file = tmp_path / "bad.prolog"
    file.write_text("initiatedAt(f(X)=true, T) :- happensAt(e(X), T), X > 3.\n")
    program = rtec.compile(file)

    def work(number: int) -> str:
        argument: int | str = number if number % 2 else "text"
        with rtec.Session(program, window=10) as session:
            session.insert(rtec.Record("e", 1, (argument,)))
            try:
                return str(len(session.query(5)))
            except rtec.EngineError as error:
                return type(error).__name__

    with ThreadPoolExecutor(COUNT) as pool:
        found = list(pool.map(work, range(8)))
    assert found == ["EngineError", "0", "EngineError", "0", "EngineError", "1", "EngineError", "1"]


def in_a_fork(work: Callable[[], object]) -> str:
    """Do something in a forked child; return what it raised, or `fine`."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:  # nothing of pytest may run here
        try:
            work()
            said = "fine"
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode()
    assert os.waitpid(child, 0)[1] == 0
    return said


def test_a_forked_child_gets_a_clear_error() -> None:
    program = rtec.compile("toy.prolog")
    with rtec.Session(program, window=10) as session:
        session.query(1)
        for use in (
            lambda: session.query(5),
            lambda: session.insert(rtec.Record("win_lottery", 3, ("ann",))),
            session.snapshot,
        ):
            assert in_a_fork(use).startswith("EngineError: error: the session was opened before")
        said = in_a_fork(lambda: rtec.Session(program, window=10))
        assert said.startswith("EngineError") and "before this process was forked" in said
        assert in_a_fork(session.close) == "fine"
        # The parent goes on.
        session.insert(rtec.Record("win_lottery", 3, ("ann",)))
        assert len(session.query(5)) == 2


def test_a_fork_while_another_thread_asks_does_not_hang(tmp_path: Path) -> None:
    program = rtec.compile("toy.prolog")
    stop = threading.Event()
    with rtec.Session(program, window=10) as session:

        def ask() -> None:
            query_time = 0
            while not stop.is_set():
                query_time += 1
                session.query(query_time)

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            for _ in range(20):
                said = in_a_fork(lambda: session.query(10**6))
                assert said.startswith("EngineError"), said
        finally:
            stop.set()
            asking.join()


def test_a_fork_before_the_first_use_is_fine() -> None:
    code = (
        "import os, rtec\n"
        "child = os.fork()\n"
        "program = rtec.compile('toy.prolog')\n"
        "day = [rtec.Record('win_lottery', 3, ('ann',))]\n"
        "assert len(list(rtec.run(program, day))) == 2\n"
        "if child:\n"
        "    assert os.waitpid(child, 0)[1] == 0\n"
        "    print('both')\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (told.stdout, told.stderr) == ("both\n", "")


def test_spawned_processes_work_after_the_first_use(tmp_path: Path) -> None:
    script = tmp_path / "many.py"
    script.write_text(
        "import multiprocessing, rtec\n"
        "def count(records):\n"
        "    return len(list(rtec.run(rtec.compile('toy.prolog'), records)))\n"
        "if __name__ == '__main__':\n"
        "    records = [rtec.Record('win_lottery', 3, ('ann',))]\n"
        "    assert count(records) == 2\n"
        "    with multiprocessing.get_context('spawn').Pool(2) as pool:\n"
        "        print(pool.map(count, [records] * 3))\n"
    )
    told = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert (told.stdout, told.stderr) == ("[2, 2, 2]\n", "")


@pytest.mark.parametrize("busy", [False, True])
def test_a_process_ends_quietly_with_open_sessions(busy: bool, tmp_path: Path) -> None:
    (tmp_path / "loop.prolog").write_text(
        "initiatedAt(f=true, T) :- happensAt(e, T), forever(1).\n"
        "forever(N) :- M is N+1, forever(M).\n"
    )
    code = (
        "import rtec, sys, threading, time\n"
        "session = rtec.Session(rtec.compile(sys.argv[1]), window=10)\n"
        "session.insert(rtec.Record('e', 1))\n"
        "if sys.argv[2] == 'True':\n"
        "    threading.Thread(target=session.query, args=(5,), daemon=True).start()\n"
        "    time.sleep(0.3)\n"
        "print('done')\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "loop.prolog"), str(busy)],
        capture_output=True, text=True, timeout=60,
    )
    assert (told.returncode, told.stdout, told.stderr) == (0, "done\n", "")


def test_prolog_lives_in_the_thread_that_asked_for_it() -> None:
    code = (
        "import threading, rtec\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from rtec import bridge\n"
        "bridge.live_here()\n"
        "program = rtec.compile('toy.prolog')\n"
        "assert threading.active_count() == 1\n"
        "session = rtec.Session(program, window=100)\n"
        "def work(number):\n"
        "    session.insert(rtec.Record('win_lottery', 3, (f'p{number}',)))\n"
        "    ident = threading.get_ident()\n"
        "    assert bridge.together(lambda: bridge.together(threading.get_ident)) == ident\n"
        "    with rtec.Session(program, window=10) as own:\n"
        "        own.insert(rtec.Record('win_lottery', 3, ('ann',)))\n"
        "        return len(own.query(5))\n"
        "with ThreadPoolExecutor(4) as pool:\n"
        "    print(list(pool.map(work, range(8))), len(session.query(5)))\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (told.stdout, told.stderr) == ("[2, 2, 2, 2, 2, 2, 2, 2] 16\n", "")
