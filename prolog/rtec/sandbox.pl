:- module(rtec_sandbox,
          [ inspect/6,                  % +Background, +Plain, +Goals, +Delays, +Names, -Report
            judge/3                     % +M, +Goal, -Verdict
          ]).
:- use_module(scratch).
:- autoload(library(sandbox), [safe_goal/1]).
:- autoload(library(apply), [maplist/3]).
:- autoload(library(lists), [member/2, append/2, append/3]).
:- autoload(library(solution_sequences), [limit/2]).

/** <module> What rule bodies may do

Descriptions may come from anywhere, so their goals are checked before they
run. library(sandbox) follows a goal through the predicates that it calls and
refuses whatever can reach files, processes or other modules. Beyond that,
rules must not write, and must not change stored facts: the answer of a query
time would then depend on the order of evaluation.
*/

%!  inspect(+Background, +Plain, +Goals, +Delays, +Names, -Report) is det.
%
%   Read Background files and Plain, the text of the description's own
%   predicates, and judge Goals, a list of texts of goals. Delays are texts
%   `Delay-Body`, or pairs [Text1,Text2] of `Pair-(Delay-Body)`, which ask
%   for the delays that two rules give to one instance. Names are those of
%   the events and fluents. Report is a term
%   `-`(Files,Notes,Defined,Opaque,Verdicts,Values):
%
%     - Files that were read, nested ones too;
%     - Notes on the files, see scratch_notes/2, with [directive|_] for each
%       directive that is refused, and for each predicate that a compiled
%       program could call by its name and that is refused;
%     - Defined has Name-Arity for each predicate of the files;
%     - Opaque is 1 if the files may define more than could be seen;
%     - Verdicts has for each goal [ok], [unknown,Name,Arity] or
%       [refused,Text];
%     - Values has for each delay a list of [integer,N] and [other,Text], or
%       the atom `unknown` where it cannot be worked out here.

inspect(Background, Plain, Goals, Delays, Names, Report) :-
    with_scratch(M, inspect_in(M, Background, Plain, Goals, Delays, Names, Report)).

inspect_in(M, Background, Plain, Goals, Delays, Names,
           -(Files,Notes,Defined,Opaque,Verdicts,Values)) :-
    forall(member(Path, Background), scratch_file(M, Path)),
    scratch_files(M, Files),
    scratch_defined(M, Indicators),
    findall(Name-Arity, member(Name/Arity, Indicators), Defined),
    scratch_text(M, Plain),
    (   scratch_opaque(M)
    ->  Opaque = 1
    ;   Opaque = 0
    ),
    maplist(goal_verdict(M), Goals, Verdicts),
    maplist(delay_values(M), Delays, Values),
    refused_directives(M, Refused1),
    refused_namesakes(M, Indicators, Names, Refused2),
    scratch_notes(M, Notes0),
    append([Notes0,Refused1,Refused2], Notes).

goal_verdict(M, Text, Row) :-
    (   catch(term_in(M, Text, Goal), error(_, _), fail)
    ->  judge(M, Goal, Verdict),
        verdict_row(Verdict, Row)
    ;   Row = [refused,'the goal cannot be read on its own']
    ).

term_in(M, Text, Term) :-
    term_string(Term, Text, [module(M)]).

verdict_row(ok, [ok]).
verdict_row(unknown(Name/Arity), [unknown,Name,Arity]).
verdict_row(refused(Text), [refused,Text]).

refused_directives(M, Refused) :-
    scratch_directives(M, Directives),
    findall([directive,Path,Line,Column,Text],
            ( member(directive(Goal,Path,Line,Column), Directives),
              Path \== '',
              judge_directive(M, Goal, refused(Text))
            ),
            Refused).

%   A compiled program names its predicates after events and fluents, as in
%   happens_go_to/3; clauses of such a name in the background would be called.

refused_namesakes(M, Indicators, Names, Refused) :-
    findall([directive,'',0,0,Text],
            ( member(Name/Arity, Indicators),
              namesake(Name, Names),
              functor(Head, Name, Arity),
              judge(M, Head, refused(Text))
            ),
            Refused).

namesake(Name, _) :-
    memberchk(Name, [happensAt,holdsAt,holdsFor,initiatedAt,terminatedAt,queryTime,initTime]),
    !.
namesake(Name, Names) :-
    member(Entity, Names),
    atom_concat('_', Entity, End),
    (   sub_atom(Name, _, _, 0, End)
    ;   atom_concat(End, '_', Middle),
        sub_atom(Name, _, _, _, Middle)
    ),
    !.

judge_directive(M, if(Goal), Verdict) :-
    !,
    judge(M, Goal, Verdict).
judge_directive(M, elif(Goal), Verdict) :-
    !,
    judge(M, Goal, Verdict).
judge_directive(M, initialization(Goal), Verdict) :-
    !,
    judge(M, Goal, Verdict).
judge_directive(M, Goal, Verdict) :-
    judge(M, Goal, Verdict).

%!  judge(+M, +Goal, -Verdict) is det.
%
%   Verdict on calling Goal in module M: `ok`, unknown(Name/Arity) if Goal
%   itself is not defined, or refused(Text).

judge(M, Goal, Verdict) :-
    (   forbidden_call(Goal, M, Call, Why)
    ->  own_text(M, Goal, Call, Why, Text),
        Verdict = refused(Text)
    ;   catch(safe_goal(M:Goal), Error, true),
        (   var(Error)
        ->  Verdict = ok
        ;   error_verdict(Error, M, Goal, Verdict)
        )
    ).

error_verdict(error(existence_error(procedure, Missing), _), M, Goal, Verdict) :-
    !,
    strip_module(Missing, _, Plain),
    (   goal_indicator(Plain, Indicator),
        goal_indicator(Goal, Indicator),
        \+ predicate_property(M:Goal, visible)
    ->  Verdict = unknown(Indicator)
    ;   Verdict = ok
    ).
error_verdict(error(permission_error(_, sandboxed, Call), _), M, Goal, refused(Text)) :-
    !,
    strip_module(Call, _, Plain),
    own_text(M, Goal, Plain, 'it is not known to be harmless', Text).
error_verdict(error(instantiation_error, sandbox(_, _)), _, Goal, refused(Text)) :-
    !,
    indicator_text(Goal, Name),
    format(string(Text), '~w calls a goal that is known only when it runs', [Name]).
error_verdict(error(type_error(_, _), _), _, Goal, refused(Text)) :-
    !,
    indicator_text(Goal, Name),
    format(string(Text), '~w is called with something that is no goal', [Name]).
error_verdict(_, _, Goal, refused(Text)) :-
    indicator_text(Goal, Name),
    format(string(Text), '~w cannot be checked', [Name]).

%   What a predicate of Prolog itself calls is of no interest to anybody.

own_text(M, Goal, Call, Why, Text) :-
    indicator_text(Goal, Outer),
    indicator_text(Call, Inner),
    (   (   Outer == Inner
        ;   \+ own_predicate(Goal, M),
            \+ predicate_property(M:Goal, meta_predicate(_))
        )
    ->  format(string(Text), '~w: ~w', [Outer,Why])
    ;   format(string(Text), '~w calls ~w: ~w', [Outer,Inner,Why])
    ).

indicator_text(Goal, Text) :-
    (   goal_indicator(Goal, Name/Arity)
    ->  format(string(Text), '`~w/~w`', [Name,Arity])
    ;   format(string(Text), '`~q`', [Goal])
    ).

goal_indicator(Goal, Name/Arity) :-
    callable(Goal),
    functor(Goal, Name, Arity).

%   forbidden_call(+Goal, +M, -Call, -Why): Goal reaches Call, through
%   predicates of M and meta-calls, which rules must not make.

forbidden_call(Goal, M, Call, Why) :-
    reach([Goal], M, [], Call, Why).

reach([Goal|Goals], M, Seen, Call, Why) :-
    (   \+ callable(Goal)
    ->  reach(Goals, M, Seen, Call, Why)
    ;   forbidden(Goal, Why0)
    ->  Call = Goal,
        Why = Why0
    ;   called_goals(Goal, M, Seen, Seen1, Called),
        append(Called, Goals, Goals1),
        reach(Goals1, M, Seen1, Call, Why)
    ).

called_goals(with_output_to(_, _), _, Seen, Seen, []) :-
    !.
called_goals(Goal, M, Seen, Seen, Called) :-
    predicate_property(M:Goal, meta_predicate(Spec)),
    !,
    Goal =.. [_|Args],
    Spec =.. [_|Modes],
    meta_goals(Modes, Args, Called).
called_goals(Goal, M, Seen0, Seen, Called) :-
    goal_indicator(Goal, Indicator),
    \+ memberchk(Indicator, Seen0),
    own_predicate(Goal, M),
    !,
    Seen = [Indicator|Seen0],
    Indicator = Name/Arity,
    functor(Head, Name, Arity),
    findall(Body, ( clause(M:Head, Body), Body \== true ), Called).
called_goals(_, _, Seen, Seen, []).

%   Everything that was read into M is dynamic there.

own_predicate(Goal, M) :-
    predicate_property(M:Goal, dynamic),
    \+ predicate_property(M:Goal, imported_from(_)).

meta_goals([], [], []).
meta_goals([Mode|Modes], [Arg|Args], Called) :-
    (   calls(Mode, Arg, Goal)
    ->  Called = [Goal|Called1]
    ;   Called = Called1
    ),
    meta_goals(Modes, Args, Called1).

calls(^, Arg, Goal) :-
    !,
    without_quantifiers(Arg, Goal).
calls(N, Arg, Goal) :-
    integer(N),
    callable(Arg),
    length(Extra, N),
    Arg =.. List0,
    append(List0, Extra, List),
    Goal =.. List.

without_quantifiers(Arg, Goal) :-
    (   nonvar(Arg),
        Arg = _^Arg1
    ->  without_quantifiers(Arg1, Goal)
    ;   Goal = Arg
    ).

forbidden(_:Goal, Why) :-
    callable(Goal),
    !,
    forbidden(Goal, Why).
forbidden(format(_), Why) :- output(Why).
forbidden(format(_,_), Why) :- output(Why).
forbidden(format(To,_,_), Why) :- \+ captured(To), output(Why).
forbidden(writeln(_), Why) :- output(Why).
forbidden(print_message(_,_), Why) :- output(Why).
forbidden(print_message_lines(_,_,_), Why) :- output(Why).
forbidden(Goal, Why) :-
    goal_indicator(Goal, Name/Arity),
    outputs(Name, Arity),
    output(Why).
forbidden(Goal, 'it changes stored facts') :-
    goal_indicator(Goal, Name/_),
    changes(Name).
forbidden(Goal, 'it loads code') :-
    goal_indicator(Goal, Name/_),
    loads_code(Name).
forbidden(sleep(_), 'it waits').

output('it does input or output').

captured(To) :-
    nonvar(To),
    functor(To, Name, _),
    memberchk(Name, [atom,string,codes,chars]).

outputs(Name, Arity) :-
    memberchk(Name/Arity,
              [ write/1, write/2, print/1, print/2, writeq/1, writeq/2, write_canonical/1,
                write_canonical/2, write_term/2, write_term/3, nl/0, nl/1, tab/1, tab/2,
                put_char/1, put_char/2, writeln/2, read/1, read/2, read_term/2, read_term/3,
                get_char/1, get_char/2, open/3, open/4, see/1, tell/1, append/1,
                portray_clause/1, portray_clause/2, listing/0, listing/1
              ]).

changes(Name) :-
    memberchk(Name,
              [ assert, asserta, assertz, retract, retractall, abolish, erase, recorda, recordz,
                nb_setval, b_setval, flag
              ]).

loads_code(Name) :-
    memberchk(Name, [consult, load_files, use_module, ensure_loaded, make, include]).

%   delay_values(+M, +Text, -Values): solve the body of a delay, if that is
%   harmless and soon done.

delay_values(M, Text, Values) :-
    (   catch(delay_in(M, Text, Delay, Body), error(_, _), fail),
        judge(M, Body, ok),
        catch(call_with_inference_limit(
                  findall(Row, limit(100, delay_row(M, Delay, Body, Row)), Rows),
                  1000000, Limit),
              _, fail),
        Limit \== inference_limit_exceeded
    ->  sort(Rows, Values)
    ;   Values = unknown
    ).

delay_in(M, [Text1,Text2], Delay, (Body1,Body2,Delay==Delay2)) :-
    !,
    term_in(M, Text1, Pair1-(Delay-Body1)),
    term_in(M, Text2, Pair2-(Delay2-Body2)),
    unify_with_occurs_check(Pair1, Pair2).
delay_in(M, Text, Delay, Body) :-
    term_in(M, Text, Delay-Body).

delay_row(M, Delay, Body, Row) :-
    call(M:Body),
    (   integer(Delay)
    ->  Row = [integer,Delay]
    ;   format(string(Text), '~q', [Delay]),
        Row = [other,Text]
    ).
