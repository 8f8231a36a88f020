:- use_module(library(plunit)).
:- use_module(rtec(scratch)).
:- use_module(rtec(sandbox)).

%   verdict(+Text, +Goal, -Verdict): on Goal, with the clauses of Text around.

verdict(Text, Goal, Verdict) :-
    with_scratch(M, ( scratch_text(M, Text), judge(M, Goal, Verdict) )).

kind(Text, Goal, Kind) :-
    verdict(Text, Goal, Verdict),
    functor(Verdict, Kind, _).

:- begin_tests(judge).

test(arithmetic, Verdict == ok) :-
    verdict("", X is 1+2, Verdict),
    assertion(var(X)).
test(lists, Verdict == ok) :-
    verdict("", ( length(L, 2), nth1(1, L, _), sum_list(L, _), msort(L, _) ), Verdict).
test(collecting, Verdict == ok) :-
    verdict("a(1).", ( findall(X, a(X), _), aggregate_all(count, a(_), _), forall(a(Y), Y > 0) ),
            Verdict).
test(intervals, Verdict == ok) :-
    verdict("", ( union_all([[],[]], I), intersect_all([I], _), intDurGreater(I, 1, _) ), Verdict).
test(temporal_goals, Verdict == ok) :-
    verdict("", ( happensAt(_, T), holdsAt(_, T), \+ holdsFor(_, _) ), Verdict).
test(own_predicates, Verdict == ok) :-
    verdict("a(X) :- b(X).\nb(X) :- X > 1.\n", a(_), Verdict).
test(recursion, Verdict == ok) :-
    verdict("a(X) :- b(X).\nb(X) :- a(X).\n", a(_), Verdict).
test(text_into_an_atom, Verdict == ok) :-
    verdict("", ( format(atom(_), "~w", [x]), with_output_to(string(_), writeln(x)) ), Verdict).

test(unknown, Verdict == unknown(nobody/1)) :-
    verdict("", nobody(_), Verdict).
test(unknown_further_down_is_not_a_matter_of_safety, Verdict == ok) :-
    verdict("a :- nobody.", a, Verdict).

test(processes, Kind == refused) :- kind("", shell(_), Kind).
test(files, Kind == refused) :- kind("", open(_, read, _), Kind).
test(files_far_away, Kind == refused) :-
    kind("a(X) :- b(X).\nb(X) :- c(X).\nc(X) :- open(X, write, _).\n", a(_), Kind).
test(output, Kind == refused) :- kind("", format("x", []), Kind).
test(output_inside_findall, Kind == refused) :- kind("", findall(X, writeln(X), _), Kind).
test(output_through_maplist, Kind == refused) :- kind("", maplist(print, [a]), Kind).
test(facts, Kind == refused) :- kind(":- dynamic a/1.", assertz(a(1)), Kind).
test(facts_far_away, Kind == refused) :- kind("a :- \\+ b.\nb :- retract(c).\n", a, Kind).
test(facts_of_other_modules, Kind == refused) :- kind("", user:assertz(a(1)), Kind).
test(global_variables, Kind == refused) :- kind("", nb_setval(k, 1), Kind).
test(loading, Kind == refused) :- kind("", consult(x), Kind).
test(waiting, Kind == refused) :- kind("", sleep(1), Kind).
test(stopping, Kind == refused) :- kind("", halt, Kind).
test(a_goal_nobody_knows, Kind == refused) :- kind("", call(_), Kind).
test(other_modules, Kind == refused) :- kind("", rtec_sandbox:own_predicate(_, _), Kind).
test(threads, Kind == refused) :- kind("", thread_create(true, _), Kind).

test(it_says_what_calls_what,
     Verdict == refused("`a/0` calls `print/1`: it does input or output")) :-
    verdict("a :- b.\nb :- print(x).\n", a, Verdict).

:- end_tests(judge).

:- begin_tests(inspect).

test(delays, Values == [[[integer,5]],[[integer,5],[other,"2.5"]],unknown,unknown,[]]) :-
    Text = "delay(x, 5).\ndelay(y, 2.5).\nloop :- loop.\n",
    inspect([], Text, [],
            [ "R-delay(x, R)", "R-delay(_, R)", "R-shell(R)", "R-(loop, R = 1)", "R-delay(z, R)" ],
            [], -(_,_,_,_,_,Values)).

%   Variables of the two rules have nothing to do with each other.

test(delays_of_two_rules, Values == [[[integer,5]],[],unknown]) :-
    Text = "delay(x, 5).\ndelay(y, 6).\n",
    inspect([], Text, [],
            [ [ "(f(X)=a)-(R-delay(X, R))", "(f(R)=a)-(5-true)" ],
              [ "(f(X)=a)-(R-delay(X, R))", "(f(X)=a)-(R-(delay(X, X1), R is X1+1))" ],
              [ "(f(X)=a)-(R-delay(X, R))", "(f(X)=b)-(5-true)" ] ],
            [], -(_,_,_,_,_,Values)).

test(goals_as_written, Verdicts == [[ok],[unknown,likes,2],refused]) :-
    inspect([], ":- op(700, xfx, likes).\n", [ "X > 1", "X likes y", "shell(X)" ], [], [],
            -(_,_,_,_,[V1,V2,[V3|_]],_)),
    Verdicts = [V1,V2,V3].

test(text_that_is_no_goal, Kind == refused) :-
    inspect([], "", [ "a b c" ], [], [], -(_,_,_,_,[[Kind|_]],_)).

%   What the background defines under a name that the compiled program calls.

test(namesakes, Kinds == [directive]) :-
    setup_call_cleanup(
        tmp_file_stream(Path, Out, [encoding(utf8), extension(pl)]),
        ( write(Out, "happens_go(1, a) :- shell(ls).\nnear_go(X) :- X > 1.\nx :- shell(ls).\n"),
          close(Out),
          inspect([Path], "", [], [], [go], -(_,Notes,_,_,_,_))
        ),
        delete_file(Path)),
    findall(Kind, member([Kind|_], Notes), Kinds).

:- end_tests(inspect).
