"""A mosquitto broker on a loopback port, for as long as a test lasts."""

from __future__ import annotations

import json
import queue
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 600.0


@contextmanager
def mosquitto(folder: Path) -> Iterator[int]:
    """Run a broker; give its port."""
    program = shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")
    if program is None:
        pytest.skip("mosquitto is not installed")
    pytest.importorskip("paho.mqtt.client")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = folder / "mosquitto.conf"
    settings.write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n"
    )
    with (folder / "mosquitto.log").open("w") as log:
        broker = subprocess.Popen([program, "-c", str(settings)], stderr=log, stdout=log)
    try:
        wait_for(lambda: _answers(port), "the broker")
        yield port
    finally:
        broker.terminate()
        broker.wait()


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def wait_for(condition: Callable[[], bool], what: str) -> None:
    """Wait until something is the case."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, f"waited too long for {what}"
        time.sleep(0.1)


def publish(port: int, topic: str, messages: list[str]) -> None:
    """Publish messages, and wait until the broker has them."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    client = Client(CallbackAPIVersion.VERSION2)
    client.connect("127.0.0.1", port)
    client.loop_start()
    for sent in [client.publish(topic, message, qos=1) for message in messages]:
        sent.wait_for_publish(PATIENCE)
    client.disconnect()
    client.loop_stop()


class Subscriber:
    """Collects what comes on a topic."""

    def __init__(self, port: int, topic: str) -> None:
        """Subscribe, and wait until the broker knows."""
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self._messages: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._seen: list[dict[str, Any]] = []
        subscribed: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = lambda c, *_: c.subscribe(topic, qos=1)
        self._client.on_subscribe = lambda *_: subscribed.put(True)
        self._client.on_message = lambda c, d, m: self._messages.put(m.payload.decode())
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        subscribed.get(timeout=PATIENCE)

    def messages(self) -> list[dict[str, Any]]:
        """Everything that has come so far, in order."""
        while not self._messages.empty():
            self._seen.append(json.loads(self._messages.get()))
        return self._seen

    def close(self) -> None:
        """Go."""
        self._client.disconnect()
        self._client.loop_stop()
