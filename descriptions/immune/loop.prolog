% The loop of Figure 1.1 (left): who influences whom, and how high levels get. Every variable
% that changes influences itself, since after a step there may be another one to take.

influences(e, h).
influences(h, h).
influences(h, s).
influences(s, s).
influences(s, h).

max_level(e, 1).
max_level(h, 2).
max_level(s, 2).
