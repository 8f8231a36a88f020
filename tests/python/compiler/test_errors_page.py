"""docs/errors.md: every message shown is what is said, and every word has its section."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest
from rtec.compiler.passes import check_description

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "errors.md"
SECTION = re.compile(r"^## (?P<slug>[a-z-]+)\n(?P<body>.*?)(?=^##? |\Z)", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```(?P<kind>[a-z ]*)\n(?P<text>.*?)^```\n", re.MULTILINE | re.DOTALL)


def sections() -> dict[str, str]:
    return {m["slug"]: m["body"] for m in SECTION.finditer(PAGE.read_text(encoding="utf-8"))}


EXAMPLES = [slug for slug, body in sections().items() if "```prolog\n" in body]


def said(folder: Path, blocks: dict[str, str], incremental: bool) -> str:
    """What rtec check says about the example of a section."""
    for kind, name in (("prolog", "rules"), ("prolog declarations", "declarations"),
                       ("prolog background", "background")):  # fmt: skip
        if kind in blocks:
            (folder / f"{name}.prolog").write_text(blocks[kind])
    found = check_description(
        Path("rules.prolog"),
        [Path("background.prolog")] if "prolog background" in blocks else [],
        Path("declarations.prolog") if "prolog declarations" in blocks else None,
        incremental=incremental,
    )
    return "".join(f"{problem}\n" for problem in found.problems)


@pytest.mark.golden
@pytest.mark.parametrize("slug", EXAMPLES)
def test_example(slug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = {m["kind"]: m["text"] for m in FENCE.finditer(sections()[slug])}
    message = said(tmp_path, blocks, slug == "evaluated-anew")
    assert f"[{slug}]" in message, message or "nothing was said"
    if os.environ.get("RTEC_GOLDEN") == "1":
        show(slug, message)
        return
    assert blocks.get("") == message


def show(slug: str, message: str) -> None:
    """Put a message into the page, after the example of its section."""
    body = sections()[slug]
    kept = FENCE.sub(lambda m: m[0] if m["kind"] else "", body).rstrip("\n")
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text.replace(body, f"{kept}\n\n```\n{message}```\n\n", 1), encoding="utf-8")


def slugs_in(path: Path) -> set[str]:
    """The words that a module puts into brackets, as far as they stand there literally."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        position = {"Problem": 1, "error": 0, "warning": 0, "note": 0}.get(name)
        if position is None or len(node.args) <= position:
            continue
        word = node.args[position]
        if isinstance(word, ast.Constant) and re.fullmatch(r"[a-z]+(-[a-z]+)*", str(word.value)):
            found.add(str(word.value))
    return found


def test_every_word_is_explained() -> None:
    text = PAGE.read_text(encoding="utf-8")
    explained = set(sections()) | set(re.findall(r"`([a-z-]+)`", text.split("# Running")[1]))
    package = ROOT / "python" / "rtec"
    files = [*package.glob("compiler/**/*.py"), package / "graph.py"]
    used = set[str]().union(*map(slugs_in, files))
    assert used >= {"never-fires", "syntax", "bad-head", "no-graphviz"}
    missing = used - explained
    assert not missing, f"docs/errors.md has no section for {', '.join(sorted(missing))}"
