"""What runs the pages notices when a page is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.blocks import Block, blocks
from docs.pages import Page
from docs.shown import pattern

RULES = "initiatedAt(rich(X)=true, T) :- happensAt(win(X), T).\n"
TABLE = "query time 3\n  rich(ann) = true   [4, ...\n"


def block(language: str, text: str, title: str = "") -> Block:
    return Block("page.md", 1, "", language, title, text)


def test_blocks_of_a_page(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(
        "# One\n```prolog a.prolog\na.\n```\ntext\n## Two\n````text\n```\n````\n"
    )
    assert blocks(tmp_path / "page.md") == [
        Block("page.md", 3, "One", "prolog", "a.prolog", "a.\n"),
        Block("page.md", 8, "Two", "text", "", "```\n"),
    ]


def test_a_block_that_does_not_end(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("```prolog\na.\n")
    with pytest.raises(AssertionError, match="does not end"):
        blocks(tmp_path / "page.md")


def test_right_and_wrong_tables(page: Page) -> None:
    example = [block("prolog", RULES), block("stream", "win|3|3|ann\n")]
    page.run([*example, block("output", TABLE)])
    with pytest.raises(AssertionError, match="there is"):
        page.run([*example, block("output", TABLE.replace("4", "3"))])


def test_right_and_wrong_commands(page: Page) -> None:
    page.run([block("prolog", RULES, "won.prolog"), block("stream", "win|3|3|ann\n", "won.csv")])
    command = "$ rtec run --desc won.prolog \\\n    --stream won.csv --format table\n"
    page.run([block("console", command + TABLE)])
    with pytest.raises(AssertionError, match="and says"):
        page.run([block("console", command)])
    with pytest.raises(AssertionError, match="exit code 1"):
        page.run([block("console", "$ rtec check there_is_none.prolog\n...\n")])
    with pytest.raises(AssertionError, match="no command"):
        page.run([block("console", "$ rm -r won.csv\n")])


def test_right_and_wrong_python(page: Page) -> None:
    page.run([block("python", "x = 6\nprint(x)\n"), block("output", "6\n")])
    page.run([block("python", ">>> x * 7\n42\n")])
    with pytest.raises(AssertionError, match="43"):
        page.run([block("python", ">>> x * 7\n43\n")])
    with pytest.raises(AssertionError, match="there is"):
        page.run([block("python", "print(x)\n"), block("output", "7\n")])


@pytest.mark.parametrize(
    "shown, text, same",
    [
        ("a\n...\nc\n", "a\nb\nb\nc\n", True),
        ("a\n...\nc\n", "a\nb\n", False),
        ("took … s\n", "took 0.2 s\n", True),
        ("took … s\n", "took 0.2\ns\n", False),
        ("[3, ...\n", "[3, 9)\n", False),
        ("", "a\n", False),
    ],
)
def test_what_is_left_out(shown: str, text: str, same: bool) -> None:
    assert bool(pattern(shown).fullmatch(text)) is same
