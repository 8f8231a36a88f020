:- use_module(library(lists)).
:- use_module('other.pl').
:- use_module(library('../../other')).
:- dynamic user:fact/1.
:- op(700, xfx, likes).
:- op(200, xfx, =).
:- set_prolog_flag(double_quotes, atom).

initiatedAt(a(X)=true, T) :-
    happensAt(e(X), T),
    X likes Y,
    member(Y, [1, 2]).

X likes X.

user:portray(_) :- fail.

term_expansion(trick, (bar :- shell(ls))).
trick.

rtec_step(1, domain(ls/0, x, shell)).

preProcessing(_).
