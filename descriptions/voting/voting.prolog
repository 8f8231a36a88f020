% A voting protocol: committees deliberate over motions, and the engine keeps track of who may,
% can and must do what.
%
% Input events, each with the agent first and the motion second:
%     propose(Agent, Motion)        second(Agent, Motion)
%     vote(Agent, Motion, Vote)     Vote is aye or nay
%     close_ballot(Agent, Motion)   declare(Agent, Motion, Outcome)
% Outcome is carried or not_carried.
%
% Background knowledge: committee_of/2 says which committee deliberates over a motion; chair/2,
% proposer/2, seconder/2 and voter/2 who has which role in a committee; deadline/2 how long
% each stage may last.


% ---- The stages of a motion ----------------------------------------------------------------

% null -> proposed -> voting -> voted -> null (thesis, 3.3 to 3.6). Only who has the role for an
% action has the power to perform it: from anybody else it has no effect.

initially(status(_Motion)=null).

initiatedAt(status(M)=proposed, T) :-
    happensAt(propose(P, M), T),
    committee_of(M, C),
    proposer(C, P),
    holdsAt(status(M)=null, T).

initiatedAt(status(M)=voting, T) :-
    happensAt(second(S, M), T),
    committee_of(M, C),
    seconder(C, S),
    holdsAt(status(M)=proposed, T).

initiatedAt(status(M)=voted, T) :-
    happensAt(close_ballot(Chair, M), T),
    committee_of(M, C),
    chair(C, Chair),
    holdsAt(status(M)=voting, T).

initiatedAt(status(M)=null, T) :-
    happensAt(declare(Chair, M, _Outcome), T),
    committee_of(M, C),
    chair(C, Chair),
    holdsAt(status(M)=voted, T).

% A motion that nobody seconds lapses, a ballot that nobody closes closes by itself, and a
% motion whose outcome nobody declares is dropped.

fi(status(M)=proposed, status(M)=null, R) :- deadline(seconding, R).
fi(status(M)=voting, status(M)=voted, R) :- deadline(voting, R).
fi(status(M)=voted, status(M)=null, R) :- deadline(declaring, R).


% ---- Votes and outcomes --------------------------------------------------------------------

% A vote may be changed while the ballot is open; it is forgotten when the motion is done with.

initiatedAt(voted(V, M)=Vote, T) :-
    happensAt(vote(V, M, Vote), T),
    holdsAt(status(M)=voting, T),
    committee_of(M, C),
    voter(C, V).

terminatedAt(voted(V, M)=_Vote, T) :-
    happensAt(start(status(M)=null), T),
    committee_of(M, C),
    voter(C, V).

happensAt(ballot_result(M, Outcome), T) :-
    happensAt(start(status(M)=voted), T),
    findall(V, holdsAt(voted(V, M)=aye, T), Ayes),
    findall(V, holdsAt(voted(V, M)=nay, T), Nays),
    length(Ayes, For),
    length(Nays, Against),
    majority(For, Against, Outcome).

initiatedAt(outcome(M)=Outcome, T) :-
    happensAt(declare(Chair, M, Outcome), T),
    committee_of(M, C),
    chair(C, Chair),
    holdsAt(status(M)=voted, T).

terminatedAt(outcome(M)=_Outcome, T) :-
    happensAt(start(status(M)=proposed), T).


% ---- Institutional power -------------------------------------------------------------------

% Power belongs to a role: pow(voter, vote(M)) means that a vote on M by whoever is a voter of
% the committee counts.

holdsFor(pow(proposer, propose(M))=true, I) :-
    holdsFor(status(M)=null, I).

holdsFor(pow(seconder, second(M))=true, I) :-
    holdsFor(status(M)=proposed, I).

holdsFor(pow(voter, vote(M))=true, I) :-
    holdsFor(status(M)=voting, I).

holdsFor(pow(chair, close_ballot(M))=true, I) :-
    holdsFor(status(M)=voting, I).

holdsFor(pow(chair, declare(M))=true, I) :-
    holdsFor(status(M)=voted, I).


% ---- Permission ----------------------------------------------------------------------------

% The chair can close the ballot at once, but may do so only after some time.

initiatedAt(ballot(M)=open, T) :-
    happensAt(start(status(M)=voting), T).

terminatedAt(ballot(M)=_, T) :-
    happensAt(end(status(M)=voting), T).

fi(ballot(M)=open, ballot(M)=closable, R) :- deadline(least_voting, R).

holdsFor(per(close_ballot(Chair, M))=true, I) :-
    holdsFor(ballot(M)=closable, I),
    committee_of(M, C),
    chair(C, Chair).


% ---- Obligation ----------------------------------------------------------------------------

% When the ballot is over, the chair must declare its result.

initiatedAt(obl(declare(Chair, M, Outcome))=true, T) :-
    happensAt(ballot_result(M, Outcome), T),
    committee_of(M, C),
    chair(C, Chair).

terminatedAt(obl(declare(_Chair, M, _Outcome))=true, T) :-
    happensAt(end(status(M)=voted), T).


% ---- Sanctions -----------------------------------------------------------------------------

% The chair closes the ballot before it is permitted,

initiatedAt(sanctioned(Chair)=true, T) :-
    happensAt(close_ballot(Chair, M), T),
    committee_of(M, C),
    chair(C, Chair),
    holdsAt(status(M)=voting, T),
    not holdsAt(per(close_ballot(Chair, M))=true, T).

% declares something else than the result,

initiatedAt(sanctioned(Chair)=true, T) :-
    happensAt(declare(Chair, M, Outcome), T),
    committee_of(M, C),
    chair(C, Chair),
    holdsAt(status(M)=voted, T),
    not holdsAt(obl(declare(Chair, M, Outcome))=true, T).

% or lets the time for it go by.

initiatedAt(sanctioned(Chair)=true, T) :-
    happensAt(end(status(M)=voted), T),
    committee_of(M, C),
    chair(C, Chair),
    not happensAt(declare(Chair, M, _), T).

% A voter votes twice in one ballot.

initiatedAt(sanctioned(V)=true, T) :-
    happensAt(vote(V, M, _), T),
    holdsAt(status(M)=voting, T),
    holdsAt(voted(V, M)=_, T).

% Somebody proposes what is not his to propose.

initiatedAt(sanctioned(P)=true, T) :-
    happensAt(propose(P, M), T),
    committee_of(M, C),
    not proposer(C, P).

fi(sanctioned(Agent)=true, sanctioned(Agent)=false, R) :- deadline(sanction, R).
