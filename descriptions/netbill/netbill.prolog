% NetBill: merchants and consumers negotiate over digital goods.
%
% Input events:
%     request_quote(Consumer, Merchant, Goods)
%     present_quote(Merchant, Consumer, Goods, Price)    asked for, or to advertise
%     accept_quote(Consumer, Merchant, Goods)
%     send_goods(Merchant, Consumer, Goods)
%     send_payment(Consumer, Merchant, Goods)            an electronic payment order
%
% Background knowledge: deadline/2 says how long things last.


% ---- Quotes (thesis, Examples 6 and 7) -----------------------------------------------------

initiatedAt(quote(M, C, G)=true, T) :-
    happensAt(present_quote(M, C, G, _Price), T).

initiatedAt(quote(M, C, G)=false, T) :-
    happensAt(accept_quote(C, M, G), T).

% A quote is open for a while, then about to expire, then void. Presenting it once more while
% it is open prolongs it.

fi(quote(M, C, G)=true, quote(M, C, G)=expiring, R) :- deadline(open_quote, R).
fi(quote(M, C, G)=expiring, quote(M, C, G)=false, R) :- deadline(expiring_quote, R).
p(quote(_M, _C, _G)=true).

holdsFor(validQuote(M, C, G)=true, I) :-
    holdsFor(quote(M, C, G)=true, I1),
    holdsFor(quote(M, C, G)=expiring, I2),
    union_all([I1, I2], I).


% ---- Permission to advertise ---------------------------------------------------------------

% After a quote for some goods the merchant has to leave the consumer alone with them for some
% time, unless asked.

initiatedAt(per(present_quote(M, C, G))=false, T) :-
    happensAt(present_quote(M, C, G, _Price), T).

initiatedAt(per(present_quote(M, C, G))=true, T) :-
    happensAt(request_quote(C, M, G), T).

fi(per(present_quote(M, C, G))=false, per(present_quote(M, C, G))=true, R) :- deadline(quiet, R).
p(per(present_quote(_M, _C, _G))=false).


% ---- Contracts -----------------------------------------------------------------------------

% A valid quote that is accepted makes a contract, if neither side is suspended; suspension
% comes from other contracts (the cycle of Figure 3.1).

initiatedAt(contract(M, C, G)=true, T) :-
    happensAt(accept_quote(C, M, G), T),
    holdsAt(validQuote(M, C, G)=true, T),
    not holdsAt(suspended(M, merchant)=true, T),
    not holdsAt(suspended(C, consumer)=true, T).

% It ends when goods and payment have both been sent, or when its time is up.

initiatedAt(contract(M, C, G)=false, T) :-
    happensAt(send_goods(M, C, G), T),
    holdsAt(contract(M, C, G)=true, T),
    not holdsAt(obl(send_payment(C, M, G))=true, T).

initiatedAt(contract(M, C, G)=false, T) :-
    happensAt(send_payment(C, M, G), T),
    holdsAt(contract(M, C, G)=true, T),
    not holdsAt(obl(send_goods(M, C, G))=true, T).

initiatedAt(contract(M, C, G)=false, T) :-
    happensAt(send_payment(C, M, G), T),
    happensAt(send_goods(M, C, G), T),
    holdsAt(contract(M, C, G)=true, T).

fi(contract(M, C, G)=true, contract(M, C, G)=false, R) :- deadline(contract, R).


% ---- Obligations ---------------------------------------------------------------------------

initiatedAt(obl(send_goods(M, C, G))=true, T) :-
    initiatedAt(contract(M, C, G)=true, T).

terminatedAt(obl(send_goods(M, C, G))=true, T) :-
    happensAt(send_goods(M, C, G), T).

terminatedAt(obl(send_goods(M, C, G))=true, T) :-
    initiatedAt(contract(M, C, G)=false, T).

initiatedAt(obl(send_payment(C, M, G))=true, T) :-
    initiatedAt(contract(M, C, G)=true, T).

terminatedAt(obl(send_payment(C, M, G))=true, T) :-
    happensAt(send_payment(C, M, G), T).

terminatedAt(obl(send_payment(C, M, G))=true, T) :-
    initiatedAt(contract(M, C, G)=false, T).


% ---- Suspension ----------------------------------------------------------------------------

% The time of a contract is up, and the goods or the payment are missing.

initiatedAt(suspended(M, merchant)=true, T) :-
    initiatedAt(contract(M, C, G)=false, T),
    holdsAt(obl(send_goods(M, C, G))=true, T),
    not happensAt(send_goods(M, C, G), T).

initiatedAt(suspended(C, consumer)=true, T) :-
    initiatedAt(contract(M, C, G)=false, T),
    holdsAt(obl(send_payment(C, M, G))=true, T),
    not happensAt(send_payment(C, M, G), T).

% A merchant advertises where it is not permitted.

initiatedAt(suspended(M, merchant)=true, T) :-
    happensAt(present_quote(M, C, G, _Price), T),
    holdsAt(per(present_quote(M, C, G))=false, T).

% Suspension is lifted after a while, counted from the last offence.

fi(suspended(A, Role)=true, suspended(A, Role)=false, R) :- deadline(suspension, R).
p(suspended(_A, _Role)=true).


% ---- Institutional power -------------------------------------------------------------------

% Accepting a quote counts only while it is valid and neither side is suspended.

holdsFor(pow(accept_quote(C, M, G))=true, I) :-
    holdsFor(validQuote(M, C, G)=true, I1),
    holdsFor(suspended(M, merchant)=true, I2),
    holdsFor(suspended(C, consumer)=true, I3),
    relative_complement_all(I1, [I2, I3], I).
