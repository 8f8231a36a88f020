:- use_module(library(plunit)).
:- use_module(rtec(cycle_changes)).
:- use_module(rtec(store)).
:- use_module(sessions).

%   A motion that is proposed, then seconded, as the compiler writes it. Rules say
%   which instance they are asked for.

program("
    :- dynamic happens_go/3, ins_happens_go/3, holds_status/3, kept_status/3, live_status/3,
               changed_status/3, asked/2, wakes_status/6.
    rtec_pane_width(10).
    rtec_panes(live_status, 3, cycle).
    rtec_changed(status/1, note_status, plain, unread).
    note_status(status(M), V, change(Span,Region,_,_,_,_)) :-
        assertz(changed_status(M=V,Span,Region)).
    get_holds_status(status(M), V, Is) :- holds_status(M, V, Is).
    drop_holds_status(status(M), V) :- retractall(holds_status(M, V, _)).
    get_kept_status(status(M), T, KVs) :- kept_status(M, T, KVs).
    add_kept_status(status(M), T, KVs) :- assertz(kept_status(M, T, KVs)).
    drop_kept_status(status(M), T) :- retractall(kept_status(M, T, _)).
    get_live_status(status(M), V, S) :- live_status(M, V, S).
    add_live_status(status(M), V, S) :- assertz(live_status(M, V, S)).
    drop_live_status(status(M), V) :- retractall(live_status(M, V, _)).
    at_status(M, V, _) :- live_status(M, V, _).
    at_status(M, V, T) :-
        holds_status(M, V, Is), \\+ live_status(M, _, _), T1 is T+1, held_before(Is, T1).
    derive_status(status(M), T, i, proposed) :-
        assertz(asked(M, T)), happens_go(T, propose, M), at_status(M, null, T).
    derive_status(status(M), T, i, voting) :-
        happens_go(T, second, M), at_status(M, proposed, T).
    touches_status(status(M), T) :- ins_happens_go(T, _, M).
    diverged_status(status(M), V, From, To, 1, status(M), T) :-
        happens_go(T, Id, M), reads(Id, V), T > From, T =< To.
    reads(propose, null).
    reads(second, proposed).
").

step(cycle([ fluent(status/1,holds_status,now_status,past_status,trigger_status,fire_status,
                    local_status,[]) ])).

changed(Facts, New, M, Goal) :-
    program(Program),
    with_program(Program, M,
                 ( set_window(M, 0, 30),
                   happened(M, Facts),
                   forall(member(happens_go(T,Id,X), New),
                          happened(M, [happens_go(T,Id,X),ins_happens_go(T,Id,X)])),
                   step(Step),
                   change_cycle(Step,
                                [d(kept_status,live_status,touches_status,derive_status,
                                   diverged_status,wakes_status,none)],
                                M, run(0,30,0,1,false), 20),
                   call(Goal)
                 )).

known([ happens_go(12,second,a), holds_status(a,null,[(0,inf)]),
        happens_go(5,propose,b), holds_status(b,null,[(0,6)]), holds_status(b,proposed,[(6,inf)]),
        kept_status(b,5,[i-proposed]) ]).

:- begin_tests(cycle_changes).

%   a   . . . . . . propose(8, late) . . . second(12)
%       null--------)[proposed------------)[voting---
test(late, Facts == [ holds_status(a,null,[(0,9)]), holds_status(a,proposed,[(9,13)]),
                      holds_status(a,voting,[(13,inf)]), holds_status(b,null,[(0,6)]),
                      holds_status(b,proposed,[(6,inf)]) ]) :-
    known(Known),
    changed(Known, [happens_go(8,propose,a)], M, stored(M, holds_status(_,_,_), Facts)).

%   Nobody asks for b, of which nothing was heard; a is asked for where it is touched, and
%   where rules read what it holds now.
test(asked, Asked == [asked(a,8),asked(a,12)]) :-
    known(Known),
    changed(Known, [happens_go(8,propose,a)], M, stored(M, asked(_,_), Asked)).

%   What follows later is not asked for if it makes no difference.
test(no_difference, Asked == [asked(b,8)]) :-
    known(Known),
    changed([happens_go(15,second,a)|Known], [happens_go(8,propose,b)], M,
            stored(M, asked(_,_), Asked)).

test(noted, Changes == [ changed_status(a=null,9-inf,[(9,21)]), changed_status(a=proposed,9-13,[(9,13)]),
                         changed_status(a=voting,13-inf,[(13,21)]) ]) :-
    known(Known),
    changed(Known, [happens_go(8,propose,a)], M, stored(M, changed_status(_,_,_), Changes)).

%   What a rule gave is kept, for the next query time.
test(kept, Kept == [ kept_status(a,8,[i-proposed]), kept_status(a,12,[i-voting]),
                     kept_status(b,5,[i-proposed]) ]) :-
    known(Known),
    changed(Known, [happens_go(8,propose,a)], M, stored(M, kept_status(_,_,_), Kept)).

:- end_tests(cycle_changes).
