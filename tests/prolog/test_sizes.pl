:- use_module(library(plunit)).
:- use_module(rtec(sizes)).

:- begin_tests(sizes).

:- dynamic kept/1.

%   More facts are more clauses, and no fewer atoms. Garbage of the start is
%   collected first, and nobody collects any in between.
test(grow, setup(set_prolog_gc_thread(false))) :-
    set_prolog_flag(agc_margin, 0),
    garbage_collect_atoms,
    garbage_collect_clauses,
    sizes([Atoms0,Clauses0]),
    forall(between(1, 50, I),
           ( atom_concat('a name that nobody has used ', I, Name),
             assertz(kept(Name))
           )),
    sizes([Atoms,Clauses]),
    assertion(Clauses >= Clauses0+50),
    assertion(Atoms >= Atoms0+50),
    retractall(kept(_)).

:- end_tests(sizes).
