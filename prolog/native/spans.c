/*  Input fluents: from what records say to the maximal intervals of each instance.

    Records are handed over one by one, in any order, as spans of time in which an instance has a
    value. Spans that overlap or touch become one. A thread hands over those of one fluent at a time.
*/

#include <SWI-Prolog.h>
#include <stdlib.h>
#include <string.h>
#include "held.h"

typedef struct {
	interval span;
	uint32_t pair;		/* the instance and value, see held_met */
} reported;

static _Thread_local struct {
	reported *items;
	uint32_t count, room;
	interval *sorted;
	uint32_t sorted_room;
	uint32_t *ends;		/* by pair, where its spans end */
	uint32_t ends_room;
} all;

/*  spans_begin(+Held): spans follow. */

static foreign_t spans_begin(term_t t)
{
	held *h = NULL;

	if (!get_held(t, &h))
		return FALSE;
	held_clear(h);
	all.count = 0;
	return TRUE;
}

/*  spans_add(+Held, +Key, +Value, +Start, +End) */

static foreign_t spans_add(term_t t, term_t key, term_t value, term_t start, term_t end)
{
	held *h = NULL;
	uint32_t k, v;
	int first;
	reported r;

	if (!get_held(t, &h))
		return FALSE;
	if (!terms_number(&h->terms, key, &k) || !terms_number(&h->terms, value, &v) ||
	    !PL_is_integer(start) || !PL_get_int64(start, &r.span.start) || !get_end(end, &r.span.end)) {
		h->unfit = TRUE;
		return TRUE;
	}
	if (!held_met(h, k, v, &first) || !ROOM(all.items, all.room, (size_t)all.count + 1))
		return FALSE;
	r.pair = h->pair;
	all.items[all.count++] = r;
	return TRUE;
}

static int by_start(const void *a, const void *b)
{
	const interval *i = a, *j = b;

	return (i->start > j->start) - (i->start < j->start);
}

/*  by_pair(pairs): the spans in order of their pairs, and where those of each end. */

static int by_pair(uint32_t pairs)
{
	uint32_t n = 0;

	if (!ROOM(all.sorted, all.sorted_room, all.count) || !ROOM(all.ends, all.ends_room, pairs))
		return FALSE;
	if (pairs)
		memset(all.ends, 0, pairs * sizeof *all.ends);
	for (uint32_t i = 0; i < all.count; i++)
		all.ends[all.items[i].pair]++;
	for (uint32_t p = 0; p < pairs; p++) {
		uint32_t count = all.ends[p];
		all.ends[p] = n;
		n += count;
	}
	for (uint32_t i = 0; i < all.count; i++)
		all.sorted[all.ends[all.items[i].pair]++] = all.items[i].span;
	return TRUE;
}

/*  joined(spans, n): sort spans, and make one of those that overlap or touch; return how many there are. */

static uint32_t joined(interval *spans, uint32_t n)
{
	uint32_t count = n > 0, i = 1;

	while (i < n && spans[i].start >= spans[i - 1].start)
		i++;
	if (i < n)
		qsort(spans, n, sizeof *spans, by_start);
	for (i = 1; i < n; i++) {
		interval *last = &spans[count - 1];
		if (spans[i].start > last->end)
			spans[count++] = spans[i];
		else if (spans[i].end > last->end)
			last->end = spans[i].end;
	}
	return count;
}

/*  replace(h, spans, count, w, first): an instance holds from now on the part of spans in the window whose first time-point is
    first; one that begins there began when that did which held at w. */

static int replace(held *h, interval *spans, uint32_t count, int64_t w, int64_t first)
{
	uint32_t n;

	for (; count && spans->end <= first; spans++)
		count--;
	if (count && spans->start <= first) {
		spans->start = first;
		const interval *old = held_intervals(h, h->key, h->value, &n);
		for (; n > 0 && old->start <= w; old++, n--)
			if (w < old->end)
				spans->start = old->start;
	}
	return held_put(h, h->key, h->value, spans, count);
}

/*  ended(t, window, first_point, replaced): all spans are there. */

static foreign_t ended(term_t t, term_t window, term_t first_point, int replaced)
{
	held *h = NULL;
	int64_t w, first;

	if (!get_held(t, &h) || !PL_get_int64_ex(window, &w) || !PL_get_int64_ex(first_point, &first) ||
	    h->unfit || !by_pair(h->pairs_count))
		return FALSE;
	for (uint32_t p = 0, from = 0; p < h->pairs_count; from = all.ends[p++]) {
		interval *spans = all.sorted + from;
		uint32_t count = joined(spans, all.ends[p] - from);
		h->key = h->pairs[p].key;
		h->value = h->pairs[p].value;
		if (!(replaced ? replace(h, spans, count, w, first) : held_add(h, spans, count, w, first)))
			return FALSE;
	}
	if (!replaced)
		return held_done(h);
	held_clear(h);
	return TRUE;
}

/*  spans_end(+Held, +W, +First): what is held from now on is the part of the spans in the window whose first
    time-point is First, joined to what held at W. Fails if a span does not fit. */

static foreign_t spans_end(term_t t, term_t window, term_t first_point)
{
	return ended(t, window, first_point, FALSE);
}

/*  spans_replaced(+Held, +W, +First): the same for those instances alone of which spans were added, or which
    were named by held_first/3; others hold what they held. */

static foreign_t spans_replaced(term_t t, term_t window, term_t first_point)
{
	return ended(t, window, first_point, TRUE);
}

void install_spans(void)
{
	PL_register_foreign("spans_begin", 1, spans_begin, 0);
	PL_register_foreign("spans_add", 5, spans_add, 0);
	PL_register_foreign("spans_end", 3, spans_end, 0);
	PL_register_foreign("spans_replaced", 3, spans_replaced, 0);
}
