:- use_module(library(plunit)).
:- use_module(library(random)).
:- use_module(rtec(live_cycles)).
:- use_module(rtec(cycles)).
:- use_module(sessions).

:- set_random(seed(577215)).

%   What is swept in C is what rtec(cycles) makes of the same events.

:- begin_tests(live_cycles).

%   Two fluents and an event that read each other: now, earlier, with open arguments; with initial values,
%   defaults and delays.
program("
    :- dynamic happens_go/4, happens_done/3, holds_f/4, now_f/4, past_f/5, local_f/4, attempts_f/3,
               postponed_f/2, holds_g/3, now_g/3, past_g/4, attempts_g/3, postponed_g/2,
               broken_g/2, local_done/2, trigger_g/3, fire_g/6.
    initially_f(f(a,b), on).
    initially_f(f(b,b), off).
    trigger_f(T, 1, v(X,Y,V)) :- happens_go(T, X, Y, V).
    trigger_f(T, 2, v(X)) :- happens_go(T, X, X, _).
    trigger_f(T, 3, v(X,Y)) :- happens_go(T, X, Y, on).
    fire_f(1, v(X,Y,V), _, f(X,Y), i, V) :- \\+ now_f(Y, X, V, _).
    fire_f(2, v(X), _, f(X,Z), t, _) :- now_f(X, Z, on, _).
    fire_f(2, v(X), _, f(Z,X), t, off) :- now_f(Z, X, off, _), now_g(Z, hot, _).
    fire_f(3, v(X,Y), T, f(X,Y), t, on) :- past_f(X, _, on, _, E), E > T-3, Y \\== a.
    delay_f(f(_,_), mid, off, 3).
    delay_f(f(a,_), mid, on, 2).
    delay_f(f(_,_), off, mid, 5).
    trigger_done(T, 1, v(X,Y)) :- happens_go(T, X, Y, off).
    fire_done(1, v(X,Y), _, done(X,Y)) :- now_f(X, Y, mid, _).
    local_g(T, g(X), i, hot) :- happens_done(T, X, _).
    local_g(T, g(Y), t, cold) :- happens_done(T, _, Y).
    local_g(T, g(c), i, cold) :- happens_done(T, _, b).
    default_g(g(_), cold).
    delay_g(g(_), hot, cold, 4).
    ").

cycle(cycle([ event(done/2,happens_done,trigger_done,fire_done,local_done),
              fluent(f/2,holds_f,now_f,past_f,trigger_f,fire_f,local_f,
                     [initially(initially_f),delays(delay_f,postponed_f,attempts_f)]),
              fluent(g/1,holds_g,now_g,past_g,trigger_g,fire_g,local_g,
                     [default(default_g),broken(broken_g),delays(delay_g,postponed_g,attempts_g)]) ])).

test(same, [forall(between(1, 60, _))]) :-
    random_between(1, 2, Tick),
    findall(go(T,X,Y,V), ( between(1, 60, _), random_event(Tick, T, X, Y, V) ), Events),
    random_member(Size-Step, [40-40,10-10,10-5,20-5,5-10]),
    evaluated(Events, Size, Step, Tick, true, Found),
    evaluated(Events, Size, Step, Tick, false, Expected),
    assertion(Found == Expected).

%   A point of a pattern is left to Prolog, from then on.
test(pattern, Facts == [holds_f(a,[(0,4)]),holds_f(b,[(0,4)])]) :-
    with_program("
        :- dynamic happens_stop/1, holds_f/3, now_f/3, past_f/4, local_f/4.
        initially_f(f(a), on).
        initially_f(f(b), on).
        trigger_f(T, 1, v) :- happens_stop(T).
        fire_f(1, v, _, f(_), t, on).
        ", M,
        ( happened(M, [happens_stop(3)]),
          Member = fluent(f/1,holds_f,now_f,past_f,trigger_f,fire_f,local_f,[initially(initially_f)]),
          \+ eval_live([Member], M, run(-1,10,0,1,true)),
          M:rtec_not_live(Member),
          eval_cycle(cycle([Member]), M, run(-1,10,0,1,true)),
          findall(holds_f(X,Is), M:holds_f(X,on,Is), Facts0),
          sort(Facts0, Facts)
        )).

%   What may be postponed is not for C.
test(postponed) :-
    with_program("
        :- dynamic holds_f/2, now_f/2, past_f/3, trigger_f/3, fire_f/6, local_f/4, attempts_f/3.
        initially_f(f, on).
        delay_f(f, on, off, 3).
        postponed_f(f, on).
        ", M,
        \+ eval_live([ fluent(f/0,holds_f,now_f,past_f,trigger_f,fire_f,local_f,
                              [initially(initially_f),delays(delay_f,postponed_f,attempts_f)]) ],
                     M, run(-1,10,0,1,true))).

random_event(Tick, T, X, Y, V) :-
    random_between(0, 19, N),
    T is N*Tick*2,
    random_member(X, [a,b,c,p(1)]),
    random_member(Y, [a,b,c]),
    random_member(V, [on,off,mid]).

evaluated(Events, Size, Step, Tick, InC, Facts) :-
    program(Program),
    cycle(Cycle),
    with_program(Program, [0,Tick,-1], M,
                 ( (   InC == true
                   ->  true
                   ;   assertz(M:rtec_last_mode(keep))
                   ),
                   findall(Q, ( between(1, 20, I), Q is I*Step*Tick, Q =< 40*Tick ), Qs),
                   findall(Found, ( member(Q, Qs), window(M, Cycle, Events, Q, Size, Tick, InC, Found) ),
                           Facts)
                 )).

window(M, cycle(Members), Events, Q, Size, Tick, InC, Found) :-
    W is max(-Tick, Q-Size*Tick),
    retractall(M:happens_go(_,_,_,_)),
    forall(( member(go(T,X,Y,V), Events), T > W, T =< Q ),
           assertz(M:happens_go(T,X,Y,V))),
    ( W < 0 -> First = true ; First = false ),
    Run = run(W,Q,0,Tick,First),
    (   InC == true
    ->  eval_live(Members, M, Run)
    ;   eval_cycle(cycle(Members), M, Run)
    ),
    findall(f(X,Y,V,Is), M:holds_f(X,Y,V,Is), Fs0),
    findall(g(X,V,Is), M:holds_g(X,V,Is), Gs0),
    findall(done(T,X,Y), M:happens_done(T,X,Y), Ds0),
    msort(Fs0, Fs),
    msort(Gs0, Gs),
    msort(Ds0, Ds),
    Found = found(Q,Fs,Gs,Ds).

:- end_tests(live_cycles).
