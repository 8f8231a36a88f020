"""MQTT: the spool, and a query between two topics of a real broker that is stopped half-way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rtec.errors import ConfigError
from rtec.spark import spool as spools
from rtec.spark.files import as_lines
from rtec.spark.live import stream
from rtec.spark.mqtt import Broker, MqttReader, MqttSource
from rtec.spark.spool import Spool

from spark.broker import Subscriber, mosquitto, publish, wait_for
from spark.local import bundled
from spark.test_live import expected, folded

TOY = [
    "go_to|9|9|chris|work", "win_lottery|13|13|chris", "go_to|17|17|chris|pub",
    "lose_wallet|19|19|chris", "go_to|20|20|kim|pub",
]  # fmt: skip


def test_spool_gives_lines_again_by_number(tmp_path: Path) -> None:
    spool = Spool(tmp_path, lines=2)
    for line in "abcde":
        spool.append([line])
    assert list(spool.read(1, 4)) == ["b", "c", "d"]
    spool.forget(3)
    assert list(spool.read(2, 5)) == ["c", "d", "e"]
    assert list(spool.read(0, 2)) == []
    spool.close()
    again = Spool(tmp_path, lines=2)
    assert again.end == 5 and again.append(["f"]) == 6
    assert list(again.read(4, 6)) == ["e", "f"]


def test_spool_cuts_an_unfinished_line_off(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.append(["one", "two"])
    spool.close()
    with next(tmp_path.glob("*.lines")).open("ab") as file:
        file.write(b"thr")
    again = Spool(tmp_path)
    again.append(["three"])
    assert list(again.read(0, 9)) == ["one", "two", "three"]


def test_spool_has_one_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spools, "_PATIENCE", 0.0)
    spool = Spool(tmp_path)
    with pytest.raises(ConfigError, match="another process uses the spool"):
        Spool(tmp_path)
    spool.close()
    Spool(tmp_path).close()


@pytest.mark.parametrize("url", ["http://a/b", "mqtt://host", "mqtt:///topic", "mqtt://h:x/t", "t"])
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(ConfigError, match="not the address of an MQTT topic"):
        Broker.of(url)


def test_a_broker_that_is_not_there() -> None:
    with pytest.raises(ConfigError, match="no MQTT broker at 127.0.0.1:9"):
        Broker.of("mqtt://127.0.0.1:9/records").check()


def test_between_two_topics_with_a_break(spark: Any, tmp_path: Path) -> None:
    """What is published while nobody listens is not lost, and nothing is counted twice."""
    spark.dataSource.register(MqttSource)
    case = bundled("toy")
    with mosquitto(tmp_path) as port:
        url = f"mqtt://127.0.0.1:{port}"
        Broker.of(f"{url}/records").check()

        def start() -> Any:
            lines = spark.readStream.format("mqtt").options(
                url=f"{url}/records/#", spool=str(tmp_path / "spool")
            )
            changes = stream(as_lines(lines.load()), case.program, form="lines",
                             window=21, buckets=1)  # fmt: skip
            writer = changes.writeStream.format("mqtt").option("url", f"{url}/changes")
            writer = writer.option("checkpointLocation", str(tmp_path / "checkpoint"))
            return writer.trigger(processingTime="200 milliseconds").start()

        def has_read(query: Any, lines: int) -> bool:
            assert query.exception() is None
            return sum(p["numInputRows"] for p in query.recentProgress) >= lines

        subscriber = Subscriber(port, "changes")
        reader = MqttReader(f"{url}/records/#", str(tmp_path / "spool"))
        assert reader.latestOffset() == {"line": 0}  # from now on the broker keeps records for it
        reader.stop()
        first = start()
        publish(port, "records/a", TOY[:2])
        wait_for(lambda: has_read(first, 2), "the first records")
        first.stop()
        publish(port, "records/b", ["\n".join(TOY[2:4]), TOY[4]])
        second = start()
        wait_for(lambda: has_read(second, 3), "what came in between")
        publish(port, "records/a", ["nothing|23|23"])
        publish(port, "records/a", ["nothing|24|24"])
        known = expected(case, [f"{line}\n" for line in TOY], tmp_path)
        wait_for(lambda: folded(subscriber.messages()) == known, "the changes")
        second.stop()
        subscriber.close()
        assert all("batch" in message for message in subscriber.messages())
