"""What `grounding/1` and `dynamicDomain/1` say about instances (LANGUAGE.md, section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rtec.compiler.terms import TRUE, Clause, Compound, Term, conjuncts, name_and_args

from .description import Description, fluent_key
from .memory import Memory
from .solver import Solver
from .unify import is_ground, matches, rename_clause, resolve, unify


class Groundings:
    """The `grounding` clauses of a description."""

    def __init__(self, description: Description, solver: Solver) -> None:
        """Keep the clauses; they are asked through `solver`."""
        self.clauses = description.groundings
        self.solver = solver
        self.memory = Memory()

    def instances(self, entity: Term) -> Iterator[Term]:
        """The ground instances of an event or FVP that the clauses give."""
        for clause in self.clauses:
            head, body = rename_clause(clause)
            assert isinstance(head, Compound)
            s = unify(head.args[0], entity, {})
            if s is not None:
                for s1 in self.solver.solve(body, s):
                    instance = resolve(entity, s1)
                    if is_ground(instance):
                        yield instance

    def admit(self, entity: Term) -> bool:
        """Whether a ground entity is a solution of the clauses that speak of it, if any do."""
        return self.memory.once(entity, lambda: self._admit(entity))

    def _admit(self, entity: Term) -> bool:
        for clause in self.clauses:
            assert isinstance(clause.head, Compound)
            if matches(clause.head.args[0], entity):
                return any(True for _ in self.instances(entity))
        return True

    def fill_domains(self, domains: list[Term], inputs: Iterable[Term]) -> None:
        """Give each dynamic domain the arguments of the input that its groundings name."""
        entities = list(inputs)
        for domain in domains:
            self.solver.declare(fluent_key(domain))
            facts: dict[Term, Clause] = {}
            for clause in self.clauses:
                for entity in entities:
                    facts.update(self._domain_facts(clause, entity, domain))
            for fact in facts.values():
                self.solver.add(fact)

    def _domain_facts(self, clause: Clause, entity: Term, domain: Term) -> dict[Term, Clause]:
        head, body = rename_clause(clause)
        assert isinstance(head, Compound)
        s = unify(head.args[0], entity, {})
        if s is None:
            return {}
        facts = [resolve(goal, s) for goal in conjuncts(body) if name_and_args(goal)]
        return {
            fact: Clause(fact, TRUE, clause.span)
            for fact in facts
            if fluent_key(fact) == fluent_key(domain) and is_ground(fact)
        }
