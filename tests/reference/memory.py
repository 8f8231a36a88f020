"""Answers that are worked out once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

Answer = TypeVar("Answer")


class NotStratified(Exception):
    """Something depends on itself at the same time-point."""


class Memory:
    """Remembers answers, and notices a question that is asked while it is being answered."""

    def __init__(self) -> None:
        self._answers: dict[object, object] = {}
        self._asked: set[object] = set()

    def once(self, question: object, work: Callable[[], Answer]) -> Answer:
        """The answer to a question, worked out the first time it is asked."""
        if question not in self._answers:
            if question in self._asked:
                raise NotStratified(str(question))
            self._asked.add(question)
            self._answers[question] = work()
        return cast(Answer, self._answers[question])
