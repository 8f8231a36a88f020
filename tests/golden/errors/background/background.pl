known(a).
known(b.
known(c).
length(a, b).
:- ['missing.pl'].
