/*  The innermost loop of recognition: from points to stored intervals.

    The rules of a simple fluent yield points: at T the value V of the fluent F is initiated,
    terminated and so on (see prolog/rtec/pairing.pl, which does the same in Prolog and says
    what the points mean). Here they are kept as numbers while they are sorted and swept,
    so that no point is ever copied as a term.

    A sweep belongs to the thread that begins it, and there is one at a time. A point that
    does not fit (a time-point that is no small integer, a fluent that is not ground) makes the
    sweep unfit: sweep_fits/0 then fails, and the caller takes the way through Prolog.
*/

#include <SWI-Prolog.h>
#include <stdlib.h>
#include <string.h>
#include "held.h"

typedef struct {
	int64_t start, end;
	uint32_t value;
	uint32_t before;	/* the span before of the same value, plus one */
} span;

typedef struct {
	terms own;
	terms *terms;		/* its own, or those of a store that the intervals are for */
	point *points;
	size_t count, room;
	span *spans;
	size_t spans_room;
	uint32_t *last;		/* by value, its last span, plus one */
	size_t last_room;
	uint32_t *places;	/* by fluent, room for sorting */
	size_t places_room;
	int64_t tick;
	int sorted;
	int unfit;
} sweep;

static _Thread_local sweep current;

/*  sweep_begin(+Tick): points follow, of which sweep_stored/3 makes facts. */

static int begin(sweep *s, terms *ts, term_t tick)
{
	s->terms = ts;
	s->count = 0;
	s->sorted = TRUE;
	s->unfit = FALSE;
	return PL_get_int64_ex(tick, &s->tick);
}

static foreign_t sweep_begin(term_t tick)
{
	terms_clear(&current.own);
	return begin(&current, &current.own, tick);
}

static foreign_t unfit(sweep *s)
{
	s->unfit = TRUE;
	return TRUE;
}

/*  before(a, b): a stands before b, of the same fluent together and in order of time. */

static inline int before(const point *a, const point *b)
{
	if (a->fluent != b->fluent)
		return a->fluent < b->fluent;
	return a->time < b->time;
}

static inline int add(sweep *s, point added)
{
	if (s->count == s->room) {
		size_t room = s->room ? 2 * s->room : 1024;
		point *points = realloc(s->points, room * sizeof *points);
		if (!points)
			return PL_resource_error("memory");
		s->points = points;
		s->room = room;
	}
	point *p = &s->points[s->count++];
	*p = added;
	if (s->sorted && s->count > 1 && before(p, p - 1))
		s->sorted = FALSE;
	return TRUE;
}

/*  sweep_point(+F, +T, +K, +V): V is S-Value where K is c, and may be a variable where it is t.
    What has held since S at the window's start was initiated a tick before S, which is before all
    other points of F. */

static foreign_t sweep_point(term_t f, term_t t, term_t k, term_t v)
{
	sweep *s = &current;
	enum kind kind;
	int64_t time;
	uint32_t fluent, value;

	if (!point_kind(k, &kind))
		return unfit(s);
	if (kind == CARRIED) {
		term_t carried = PL_new_term_ref();
		if (!point_since(v, &time, carried))
			return unfit(s);
		time -= s->tick;
		v = carried;
	} else if (!PL_get_int64(t, &time))
		return unfit(s);
	if (!terms_number(s->terms, f, &fluent) || !point_value(s->terms, kind, v, &value))
		return unfit(s);
	return add(s, (point){time, fluent, value, kind});
}

/*  A stable merge sort that merges the runs it finds: what a rule yields is nearly in order. */

static int merge_runs(point *a, size_t n, point *room)
{
	point *points = a, *b = room;

	for (;;) {
		size_t out = 0, runs = 0;
		for (size_t i = 0; i < n; runs++) {
			size_t m = i + 1, j, e;
			while (m < n && !before(&a[m], &a[m - 1]))
				m++;
			for (e = m; e < n && (e == m || !before(&a[e], &a[e - 1])); e++)
				;
			for (j = m; i < m && j < e;)
				b[out++] = before(&a[j], &a[i]) ? a[j++] : a[i++];
			while (i < m)
				b[out++] = a[i++];
			while (j < e)
				b[out++] = a[j++];
			i = e;
		}
		point *swap = a;
		a = b;
		b = swap;
		if (runs <= 1)
			break;
	}
	if (a != points)
		memcpy(points, a, n * sizeof *a);
	return TRUE;
}

/*  by_fluent(s, sorted): the points, of the same fluent together. */

static int by_fluent(sweep *s, point *sorted)
{
	size_t fluents = s->terms->count;

	if (s->places_room < fluents + 1) {
		uint32_t *places = realloc(s->places, (s->terms->room + 1) * sizeof *places);
		if (!places)
			return PL_resource_error("memory");
		s->places = places;
		s->places_room = s->terms->room + 1;
	}
	memset(s->places, 0, (fluents + 1) * sizeof *s->places);
	for (size_t i = 0; i < s->count; i++)
		s->places[s->points[i].fluent + 1]++;
	for (size_t i = 1; i < fluents; i++)
		s->places[i] += s->places[i - 1];
	for (size_t i = 0; i < s->count; i++)
		sorted[s->places[s->points[i].fluent]++] = s->points[i];
	return TRUE;
}

static int sort_points(sweep *s)
{
	size_t n = s->count;

	if (s->sorted)
		return TRUE;
	point *sorted = malloc(n * sizeof *sorted);
	if (!sorted)
		return PL_resource_error("memory");
	if (!by_fluent(s, sorted)) {
		free(sorted);
		return FALSE;
	}
	for (size_t i = 0, j; i < n; i = j) {
		int in_order = TRUE;
		for (j = i + 1; j < n && sorted[j].fluent == sorted[i].fluent; j++)
			in_order &= sorted[j].time >= sorted[j - 1].time;
		if (!in_order)
			merge_runs(sorted + i, j - i, s->points);
	}
	memcpy(s->points, sorted, n * sizeof *sorted);
	free(sorted);
	s->sorted = TRUE;
	return TRUE;
}

/*  sweep_fluent(s, first, last, &n): the spans of one fluent's points, in order of time. */

static int sweep_fluent(sweep *s, const point *first, const point *last, size_t *count)
{
	size_t n = 0;
	int holds = FALSE;
	uint32_t value = 0;
	int64_t since = 0;

	if (s->spans_room < (size_t)(last - first) + 1) {
		size_t room = 2 * (size_t)(last - first) + 64;
		span *spans = realloc(s->spans, room * sizeof *spans);
		if (!spans)
			return PL_resource_error("memory");
		s->spans = spans;
		s->spans_room = room;
	}
	for (const point *p = first, *q; p < last; p = q) {
		for (q = p + 1; q < last && q->time == p->time; q++)
			;
		if (holds && any_breaks(p, q, value)) {
			s->spans[n++] = (span){since, p->time + s->tick, value, 0};
			holds = FALSE;
		}
		for (const point *i = p; !holds && i < q; i++)
			if (i->kind == INITIATION || i->kind == CARRIED) {
				if (any_breaks(p, q, i->value))
					break;
				holds = TRUE;
				value = i->value;
				since = p->time + s->tick;
			}
	}
	if (holds)
		s->spans[n++] = (span){since, OPEN, value, 0};
	*count = n;
	return TRUE;
}

/*  put_intervals(s, list, i): list becomes the intervals of the span i and those before it of
    the same value. */

static int put_intervals(const sweep *s, term_t list, uint32_t i)
{
	term_t interval = PL_new_term_ref();

	PL_put_nil(list);
	for (i++; i; i = s->spans[i - 1].before) {
		const span *p = &s->spans[i - 1];
		if (!put_interval(interval, p->start, p->end) || !PL_cons_list(list, interval, list))
			return FALSE;
	}
	return TRUE;
}

/*  link_spans(s, n): let each of the first n spans know the one before it of its value. */

static int link_spans(sweep *s, size_t n)
{
	if (s->last_room < s->terms->count) {
		uint32_t *last = calloc(s->terms->room, sizeof *last);
		if (!last)
			return PL_resource_error("memory");
		free(s->last);
		s->last = last;
		s->last_room = s->terms->room;
	}
	for (size_t i = 0; i < n; i++) {
		span *p = &s->spans[i];
		p->before = s->last[p->value];
		s->last[p->value] = i + 1;
	}
	return TRUE;
}

/*  What is made of what a fluent holds: facts of Arg..., Value, Intervals, or entries of a store. */

typedef struct {
	functor_t fact;
	size_t arity;
	module_t module;
	held *held;
} target;

static int put_fact(sweep *s, uint32_t fluent, uint32_t i, const target *to)
{
	fid_t frame = PL_open_foreign_frame();
	term_t args = PL_new_term_refs(to->arity + 2), clause = PL_new_term_ref();
	int done = terms_put_args(s->terms, fluent, to->arity, args) &&
		terms_put(s->terms, s->spans[i].value, args + to->arity) &&
		put_intervals(s, args + to->arity + 1, i) &&
		PL_cons_functor_v(clause, to->fact, args) &&
		PL_assert(clause, to->module, PL_ASSERTZ);

	PL_discard_foreign_frame(frame);
	return done;
}

static int put_entry(sweep *s, uint32_t fluent, uint32_t i, const target *to)
{
	uint32_t n = 0;

	for (uint32_t j = i + 1; j; j = s->spans[j - 1].before)
		n++;
	interval *spans = held_entry(to->held, fluent, s->spans[i].value, n);
	if (!spans)
		return FALSE;
	for (uint32_t j = i + 1; j; j = s->spans[j - 1].before)
		spans[--n] = (interval){s->spans[j - 1].start, s->spans[j - 1].end};
	return TRUE;
}

/*  store(s, fluent, n, to): put each value among the first n spans where it belongs. */

static int store(sweep *s, uint32_t fluent, size_t n, const target *to)
{
	int done = link_spans(s, n);

	for (size_t i = 0; i < n; i++) {
		uint32_t value = s->spans[i].value;
		if (s->last[value] != i + 1)
			continue;
		s->last[value] = 0;
		if (done)
			done = to->held ? put_entry(s, fluent, i, to) : put_fact(s, fluent, i, to);
	}
	return done;
}

static int store_all(sweep *s, const target *to)
{
	const point *end = s->points + s->count;

	if (!sort_points(s))
		return FALSE;
	for (const point *p = s->points, *q; p < end; p = q) {
		size_t n = 0;
		for (q = p + 1; q < end && q->fluent == p->fluent; q++)
			;
		if (!sweep_fluent(s, p, q, &n) || !store(s, p->fluent, n, to))
			return FALSE;
	}
	return TRUE;
}

/*  Two values that are carried at once (both stated initially) only Prolog puts in order. */

static int carries_two(const sweep *s)
{
	const point *end = s->points + s->count;

	for (const point *p = s->points; p + 1 < end; p++)
		if (p->kind == CARRIED && p[1].kind == CARRIED && p->fluent == p[1].fluent)
			return TRUE;
	return FALSE;
}

/*  sweep_fits: all points are such that they can be swept here. */

static foreign_t sweep_fits(void)
{
	sweep *s = &current;

	return !s->unfit && sort_points(s) && !carries_two(s);
}

/*  sweep_stored(+M, +Store, +Arity): assert what holds as facts of M. */

static foreign_t sweep_stored(term_t module, term_t store_name, term_t store_arity)
{
	sweep *s = &current;
	atom_t m, name;
	size_t arity;

	if (!PL_get_atom_ex(module, &m) || !PL_get_atom_ex(store_name, &name) ||
	    !PL_get_size_ex(store_arity, &arity))
		return FALSE;
	return store_all(s, &(target){PL_new_functor_sz(name, arity + 2), arity, PL_new_module(m), NULL});
}

/*  sweep_held(+Held, +Tick, +Limit): points follow, of which sweep_kept/1 makes what the store holds. The
    first are what it holds now and at Limit; none, if Limit is no integer. */

static foreign_t sweep_held(term_t t, term_t tick, term_t limit)
{
	sweep *s = &current;
	held *h = NULL;
	int64_t at;

	if (!get_held(t, &h) || !begin(s, &h->terms, tick))
		return FALSE;
	held_clear(h);
	if (!PL_get_int64(limit, &at))
		return TRUE;
	for (const entry *e = h->now.entries; e < h->now.entries + h->now.count; e++) {
		const interval *i = h->now.spans + e->first, *end = i + e->count;
		while (i < end && i->end <= at)
			i++;
		if (i < end && i->start <= at &&
		    !add(s, (point){i->start - s->tick, e->key, e->value, CARRIED}))
			return FALSE;
	}
	return TRUE;
}

static foreign_t sweep_kept(term_t t)
{
	held *h = NULL;

	return get_held(t, &h) && store_all(&current, &(target){.held = h}) && held_done(h);
}

/*  sweep_size(-N): how many points there are. sweep_fluents(-Fs): the fluents among them, once
    each. */

static foreign_t sweep_size(term_t n)
{
	return PL_unify_uint64(n, current.count);
}

static foreign_t sweep_fluents(term_t list)
{
	sweep *s = &current;
	term_t tail = PL_copy_term_ref(list), head = PL_new_term_refs(2), fluent = head + 1;

	if (!sort_points(s))
		return FALSE;
	for (size_t i = 0; i < s->count; i++) {
		if (i > 0 && s->points[i].fluent == s->points[i - 1].fluent)
			continue;
		if (!terms_put(s->terms, s->points[i].fluent, fluent) ||
		    !PL_unify_list(tail, head, tail) || !PL_unify(head, fluent))
			return FALSE;
	}
	return PL_unify_nil(tail);
}

void install_sweep(void)
{
	PL_register_foreign("sweep_begin", 1, sweep_begin, 0);
	PL_register_foreign("sweep_point", 4, sweep_point, 0);
	PL_register_foreign("sweep_size", 1, sweep_size, 0);
	PL_register_foreign("sweep_fluents", 1, sweep_fluents, 0);
	PL_register_foreign("sweep_fits", 0, sweep_fits, 0);
	PL_register_foreign("sweep_stored", 3, sweep_stored, 0);
	PL_register_foreign("sweep_held", 3, sweep_held, 0);
	PL_register_foreign("sweep_kept", 1, sweep_kept, 0);
}
