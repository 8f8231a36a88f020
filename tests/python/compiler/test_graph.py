"""Drawings: columns by level, inputs first, cycles in red."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from rtec.compiler.dependencies import Graph
from rtec.compiler.examination import examine
from rtec.graph import to_dot, to_mermaid
from rtec.runtime.sidecar import bundled_descriptions, find_description, read_sidecar

needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="graphviz is not installed")


def graph_of(path: Path) -> Graph:
    return examine(path, read_sidecar(path).background).case.graph


def test_levels_are_columns() -> None:
    text = to_dot(graph_of(find_description("toy")), "toy")
    columns = re.findall(r"\{ rank=same;\n(.*?)\n  \}", text, re.DOTALL)
    shown = [re.findall(r'label="([^"]*)"', column) for column in columns]
    assert shown == [
        ["go_to/2", "lose_wallet/1", "win_lottery/1"],
        ["location/1", "rich/1"],
        ["happy/1=true"],
    ]


def test_arrows_lead_from_what_is_read() -> None:
    text = to_mermaid(graph_of(find_description("toy")), "toy")
    labels = dict(re.findall(r'(v\d+)[(\[]+"([^"]*)"', text))
    arrows = {(labels[a], labels[b]) for a, b in re.findall(r"(v\d+) --> (v\d+)", text)}
    assert arrows == {
        ("go_to/2", "location/1"),
        ("win_lottery/1", "rich/1"),
        ("lose_wallet/1", "rich/1"),
        ("rich/1", "happy/1=true"),
        ("location/1", "happy/1=true"),
    }


def test_cycles_are_red() -> None:
    text = to_dot(graph_of(find_description("netbill")), "netbill")
    red = re.findall(r'label="([^"]*)"[^;]*color="#c0392b"', text)
    assert red == ["contract/3", "obl/1", "suspended/2"]
    mermaid = to_mermaid(graph_of(find_description("netbill")), "netbill")
    assert re.search(r"class v\d+,v\d+,v\d+ cycle", mermaid)
    assert "linkStyle" in mermaid
    plain = to_mermaid(graph_of(find_description("toy")), "toy")
    assert not re.search(r"class v.* cycle", plain)


@needs_dot
def test_odd_names_are_quoted(tmp_path: Path) -> None:
    rules = tmp_path / "rules.prolog"
    rules.write_text("initiatedAt('a \"b\" \\\\c'(X)=true, T) :- happensAt('it''s'(X), T).\n")
    graph = graph_of(rules)
    dot = to_dot(graph, 'the "title"')
    drawn = subprocess.run(["dot", "-Tplain"], input=dot, capture_output=True, text=True)
    assert drawn.returncode == 0, drawn.stderr
    assert "#quot;b#quot;" in to_mermaid(graph, "title")


@needs_dot
@pytest.mark.parametrize("name", bundled_descriptions())
def test_every_bundled_description_can_be_drawn(name: str) -> None:
    """And graphviz puts each level to the right of the one before."""
    dot = to_dot(graph_of(find_description(name)), name)
    drawn = subprocess.run(["dot", "-Tplain"], input=dot, capture_output=True, text=True)
    assert drawn.returncode == 0, drawn.stderr
    places = {
        line.split()[1]: float(line.split()[2])
        for line in drawn.stdout.splitlines()
        if line.startswith("node level")
    }
    ordered = [places[key] for key in sorted(places, key=lambda k: int(k[5:]))]
    assert ordered == sorted(ordered)
