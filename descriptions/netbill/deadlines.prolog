% How long things last, in time-points.

deadline(open_quote, 6).
deadline(expiring_quote, 4).
deadline(quiet, 4).
deadline(contract, 8).
deadline(suspension, 12).
