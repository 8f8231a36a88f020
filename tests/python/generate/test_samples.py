"""The samples and background files that ship are what the generators make today."""

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from rtec.cli.generate import command
from rtec.environment import data_folder, descriptions_folder
from rtec.generate.maritime import area_facts, vessel_facts
from rtec.generate.voting import role_facts

GENERATED = ["activity", "immune", "maritime", "netbill", "phage", "transport", "voting"]


@pytest.mark.parametrize("name", GENERATED)
def test_the_command_in_origin_makes_the_sample(name: str, tmp_path: Path) -> None:
    folder = data_folder() / name
    origin = (folder / "ORIGIN.md").read_text()
    line = next(row for row in origin.splitlines() if row.startswith("rtec generate"))
    *arguments, out = shlex.split(line)[2:]
    made = tmp_path / out
    result = CliRunner().invoke(command, [*arguments, str(made)])
    assert result.exit_code == 0, result.output
    assert made.read_bytes() == (folder / out).read_bytes()


@pytest.mark.parametrize("name", ["toy", *GENERATED])
def test_samples_are_small(name: str) -> None:
    assert all(file.stat().st_size < 300_000 for file in (data_folder() / name).iterdir())


def test_background_files_are_those_of_the_generators() -> None:
    maritime, voting = descriptions_folder() / "maritime", descriptions_folder() / "voting"
    assert (maritime / "areas.prolog").read_text() == area_facts()
    assert (maritime / "vessels.prolog").read_text() == vessel_facts(400)
    assert (voting / "roles.prolog").read_text() == role_facts()
