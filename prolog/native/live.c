/*  What the instances of a fluent in a cycle hold, while the cycle is swept forward in time.

    prolog/rtec/live_cycles.pl says in which order. At a time-point the rules of all members are run
    against what holds there, and their points are put aside; then all values are moved on. A
    deadline says that a value becomes another one at some time-point, if it still holds by then
    and still counts from the same initiation.

    The state belongs to the store (held.c) that takes the intervals over in the end, and has
    the same numbers for terms.
*/

#include <SWI-Prolog.h>
#include <stdlib.h>
#include <string.h>
#include "held.h"

typedef struct {
	uint32_t key, value;
	int64_t since, base;
	uint32_t spans;		/* the last of its past spans, plus one */
	uint32_t points;	/* the last of its points, plus one */
	uint8_t known, holds, based;
} instance;

typedef struct {
	int64_t start, end;
	uint32_t instance, value;
	uint32_t before;	/* of the same instance, plus one */
} span;

typedef struct {
	uint32_t instance, value, before;
	uint8_t kind;
} waiting;

typedef struct {
	int64_t time, base;
	uint32_t instance, value, next;
} deadline;

typedef struct {
	uint32_t *heads, size, room;	/* by the number of a term, the first instance plus one */
	uint32_t *next, next_room;
	int ready;
} chains;

struct live {
	instance *instances;
	uint32_t count, room;
	uint32_t *of_key, of_key_size;	/* by key, its instance plus one */
	span *spans;
	uint32_t spans_count, spans_room;
	waiting *points;
	uint32_t points_count, points_room;
	uint32_t *touched, touched_count, touched_room;	/* instances with points */
	deadline *agenda;		/* a heap, the first in time on top */
	uint32_t agenda_count, agenda_room;
	chains by_argument[MOST_ARGUMENTS];
	uint32_t *last, last_size;	/* by value, room to work in */
	uint32_t *order, order_room;
	int unfit;
};

typedef struct live live;

static atom_t atom_none;
static functor_t functor_minus2;

void free_live(live *l)
{
	free(l->instances);
	free(l->of_key);
	free(l->spans);
	free(l->points);
	free(l->touched);
	free(l->agenda);
	for (size_t i = 0; i < MOST_ARGUMENTS; i++) {
		free(l->by_argument[i].heads);
		free(l->by_argument[i].next);
	}
	free(l->last);
	free(l->order);
	free(l);
}

static int get_live(term_t t, held **h, live **l)
{
	if (!get_held(t, h))
		return FALSE;
	*l = (*h)->live;
	return *l != NULL;
}

static void clear(live *l)
{
	l->count = l->spans_count = l->points_count = l->touched_count = l->agenda_count = 0;
	if (l->of_key_size)
		memset(l->of_key, 0, l->of_key_size * sizeof *l->of_key);
	for (size_t i = 0; i < MOST_ARGUMENTS; i++)
		l->by_argument[i].ready = FALSE;
	l->unfit = FALSE;
}

/*  Instances by an argument, for those who know only some. */

static inline uint32_t argument(const held *h, const instance *in, size_t at)
{
	return h->arity == 1 ? in->key : h->terms.parts[h->terms.nodes[in->key].parts + at];
}

static int chain(const held *h, live *l, chains *c, size_t at, uint32_t i)
{
	uint32_t n = argument(h, &l->instances[i], at);

	if (!ZEROED(c->heads, c->room, (size_t)n + 1) || !ROOM(c->next, c->next_room, (size_t)i + 1))
		return FALSE;
	c->next[i] = c->heads[n];
	c->heads[n] = i + 1;
	return TRUE;
}

static int chained(const held *h, live *l, size_t at)
{
	chains *c = &l->by_argument[at];

	if (c->ready)
		return TRUE;
	if (c->room)
		memset(c->heads, 0, c->room * sizeof *c->heads);
	for (uint32_t i = 0; i < l->count; i++)
		if (!chain(h, l, c, at, i))
			return FALSE;
	c->ready = TRUE;
	return TRUE;
}

/*  instance_of(h, l, key, &i): the number of an instance, a new one if need be. */

static int instance_of(const held *h, live *l, uint32_t key, uint32_t *i)
{
	if (!ZEROED(l->of_key, l->of_key_size, (size_t)key + 1))
		return FALSE;
	if (l->of_key[key]) {
		*i = l->of_key[key] - 1;
		return TRUE;
	}
	if (!ROOM(l->instances, l->room, (size_t)l->count + 1))
		return FALSE;
	*i = l->count++;
	l->instances[*i] = (instance){.key = key};
	l->of_key[key] = *i + 1;
	for (size_t at = 0; at < h->arity; at++)
		if (l->by_argument[at].ready && !chain(h, l, &l->by_argument[at], at, *i))
			return FALSE;
	return TRUE;
}

/*  live_begin(+Held, +Limit, -Carried): begin with what holds at Limit, which Carried lists as
    since(Key,Value,Start); with nothing, if it is no integer. */

static int list_since(const held *h, const instance *in, term_t tail, term_t head)
{
	static functor_t functor_since3;
	term_t args = PL_new_term_refs(3);

	if (!functor_since3)
		functor_since3 = PL_new_functor(PL_new_atom("since"), 3);
	return terms_put(&h->terms, in->key, args) && terms_put(&h->terms, in->value, args + 1) &&
		PL_put_int64(args + 2, in->since) && PL_unify_list(tail, head, tail) &&
		PL_cons_functor_v(args, functor_since3, args) && PL_unify(head, args) &&
		(PL_reset_term_refs(args), TRUE);
}

static foreign_t live_begin(term_t t, term_t limit, term_t carried)
{
	held *h = NULL;
	int64_t at;
	term_t tail = PL_copy_term_ref(carried), head = PL_new_term_ref();

	if (!get_held(t, &h))
		return FALSE;
	if (!h->live && !(h->live = calloc(1, sizeof *h->live)))
		return PL_resource_error("memory");
	live *l = h->live;
	clear(l);
	if (!PL_get_int64(limit, &at))
		return PL_unify_nil(tail);
	for (const entry *e = h->now.entries; e < h->now.entries + h->now.count; e++) {
		const interval *i = h->now.spans + e->first, *end = i + e->count;
		uint32_t n;
		while (i < end && i->end <= at)
			i++;
		if (i == end || i->start > at)
			continue;
		if (!instance_of(h, l, e->key, &n))
			return FALSE;
		instance *in = &l->instances[n];
		in->value = e->value;
		in->since = i->start;
		in->known = in->holds = TRUE;
		if (!list_since(h, in, tail, head))
			return FALSE;
	}
	return PL_unify_nil(tail);
}

/*  live_set(+Held, +Key, +Value, +Since): what an instance holds at the window's start, or has held
    by default. Fails if it does not fit. */

static foreign_t live_set(term_t t, term_t key, term_t value, term_t start)
{
	held *h = NULL;
	live *l;
	uint32_t k, v, i;
	int64_t since;

	if (!get_live(t, &h, &l) || !terms_number(&h->terms, key, &k) ||
	    !terms_number(&h->terms, value, &v) || v >= ANY || !PL_get_int64(start, &since) ||
	    !instance_of(h, l, k, &i) || (l->instances[i].holds && l->instances[i].value != v))
		return FALSE;
	l->instances[i].value = v;
	l->instances[i].since = since;
	l->instances[i].known = l->instances[i].holds = TRUE;
	return TRUE;
}

static int add_span(live *l, uint32_t i, uint32_t value, int64_t start, int64_t end)
{
	if (!ROOM(l->spans, l->spans_room, (size_t)l->spans_count + 1))
		return FALSE;
	l->spans[l->spans_count++] = (span){start, end, i, value, l->instances[i].spans};
	l->instances[i].spans = l->spans_count;
	return TRUE;
}

/*  live_past(+Held, +Key, +Value, +Start, +End): what an instance has held before. */

static foreign_t live_past(term_t t, term_t key, term_t value, term_t start, term_t end)
{
	held *h = NULL;
	live *l;
	uint32_t k, v, i;
	int64_t from, till;

	return get_live(t, &h, &l) && terms_number(&h->terms, key, &k) &&
		terms_number(&h->terms, value, &v) && v < ANY && PL_get_int64(start, &from) &&
		PL_get_int64(end, &till) && instance_of(h, l, k, &i) && add_span(l, i, v, from, till);
}

/*  Points that wait until all members are done. */

static int add_point(live *l, uint32_t i, uint8_t kind, uint32_t value)
{
	instance *in = &l->instances[i];

	if (!ROOM(l->points, l->points_room, (size_t)l->points_count + 1) ||
	    !ROOM(l->touched, l->touched_room, (size_t)l->touched_count + 1))
		return FALSE;
	if (!in->points)
		l->touched[l->touched_count++] = i;
	l->points[l->points_count++] = (waiting){i, value, in->points, kind};
	in->points = l->points_count;
	return TRUE;
}

/*  live_point(+Held, +Key, +K, +V): a point at the time-point that has come. */

static foreign_t live_point(term_t t, term_t key, term_t k, term_t v)
{
	held *h = NULL;
	live *l;
	enum kind kind;
	uint32_t n, value, i;

	if (!get_live(t, &h, &l))
		return FALSE;
	if (!point_kind(k, &kind) || kind == CARRIED || !terms_number(&h->terms, key, &n) ||
	    !point_value(&h->terms, kind, v, &value)) {
		l->unfit = TRUE;
		return TRUE;
	}
	return instance_of(h, l, n, &i) && add_point(l, i, kind, value);
}

/*  The agenda. */

static int sooner(const deadline *a, const deadline *b)
{
	return a->time < b->time;
}

static void sift_up(deadline *heap, uint32_t i)
{
	for (; i > 0 && sooner(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2) {
		deadline swap = heap[i];
		heap[i] = heap[(i - 1) / 2];
		heap[(i - 1) / 2] = swap;
	}
}

static void sift_down(deadline *heap, uint32_t count)
{
	for (uint32_t i = 0, least;; i = least) {
		least = i;
		for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < count; child++)
			if (sooner(&heap[child], &heap[least]))
				least = child;
		if (least == i)
			return;
		deadline swap = heap[i];
		heap[i] = heap[least];
		heap[least] = swap;
	}
}

/*  live_plan(+Held, +Key, +Base, +Delay, +Next): what the instance holds now becomes Next after so long,
    counted from Base. */

static foreign_t live_plan(term_t t, term_t key, term_t counted, term_t delay, term_t next)
{
	held *h = NULL;
	live *l;
	deadline d;
	int64_t after;
	uint32_t k;

	if (!get_live(t, &h, &l))
		return FALSE;
	if (terms_look_up(&h->terms, key, &k) != TERM_FOUND || k >= l->of_key_size || !l->of_key[k] ||
	    !PL_get_int64(counted, &d.base) || !PL_get_int64(delay, &after) ||
	    __builtin_add_overflow(d.base, after, &d.time) ||
	    !terms_number(&h->terms, next, &d.next) || d.next >= ANY) {
		l->unfit = TRUE;
		return TRUE;
	}
	if (!ROOM(l->agenda, l->agenda_room, (size_t)l->agenda_count + 1))
		return FALSE;
	d.instance = l->of_key[k] - 1;
	d.value = l->instances[d.instance].value;
	l->agenda[l->agenda_count++] = d;
	sift_up(l->agenda, l->agenda_count - 1);
	return TRUE;
}

/*  live_next(+Held, -T): the time-point of the next deadline. */

static foreign_t live_next(term_t t, term_t time)
{
	held *h = NULL;
	live *l;

	return get_live(t, &h, &l) && l->agenda_count > 0 && PL_unify_int64(time, l->agenda[0].time);
}

/*  live_due(+Held, +T): deadlines at T become initiations, if they are not out of date. */

static foreign_t live_due(term_t t, term_t time)
{
	held *h = NULL;
	live *l;
	int64_t now;

	if (!get_live(t, &h, &l) || !PL_get_int64_ex(time, &now))
		return FALSE;
	while (l->agenda_count > 0 && l->agenda[0].time <= now) {
		deadline d = l->agenda[0];
		const instance *in = &l->instances[d.instance];
		l->agenda[0] = l->agenda[--l->agenda_count];
		sift_down(l->agenda, l->agenda_count);
		if (d.time == now && in->holds && in->value == d.value &&
		    (!in->based || in->base == d.base) &&
		    !add_point(l, d.instance, INITIATION, d.next))
			return FALSE;
	}
	return TRUE;
}

/*  live_unknown(+Held, -List): the instances that have points now and were never met, as Key-KVs with
    Kind-Value for each point. */

static int list_points(const held *h, const live *l, const instance *in, term_t list)
{
	static const char *kinds[] = {"c", "i", "t", "x"};
	term_t kind = PL_new_term_refs(3), value = kind + 1, pair = kind + 2;

	PL_put_nil(list);
	for (uint32_t p = in->points; p; p = l->points[p - 1].before) {
		uint32_t v = l->points[p - 1].value;
		if (!PL_put_atom_chars(kind, kinds[l->points[p - 1].kind]) ||
		    !(v == ANY ? PL_put_variable(value) : terms_put(&h->terms, v, value)) ||
		    !PL_cons_functor(pair, functor_minus2, kind, value) || !PL_cons_list(list, pair, list))
			return FALSE;
	}
	return TRUE;
}

static foreign_t live_unknown(term_t t, term_t list)
{
	held *h = NULL;
	live *l;
	term_t tail = PL_copy_term_ref(list), head = PL_new_term_refs(4), key = head + 1, kvs = head + 2;

	if (!get_live(t, &h, &l))
		return FALSE;
	for (uint32_t i = 0; i < l->touched_count; i++) {
		const instance *in = &l->instances[l->touched[i]];
		if (in->known)
			continue;
		if (!terms_put(&h->terms, in->key, key) || !list_points(h, l, in, kvs) ||
		    !PL_cons_functor(head + 3, functor_minus2, key, kvs) ||
		    !PL_unify_list(tail, head, tail) || !PL_unify(head, head + 3))
			return FALSE;
	}
	return PL_unify_nil(tail);
}

/*  live_move(+Held, +T, +Tick, +Default, -Begun): let the points at T take effect. Where Default is
    `true`, what ends leaves the value '$none' behind. Begun lists Key-Value for what begins to hold. */

static int broken(const live *l, uint32_t points, uint32_t value)
{
	for (uint32_t p = points; p; p = l->points[p - 1].before) {
		point at = {.value = l->points[p - 1].value, .kind = l->points[p - 1].kind};
		if (breaks(&at, value))
			return TRUE;
	}
	return FALSE;
}

static foreign_t live_move(term_t t, term_t time, term_t tick, term_t has_default, term_t begun)
{
	held *h = NULL;
	live *l;
	int64_t now, step;
	int defaults;
	uint32_t none = 0;
	term_t tail = PL_copy_term_ref(begun), head = PL_new_term_refs(4), none_term = head + 1;

	if (!get_live(t, &h, &l) || !PL_get_int64_ex(time, &now) || !PL_get_int64_ex(tick, &step) ||
	    !PL_get_bool_ex(has_default, &defaults))
		return FALSE;
	if (l->unfit)
		return FALSE;
	if (defaults && !(PL_put_atom(none_term, atom_none) && terms_number(&h->terms, none_term, &none)))
		return FALSE;
	for (uint32_t i = 0; i < l->touched_count; i++) {
		instance *in = &l->instances[l->touched[i]];
		uint32_t points = in->points;
		int held_before = in->holds;
		in->points = 0;
		if (in->holds && broken(l, points, in->value)) {
			if (!add_span(l, l->touched[i], in->value, in->since, now + step))
				return FALSE;
			in->holds = FALSE;
		}
		if (in->holds)
			continue;
		for (uint32_t p = points; p; p = l->points[p - 1].before) {
			if (l->points[p - 1].kind != INITIATION)
				continue;
			if (!broken(l, points, l->points[p - 1].value)) {
				in->holds = in->known = TRUE;
				in->value = l->points[p - 1].value;
			}
			break;
		}
		if (in->holds) {
			in->since = now + step;
			in->based = TRUE;
			in->base = now;
			if (!terms_put(&h->terms, in->key, head + 1) ||
			    !terms_put(&h->terms, in->value, head + 2) ||
			    !PL_cons_functor(head + 3, functor_minus2, head + 1, head + 2) ||
			    !PL_unify_list(tail, head, tail) || !PL_unify(head, head + 3))
				return FALSE;
		} else if (defaults && held_before) {
			in->holds = TRUE;
			in->value = none;
			in->since = now + step;
		}
	}
	l->touched_count = l->points_count = 0;
	return PL_unify_nil(tail);
}

/*  live_end(+Held, +First): all that is held becomes what rules see from now on, as far as it ends after
    First. */

static int put_instance(held *h, live *l, uint32_t i)
{
	uint32_t n = 0;

	for (uint32_t s = l->instances[i].spans; s; s = l->spans[s - 1].before) {
		if (!ROOM(l->order, l->order_room, (size_t)n + 1))
			return FALSE;
		l->order[n++] = s - 1;
	}
	/* From the last one back; each value knows the span of it that comes next, and then the first. */
	for (uint32_t j = 0; j < n; j++) {
		span *p = &l->spans[l->order[j]];
		p->before = l->last[p->value];
		l->last[p->value] = l->order[j] + 1;
	}
	for (uint32_t j = n; j-- > 0;) {
		uint32_t first = l->order[j] + 1, count = 0, value = l->spans[first - 1].value;
		if (l->last[value] != first)
			continue;
		l->last[value] = 0;
		for (uint32_t s = first; s; s = l->spans[s - 1].before)
			count++;
		interval *to = held_entry(h, l->instances[i].key, value, count);
		if (!to)
			return FALSE;
		for (uint32_t s = first; s; s = l->spans[s - 1].before)
			*to++ = (interval){l->spans[s - 1].start, l->spans[s - 1].end};
	}
	return TRUE;
}

static foreign_t live_end(term_t t, term_t first)
{
	held *h = NULL;
	live *l;
	int64_t after;

	if (!get_live(t, &h, &l) || !PL_get_int64_ex(first, &after) || l->unfit)
		return FALSE;
	held_clear(h);
	if (!ZEROED(l->last, l->last_size, (size_t)h->terms.count))
		return FALSE;
	for (uint32_t i = 0; i < l->count; i++) {
		instance *in = &l->instances[i];
		if (in->holds && !add_span(l, i, in->value, in->since, OPEN))
			return FALSE;
		/* What the window has left is older than all the rest. */
		for (uint32_t *s = &l->instances[i].spans; *s; s = &l->spans[*s - 1].before)
			if (l->spans[*s - 1].end <= after) {
				*s = 0;
				break;
			}
		if (!put_instance(h, l, i))
			return FALSE;
	}
	clear(l);
	return held_done(h);
}

/*  live_now(+Held, ?Arg..., ?Value, ?Since): what holds. live_was(+Held, ?Arg..., ?Value, ?Start, ?End): what
    has held. Both nondeterministic. */

typedef struct {
	pattern pattern;
	int argument;		/* by which instances are looked up, -1 if all are looked at, -2 if one is known */
	uint32_t instance;	/* where to go on, plus one */
	uint32_t span;
} cursor;

static uint32_t next_instance(const live *l, const cursor *c, uint32_t i)
{
	if (c->argument == -2)
		return 0;
	if (c->argument >= 0)
		return l->by_argument[c->argument].next[i - 1];
	return i < l->count ? i + 1 : 0;
}

static int begin_cursor(held *h, live *l, term_t t0, cursor *c)
{
	pattern *p = &c->pattern;

	c->argument = -1;
	c->span = 0;
	c->instance = l->count ? 1 : 0;
	if (!get_pattern(h, t0, p))
		return FALSE;
	p->by = MOST_WANTS;
	for (uint32_t w = 0; w < p->count; w++) {
		place at = p->wants[w].place;
		uint32_t number = p->wants[w].number;
		if (at.part != 0 || at.at == VALUE)
			continue;
		p->by = w;
		if (at.at == 0) {
			c->argument = -2;
			c->instance = number < l->of_key_size ? l->of_key[number] : 0;
		} else {
			chains *by = &l->by_argument[at.at - 1];
			if (!chained(h, l, at.at - 1))
				return FALSE;
			c->argument = at.at - 1;
			c->instance = number < by->room ? by->heads[number] : 0;
		}
		return TRUE;
	}
	return TRUE;
}

/*  next_found(h, l, c, past, &e, &start, &end): the next that fits, and where to go on. */

static int next_found(const held *h, const live *l, cursor *c, int past, entry *e, int64_t *start,
		      int64_t *end)
{
	while (c->instance && c->instance <= l->count) {
		const instance *in = &l->instances[c->instance - 1];
		e->key = in->key;
		if (past) {
			uint32_t s = c->span ? c->span : in->spans;
			for (; s; s = l->spans[s - 1].before) {
				e->value = l->spans[s - 1].value;
				if (!fits(h, e, &c->pattern))
					continue;
				*start = l->spans[s - 1].start;
				*end = l->spans[s - 1].end;
				c->span = l->spans[s - 1].before;
				if (!c->span)
					c->instance = next_instance(l, c, c->instance);
				return TRUE;
			}
			c->span = 0;
			c->instance = next_instance(l, c, c->instance);
			continue;
		}
		c->instance = next_instance(l, c, c->instance);
		e->value = in->value;
		if (in->holds && fits(h, e, &c->pattern)) {
			*start = in->since;
			return TRUE;
		}
	}
	return FALSE;
}

static foreign_t live_found(term_t t0, control_t control, int past)
{
	held *h = NULL;
	live *l;
	cursor first, *c = &first;
	entry e = {0};
	int64_t start = 0, end = 0;

	switch (PL_foreign_control(control)) {
	case PL_FIRST_CALL:
		if (!get_live(t0, &h, &l) || !begin_cursor(h, l, t0 + 1, c))
			return FALSE;
		break;
	case PL_REDO:
		c = PL_foreign_context_address(control);
		if (get_live(t0, &h, &l))
			break;
		free(c);
		return FALSE;
	default:
		free(PL_foreign_context_address(control));
		return TRUE;
	}
	int found = FALSE;
	fid_t frame = PL_open_foreign_frame();
	while (!found && next_found(h, l, c, past, &e, &start, &end)) {
		term_t from = t0 + h->arity + 2;
		found = unify_entry(h, &e, &c->pattern, t0 + 1) && PL_unify_int64(from, start) &&
			(!past || PL_unify_int64(from + 1, end));
		if (!found && PL_exception(0))
			c->instance = 0;
		else if (!found)
			PL_rewind_foreign_frame(frame);
	}
	PL_close_foreign_frame(frame);
	return answered(found, found && c->instance, c, c == &first, sizeof *c);
}

static foreign_t live_now(term_t t0, int arity, control_t control)
{
	(void)arity;
	return live_found(t0, control, FALSE);
}

static foreign_t live_was(term_t t0, int arity, control_t control)
{
	(void)arity;
	return live_found(t0, control, TRUE);
}

void install_live(void)
{
	atom_none = PL_new_atom("$none");
	functor_minus2 = PL_new_functor(PL_new_atom("-"), 2);
	PL_register_foreign("live_begin", 3, live_begin, 0);
	PL_register_foreign("live_set", 4, live_set, 0);
	PL_register_foreign("live_past", 5, live_past, 0);
	PL_register_foreign("live_point", 4, live_point, 0);
	PL_register_foreign("live_plan", 5, live_plan, 0);
	PL_register_foreign("live_next", 2, live_next, 0);
	PL_register_foreign("live_due", 2, live_due, 0);
	PL_register_foreign("live_unknown", 2, live_unknown, 0);
	PL_register_foreign("live_move", 5, live_move, 0);
	PL_register_foreign("live_end", 2, live_end, 0);
	for (int arity = 0; arity <= MOST_ARGUMENTS; arity++) {
		int flags = PL_FA_NONDETERMINISTIC | PL_FA_VARARGS;
		PL_register_foreign("live_now", arity + 3, live_now, flags);
		PL_register_foreign("live_was", arity + 4, live_was, flags);
	}
}
