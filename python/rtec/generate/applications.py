"""The applications that data can be generated for, and how much of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rtec.errors import ConfigError
from rtec.generate import activity, feedback, maritime, netbill, transport, voting
from rtec.generate.blocks import Block, limited
from rtec.generate.delays import Delays, delayed, retracted


@dataclass(frozen=True, slots=True)
class Application:
    """A source of streams.

    Attributes:
        what: What its entities are, for people.
        entities: How many there are unless told otherwise.
        rate: How many records each of them makes per time-point, on average.
        stream: Makes an endless stream of a seed and a number of entities.
    """

    what: str
    entities: int
    rate: float
    stream: Callable[[int, int], Iterator[Block]]


APPLICATIONS = {
    "activity": Application("cameras", activity.CAMERAS, activity.RATE, activity.stream),
    "maritime": Application("vessels", maritime.VESSELS, maritime.RATE, maritime.stream),
    "netbill": Application("agents", netbill.AGENTS, netbill.RATE, netbill.stream),
    "transport": Application("vehicles", transport.VEHICLES, transport.RATE, transport.stream),
    "voting": Application("motions", voting.COMMITTEES, voting.RATE, voting.stream),
}

LOOPS = {"immune": feedback.IMMUNE, "phage": feedback.PHAGE}


def generate(
    name: str,
    size: int,
    seed: int = 1,
    *,
    entities: int | None = None,
    rate: float | None = None,
    delays: Delays | None = None,
    retract: float = 0.0,
) -> Iterator[Block]:
    """Make a stream of `size` records, in order of arrival.

    Args:
        name: One of APPLICATIONS.
        size: How many records; the time they cover follows from it.
        seed: The same seed gives the same stream.
        entities: How many vessels, agents, vehicles, motions or cameras there are.
        rate: Records per time-point, instead of a number of entities.
        delays: How many records are late, and how much.
        retract: The share of records that is taken back later, by additional records.

    Raises:
        ConfigError: There is no such application, or a number makes no sense.
    """
    application = _application(name)
    if size < 1:
        raise ConfigError(f"the size is {size}; at least one record is needed")
    if entities is not None and rate is not None:
        raise ConfigError("give the number of entities or the rate, not both")
    if rate is not None:
        if rate <= 0:
            raise ConfigError(f"the rate is {rate}; it has to be above 0")
        entities = max(1, round(rate / application.rate))
    if entities is not None and entities < 1:
        raise ConfigError(f"there are {entities} {application.what}; at least one is needed")
    blocks = limited(application.stream(seed, entities or application.entities), size)
    if delays is not None and delays.share > 0:
        blocks = delayed(blocks, delays, seed)
    if retract:
        blocks = retracted(blocks, retract, seed)
    return blocks


def _application(name: str) -> Application:
    application = APPLICATIONS.get(name)
    if application is None:
        known = ", ".join([*APPLICATIONS, *LOOPS])
        raise ConfigError(f"there is no generator `{name}`; there are {known}")
    return application


def make_facts(name: str, size: int, seed: int = 1) -> str:
    """Write the facts of `size` systems of a feedback loop, one of LOOPS."""
    if size < 1:
        raise ConfigError(f"the size is {size}; at least one system is needed")
    return feedback.facts(LOOPS[name], size, seed)
