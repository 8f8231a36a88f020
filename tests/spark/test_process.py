"""The process of a worker: what Java sends comes at once, and what is loaded is no garbage."""

from __future__ import annotations

import gc
import socket
from collections.abc import Iterator

import pytest
from rtec.runtime.garbage import few_collections, rare_collections
from rtec.spark.process import _keep_what_is_loaded
from rtec.spark.sockets import acknowledge_at_once

on_linux = pytest.mark.skipif(
    not hasattr(socket, "TCP_QUICKACK"), reason="only Linux can be told when to acknowledge"
)


def is_quick(connection: socket.socket) -> bool:
    return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK) == 1


@pytest.fixture
def unfrozen() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


@on_linux
def test_what_came_over_a_network_is_acknowledged() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()) as sender:
            receiver, _ = server.accept()
            with receiver:
                receiver.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 0)
                sender.sendall(b"command")
                assert receiver.recv(7) == b"command"
                assert not is_quick(receiver)
                acknowledge_at_once()
                assert is_quick(receiver)
                sender.sendall(b"data")
                assert receiver.recv(4) == b"data"


def test_other_sockets_stay_as_they_are() -> None:
    one, other = socket.socketpair()  # not of a network: there is nothing to acknowledge
    with one, other:
        acknowledge_at_once()
        one.sendall(b"data")
        assert other.recv(4) == b"data"


def test_modules_are_frozen_once_and_what_tasks_leave_is_not(unfrozen: None) -> None:
    _keep_what_is_loaded.cache_clear()
    _keep_what_is_loaded()
    frozen = gc.get_freeze_count()
    assert frozen > 0
    left: list[object] = [[] for _ in range(1000)]
    _keep_what_is_loaded()
    assert len(left) == 1000
    assert gc.get_freeze_count() <= frozen


def test_thresholds_are_as_before_after_a_task(unfrozen: None) -> None:
    thresholds = gc.get_threshold()
    with rare_collections():
        assert gc.get_threshold() != thresholds
    assert gc.get_threshold() == thresholds


def test_everything_is_looked_at_again_after_a_run(unfrozen: None) -> None:
    with few_collections():
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() == 0
