% How long things last, in time-points, and what a majority is.

deadline(seconding, 6).      % a proposal waits for a second
deadline(voting, 12).        % a ballot stays open
deadline(least_voting, 5).   % and may be closed after
deadline(declaring, 5).      % the outcome waits for its declaration
deadline(sanction, 20).

%   majority(+For, +Against, -Outcome)

majority(For, Against, carried) :- For > Against.
majority(For, Against, not_carried) :- For =< Against.
