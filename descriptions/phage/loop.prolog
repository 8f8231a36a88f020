% The loop of Figure 1.1 (right): who influences whom, and how high levels get. Every variable
% influences itself, since after a step there may be another one to take.

influences(cI, cI).
influences(cII, cI).
influences(cro, cI).
influences(cro, cro).
influences(cI, cro).
influences(cII, cII).
influences(n, cII).
influences(cI, cII).
influences(cro, cII).
influences(n, n).
influences(cI, n).
influences(cro, n).

max_level(cI, 2).
max_level(cro, 3).
max_level(cII, 1).
max_level(n, 1).
