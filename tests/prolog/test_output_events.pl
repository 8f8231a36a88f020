:- use_module(library(plunit)).
:- use_module(rtec(output_events)).
:- use_module(sessions).

:- begin_tests(output_events).

program("
    :- dynamic happens_in/2, happens_out/2.
    rules_out(out(X), T) :- happens_in(T, X).
    rules_out(out(X), T) :- happens_in(T, X), X \\== b.
    ").

%   in    a  b  a
%   out   a  b  a       each occurrence once, whatever the number of rules
test(once, Facts == [happens_out(3,a),happens_out(5,b),happens_out(7,a)]) :-
    in([happens_in(5,b),happens_in(3,a),happens_in(7,a)], Facts).

test(nothing, Facts == []) :- in([], Facts).

%   What an earlier query time found is found anew, or not at all.
test(anew, Facts == [happens_out(9,c)]) :-
    in([happens_in(9,c),happens_out(1,z)], Facts).

in(Given, Facts) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, Given),
                   eval_event(event(out/1,happens_out,rules_out), M, run(0,10,0,1,true)),
                   stored(M, happens_out(_,_), Facts)
                 )).

:- end_tests(output_events).
