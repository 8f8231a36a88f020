import gzip
from pathlib import Path

import pytest
from rtec.cli import execute


def test_a_packed_file_holds_the_same_and_is_reproducible(tmp_path: Path) -> None:
    for out in ("a.csv", "a.csv.gz", "b.csv.gz"):
        assert execute(["generate", "voting", "--size", "500", "--out", str(tmp_path / out)]) == 0
    plain = (tmp_path / "a.csv").read_bytes()
    assert plain.count(b"\n") == 500
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()) == plain
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_standard_output_without_a_file(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert execute(["generate", "netbill", "--size", "3"]) == 0
    assert capfdbinary.readouterr().out.count(b"\n") == 3


def test_vessel_types_for_a_big_fleet(tmp_path: Path) -> None:
    types, out = tmp_path / "vessels.prolog", tmp_path / "stream.csv"
    arguments = ["--size", "100", "--entities", "500"]
    files = ["--vessel-types", str(types), "--out", str(out)]
    assert execute(["generate", "maritime", *arguments, *files]) == 0
    assert types.read_text().count("vesselType(") == 500


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["voting", "--size", "0"], 1, "at least one record"),
        (["voting", "--size", "5", "--late", "2"], 1, "between 0 and 1"),
        (["immune", "--size", "5", "--late", "0.1"], 1, "no input events"),
        (["voting", "--size", "5", "--vessel-types", "x"], 1, "no vessels"),
        (["opera", "--size", "5"], 2, "Invalid value"),
        (["voting"], 2, "--size"),
    ],
)
def test_wrong_use_is_told(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["generate", *arguments]) == code
    assert said in capsys.readouterr().err


def test_nothing_is_left_where_writing_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "missing" / "stream.csv"
    assert execute(["generate", "voting", "--size", "5", "--out", str(out)]) == 1
    assert "cannot be written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_wrong_numbers_leave_nothing(tmp_path: Path) -> None:
    out = tmp_path / "stream.csv"
    assert execute(["generate", "voting", "--size", "5", "--rate", "0", "--out", str(out)]) == 1
    assert list(tmp_path.iterdir()) == []
