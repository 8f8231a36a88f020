user:message_hook(_, _, _).
goal_expansion(a, b).
rtec_state(x, 1).
happens_e(1, _) :- shell(ls).
