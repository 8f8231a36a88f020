:- module(rtec_pieces,
          [ rtec_later/3,               % +Is, +T, +Ask
            forget_pieces/1             % +M
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(intervals, [holds_at/2]).
:- autoload(library(apply), [maplist/2]).
:- autoload(library(lists), [append/3]).

/** <module> Long interval lists, in pieces

Rules ask whether an instance holds a value at a time-point by

    ask_holds_f(X, V, T) :-
        holds_f(X, V, [(S,E)|Is]),
        ( T < E -> T >= S ; rtec_later(Is, T, ask_holds_f) ).

To fetch the list and to walk through it is the fastest way for a few intervals,
and slow for hundreds of them and as many events. Such a clause therefore replaces
itself when it meets a long list: by one that cuts long lists into pieces, and
finds the piece of T by its number.

    long_holds_f(X, V, cut(First,From,Width,Last))
    rtec_piece(Number, Piece)

After From, each Width time-points have a piece; these are the numbers from First
to First+Last. The first one has what lies before From as well, the last one all
that comes later. A piece lists the intervals that have a time-point in it. If
that is a long list again, because intervals are not spread evenly, it is cut too.

Pieces are made where they are asked for, and are dropped when the next query time
begins. They are never out of date: rules ask only for what earlier steps have
worked out, and no step touches that again.
*/

%   A long list has more intervals than this.

long_list([_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]).

%   Intervals to a piece, and how many times to walk through a list costs as much as
%   to cut it.

piece_size(8).
walks_to_cut(8).

:- module_transparent rtec_later/3.

%!  rtec_later(+Is, +T, +Ask) is semidet.
%
%   T is in one of the intervals. If these are many, the predicate Ask of the calling
%   module looks into pieces from now on.

rtec_later([(S,E)|Is], T, Ask) :-
    (   T < E
    ->  T >= S
    ;   Is = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
    ->  context_module(M),
        use_pieces(M, Ask),
        holds_at(Is, T)
    ;   holds_at(Is, T)
    ).

%   The new clause is there before the old one goes: an ask finds one at any moment,
%   also after the time limit has struck in between. What is asked with variables, or
%   at something else than an integer, is looked up as before.

use_pieces(M, Ask) :-
    current_predicate(M:Ask/Arity),
    functor(Head, Ask, Arity),
    findall(Ref, clause(M:Head, _, Ref), Old),
    atom_concat(ask_, Store, Ask),
    atom_concat(long_, Store, Long),
    dynamic(M:Long/Arity),
    (   M:rtec_long(Long, Arity)
    ->  true
    ;   assertz(M:rtec_long(Long, Arity))
    ),
    pieces_clause(M, Store, Long, Head, Body),
    assertz(M:(Head :- Body)),
    maplist(erase, Old).

pieces_clause(M, Store, Long, Head,
              (   integer(T),
                  ground(Asked)
              ->  (   Cut
                  ->  rtec_pieces:piece_number(C, T, Number),
                      rtec_piece(Number, Piece),
                      rtec_pieces:in_piece(Piece, M, T)
                  ;   Fact,
                      (   Is = LongList
                      ->  rtec_pieces:ask_long(Is, M, Others, C, Cut, T)
                      ;   rtec_intervals:holds_at(Is, T)
                      )
                  )
              ;   Fact,
                  rtec_intervals:holds_at(Is, T)
              )) :-
    Head =.. [_|Args],
    append(Key, [T], Args),
    Asked =.. [asked|Key],
    fact(Long, Key, C, Cut),
    fact(Store, Key, Is, Fact),
    fact(Store, Key, _, Others),
    long_list(LongList).

fact(Name, Key, Last, Fact) :-
    append(Key, [Last], Args),
    Fact =.. [Name|Args].

piece_number(cut(First,From,Width,Last), T, Number) :-
    Number is First+max(0, min(Last, (T-From)//Width)).

in_piece([I|Is], _, T) :-
    holds_at([I|Is], T).
in_piece(cut(First,From,Width,Last), M, T) :-
    piece_number(cut(First,From,Width,Last), T, Number),
    M:rtec_piece(Number, Piece),
    in_piece(Piece, M, T).

%   ask_long(+Is, +M, +Fact, -C, ?Cut, +T): T is in Is, which is long and not cut yet.
%   One of so many asks cuts what it is for: what is asked for often soon is, and what
%   is asked for once or twice mostly is not. A list that is not the only one of what is
%   asked for, the Fact, is left alone.

ask_long(Is, M, Fact, C, Cut, T) :-
    flag(rtec_walks, Walks, Walks+1),
    walks_to_cut(N),
    (   Walks mod N =:= 0,
        maplist(of_integers, Is),
        findall(x, M:Fact, [_])
    ->  cut(M, Is, C),
        assertz(M:Cut)
    ;   true
    ),
    holds_at(Is, T).

of_integers((S,E)) :-
    integer(S),
    (   integer(E)
    ->  true
    ;   E == inf
    ).

cut(M, Is, Cut) :-
    (   retract(M:rtec_next_piece(Next0))
    ->  true
    ;   Next0 = 0
    ),
    cut(Is, M, Cut, Next0, Next),
    assertz(M:rtec_next_piece(Next)).

%   From the end of the first interval to the start of the last one: how long these two
%   are, or whether the last one is open, is not to matter.

cut(Is, M, cut(First,From,Width,Last), First, Next) :-
    Is = [(_,From)|_],
    last_start(Is, 0, N, Until),
    piece_size(Size),
    Width is (Until-From)//(N//Size)+1,
    Last is (Until-From)//Width,
    Free is First+Last+1,
    End is From+Width,
    pieces(Is, M, First, Last, Width, End, Free, Next).

last_start([(S,_)|Is], N0, N, Last) :-
    N1 is N0+1,
    (   Is == []
    ->  N = N1,
        Last = S
    ;   last_start(Is, N1, N, Last)
    ).

%   pieces(+Is, +M, +Number, +Left, +Width, +End, +Free, -Next): the piece that ends at
%   End, and Left pieces after it. Numbers from Free on are not in use yet.

pieces(Is, M, Number, Left, Width, End, Free, Next) :-
    (   Left =:= 0
    ->  put_piece(Is, M, Number, Free, Next)
    ;   split(Is, End, Piece, Rest),
        put_piece(Piece, M, Number, Free, Free1),
        Number1 is Number+1,
        Left1 is Left-1,
        End1 is End+Width,
        pieces(Rest, M, Number1, Left1, Width, End1, Free1, Next)
    ).

%   split(+Is, +T, -Before, -After): an interval with T inside is in both.

split([(S,E)|Is], T, Before, After) :-
    S < T,
    !,
    Before = [(S,E)|Before1],
    (   E > T
    ->  Before1 = [],
        After = [(S,E)|Is]
    ;   split(Is, T, Before1, After)
    ).
split(Is, _, [], Is).

put_piece([], _, _, Free, Free) :-
    !.
put_piece(Is, M, Number, Free, Next) :-
    (   long_list(Is)
    ->  cut(Is, M, Piece, Free, Next)
    ;   Piece = Is,
        Next = Free
    ),
    assertz(M:rtec_piece(Number, Piece)).

%!  forget_pieces(+M) is det.

forget_pieces(M) :-
    forall(M:rtec_long(Long, Arity),
           ( functor(Cut, Long, Arity),
             retractall(M:Cut),
             retractall(M:rtec_piece(_,_)),
             retractall(M:rtec_next_piece(_))
           )).
