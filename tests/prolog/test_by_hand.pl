:- use_module(library(plunit)).
:- use_module(rtec(by_hand)).

/** <module> Records that a person types */

s:rtec_records(event, go_to/2, happens_go_to, 3).
s:rtec_records(event, tick/0, happens_tick, 1).
s:rtec_records(interval, near/2, interval_near, 5).
s:rtec_records(point, seen/1, point_seen, 3).

:- begin_tests(hand_records).

test(event, R == record(load, event, go_to, 9, happens_go_to(9, ann, work))) :-
    hand_records(s, happensAt(go_to(ann, work), 9), [R]).

test(event_without_arguments, R == record(load, event, tick, 3, happens_tick(3))) :-
    hand_records(s, happensAt(tick, 3), [R]).

test(taken_back, R == record(unload, event, tick, 3, happens_tick(3))) :-
    hand_records(s, -happensAt(tick, 3), [R]).

test(taken_back_twice, R == record(load, event, tick, 3, happens_tick(3))) :-
    hand_records(s, - (-happensAt(tick, 3)), [R]).

test(intervals, Facts == [interval_near(1, 3, true, a, b), interval_near(5, 9, true, a, b)]) :-
    hand_records(s, holdsFor(near(a, b)=true, [(1,3),(5,9)]), Records),
    findall(Fact, member(record(load, interval, near, _, Fact), Records), Facts).

test(point, R == record(load, point, seen, 4, point_seen(4, yes, a))) :-
    hand_records(s, holdsAt(seen(a)=yes, 4), [R]).

test(several, Kinds == [event,point,event]) :-
    hand_records(s, [happensAt(tick, 1), [holdsAt(seen(a)=yes, 4)], "tick|3|3"], Records),
    findall(Kind, member(record(_, Kind, _, _, _), Records), Kinds).

:- end_tests(hand_records).

:- begin_tests(lines).

test(event, R == record(load, event, go_to, 12, happens_go_to(9, ann, 'the pub'))) :-
    hand_records(s, "go_to|12|9|ann|the pub", [R]).

test(atom_as_well, R == record(load, event, tick, 3, happens_tick(3))) :-
    hand_records(s, 'tick|3|3', [R]).

test(trailing_bar, R == record(load, event, tick, 3, happens_tick(3))) :-
    hand_records(s, "tick|3|3|", [R]).

test(taken_back, R == record(unload, event, tick, 5, happens_tick(3))) :-
    hand_records(s, "-tick|5|3", [R]).

test(interval, R == record(load, interval, near, 4, interval_near(2, 7, true, a, b))) :-
    hand_records(s, "near|4|2|7|true|a|b", [R]).

test(point, R == record(load, point, seen, 4, point_seen(2, yes, a))) :-
    hand_records(s, "seen|4|2|yes|a", [R]).

test(fields, Args == [7, -3.5, 1.0e-7, '12e5', f(a,g('B c')), ' 7', 'f(', '[]', 'f(X)', '']) :-
    maplist(rtec_by_hand:field,
            ["007", "-3.5", "1.0e-07", "12e5", "f(a,g('B c'))", " 7", "f(", "[]", "f(X)", ""],
            Args).

:- end_tests(lines).

:- begin_tests(mistakes).

test(variable, error(rtec_by_hand(nothing))) :-
    hand_records(s, _, _).
test(form, error(rtec_by_hand(form(f(3))))) :-
    hand_records(s, f(3), _).
test(unknown, error(rtec_by_hand(unknown(event, goto/2, [go_to/2,tick/0])))) :-
    hand_records(s, happensAt(goto(a, b), 3), _).
test(unknown_line, error(rtec_by_hand(unknown(record, goto, _)))) :-
    hand_records(s, "goto|1|2", _).
test(arity, error(rtec_by_hand(unknown(event, go_to/1, _)))) :-
    hand_records(s, happensAt(go_to(a), 3), _).
test(fields, error(rtec_by_hand(fields("go_to|1|2")))) :-
    hand_records(s, "go_to|1|2", _).
test(time, error(rtec_by_hand(time(x)))) :-
    hand_records(s, happensAt(tick, x), _).
test(time_in_a_line, error(rtec_by_hand(time(_)))) :-
    hand_records(s, "tick|3|3.5", _).
test(arrival, error(rtec_by_hand(time(_)))) :-
    hand_records(s, "tick|soon|3", _).
test(backwards, error(rtec_by_hand(backwards(5, 3)))) :-
    hand_records(s, holdsFor(near(a, b)=true, [(5,3)]), _).
test(backwards_line, error(rtec_by_hand(backwards(5, 3)))) :-
    hand_records(s, "near|1|5|3|true|a|b", _).
test(open_interval, error(rtec_by_hand(interval((5,inf))))) :-
    hand_records(s, holdsFor(near(a, b)=true, [(5,inf)]), _).
test(variables, error(rtec_by_hand(variables(happensAt(go_to(a,_), 3))))) :-
    hand_records(s, happensAt(go_to(a, _), 3), _).
test(number_for_an_event, error(rtec_by_hand(form(_)))) :-
    hand_records(s, happensAt(7, 3), _).

test(every_mistake_has_words) :-
    forall(member(What, [nothing, form(f), variables(f(_)), time(_), time(x), interval(x),
                         backwards(5, 3), fields("x"), unknown(event, goto/2, [go_to/2]),
                         unknown(event, f/0, []), unknown(record, goto, [go_to/2, tick/0])]),
           ( message_to_codes_(error(rtec_by_hand(What), _), Text),
             \+ sub_string(Text, _, _, _, "Unknown")
           )).

message_to_codes_(Error, Text) :-
    message_to_lines(Error, Lines),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

message_to_lines(Error, Lines) :-
    phrase('$messages':translate_message(Error), Lines).

:- end_tests(mistakes).

:- begin_tests(records).

test(change, Change == -(load_happens_go_to, [[9],[ann],[work]], [])) :-
    record_change(record(load, event, go_to, 9, happens_go_to(9, ann, work)), Change).

test(last, Ts == [9,6,3,5]) :-
    maplist([R,T]>>record_last(R, 1, T),
            [ record(load, event, go_to, 12, happens_go_to(9, ann, work)),
              record(load, interval, near, 4, interval_near(2, 7, true, a, b)),
              record(load, interval, near, 4, interval_near(3, 3, true, a, b)),
              record(unload, point, seen, 9, point_seen(5, yes, a))
            ], Ts).

test(term, Terms == [happensAt(tick, 3), -holdsAt(seen(a)=yes, 5),
                     holdsFor(near(a, b)=true, [(2,7)])]) :-
    maplist(record_term,
            [ record(load, event, tick, 3, happens_tick(3)),
              record(unload, point, seen, 9, point_seen(5, yes, a)),
              record(load, interval, near, 4, interval_near(2, 7, true, a, b))
            ], Terms).

:- end_tests(records).
