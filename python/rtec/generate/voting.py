"""Committees that vote on motions, with members that do not always keep to the rules.

A motion goes round after round: it is proposed, seconded, voted on, the ballot is closed, the
outcome declared, and some time later it is proposed again. Deadlines and times are those of
descriptions/voting, so that most rounds run through and some break a rule at each stage.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from rtec.generate.blocks import Block, Ints, Texts
from rtec.generate.rounds import Bools, Rows, rounds, some

COMMITTEES = 8
PROPOSERS = 3
SECONDERS = 4
VOTERS = 60
RATE = 2.5
"""Records per motion and time-point."""

SECONDING_TIME = 6
VOTING_TIME = 12


def _names(role: str, count: int) -> list[str]:
    return [f"{role}_{c}_{i}" for c in range(COMMITTEES) for i in range(1, count + 1)]


_CHAIRS = [f"chair_{c}" for c in range(COMMITTEES)]
_PROPOSERS = _names("proposer", PROPOSERS)
_SECONDERS = _names("seconder", SECONDERS)
_VOTERS = _names("voter", VOTERS)
# Now and then a voter proposes, whose business that is not.
_HOPEFULS: Texts = pa.array(_PROPOSERS + _VOTERS)

LAYOUT = {
    "propose": (_HOPEFULS, None),
    "second": (pa.array(_SECONDERS), None),
    "vote": (pa.array(_VOTERS), None, pa.array(["nay", "aye"])),
    "close_ballot": (pa.array(_CHAIRS), None),
    "declare": (pa.array(_CHAIRS), None, pa.array(["not_carried", "carried"])),
}


class Assembly:
    """Plays rounds of motions."""

    def __init__(self, seed: int) -> None:
        """Draw everything from a seed."""
        self._chance = np.random.default_rng((seed, 0xB0))

    def play(self, actor: Ints, start: Ints) -> tuple[list[Rows], Ints]:
        """Play a round of each motion."""
        chance = self._chance
        count = len(actor)
        motion = actor + 1
        committee = motion % COMMITTEES

        def member(of: int) -> Ints:
            return committee * of + chance.integers(0, of, count)

        proposed = start + chance.integers(0, 3, count)
        usurped = chance.random(count) < 0.05
        rows = [
            some("propose", np.ones(count, np.bool_), proposed, member(PROPOSERS), motion),
            some("propose", usurped, start, len(_PROPOSERS) + member(VOTERS), motion),
        ]

        fate = chance.random(count)
        in_time, too_late = fate < 0.88, fate > 0.95
        seconded = proposed + np.where(
            in_time,
            chance.integers(1, SECONDING_TIME - 1, count),
            chance.integers(SECONDING_TIME + 1, SECONDING_TIME + 3, count),
        )
        rows.append(some("second", in_time | too_late, seconded, member(SECONDERS), motion))

        fate = chance.random(count)
        early, forgotten = fate < 0.12, fate > 0.92
        closed = seconded + np.where(
            early, chance.integers(2, 5, count), chance.integers(6, 11, count)
        )
        rows.append(some("close_ballot", in_time & ~forgotten, closed, committee, motion))
        closed = np.where(forgotten, seconded + VOTING_TIME, closed)

        votes, carried = self._votes(motion, seconded, closed, in_time)
        rows += votes

        fate = chance.random(count)
        false, silent = fate < 0.08, fate > 0.90
        declared = closed + chance.integers(1, 4, count)
        outcome = (carried ^ false).astype(np.int64)
        rows.append(some("declare", in_time & ~silent, declared, committee, motion, outcome))
        end = np.where(in_time, closed + 5, proposed + SECONDING_TIME + 3)
        return rows, end + chance.integers(1, 7, count)

    def _votes(
        self, motion: Ints, opened: Ints, closed: Ints, real: Bools
    ) -> tuple[list[Rows], Bools]:
        """Let the voters vote, some twice and some too late; tell whether it is carried."""
        chance = self._chance
        shape = (len(opened), VOTERS)
        leaning = chance.uniform(0.25, 0.75, (len(opened), 1))
        vote = (chance.random(shape) < leaning).astype(np.int64)
        at = opened[:, None] + chance.integers(1, 8, shape)
        cast = real[:, None] & (chance.random(shape) < 0.85)
        again = cast & (chance.random(shape) < 0.004)
        at_again = at + chance.integers(1, 3, shape)
        counts = cast & (at < closed[:, None])
        final = np.where(again & (at_again < closed[:, None]), 1 - vote, vote)
        carried = (counts & (final == 1)).sum(1) > (counts & (final == 0)).sum(1)
        rows: list[Rows] = []
        for where, when, what in ((cast, at, vote), (again, at_again, 1 - vote)):
            row, voter = np.nonzero(where)
            voters = motion[row] % COMMITTEES * VOTERS + voter
            rows.append(("vote", when[row, voter], (voters, motion[row], what[row, voter])))
        return rows, carried


def stream(seed: int, motions: int = COMMITTEES) -> Iterator[Block]:
    """Deliberate for ever; the motions start one after the other."""
    clocks = 1 + np.arange(motions) * 7 % 20
    return rounds(Assembly(seed).play, LAYOUT, clocks, RATE * motions)


def role_facts() -> str:
    """Write the background file with the members of the committees."""
    lines = [
        "% Who is who in the committees of the generated streams.\n",
        f"committee_of(Motion, Committee) :- Committee is Motion mod {COMMITTEES}.\n",
        *(f"chair({c}, {name})." for c, name in enumerate(_CHAIRS)),
    ]
    for role, members, count in (
        ("proposer", _PROPOSERS, PROPOSERS),
        ("seconder", _SECONDERS, SECONDERS),
        ("voter", _VOTERS, VOTERS),
    ):
        lines += ["", *(f"{role}({i // count}, {name})." for i, name in enumerate(members))]
    return "\n".join(lines) + "\n"
