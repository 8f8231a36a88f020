"""Drawings of dependency graphs: levels as columns, inputs on the left, cycles in red.

Events are boxes and fluents have round ends; inputs are dashed, and a static fluent has a
double line. An arrow leads from what is read to what is defined by it.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args

from rtec.compiler.dependencies import Graph, Vertex
from rtec.errors import ConfigError, EngineError, Problem
from rtec.runtime.outputs import Output

Form = Literal["svg", "png", "dot", "mmd"]
FORMS: tuple[Form, ...] = get_args(Form)
_ENDINGS: dict[str, Form] = {
    "svg": "svg", "png": "png", "dot": "dot", "gv": "dot", "mmd": "mmd", "mermaid": "mmd",
}  # fmt: skip
_RED = "#c0392b"
_INK = "#2c3e50"
_LEGEND = "boxes: events; round: fluents; dashed: inputs; double line: static; red: cycles"


def form_of(path: str) -> Form:
    """The form that a file name asks for.

    Raises:
        ConfigError: It asks for none that is known.
    """
    form = _ENDINGS.get(Path(path).suffix.removeprefix(".").lower())
    if form is None:
        raise ConfigError(
            Problem(
                f"cannot tell from {path} what kind of drawing it is to be",
                "unknown-format",
                remedy=f"end the name in .{', .'.join(FORMS)}, or say --format",
            )
        )
    return form


def draw(graph: Graph, title: str, path: str, form: Form) -> None:
    """Write a drawing; it appears under its name when it is complete."""
    with Output(path) as output:
        if form == "mmd":
            output.write(to_mermaid(graph, title))
        elif form == "dot":
            output.write(to_dot(graph, title))
        else:
            output.handle.write(render(to_dot(graph, title), form))


def render(dot: str, form: Form) -> bytes:
    """Turn dot text into a picture with graphviz.

    Raises:
        ConfigError: graphviz is not installed.
    """
    program = shutil.which("dot")
    if program is None:
        raise ConfigError(
            Problem(
                f"drawing {form} needs the program `dot`",
                "no-graphviz",
                remedy="install graphviz (`apt install graphviz`, `brew install graphviz`), or "
                "write .dot or .mmd, which need nothing",
            )
        )
    done = subprocess.run([program, f"-T{form}"], input=dot.encode(), capture_output=True)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()
        raise EngineError(f"`dot` could not draw the graph: {said}")
    return done.stdout


def to_dot(graph: Graph, title: str) -> str:
    """Write a graph in the language of graphviz."""
    ids = _ids(graph)
    cyclic = _cyclic(graph)
    lines = [
        f"digraph {_quoted(title)} {{",
        "  rankdir=LR; ranksep=1.1; nodesep=0.22;",
        f'  label={_quoted(f"{title}   ({_LEGEND})")}; labelloc=b; fontsize=11;',
        f'  fontname="Helvetica"; fontcolor="{_INK}";',
        f'  node [fontname="Helvetica", fontsize=11, color="{_INK}", fontcolor="{_INK}"];',
        f'  edge [color="{_INK}80", arrowsize=0.7];',
        "  node [shape=plaintext];",
    ]
    levels = _levels(graph)
    lines += [f"  level{level} [label={_quoted(_heading(level))}];" for level in levels]
    spine = " -> ".join(f"level{level}" for level in levels)
    if len(levels) > 1:
        lines.append(f"  {spine} [style=invis];")
    for level, vertices in levels.items():
        lines.append("  { rank=same;")
        lines.append(f"    level{level};")
        for vertex in vertices:
            lines.append(f"    {ids[vertex]} [{_dot_style(vertex, vertex in cyclic)}];")
        lines.append("  }")
    for read, reader in _edges(graph):
        together = read in cyclic and cyclic.get(reader) == cyclic[read]
        style = f' [color="{_RED}", penwidth=1.4]' if together else ""
        lines.append(f"  {ids[read]} -> {ids[reader]}{style};")
    return "\n".join([*lines, "}", ""])


def _dot_style(vertex: Vertex, cyclic: bool) -> str:
    is_event = vertex.kind in ("event", "input event")
    styles = ["filled"] if is_event else ["filled", "rounded"]
    if vertex.kind.startswith("input"):
        styles.append("dashed")
    parts = [
        f"label={_quoted(str(vertex))}",
        "shape=box",
        f'style="{",".join(styles)}"',
        f'fillcolor="{"#fdecea" if cyclic else "#ffffff"}"',
    ]
    if vertex.kind == "static":
        parts.append("peripheries=2")
    if cyclic:
        parts.append(f'color="{_RED}"')
    return ", ".join(parts)


def to_mermaid(graph: Graph, title: str) -> str:
    """Write a graph in the language of Mermaid."""
    ids = _ids(graph)
    cyclic = _cyclic(graph)
    lines = ["---", f"title: {_yaml(title)}", "---", "flowchart LR"]
    for level, vertices in _levels(graph).items():
        lines.append(f'  subgraph level{level}["{_heading(level)}"]')
        for vertex in vertices:
            lines.append(f"    {ids[vertex]}{_mermaid_shape(vertex)}")
        lines.append("  end")
    red: list[int] = []
    for number, (read, reader) in enumerate(_edges(graph)):
        lines.append(f"  {ids[read]} --> {ids[reader]}")
        if read in cyclic and cyclic.get(reader) == cyclic[read]:
            red.append(number)
    lines.append("  classDef input stroke-dasharray: 4 3")
    lines.append(f"  classDef cycle stroke:{_RED},fill:#fdecea")
    for name, members in (
        ("input", [v for v in ids if v.kind.startswith("input")]),
        ("cycle", list(cyclic)),
    ):
        if members:
            lines.append(f"  class {','.join(ids[v] for v in members)} {name}")
    if red:
        lines.append(f"  linkStyle {','.join(map(str, red))} stroke:{_RED}")
    return "\n".join([*lines, ""])


def _mermaid_shape(vertex: Vertex) -> str:
    label = '"' + str(vertex).replace('"', "#quot;") + '"'
    if vertex.kind in ("event", "input event"):
        return f"[{label}]"
    return f"([{label}])" if vertex.kind != "static" else f"[[{label}]]"


def _levels(graph: Graph) -> dict[int, list[Vertex]]:
    levels: dict[int, list[Vertex]] = {}
    for vertex in sorted(graph.edges):
        levels.setdefault(graph.levels[vertex], []).append(vertex)
    return dict(sorted(levels.items()))


def _heading(level: int) -> str:
    return "input" if level == 0 else f"level {level}"


def _ids(graph: Graph) -> dict[Vertex, str]:
    """Short names for the vertices, in the order of levels."""
    ordered = [vertex for vertices in _levels(graph).values() for vertex in vertices]
    return {vertex: f"v{number}" for number, vertex in enumerate(ordered, 1)}


def _cyclic(graph: Graph) -> dict[Vertex, int]:
    """The vertices in cycles, each with the number of its cycle."""
    return {
        vertex: number
        for number, component in enumerate(graph.components)
        if graph.is_cyclic(component)
        for vertex in component
    }


def _edges(graph: Graph) -> Iterator[tuple[Vertex, Vertex]]:
    """Yield pairs of what is read and what reads it."""
    pairs = [(read, reader) for reader, reads in graph.edges.items() for read in reads]
    yield from sorted(pairs)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def _yaml(text: str) -> str:
    return "'" + text.replace("'", "''").replace("\n", " ") + "'"
