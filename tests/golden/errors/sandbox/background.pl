:- use_module(library(lists)).
:- initialization(shell(ls)).

tell_all(X) :- helper(X).
helper(X) :- print(X).
never_called(X) :- shell(X).
