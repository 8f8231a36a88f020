"""MQTT for Spark: a source that reads topics, and a sink that publishes rows.

The source subscribes with QoS 1 in a lasting session, so that the broker keeps what comes while
nobody listens. A message is acknowledged when its lines are in the spool on disk; Spark's
offsets are the numbers of lines in the spool, so that a micro-batch can be read again after a
restart. A message may be delivered twice if the machine stops between the two; the engine sees
equal events as one.

The sink publishes the rows of a micro-batch, with QoS 1, when all of them are made: nothing of a
failed one goes out. After a restart a micro-batch may go out again; `batch` tells that.
"""

from __future__ import annotations

import json
import os
import queue
import threading
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pyspark.sql.datasource import (
    DataSource,
    DataSourceStreamReader,
    DataSourceStreamWriter,
    InputPartition,
    WriterCommitMessage,
)

from rtec.errors import ConfigError, Problem
from rtec.spark.spool import Spool

_LINES_OF_A_PARTITION = 20_000
_SECONDS = 20.0


@dataclass(frozen=True)
class Broker:
    """Where a broker is, and the topic there.

    Attributes:
        host: Its name or address.
        port: Its port.
        topic: A topic; for the source it may have the wildcards `+` and `#`.
        user: Who to log in as.
        password: With which password.
        tls: Whether the connection is encrypted.
    """

    host: str
    port: int
    topic: str
    user: str | None = None
    password: str | None = None
    tls: bool = False

    @classmethod
    def of(cls, url: str) -> Broker:
        """Read `mqtt://[user:password@]host[:port]/topic`, or `mqtts://...`.

        >>> Broker.of("mqtt://localhost/ships/+/ais")
        Broker(host='localhost', port=1883, topic='ships/+/ais', user=None, password=None, tls=False)

        Raises:
            ConfigError: The address is not of this form.
        """  # noqa: E501
        scheme, _, rest = url.partition("://")
        # `#` and `?` are no marks of a URL here: the one is a wildcard of MQTT
        parts = urlsplit(f"{scheme}://{rest.partition('/')[0]}")
        topic = rest.partition("/")[2]
        try:
            port = parts.port
        except ValueError:
            port = -1
        if scheme not in ("mqtt", "mqtts") or not parts.hostname or not topic or port == -1:
            raise ConfigError(
                Problem(
                    f"`{url}` is not the address of an MQTT topic",
                    "mqtt-address",
                    remedy="write it as mqtt://host:port/topic",
                )
            )
        tls = scheme == "mqtts"
        return cls(
            parts.hostname,
            port or (8883 if tls else 1883),
            unquote(topic),
            unquote(parts.username) if parts.username else None,
            unquote(parts.password) if parts.password else None,
            tls,
        )

    def client(self, name: str, lasting: bool) -> Any:
        """Make a client that is not connected yet."""
        try:
            from paho.mqtt.client import Client
            from paho.mqtt.enums import CallbackAPIVersion
        except ImportError as error:
            raise ConfigError(
                Problem(
                    f"paho-mqtt cannot be imported: {error}",
                    "no-mqtt",
                    remedy="`pip install 'rtec[mqtt]'` installs it",
                )
            ) from None
        client = Client(
            CallbackAPIVersion.VERSION2, name, clean_session=not lasting, manual_ack=lasting
        )
        if self.user is not None:
            client.username_pw_set(self.user, self.password)
        if self.tls:
            client.tls_set()
        return client

    def check(self) -> None:
        """Try whether the broker answers.

        Raises:
            ConfigError: It does not, or refuses us.
        """
        client = self.client("", lasting=False)
        _connect(self, client)
        client.disconnect()
        client.loop_stop()


def _connect(broker: Broker, client: Any) -> None:
    """Connect, and let the client work in a thread of its own; it connects again by itself."""
    answered: queue.SimpleQueue[Any] = queue.SimpleQueue()
    before = client.on_connect

    def on_connect(c: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if before is not None:
            before(c, data, flags, reason, properties)
        answered.put(reason)

    client.on_connect = on_connect
    why = "it does not answer"
    try:
        client.connect(broker.host, broker.port)
        client.loop_start()
        reason = answered.get(timeout=_SECONDS)
        if not reason.is_failure:
            return
        why = str(reason)
    except queue.Empty:
        pass
    except OSError as error:
        why = error.strerror or str(error)
    client.loop_stop()
    raise ConfigError(
        Problem(f"no MQTT broker at {broker.host}:{broker.port}: {why}", "mqtt-broker")
    )


class MqttSource(DataSource):
    """The data source `mqtt`.

    Options: `url` (mqtt://host:port/topic); to read also `spool`, a folder on the driver's disk
    that outlives it, and `client`, a name that the broker knows the session by.
    """

    @classmethod
    def name(cls) -> str:
        """What it is called in `format`."""
        return "mqtt"

    def schema(self) -> str:
        """One row for each line of a message."""
        return "value string"

    def streamReader(self, schema: Any) -> DataSourceStreamReader:  # noqa: N802
        """Read topics."""
        return MqttReader(self._needed("url"), self._needed("spool"), self.options.get("client"))

    def streamWriter(self, schema: Any, overwrite: bool) -> DataSourceStreamWriter:  # noqa: N802
        """Publish rows."""
        return MqttWriter(self._needed("url"))

    def _needed(self, option: str) -> str:
        value = self.options.get(option)
        if not value:
            raise ConfigError(Problem(f"the data source mqtt needs the option `{option}`", "mqtt"))
        return str(value)


@dataclass
class Lines(InputPartition):
    """Some lines of the spool: they travel to the worker, which needs no access to it."""

    lines: Sequence[str]


class MqttReader(DataSourceStreamReader):
    """Listens in the driver, and hands lines out by their numbers in the spool."""

    def __init__(self, url: str, spool: str, client: str | None = None) -> None:
        """Take the settings; nothing is connected yet."""
        self._broker = Broker.of(url)
        self._folder = spool
        self._client_name = client or f"rtec-{zlib.crc32(os.path.abspath(spool).encode()):08x}"
        self._listener: _Listener | None = None

    def initialOffset(self) -> dict[str, int]:  # noqa: N802
        """Begin with the first line that the spool still has."""
        self._listen()
        return {"line": 0}

    def latestOffset(self) -> dict[str, int]:  # noqa: N802
        """The number of the line that is yet to come."""
        return {"line": self._listen().end()}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> Sequence[InputPartition]:
        """Cut what lies between two offsets into pieces."""
        lines = list(self._listen().spool.read(start["line"], end["line"]))
        size = _LINES_OF_A_PARTITION
        return [Lines(lines[first : first + size]) for first in range(0, len(lines), size)]

    def read(self, partition: InputPartition) -> Iterator[tuple[str]]:
        """Give the lines of a piece, on a worker."""
        assert isinstance(partition, Lines)
        for line in partition.lines:
            yield (line,)

    def commit(self, end: dict[str, int]) -> None:
        """Drop what Spark will never ask for again."""
        self._listen().spool.forget(end["line"])

    def stop(self) -> None:
        """Stop listening; the broker keeps what comes from now on."""
        if self._listener is not None:
            self._listener.stop()
            self._listener = None

    def _listen(self) -> _Listener:
        if self._listener is None:
            spool = Spool(Path(self._folder))
            self._listener = _Listener(self._broker, self._client_name, spool)
        return self._listener

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_listener": None}


class _Listener:
    """A subscription that fills a spool."""

    def __init__(self, broker: Broker, name: str, spool: Spool) -> None:
        self.spool = spool
        self._broker = broker
        self._arrived: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._error: Exception | None = None
        self._client = broker.client(name, lasting=True)
        self._subscribed = threading.Event()
        self._client.on_connect = self._subscribe
        self._client.on_subscribe = lambda *_: self._subscribed.set()
        self._client.on_message = lambda client, data, message: self._arrived.put(message)
        self._writer = threading.Thread(target=self._write, name="rtec-mqtt", daemon=True)
        self._writer.start()
        _connect(broker, self._client)
        if not self._subscribed.wait(_SECONDS):
            raise ConfigError(
                Problem(f"the MQTT broker at {broker.host} takes no subscription", "mqtt-broker")
            )

    def end(self) -> int:
        """How many lines are safely in the spool."""
        if self._error is not None:
            raise self._error
        return self.spool.end

    def stop(self) -> None:
        """Disconnect, write what has come, and close."""
        self._client.disconnect()
        self._client.loop_stop()
        self._arrived.put(None)
        self._writer.join(_SECONDS)
        self.spool.close()

    def _subscribe(
        self, client: Any, data: Any, flags: Any, reason: Any, properties: Any
    ) -> None:
        client.subscribe(self._broker.topic, qos=1)

    def _write(self) -> None:
        """Write what has come in one go, then acknowledge it."""
        try:
            while True:
                messages = [self._arrived.get()]
                while not self._arrived.empty():
                    messages.append(self._arrived.get())
                known = [m for m in messages if m is not None]
                self.spool.append([line for m in known for line in _lines(m.payload)])
                for message in known:
                    self._client.ack(message.mid, message.qos)
                if len(known) < len(messages):
                    return
        except Exception as error:  # told to Spark at its next call
            self._error = error


def _lines(payload: bytes) -> list[str]:
    text = payload.decode("utf-8", errors="replace")
    return [line for line in text.splitlines() if line.strip()]


@dataclass
class _Made(WriterCommitMessage):
    """The rows of one task, as texts, with what they are sorted by."""

    rows: list[tuple[Any, str]]


class MqttWriter(DataSourceStreamWriter):
    """Publishes the rows of a micro-batch, when all of its tasks are done."""

    def __init__(self, url: str) -> None:
        """Take the settings; nothing is connected yet."""
        self._broker = Broker.of(url)
        self._client: Any = None

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        """Take the rows of a task."""
        made = []
        for row in iterator:
            fields = row.asDict()
            # What is withdrawn goes out before what is added.
            order = (fields.get("query_time") or 0, fields.get("op") != "-")
            made.append((order, json.dumps(fields)))
        return _Made(made)

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803
        """Publish, in order, and wait until the broker has everything."""
        rows = [row for message in messages if isinstance(message, _Made) for row in message.rows]
        if not rows:
            return
        rows.sort()
        client = self._broker.client("", lasting=False)
        _connect(self._broker, client)
        sent = [
            client.publish(self._broker.topic, f'{{"batch": {batchId}, {text[1:]}', qos=1)
            for _, text in rows
        ]
        for each in sent:
            each.wait_for_publish(_SECONDS)
        delivered = all(each.is_published() for each in sent)
        client.disconnect()
        client.loop_stop()
        if not delivered:
            raise ConfigError(
                Problem(f"the MQTT broker at {self._broker.host} did not take all rows", "mqtt")
            )

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803
        """Nothing has gone out."""
