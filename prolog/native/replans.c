/*  Plans by what has changed: instances are evaluated anew where something that they read is different.

        operand before   [-----)   [--------)     [-----)
        operand now      [-----)   [-----------)  [-----)
        evaluated anew                      |--)

    A change of an operand names some variables of the head, mostly all. Those that it leaves open are named by what one
    of the first literals holds within the span of time that differs: without it, the head holds nothing there, and
    if that literal held something there before, it has changed as well.
*/

#include <SWI-Prolog.h>
#include <string.h>
#include "algebra.h"

typedef struct {
	plan *plan;
	int64_t first;		/* the first time-point of the window */
	interval *tried;	/* by pair (see held_met), the span in which it was last evaluated */
	uint32_t tried_room;
	buffer made;
} replan;

/*  ending_by(l, time): how many of the first intervals end by time. */

static uint32_t ending_by(list l, int64_t time)
{
	uint32_t low = 0, high = l.count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (l.items[middle].end > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/*  starting_before(l, time): how many intervals start before time. */

static uint32_t starting_before(list l, int64_t time)
{
	uint32_t low = 0, high = l.count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (l.items[middle].start < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*  within(l, span): the intervals that have time-points in a span. */

static list within(list l, interval span)
{
	uint32_t from = ending_by(l, span.start), to = starting_before(l, span.end);

	return from < to ? (list){l.items + from, to - from} : (list){NULL, 0};
}

static int join(buffer *b, int64_t start, int64_t end)
{
	if (b->count && b->items[b->count - 1].end >= start) {
		b->items[b->count - 1].end = end;
		return TRUE;
	}
	if (!ROOM(b->items, b->room, (size_t)b->count + 1))
		return FALSE;
	b->items[b->count++] = (interval){start, end};
	return TRUE;
}

/*  splice(old, span, inside, made): as it was outside of the span, and anew in it. */

static int splice(list old, interval span, list inside, buffer *made)
{
	uint32_t before = starting_before(old, span.start);

	if (!ROOM(made->items, made->room, (size_t)before))
		return FALSE;
	if (before)
		memcpy(made->items, old.items, before * sizeof *old.items);
	made->count = before;
	if (before && made->items[before - 1].end > span.start)
		made->items[before - 1].end = span.start;
	for (; inside.count; inside.items++, inside.count--)
		if (!join(made, inside.items->start > span.start ? inside.items->start : span.start,
			  inside.items->end < span.end ? inside.items->end : span.end))
			return FALSE;
	for (uint32_t i = ending_by(old, span.end); i < old.count; i++)
		if (!join(made, old.items[i].start > span.end ? old.items[i].start : span.end, old.items[i].end))
			return FALSE;
	return TRUE;
}

/*  evaluate(r, args, span): one instance of the head, anew in a span. */

static int evaluate(replan *r, const uint32_t *args, interval span)
{
	plan *p = r->plan;
	held *h = p->held;
	list old, inside;
	uint32_t key;
	int is_first;

	if (!head_key(p, args, &key) || !held_met(h, key, p->value, &is_first) ||
	    !ROOM(r->tried, r->tried_room, (size_t)h->pair + 1))
		return FALSE;
	interval *tried = &r->tried[h->pair];
	if (!is_first && tried->start <= span.start && span.end <= tried->end)
		return TRUE;
	*tried = span;
	for (uint32_t i = 0; i < p->literals_count; i++)
		p->lists[i] = within(look_up(p, &p->literals[i], args), span);
	if (!operate_all(p, &inside))
		return FALSE;
	old.items = held_intervals(h, key, p->value, &old.count);
	return splice(old, span, within(inside, span), &r->made) &&
		held_put(h, key, p->value, r->made.items, r->made.count);
}

/*  evaluate_named(r, l, args, known, span): all instances with the variables known that a literal names in a span. */

static int evaluate_named(replan *r, const literal *l, const uint32_t *args, uint32_t known, interval span)
{
	plan *p = r->plan;
	index_of *x = NULL;
	uint32_t n = 0;

	if (l->empty)
		return TRUE;
	for (size_t i = 0; !x && i < l->arity; i++)
		if (l->at[i] >= 0 && known & 1u << l->at[i]) {
			if (!terms_find(&p->held->terms, args[l->at[i]], &l->held->terms, &n))
				return TRUE;
			if (!index_at(l->held, (place){l->arity == 1 ? 0 : (uint16_t)(i + 1), 0}, &x))
				return FALSE;
		}
	for (uint32_t i = x ? head_of(x, n) : 1; i && i <= l->held->now.count; i = x ? x->next[i - 1] : i + 1) {
		const entry *e = &l->held->now.entries[i - 1];
		uint32_t all[MOST_ARGUMENTS], bound = known;
		if (e->value != l->value ||
		    within((list){l->held->now.spans + e->first, e->count}, span).count == 0)
			continue;
		memcpy(all, args, sizeof all);
		if (plan_bind(p, l, e, all, &bound) && !evaluate(r, all, span))
			return FALSE;
	}
	return TRUE;
}

static int follow(replan *r, const uint32_t *args, uint32_t known, int64_t from, int64_t till)
{
	plan *p = r->plan;
	interval span = {from > r->first ? from : r->first, till};

	if (span.start >= span.end)
		return TRUE;
	if ((known & p->variables) == p->variables)
		return evaluate(r, args, span);
	for (uint32_t i = 0; i < p->first_count; i++)
		if (!evaluate_named(r, &p->literals[p->first[i]], args, known, span))
			return FALSE;
	return TRUE;
}

/*  follow_literal(r, l): evaluate whatever the changes of a literal concern. */

static int follow_literal(replan *r, const literal *l)
{
	const changes *all = &l->held->changes;

	for (uint32_t i = 0; !l->empty && i < all->count; i++) {
		const change *c = &all->items[i];
		const entry *e = &l->held->now.entries[c->entry];
		uint32_t args[MOST_ARGUMENTS] = {0}, known = 0;
		if (c->left || e->value != l->value || !plan_bind(r->plan, l, e, args, &known))
			continue;
		if (!follow(r, args, known, c->first, c->parted ? c->known : c->till) ||
		    (c->parted && !follow(r, args, known, c->after, c->till)))
			return FALSE;
	}
	return TRUE;
}

/*  held_replanned(+Held, +Plan, +First): evaluate the instances of a plan anew where its literals have changed, in a window
    whose first time-point is First. */

static foreign_t held_replanned(term_t t, term_t planned, term_t first_point)
{
	held *h = NULL;
	replan r = {0};
	int done = TRUE;

	if (!get_held(t, &h) || !PL_get_int64_ex(first_point, &r.first) || !(r.plan = plan_new(h, planned)))
		return FALSE;
	held_clear(h);
	for (uint32_t i = 0; done && i < r.plan->literals_count; i++)
		done = follow_literal(&r, &r.plan->literals[i]);
	held_clear(h);
	plan_free(r.plan);
	free(r.tried);
	free(r.made.items);
	return done;
}

void install_replans(void)
{
	PL_register_foreign("held_replanned", 3, held_replanned, 0);
}
