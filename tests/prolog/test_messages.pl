:- use_module(library(plunit)).
:- use_module(rtec(messages)).

:- begin_tests(messages).

step(simple(rich/1, holds_rich, points_rich, [])).

%   Slug, text and origin of each error that the engine makes.
test(time_limit, Slug-Text-Origin == 'time-limit'-Expected-'') :-
    step(Step),
    error_row(error(rtec(time_limit(2, Step)), _), [Slug,Text,Origin]),
    Expected = "evaluating simple `rich/1` took longer than the time limit of 2 s".

test(in_a_rule, Slug-Origin == exception-'toy.prolog:3') :-
    step(Step),
    error_row(error(rtec(in_step(Step, 'toy.prolog:3', mine(a), error(type_error(integer,a),_))), _),
              [Slug,Text,Origin]),
    mentions(Text, ["evaluating simple `rich/1`, in `mine(a)`:", "integer"]).

test(rule_not_known, Origin == '') :-
    step(Step),
    error_row(error(rtec(in_step(Step, unknown, unknown, error(type_error(integer,a),_))), _),
              [_,_,Origin]).

%   An error without words of its own is told as Prolog tells it.
test(plain, Slug == engine) :-
    error_row(error(existence_error(procedure, foo/2), _), [Slug,Text,'']),
    mentions(Text, ["foo/2"]).
test(thrown_by_a_user, Slug == engine) :-
    error_row(my_own_ball, [Slug,Text,'']),
    mentions(Text, ["my_own_ball"]).
test(one_line) :-
    error_row(error(type_error(evaluable, foo/0), context(system:(is)/2, _)), [_,Text,_]),
    \+ sub_string(Text, _, _, _, "\n").

%   SWI-Prolog's own toplevel has the same words.
test(toplevel) :-
    step(Step),
    shown(error(rtec(time_limit(2, Step)), _), Text),
    mentions(Text, ["rich/1", "time limit of 2 s"]).

shown(error(Error, _), Text) :-
    phrase(prolog:error_message(Error), Lines),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

mentions(Text, Parts) :-
    forall(member(Part, Parts), once(sub_string(Text, _, _, _, Part))).

:- end_tests(messages).
