deadline(short, 6).
deadline(same, 6).
deadline(wrong, -1).

kind(book, short).
deadline(odd, soon).
