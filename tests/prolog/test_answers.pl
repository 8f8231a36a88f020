:- use_module(library(plunit)).
:- use_module(rtec(native)).

%   What is told to Python of a store in C; tests/python/runtime/test_held.py reads it.

:- begin_tests(answers).

test(told_once) :-
    held_new(f(_,_), Held),
    filled(Held, [f(a,1)-true]),
    held_answers(Held, answers(Epoch,1,_,_,Keys,Values)),
    assertion(Keys = [_,[a,1]]),
    assertion(Values = [_,true]),
    filled(Held, [f(a,1)-true,f(b,g(x))-true]),
    held_answers(Held, answers(Epoch,2,_,_,New,[])),
    assertion(New = [_,[b,g(x)]]).

test(one_term_as_key_and_as_value) :-
    held_new(f(_), Held),
    filled(Held, [a-a]),
    held_answers(Held, answers(_,1,_,_,[N,[a]],[N,a])).

test(no_arguments) :-
    held_new(f, Held),
    filled(Held, [f-on]),
    held_answers(Held, answers(_,1,_,_,[_,[]],[_,on])).

test(nothing) :-
    held_new(f, Held),
    filled(Held, []),
    held_answers(Held, answers(_,0,_,_,[],[])).

%   Terms of the past are forgotten some day, and the others have new numbers then.
test(epochs, [true(Epochs > 1)]) :-
    held_new(f(_,_), Held),
    findall(Epoch,
            ( between(1, 40, I),
              findall(f(I,J)-true, between(1, 50, J), Instances),
              filled(Held, Instances),
              held_answers(Held, answers(Epoch,50,_,_,_,_))
            ),
            Es),
    sort(Es, Distinct),
    length(Distinct, Epochs).

filled(Held, Instances) :-
    held_begin(Held),
    forall(( member(Key-V, Instances), held_first(Held, Key, V) ),
           held_whole(Held, [(1,4)], none)),
    held_end(Held).

:- end_tests(answers).
