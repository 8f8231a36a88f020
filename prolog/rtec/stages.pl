:- module(rtec_stages,
          [ stage_stores/3,             % +M, +Entities, -Stores
            stage_facts/3,              % +M, +Stores, -Rows
            stage_given/4,              % +M, +Stores, +Given, +Texts
            stage_given/5,              % +M, +Stores, +Given, +Texts, +Columns
            stage_met/2,                % +M, +Members
            stage_columns/4,            % +M, +Stores, -Columns, -Others
            stage_blocks/4              % +M, +Stores, +Everyone, -Blocks
          ]).
:- set_prolog_flag(optimise, true).
:- use_module(records, [forget_dates/3]).
:- use_module(links, [linked/6, unlink/2, all_links/3, not_read/3]).
:- use_module(native,
              [ held_begin/1, held_first/3, held_whole/3, held_end/1,
                held_flat/1, held_facts/2, held_told/5, held_given/5
              ]).
:- use_module(store, [fluent_fact/7, fluent_key/2]).
:- autoload(library(lists), [append/2, member/2]).
:- autoload(library(apply), [maplist/2, maplist/3]).
:- autoload(library(pairs), [group_pairs_by_key/2]).

/** <module> A program in two stages

A description may be evaluated in two sessions: the first one works out some
of its levels, the second one those that read them. A program of a stage has
rtec_step/2 for the steps of its own, and rtec_elsewhere/2 for all others.
What one session hands to the next are the facts of stores, as they are after
a query time.
*/

%!  stage_stores(+M, +Entities, -Stores) is det.
%
%   Entities lists tuples Number, Kind, Name, Arity, where Kind is `event` or
%   `fluent`; Stores lists tuples Number, Predicate, Arity, How: everything
%   that rules read when they read the entity. How is `fluent` for facts that
%   end in an interval list, `event` for those that begin with a time-point,
%   `point` for those that begin with a time-point and a value, `broken` for
%   Pred(Pattern,T), the defaults that patterns have broken.

stage_stores(M, Entities, Stores) :-
    findall(-(I,Pred,Arity,How),
            ( member(-(I,Kind,Name,A), Entities),
              entity_store(M, Kind, Name/A, Pred, Arity, How)
            ),
            Stores0),
    sort(Stores0, Stores).

entity_store(M, event, Indicator, Pred, Arity, event) :-
    M:rtec_records(event, Indicator, Pred, Arity).
entity_store(M, fluent, Indicator, Pred, Arity, point) :-
    M:rtec_records(point, Indicator, Pred, Arity).
entity_store(M, Kind, Indicator, Pred, Arity, How) :-
    (   M:rtec_step(_, Step)
    ;   current_predicate(M:rtec_elsewhere/2),
        M:rtec_elsewhere(_, Step)
    ),
    step_store(Step, Kind, Indicator, Pred, Arity, How).

step_store(input(Name/A,_,_,Store), fluent, Name/A, Store, Arity, fluent) :-
    Arity is A+2.
step_store(simple(Name/A,Store,_,_), fluent, Name/A, Store, Arity, fluent) :-
    Arity is A+2.
step_store(simple(Indicator,_,_,Options), fluent, Indicator, Pred, Arity, event) :-
    kept_points(Options, Pred, Arity).
step_store(simple(Indicator,_,_,Options), fluent, Indicator, Pred, 2, broken) :-
    memberchk(broken(Pred), Options).
step_store(static(Name/A,_,Store,_,_,_), fluent, Name/A, Store, Arity, fluent) :-
    Arity is A+2.
step_store(event(Name/A,Store,_), event, Name/A, Store, Arity, event) :-
    Arity is A+1.
step_store(cycle(Members), Kind, Indicator, Pred, Arity, How) :-
    member(Member, Members),
    member_store(Member, Kind, Indicator, Pred, Arity, How).

member_store(fluent(Name/A,Store,_,_,_,_,_,_), fluent, Name/A, Store, Arity, fluent) :-
    Arity is A+2.
member_store(fluent(Indicator,_,_,_,_,_,_,Options), fluent, Indicator, Pred, Arity, event) :-
    kept_points(Options, Pred, Arity).
member_store(fluent(Indicator,_,_,_,_,_,_,Options), fluent, Indicator, Pred, 2, broken) :-
    memberchk(broken(Pred), Options).
member_store(event(Name/A,Store,_,_,_), event, Name/A, Store, Arity, event) :-
    Arity is A+1.

kept_points(Options, Pred, Arity) :-
    member(Option, Options),
    kept_points(Option, Pred/Arity).

kept_points(initiations(Indicator), Indicator).
kept_points(breaks(Indicator), Indicator).
kept_points(patterns(Indicator), Indicator).

%!  stage_facts(+M, +Stores, -Rows) is det.
%
%   Rows lists Number, Predicate, Arguments, and so on: the facts of all stores,
%   in order. An interval list is flat, a term that is not atomic a list of its
%   text. A broken pattern is its time-point, itself, and its arguments. (There
%   are no tuples in it, as in the answers of bridge_advance/6.)

stage_facts(M, Stores, Rows) :-
    findall(row(I,Pred,Plain),
            ( member(-(I,Pred,Arity,How), Stores),
              functor(Fact, Pred, Arity),
              M:Fact,
              Fact =.. [_|Args],
              plain_args(How, Args, Plain)
            ),
            Rows0),
    fields(Rows0, Rows).

fields([], []).
fields([row(I,Pred,Args)|Rows], [I,Pred,Args|Fields]) :-
    fields(Rows, Fields).

plain_args(event, Args, Plain) :-
    maplist(plain, Args, Plain).
plain_args(point, Args, Plain) :-
    maplist(plain, Args, Plain).
plain_args(fluent, Args, Plain) :-
    plain_fluent(Args, Plain).
plain_args(broken, [Pattern,T], [T,Whole|Plain]) :-
    plain(Pattern, Whole),
    Pattern =.. [_|Args],
    maplist(plain, Args, Plain).

plain_fluent([Is], [Flat]) :-
    !,
    flat(Is, Flat).
plain_fluent([A|As], [P|Ps]) :-
    plain(A, P),
    plain_fluent(As, Ps).

flat([], []).
flat([(S,E)|Is], [S,E|Flat]) :-
    flat(Is, Flat).

plain(Term, Plain) :-
    (   atom(Term)
    ->  Plain = Term
    ;   number(Term)
    ->  Plain = Term
    ;   var(Term)
    ->  Plain = ['_']
    ;   format(atom(Text), '~q', [Term]),
        Plain = [Text]
    ).

%!  stage_given(+M, +Stores, +Given, +Texts) is det.
%!  stage_given(+M, +Stores, +Given, +Texts, +Columns) is semidet.
%
%   The facts of Stores are from now on those in Given, tuples Predicate, List
%   of arguments as stage_facts/3 gives them, those in Texts, which stage_blocks/4
%   has made, and those in Columns, lists [Predicate, Source, Epoch, Keys, Values, N, Cells, Spans], see
%   held_told/5 and held_given/5.
%   Fails if some store with columns is not in C; what stores have then has to be given again.

stage_given(M, Stores, Given, Texts) :-
    stage_given(M, Stores, Given, Texts, []).

stage_given(M, Stores, Given, Texts, Columns) :-
    findall(Pred-Facts,
            ( member(-(Pred,Plain), Given),
              memberchk(-(_,Pred,_,How), Stores),
              maplist(read_fact(Pred, How), Plain, Facts)
            ),
            Read),
    texts_facts(Texts, Read, Groups0),
    keysort(Groups0, Groups),
    group_pairs_by_key(Groups, Lists),
    forall(member(-(_,Pred,Arity,How), Stores),
           (   (   memberchk(Pred-Several, Lists)
               ->  append(Several, Facts)
               ;   Facts = []
               ),
               findall(Column, member([Pred|Column], Columns), Own),
               put_facts(How, M, Pred/Arity, Facts, Own)
           )),
    forget_texts(Texts).

read_fact(Pred, How, Plain, Fact) :-
    read_args(How, Plain, Args),
    Fact =.. [Pred|Args].

texts_facts([], Groups, Groups).
texts_facts([Atom|Texts], Groups0, Groups) :-
    atom_string(Atom, Text),
    fast_term_serialized(facts(Facts), Text),
    by_predicate(Facts, Groups1, Groups0),
    texts_facts(Texts, Groups1, Groups).

%   by_predicate(+Facts, -Groups, +Tail): facts that follow each other, by their predicate.

by_predicate([], Groups, Groups).
by_predicate([Fact|Facts], [Pred-[Fact|Same]|Groups], Tail) :-
    functor(Fact, Pred, _),
    same_predicate(Facts, Pred, Same, Others),
    by_predicate(Others, Groups, Tail).

same_predicate([Fact|Facts], Pred, Same, Others) :-
    functor(Fact, Pred, _),
    !,
    Same = [Fact|Same1],
    same_predicate(Facts, Pred, Same1, Others).
same_predicate(Others, _, [], Others).

%   Texts come from Python as atoms, of which Prolog counts the number, not the
%   size, before it collects them.

forget_texts([]) :-
    !.
forget_texts(_) :-
    flag(rtec_stage_texts, N, N+1),
    (   N mod 16 =:= 15
    ->  garbage_collect_atoms
    ;   true
    ).

%   put_facts(+How, +M, +Pred/Arity, +Facts, +Columns): what fluents hold goes to C, if it
%   fits; columns can go nowhere else.

put_facts(fluent, M, Pred/Arity, Facts, Columns) :-
    N is Arity-2,
    fluent_fact(Pred, Pred, N, F, V, Is, Fact),
    linked(M, Fact, F, V, Is, Held),
    fluent_key(F, Key),
    held_begin(Held),
    (   give_columns(Columns, Held),
        forall(( member(Fact, Facts), held_first(Held, Key, V) ), held_whole(Held, Is, none)),
        held_end(Held)
    ->  true
    ;   unlink(M, Fact),
        fail
    ),
    !.
put_facts(_, M, Pred/Arity, Facts, []) :-
    functor(Fact, Pred, Arity),
    forget_dates(M, Pred, Arity),
    retractall(M:Fact),
    forall(member(Fact, Facts), assertz(M:Fact)).

give_columns([], _).
give_columns([[Source,Epoch,Keys,Values,N,Cells,Spans]|Columns], Held) :-
    held_told(Held, Source, Epoch, Keys, Values),
    held_given(Held, Source, N, Cells, Spans),
    give_columns(Columns, Held).

read_args(event, Plain, Args) :-
    maplist(read_arg, Plain, Args).
read_args(point, Plain, Args) :-
    maplist(read_arg, Plain, Args).
read_args(fluent, Plain, Args) :-
    read_fluent(Plain, Args).
read_args(broken, [T,Whole|_], [Pattern,T]) :-
    read_arg(Whole, Pattern).

read_fluent([Flat], [Is]) :-
    !,
    pairs(Flat, Is).
read_fluent([P|Ps], [A|As]) :-
    read_arg(P, A),
    read_fluent(Ps, As).

pairs([], []).
pairs([S,E|Flat], [(S,E)|Is]) :-
    pairs(Flat, Is).

read_arg(Plain, Term) :-
    (   Plain = [Text]
    ->  term_to_atom(Term, Text)
    ;   Term = Plain
    ).

%!  stage_met(+M, +Members) is det.
%
%   From now on facts about an object go to the parts that it has pairs in.
%   Members lists Object, Part, Object, Part...

stage_met(_, []).
stage_met(M, [Plain,Part|Members]) :-
    read_arg(Plain, Object),
    assertz(M:rtec_member(Object, Part)),
    stage_met(M, Members).

%!  stage_columns(+M, +Stores, -Columns, -Others) is det.
%
%   Stores lists [Predicate,Arity,Keys,How]. Of those that are in C, and whose facts have only atoms
%   and numbers in them, Columns lists [Predicate, Epoch, N, Entries, Spans, Keys, Values], see
%   held_answers/2, for whoever reads them there before anything else is done with M. Others has all
%   other stores, for stage_blocks/4.

stage_columns(_, [], [], []).
stage_columns(M, [Store|Stores], Columns, Others) :-
    Store = [Pred,Arity,Keys,How],
    functor(Fact, Pred, Arity),
    (   How == fluent,
        Arity > 2,
        all_links(M, Fact, Helds),
        maplist(held_flat, Helds)
    ->  columns(Helds, Pred, Columns, Columns1),
        Others = Others1
    ;   not_read(M, Fact, facts),
        Columns = Columns1,
        Others = [[Pred,Arity,Keys]|Others1]
    ),
    stage_columns(M, Stores, Columns1, Others1).

columns([], _, Columns, Columns).
columns([Held|Helds], Pred, [[Pred,Epoch,N,Entries,Spans,Keys,Values]|Columns], Tail) :-
    held_facts(Held, answers(Epoch,N,Entries,Spans,Keys,Values)),
    columns(Helds, Pred, Columns, Tail).

%!  stage_blocks(+M, +Stores, +Everyone, -Blocks) is det.
%
%   The facts of all stores by the part that needs them: Blocks lists Part,
%   Text, Part, Text... Stores lists [Predicate,Arity,Keys], where Keys has the
%   position of the key among the arguments. What has no key goes to the parts in
%   Everyone. The text is read by stage_given/4 only.

stage_blocks(M, Stores, Everyone, Blocks) :-
    findall(Part-Fact,
            ( member([Pred,Arity,Keys], Stores),
              functor(Fact, Pred, Arity),
              M:Fact,
              fact_part(Keys, Fact, M, Everyone, Part)
            ),
            Facts0),
    keysort(Facts0, Facts),
    group_pairs_by_key(Facts, Groups),
    texts(Groups, Blocks).

fact_part([], _, _, Everyone, Part) :-
    member(Part, Everyone).
fact_part([Key], Fact, M, Everyone, Part) :-
    arg(Key, Fact, Object),
    (   var(Object)
    ->  member(Part, Everyone)
    ;   M:rtec_member(Object, Part)
    ).

texts([], []).
texts([Part-Facts|Groups], [Part,Text|Blocks]) :-
    fast_term_serialized(facts(Facts), Text),
    texts(Groups, Blocks).
