initiatedAt(quote(M)=true, T) :-
    happensAt(present(M), T).

fi(quote(M)=true, quote(M)=expiring, 0).
fi(quote(M)=expiring, quote(M)=false, 2.5).
fi(quote(M)=false, quote(M)=gone, R).
fi(quote(M)=gone, quote(M)=gone, 4).

initiatedAt(offer(M)=a, T) :-
    happensAt(present(M), T).

fi(offer(M)=a, offer(M)=b, 10).
fi(offer(M)=a, offer(M)=c, 10).
fi(offer(M)=a, offer(M)=d, 20).
fi(offer(M)=b, offer(M)=a, R) :- deadline(short, R).
fi(offer(M)=b, offer(M)=c, R) :- deadline(same, R).
fi(offer(M)=c, offer(M)=a, R) :- deadline(wrong, R).
fi(offer(M)=d, offer(M)=a, R) :- deadline(missing, R).
fi(offer(M)=e, offer(M)=a, R) :- kind(M, K), deadline(K, R).

p(offer(_)=a).
p(quote(_)=lost).
p(other(_)=true).

initiatedAt(loan(Item)=lent, T) :-
    happensAt(present(Item), T).

fi(loan(Item)=lent, loan(Item)=due, R) :- kind(Item, K), deadline(K, R).
fi(loan(Book)=lent, loan(Book)=recalled, 6).
fi(loan(Item)=due, loan(Item)=lost, R) :- deadline(_, R).
fi(loan(Item)=recalled, loan(Item)=lost, R) :- kind(Item, K), deadline(K, R).
fi(loan(Item)=recalled, loan(Item)=lent, 7).
fi(loan(Item)=lost, loan(Item)=lent, 9).
fi(loan(Item)=lost, loan(Item)=due, 9) :- kind(Item, short).
fi(loan(Item)=lost, loan(Item)=recalled, 9) :- kind(Item, long).
