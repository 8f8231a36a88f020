import numpy as np
from rtec.generate.blocks import Block, events, limited, merged, points, split_at


def lines(block: Block) -> list[str]:
    return block.lines().to_pylist()


def test_points_carry_their_value_before_the_arguments() -> None:
    assert lines(points("walking", [40], "true", ["id0"])) == ["walking|40|40|true|id0"]
    assert lines(points("looks", [40, 80], [90, 0], ["a", "b"])) == [
        "looks|40|40|90|a",
        "looks|80|80|0|b",
    ]


def test_text_of_a_part_of_a_block_is_that_part() -> None:
    block = events("a", np.arange(10), np.arange(10) * 2)
    first, rest = split_at(block, 3)
    assert first.text() + rest.text() == block.text()
    assert rest.text().startswith(b"a|4|4|8\n")
    assert block.take(np.zeros(0, np.int64)).text() == b""


def test_merged_keeps_the_order_of_records_that_arrive_together() -> None:
    block = merged([events("b", [1, 2]), events("a", [1, 1]), events("c", [0])])
    assert lines(block) == ["c|0|0", "b|1|1", "a|1|1", "a|1|1", "b|2|2"]
    assert len(merged([])) == 0


def test_limited_stops_an_endless_stream() -> None:
    def endless():  # type: ignore[no-untyped-def]
        while True:
            yield events("a", [1, 2, 3])

    assert sum(map(len, limited(endless(), 7))) == 7
