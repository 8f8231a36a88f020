:- use_module(library(plunit)).
:- use_module(rtec(floor)).
:- use_module(sessions).

:- begin_tests(floor).

program("
    :- dynamic happens_e/2, happens_out/2, holds_f/3.
    rtec_records(event, e/1, happens_e, 2).
    rtec_output_fluent(f/1, holds_f).
    rtec_output_event(out/1, happens_out).
    ").

%   Every record of the window, every fluent-value pair, every occurrence of an
%   output event; not what only the engine knows of.
test(counts, Records-Answers == 2-3) :-
    program(Program),
    with_program(Program, M,
                 ( happened(M, [ happens_e(1,a), happens_e(2,b),
                                 holds_f(a,true,[(1,inf)]), holds_f(b,'$none',[(1,inf)]),
                                 happens_out(1,a), happens_out(2,a) ]),
                   floor_of(M, [Seconds,Records,Answers])
                 )),
    Seconds >= 0.

test(nothing, Records-Answers == 0-0) :-
    program(Program),
    with_program(Program, M, floor_of(M, [_,Records,Answers])).

:- end_tests(floor).
