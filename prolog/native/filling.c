/*  A store that is filled anew, instance by instance. */

#include <SWI-Prolog.h>
#include <stdlib.h>
#include <string.h>
#include "held.h"

static functor_t functor_held3, functor_comma2;

/*  get_interval(t, &i): of a term (Start,End); FALSE if it does not fit. */

static int get_interval(term_t t, interval *i)
{
	term_t arg = PL_new_term_ref();
	int done = PL_is_functor(t, functor_comma2) && PL_get_arg(1, t, arg) && PL_is_integer(arg) &&
		PL_get_int64(arg, &i->start) && PL_get_arg(2, t, arg) && get_end(arg, &i->end);

	PL_reset_term_refs(arg);
	return done;
}

int get_intervals(term_t list, interval **items, uint32_t *room, uint32_t *count, int *fits)
{
	term_t tail = PL_copy_term_ref(list), head = PL_new_term_ref();

	*count = 0;
	*fits = TRUE;
	while (*fits && PL_get_list(tail, head, tail)) {
		if (!room_for((void **)items, room, (size_t)*count + 1, sizeof **items, FALSE))
			return FALSE;
		*fits = get_interval(head, &(*items)[(*count)++]);
	}
	*fits = *fits && PL_get_nil(tail);
	return TRUE;
}

/*  add_list(h, key, value, list, after, from): a new entry with the intervals that end after so
    and so; none if that is nothing. The first one begins at from at the earliest. */

static int add_list(held *h, uint32_t key, uint32_t value, term_t list, int64_t after, int64_t from,
		    entry **added)
{
	term_t tail = PL_copy_term_ref(list), head = PL_new_term_ref();

	*added = NULL;
	while (PL_get_list(tail, head, tail)) {
		interval i;
		if (!get_interval(head, &i)) {
			h->unfit = TRUE;
			return TRUE;
		}
		if (!*added) {
			if (i.end <= after)
				continue;
			if (i.start < from)
				i.start = from;
			if (!held_entry(h, key, value, 0))
				return FALSE;
			*added = &h->next.entries[h->next.count - 1];
		}
		table *t = &h->next;
		if (!ROOM(t->spans, t->spans_room, (size_t)t->spans_count + 1))
			return FALSE;
		t->spans[t->spans_count++] = i;
		(*added)->count++;
	}
	if (!PL_get_nil(tail))
		h->unfit = TRUE;
	return TRUE;
}

/*  held_begin(+Held): new entries follow. held_end(+Held): they are all there; fails if one does not
    fit, and leaves everything as it was. */

static foreign_t held_begin(term_t t)
{
	held *h = NULL;

	if (!get_held(t, &h))
		return FALSE;
	held_clear(h);
	return TRUE;
}

static foreign_t held_end(term_t t)
{
	held *h = NULL;

	return get_held(t, &h) && held_done(h);
}

int held_met(held *h, uint32_t key, uint32_t value, int *first)
{
	h->key = key;
	h->value = value;
	*first = FALSE;
	if (key >= h->met_size) {
		uint32_t size = h->met_size;
		if (!ROOM(h->met, h->met_size, (size_t)h->terms.count))
			return FALSE;
		memset(h->met + size, 0, (h->met_size - size) * sizeof *h->met);
	}
	for (uint32_t i = h->met[key]; i; i = h->pairs[i - 1].before)
		if (h->pairs[i - 1].value == value) {
			h->pair = i - 1;
			return TRUE;
		}
	if (!ROOM(h->pairs, h->pairs_room, (size_t)h->pairs_count + 1))
		return FALSE;
	h->pair = h->pairs_count++;
	h->pairs[h->pair] = (pair){key, value, h->met[key]};
	h->met[key] = h->pairs_count;
	*first = TRUE;
	return TRUE;
}

/*  held_first(+Held, +Key, +Value): true when it is first called so since held_begin/1. What is
    held_joined/4 or held_whole/3 next is of that instance. */

static foreign_t held_first(term_t t, term_t key, term_t value)
{
	held *h = NULL;
	uint32_t k, v;
	int first;

	if (!get_held(t, &h))
		return FALSE;
	if (!terms_number(&h->terms, key, &k) || !terms_number(&h->terms, value, &v)) {
		h->unfit = TRUE;
		return FALSE;
	}
	return held_met(h, k, v, &first) && first;
}

/*  join(h, from, w): the last new entry, if it begins at from, began when that did which held at w. */

static void join(held *h, int64_t from, int64_t w)
{
	const entry *e = &h->next.entries[h->next.count - 1];
	interval *begin = &h->next.spans[e->first];
	uint32_t n;

	if (begin->start != from)
		return;
	const interval *i = held_intervals(h, e->key, e->value, &n);
	for (; n > 0; i++, n--)
		if (i->start <= w && w < i->end) {
			begin->start = i->start;
			return;
		}
}

int held_add(held *h, const interval *spans, uint32_t count, int64_t w, int64_t first)
{
	while (count > 0 && spans->end <= first) {
		spans++;
		count--;
	}
	if (count == 0)
		return TRUE;
	interval *added = held_entry(h, h->key, h->value, count);
	if (!added)
		return FALSE;
	memcpy(added, spans, count * sizeof *spans);
	if (added->start < first)
		added->start = first;
	join(h, first, w);
	return TRUE;
}

/*  held_joined(+Held, +Intervals, +W, +First): the part of them in the window, whose first
    time-point is First; one that begins with the window began when the one before did that held
    at W. */

static foreign_t held_joined(term_t t, term_t list, term_t w, term_t first)
{
	held *h = NULL;
	entry *added;
	int64_t window, from;

	if (!get_held(t, &h) || !PL_get_int64_ex(w, &window) || !PL_get_int64_ex(first, &from) ||
	    !add_list(h, h->key, h->value, list, from, from, &added))
		return FALSE;
	if (added)
		join(h, from, window);
	return !PL_exception(0);
}

/*  held_whole(+Held, +Intervals, +First): those that end after First, as they are; all, if First is no
    integer. */

static foreign_t held_whole(term_t t, term_t list, term_t first)
{
	held *h = NULL;
	entry *added;
	int64_t after;

	if (!PL_get_int64(first, &after))
		after = INT64_MIN;
	return get_held(t, &h) && add_list(h, h->key, h->value, list, after, INT64_MIN,
						&added);
}

/*  held_list(+Held, +List): what is held from now on, as terms held(Fluent,Value,Intervals); fails if
    one does not fit, and leaves everything as it was. */

static foreign_t held_list(term_t t, term_t list)
{
	held *h = NULL;
	term_t tail = PL_copy_term_ref(list), head = PL_new_term_refs(2), arg = head + 1;

	if (!get_held(t, &h))
		return FALSE;
	held_clear(h);
	while (PL_get_list(tail, head, tail)) {
		uint32_t key, value;
		entry *added;
		if (!PL_is_functor(head, functor_held3) || !PL_get_arg(1, head, arg) ||
		    (h->arity == 1 && !PL_get_arg(1, arg, arg)) ||
		    !terms_number(&h->terms, arg, &key) ||
		    !PL_get_arg(2, head, arg) || !terms_number(&h->terms, arg, &value) ||
		    !PL_get_arg(3, head, arg) ||
		    !add_list(h, key, value, arg, INT64_MIN, INT64_MIN, &added) || h->unfit)
			return FALSE;
	}
	return held_done(h);
}

void install_filling(void)
{
	functor_held3 = PL_new_functor(PL_new_atom("held"), 3);
	functor_comma2 = PL_new_functor(PL_new_atom(","), 2);
	PL_register_foreign("held_begin", 1, held_begin, 0);
	PL_register_foreign("held_end", 1, held_end, 0);
	PL_register_foreign("held_first", 3, held_first, 0);
	PL_register_foreign("held_joined", 4, held_joined, 0);
	PL_register_foreign("held_whole", 3, held_whole, 0);
	PL_register_foreign("held_list", 2, held_list, 0);
}
