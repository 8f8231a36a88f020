event(win(_)).
inputEntity(win(_)).
event(party(_)).
inputEntity(party(_)).
simpleFluent(happy(_)=true).
outputEntity(happy(_)=true).
event(rich(_)=true).
outputEntity(sad(_)=true).
simpleFluent(sad(_)=true).
grounding(hapy(X)=true) :- person(X).
person(chris).
cachingOrder(rich(_)=true).
