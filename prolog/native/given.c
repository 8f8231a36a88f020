/*  What a store holds, handed from one session to another as columns (see python/rtec/spark/columns.py).

    On one side it is read where it stands, as in answers.c, and on the other side it is copied from the
    memory of Python. Instances and values go by the numbers of their source, a store of the other session,
    which tells once what they stand for. That has to be atomic: Python knows nothing else.
*/

#include <SWI-Prolog.h>
#include <stdlib.h>
#include <string.h>
#include "held.h"

typedef struct {
	uint32_t key, value;	/* numbers of the source */
	uint32_t count;		/* of intervals */
} cell;

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
    many intervals; and as much room again. Those of a target follow each other in cells, with the
    numbers of the key and of the value and the number of intervals, and in dealt, the intervals. Returns
    FALSE if there is less room for entries and intervals than the counts say, and -1 if a key is
    not among those known. */

int64_t rtec_deal(const entry *entries, int64_t n, const interval *spans, const int64_t *where,
		  int64_t known, const uint8_t *parts, int64_t targets, int64_t *counts, cell *cells,
		  interval *dealt, int64_t room, int64_t spans_room)
{
	int64_t *lengths = counts + targets, *at = lengths + targets, *spans_at = at + targets;
	int64_t sum = 0, spans_sum = 0;

	memset(counts, 0, 2 * (size_t)targets * sizeof *counts);
	for (const entry *e = entries; e < entries + n; e++) {
		if (e->key >= known)
			return -1;
		for (int64_t t = 0; t < targets; t++)
			if (parts[where[e->key] * targets + t]) {
				counts[t]++;
				lengths[t] += e->count;
			}
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
				cells[at[t]++] = (cell){e->key, e->value, e->count};
				memcpy(dealt + spans_at[t], spans + e->first, e->count * sizeof *spans);
				spans_at[t] += e->count;
			}
	return TRUE;
}

/*  names_of(h, source): what the numbers of a source stand for; NULL if it has told nothing. */

static names *names_of(const held *h, int64_t source)
{
	for (names *s = h->sources; s < h->sources + h->sources_count; s++)
		if (s->source == source)
			return s;
	return NULL;
}

/*  begin_names(h, source, epoch, &s): numbers stand for something else in a new epoch, and in each
    call where it is 0. */

static int begin_names(held *h, int64_t source, int64_t epoch, names **found)
{
	names *s = names_of(h, source);

	if (!s) {
		if (!ROOM(h->sources, h->sources_room, (size_t)h->sources_count + 1))
			return FALSE;
		s = &h->sources[h->sources_count++];
		*s = (names){.source = source, .epoch = epoch};
	}
	if (!epoch || s->epoch != epoch) {
		if (s->room)
			memset(s->own, 0, s->room * sizeof *s->own);
		h->named -= s->count;
		s->count = 0;
		s->epoch = epoch;
	}
	*found = s;
	return TRUE;
}

static int name(held *h, names *s, int64_t number, uint32_t own)
{
	if (number < 0 || number >= UINT32_MAX || !ZEROED(s->own, s->room, (size_t)number + 1))
		return FALSE;
	if (!s->own[number]) {
		s->count++;
		h->named++;
	}
	s->own[number] = own + 1;
	return TRUE;
}

/*  tell(h, s, list, arity, functor): the list has a number and so many terms, and so on. */

static int tell(held *h, names *s, term_t list, size_t arity, functor_t functor)
{
	term_t tail = PL_copy_term_ref(list), head = PL_new_term_ref();
	uint32_t parts[MOST_ARGUMENTS], own;
	int64_t number;

	while (PL_get_list(tail, head, tail)) {
		if (!PL_get_int64(head, &number))
			return FALSE;
		for (size_t i = 0; i < arity; i++)
			if (!PL_get_list(tail, head, tail) || !terms_number(&h->terms, head, &parts[i]))
				return FALSE;
		own = parts[0];
		if ((arity > 1 && !terms_compound(&h->terms, functor, parts, arity, &own)) ||
		    !name(h, s, number, own))
			return FALSE;
	}
	return TRUE;
}

/*  held_told(+Held, +Source, +Epoch, +Keys, +Values): what the numbers of a source stand for, besides those that
    it told in the same epoch. Keys has Number, Arg..., Number, Arg..., and Values has Number, Value, and so on. */

static foreign_t held_told(term_t t, term_t source, term_t epoch, term_t keys, term_t values)
{
	held *h = NULL;
	names *s;
	int64_t from, since;

	return get_held(t, &h) && h->arity > 0 && PL_get_int64_ex(source, &from) &&
		PL_get_int64_ex(epoch, &since) && begin_names(h, from, since, &s) &&
		tell(h, s, keys, h->arity, h->functor) && tell(h, s, values, 1, 0);
}

static int own_number(const names *s, uint32_t number, uint32_t *own)
{
	if (number >= s->room || !s->own[number])
		return FALSE;
	*own = s->own[number] - 1;
	return TRUE;
}

/*  held_given(+Held, +Source, +N, +Cells, +Spans): N entries between held_begin/1 and held_end/1, whose
    instances are not among the others. At Cells, each has the source's numbers of its key and its value, and
    how many intervals it has; and these follow each other at Spans. */

static foreign_t held_given(term_t t, term_t source, term_t count, term_t cells, term_t spans)
{
	held *h = NULL;
	int64_t from, cells_at, spans_at;
	uint32_t key, value;
	size_t n;

	if (!get_held(t, &h) || !PL_get_int64_ex(source, &from) || !PL_get_size_ex(count, &n) ||
	    !PL_get_int64_ex(cells, &cells_at) || !PL_get_int64_ex(spans, &spans_at))
		return FALSE;
	const names *s = names_of(h, from);
	const cell *c = (const cell *)(uintptr_t)cells_at;
	const interval *next = (const interval *)(uintptr_t)spans_at;
	if (!s)
		return FALSE;
	for (const cell *end = c + n; c < end; c++) {
		if (!own_number(s, c->key, &key) || !own_number(s, c->value, &value))
			return FALSE;
		interval *room = held_entry(h, key, value, c->count);
		if (!room)
			return FALSE;
		memcpy(room, next, c->count * sizeof *next);
		next += c->count;
	}
	return TRUE;
}

void install_given(void)
{
	PL_register_foreign("held_flat", 1, held_flat, 0);
	PL_register_foreign("held_told", 5, held_told, 0);
	PL_register_foreign("held_given", 5, held_given, 0);
}
