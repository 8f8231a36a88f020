"""Where the changes of a live query go: folders, MQTT topics, and a side table for late records.

A folder is written by Spark's own sink, exactly once. With a side table there are two places to
write to, for which Spark has no sink: then each micro-batch has a subfolder of its own in both,
which is written anew if the micro-batch is repeated, so that nothing is there twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from rtec.spark.mqtt import MqttSource, MqttWriter


def is_mqtt(place: str) -> bool:
    """Whether a source or sink is a topic of a broker."""
    return place.startswith(("mqtt://", "mqtts://"))


@dataclass(frozen=True)
class Sinks:
    """Where to write.

    Attributes:
        changes: A folder, or the address of an MQTT topic.
        form: `parquet`, `jsonl` or `csv`, for folders.
        late: A folder for records that came too late; None: they are only counted.
    """

    changes: str
    form: str = "parquet"
    late: str | None = None

    def start(
        self, frame: DataFrame, checkpoint: str, once: bool = False, seconds: float | None = None
    ) -> Any:
        """Start a query over the changes that `rtec.spark.stream` gives.

        Args:
            frame: The changes; with a side table, those of `stream(..., late=True)`.
            checkpoint: What a query that is killed goes on from.
            once: Whether to stop when everything that is there has been read.
            seconds: How long a micro-batch gathers at least.
        """
        if is_mqtt(self.changes):
            frame.sparkSession.dataSource.register(MqttSource)
        if self.late is not None:
            writer = frame.writeStream.foreachBatch(self.write)
        elif is_mqtt(self.changes):
            writer = frame.writeStream.format("mqtt").option("url", self.changes)
        else:
            writer = frame.writeStream.format(_spark_form(self.form)).option("path", self.changes)
            writer = writer.option("header", self.form == "csv").option("ignoreNullFields", False)
        writer = writer.option("checkpointLocation", checkpoint).queryName("rtec")
        if once:
            writer = writer.trigger(availableNow=True)
        elif seconds is not None:
            writer = writer.trigger(processingTime=f"{int(seconds * 1000)} milliseconds")
        return writer.start()

    def write(self, frame: DataFrame, batch: int) -> None:
        """Write one micro-batch to both places."""
        frame.persist()
        changes = frame.where("op != 'late'")
        if is_mqtt(self.changes):
            writer = MqttWriter(self.changes)
            writer.commit([writer.write(iter(changes.collect()))], batch)
        else:
            self._write_folder(changes, self.changes, batch)
        late = frame.where("op = 'late'").select(
            "query_time",
            F.col("fluent").alias("name"),
            F.col("start").alias("time"),
            "end",
            "value",
            "args",
        )
        assert self.late is not None
        self._write_folder(late, self.late, batch)
        frame.unpersist()

    def _write_folder(self, frame: DataFrame, folder: str, batch: int) -> None:
        """Write one folder, as a partition `batch` of the table; none if there is nothing."""
        if frame.isEmpty():
            return
        writer = frame.coalesce(1).write.mode("overwrite").format(_spark_form(self.form))
        writer = writer.option("header", self.form == "csv").option("ignoreNullFields", False)
        writer.save(f"{folder.rstrip('/')}/batch={batch}")


def _spark_form(form: str) -> str:
    return "json" if form == "jsonl" else form
