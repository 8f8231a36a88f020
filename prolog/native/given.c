/*  What a store holds, handed from one session to another as columns (see python/rtec/spark/columns.py).

    On one side it is read where it stands, as in answers.c, and on the other side it is copied from the
    memory of Python. What an instance and a value are has to be atomic: Python knows nothing else.
*/

#include <SWI-Prolog.h>
#include <stdlib.h>
#include <string.h>
#include "held.h"

/*  held_flat(+Held): the arguments and values of all entries are atoms and numbers. */

static foreign_t held_flat(term_t t)
{
	held *h = NULL;

	if (!get_held(t, &h))
		return FALSE;
	for (uint32_t i = 0; i < h->now.count; i++) {
		const entry *e = &h->now.entries[i];
		if (!terms_plain(&h->terms, e->value) || !terms_plain_args(&h->terms, e->key, h->arity))
			return FALSE;
	}
	return TRUE;
}

/*  rtec_deal(...): for Python. Deal n entries out to targets: each goes to those that the row of its key in
    parts says, where[key]. Counts has for each target how many entries it gets, and for each how
    many intervals; and as much room again. Those of a target follow each other in keys, in
    cells, with the place of the value and the number of intervals, and in dealt, the intervals. Returns
    FALSE if there is less room for entries and intervals than the counts say. */

int64_t rtec_deal(const entry *entries, int64_t n, const interval *spans, const int64_t *where,
		  const uint8_t *parts, int64_t targets, const int64_t *places, int64_t *counts,
		  uint32_t *keys, uint32_t *cells, interval *dealt, int64_t room, int64_t spans_room)
{
	int64_t *lengths = counts + targets, *at = lengths + targets, *spans_at = at + targets;
	int64_t sum = 0, spans_sum = 0;

	memset(counts, 0, 2 * (size_t)targets * sizeof *counts);
	for (const entry *e = entries; e < entries + n; e++)
		for (int64_t t = 0; t < targets; t++)
			if (parts[where[e->key] * targets + t]) {
				counts[t]++;
				lengths[t] += e->count;
			}
	for (int64_t t = 0; t < targets; t++) {
		at[t] = sum;
		spans_at[t] = spans_sum;
		sum += counts[t];
		spans_sum += lengths[t];
	}
	if (sum > room || spans_sum > spans_room)
		return FALSE;
	for (const entry *e = entries; e < entries + n; e++)
		for (int64_t t = 0; t < targets; t++)
			if (parts[where[e->key] * targets + t]) {
				keys[at[t]] = e->key;
				cells[2 * at[t]] = (uint32_t)places[e->value];
				cells[2 * at[t]++ + 1] = e->count;
				memcpy(dealt + spans_at[t], spans + e->first, e->count * sizeof *spans);
				spans_at[t] += e->count;
			}
	return TRUE;
}

/*  numbers_of(h, list, &all, &count): the number of each term in a list. */

static int numbers_of(held *h, term_t list, uint32_t **all, uint32_t *count)
{
	term_t tail = PL_copy_term_ref(list), head = PL_new_term_ref();
	uint32_t room = 0;

	*all = NULL;
	*count = 0;
	while (PL_get_list(tail, head, tail))
		if (!ROOM(*all, room, (size_t)*count + 1) ||
		    !terms_number(&h->terms, head, &(*all)[(*count)++]))
			return FALSE;
	return TRUE;
}

static int add_entries(held *h, const uint32_t *args, const uint32_t *values, uint32_t values_count,
		       const uint32_t *cells, uint32_t count, const interval *spans)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t key = args[i], value = cells[2 * i], length = cells[2 * i + 1];
		if (value >= values_count ||
		    (h->arity > 1 && !terms_compound(&h->terms, h->functor, args + i * h->arity, h->arity, &key)))
			return FALSE;
		interval *room = held_entry(h, key, values[value], length);
		if (!room)
			return FALSE;
		memcpy(room, spans, length * sizeof *spans);
		spans += length;
	}
	return TRUE;
}

/*  held_given(+Held, +Args, +Values, +Cells, +Spans): entries between held_begin/1 and held_end/1, whose
    instances are not among the others. Args has the arguments of all of them in a row; at Cells, each has
    which of Values is its own and how many intervals it has; and these follow each other at Spans. */

static foreign_t held_given(term_t t, term_t args, term_t values, term_t cells, term_t spans)
{
	held *h = NULL;
	uint32_t *keys = NULL, *own = NULL, keys_count = 0, own_count = 0;
	int64_t cells_at, spans_at;

	if (!get_held(t, &h) || !PL_get_int64_ex(cells, &cells_at) || !PL_get_int64_ex(spans, &spans_at))
		return FALSE;
	int done = h->arity > 0 && numbers_of(h, args, &keys, &keys_count) &&
		numbers_of(h, values, &own, &own_count) && keys_count % h->arity == 0 &&
		add_entries(h, keys, own, own_count, (const uint32_t *)(uintptr_t)cells_at,
			    keys_count / (uint32_t)h->arity, (const interval *)(uintptr_t)spans_at);
	free(keys);
	free(own);
	return done;
}

void install_given(void)
{
	PL_register_foreign("held_flat", 1, held_flat, 0);
	PL_register_foreign("held_given", 5, held_given, 0);
}
