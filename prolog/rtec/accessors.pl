:- module(rtec_accessors,
          [ accessors/2,                % +M:Pred, -Access
            get_fact/4,                 % +Access, ?F, ?Key, -Value
            add_fact/4,                 % +Access, +F, +Key, +Value
            drop_facts/3                % +Access, +F, +Key
          ]).
:- set_prolog_flag(optimise, true).

/** <module> Facts of a fluent, without taking it apart

The facts Pred(Arg1, ..., ArgN, Key, Value) of a fluent have their arguments
side by side. The program has clauses that know how, get_Pred(F,Key,Value),
add_Pred(F,Key,Value) and drop_Pred(F,Key); calling them is several times
cheaper than building such a fact from the arguments of F. Where what is stored stands in C
(rtec(links)), access is linked(Access,Held,M,Fact), and it is changed by rtec(held_changes) alone.
*/

%!  accessors(+M:Pred, -Access) is det.

accessors(M:Pred, access(M:Get,M:Add,M:Drop)) :-
    atom_concat(get_, Pred, Get),
    atom_concat(add_, Pred, Add),
    atom_concat(drop_, Pred, Drop).

%!  get_fact(+Access, ?F, ?Key, -Value) is nondet.
%!  add_fact(+Access, +F, +Key, +Value) is det.
%!  drop_facts(+Access, +F, +Key) is det.

get_fact(access(Get,_,_), F, Key, Value) :-
    call(Get, F, Key, Value).
get_fact(linked(Access,_,_,_), F, Key, Value) :-
    get_fact(Access, F, Key, Value).

add_fact(access(_,Add,_), F, Key, Value) :-
    call(Add, F, Key, Value).

drop_facts(access(_,_,Drop), F, Key) :-
    call(Drop, F, Key).
