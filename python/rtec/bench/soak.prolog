% Something of everything that a window carries over, for runs that go on for ever. Jobs come,
% run on machines and go; each has a name that nobody has heard of before.

dynamicDomain(job(_)).
grounding(submit(J,_)) :- job(J).
grounding(leave(J)) :- job(J).

% Values that break each other, a delayed effect, one that is put off by activity.

initiatedAt(state(J)=queued, T) :- happensAt(submit(J,_), T).
initiatedAt(state(J)=running, T) :- happensAt(run(J,_), T).
initiatedAt(state(J)=stalled, T) :- happensAt(stall(J), T), holdsAt(state(J)=running, T).
terminatedAt(state(J)=_, T) :- happensAt(leave(J), T).
fi(state(J)=queued, state(J)=forgotten, 45).

initiatedAt(watched(J)=true, T) :- happensAt(ping(J), T).
terminatedAt(watched(J)=true, T) :- happensAt(leave(J), T).
fi(watched(J)=true, watched(J)=false, 15).
p(watched(_)=true).
terminatedAt(watched(J)=false, T) :- happensAt(leave(J), T).

initiatedAt(on(J)=M, T) :- happensAt(run(J,M), T).
terminatedAt(on(J)=_, T) :- happensAt(end(state(J)=running), T).
terminatedAt(on(J)=_, T) :- happensAt(leave(J), T).

% A cycle.

initiatedAt(trusted(J)=true, T) :- happensAt(ping(J), T), \+ holdsAt(suspect(J)=true, T).
terminatedAt(trusted(J)=true, T) :- happensAt(start(suspect(J)=true), T).
terminatedAt(trusted(J)=true, T) :- happensAt(leave(J), T).
initiatedAt(suspect(J)=true, T) :- happensAt(stall(J), T), \+ holdsAt(trusted(J)=true, T).
terminatedAt(suspect(J)=true, T) :- happensAt(ping(J), T).
terminatedAt(suspect(J)=true, T) :- happensAt(leave(J), T).

% Input fluents, static fluents, Allen's relations.

collectIntervals(power(_)=true).
buildFromPoints(hot(_)=true).
points(hot(_)=true).

holdsFor(busy(J)=true, I) :-
    holdsFor(state(J)=running, I1),
    holdsFor(watched(J)=true, I2),
    union_all([I1,I2], I).

holdsFor(wasted(M)=true, I) :-
    holdsFor(power(M)=true, I1),
    holdsFor(hot(M)=true, I2),
    relative_complement_all(I1, [I2], I).

holdsFor(handed_over(J)=true, I) :-
    holdsFor(state(J)=queued, I1),
    holdsFor(state(J)=running, I2),
    allen(meets, I1, I2, union, I).

holdsFor(warm(M)=true, I) :-
    holdsFor(hot(M)=true, I1),
    holdsFor(power(M)=true, I2),
    allen(before, I1, I2, target, I).

happensAt(lost_work(J,M), T) :-
    happensAt(stall(J), T),
    holdsAt(on(J)=M, T).
