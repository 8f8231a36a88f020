% This is our variable domain

person(chris).

place(home).
place(pub).
place(work).
