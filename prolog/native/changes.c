/*  A store that is changed entry by entry, and what has become different in it.

    Where reasoning is by changes, a step replaces what single instances hold. What an entry held
    before is put aside when it is first touched at a query time; when the step is done, both are compared.
    The steps above read the differences as they would read the facts of prolog/rtec/changes.pl:
    changed_f/N has one clause then, which asks held_changed (see prolog/rtec/links.pl).

    An entry that holds nothing any more stays where it is, empty, until the store is packed.
*/

#include <SWI-Prolog.h>
#include <string.h>
#include "held.h"

static atom_t atom_read, atom_whole, atom_none, atom_all;
static functor_t functor_minus2, functor_touched3;

void held_unchanged(held *h)
{
	changes *c = &h->changes;

	c->count = c->past_count = 0;
	c->version++;
	if (c->of_room)
		memset(c->of_entry, 0, c->of_room * sizeof *c->of_entry);
}

/*  touch(h, i): an entry is about to change. */

static int touch(held *h, uint32_t i)
{
	changes *c = &h->changes;
	const entry *e = &h->now.entries[i];

	if (!ZEROED(c->of_entry, c->of_room, (size_t)i + 1))
		return FALSE;
	if (c->of_entry[i])
		return TRUE;
	if (!ROOM(c->items, c->room, (size_t)c->count + 1) ||
	    !ROOM(c->past, c->past_room, (size_t)c->past_count + e->count + 1))
		return FALSE;
	if (e->count)
		memcpy(c->past + c->past_count, h->now.spans + e->first, e->count * sizeof(interval));
	c->items[c->count++] = (change){.entry = i, .past = c->past_count, .count = e->count};
	c->past_count += e->count;
	c->of_entry[i] = c->count;
	return TRUE;
}

int held_put(held *h, uint32_t key, uint32_t value, const interval *spans, uint32_t count)
{
	table *t = &h->now;
	uint32_t i;

	if (!held_find(h, key, value, &i))
		return FALSE;
	if (i == 0) {
		if (count == 0)
			return TRUE;
		if (!held_append(h, key, value, &i))
			return FALSE;
	} else {
		i--;
	}
	entry *e = &t->entries[i];
	if (e->count == count && (count == 0 || memcmp(t->spans + e->first, spans, count * sizeof *spans) == 0))
		return TRUE;
	if (!touch(h, i))
		return FALSE;
	if (count > e->count) {
		if (!ROOM(t->spans, t->spans_room, (size_t)t->spans_count + count))
			return FALSE;
		e->first = t->spans_count;
		t->spans_count += count;
	}
	if (count)
		memcpy(t->spans + e->first, spans, count * sizeof *spans);
	e->count = count;
	return TRUE;
}

int held_merged(held *h)
{
	const table *next = &h->next;
	uint32_t *present = calloc(h->now.count + next->count + 1, sizeof *present), i;
	int done = present != NULL || PL_resource_error("memory");

	h->changes.comparing = FALSE;
	for (const entry *e = next->entries; done && e < next->entries + next->count; e++) {
		done = held_put(h, e->key, e->value, next->spans + e->first, e->count) &&
			held_find(h, e->key, e->value, &i);
		if (done && i)
			present[i - 1] = TRUE;
	}
	for (i = 0; done && i < h->now.count; i++)
		if (!present[i] && h->now.entries[i].count && (done = touch(h, i)))
			h->now.entries[i].count = 0;
	free(present);
	held_clear(h);
	return done;
}

/*  mostly_past(h): less than half of the store is in use. */

static int mostly_past(const held *h)
{
	uint32_t used = 0, spans = 0;

	for (uint32_t i = 0; i < h->now.count; i++) {
		used += h->now.entries[i].count > 0;
		spans += h->now.entries[i].count;
	}
	return h->now.count > 16 + 2 * used || h->now.spans_count > 64 + 2 * spans ||
		h->terms.count > 64 + 4 * (size_t)used * (h->arity + 1);
}

/*  held_changing(+Held, +Until, +Scope, +Tick, +Kind, +Events, +How): changes follow, see changes.pl. Time-points up to Until
    were known before, events happen after Scope. Kind is `whole` if somebody looks at whole lists,
    Events is `read` if somebody asks for starts and ends. How is `each` if entries are replaced one by one, `all` if
    they are filled in anew. */

static foreign_t held_changing(term_t t, term_t until, term_t scope, term_t tick, term_t kind, term_t events,
			       term_t how)
{
	held *h = NULL;
	atom_t kind_name, events_name, how_name;

	if (!get_held(t, &h) || !PL_get_int64_ex(until, &h->changes.until) ||
	    !PL_get_int64_ex(scope, &h->changes.scope) || !PL_get_int64_ex(tick, &h->changes.tick) ||
	    !PL_get_atom_ex(kind, &kind_name) || !PL_get_atom_ex(events, &events_name) ||
	    !PL_get_atom_ex(how, &how_name))
		return FALSE;
	h->changes.whole = kind_name == atom_whole;
	h->changes.events = events_name == atom_read;
	held_unchanged(h);
	h->changes.comparing = FALSE;
	if (mostly_past(h) && !held_packed(h))
		return FALSE;
	h->changes.comparing = how_name == atom_all;
	h->changes.open = TRUE;
	return TRUE;
}

/*  held_replaced(+Held, +Key, +V, +Intervals): what one instance holds from now on; fails if it does not fit. */

static foreign_t held_replaced(term_t t, term_t key, term_t value, term_t list)
{
	static _Thread_local struct {
		interval *items;
		uint32_t room;
	} given;
	held *h = NULL;
	uint32_t k, v, count;
	int fit;

	return get_held(t, &h) && !h->gone && terms_number(&h->terms, key, &k) && terms_number(&h->terms, value, &v) &&
		get_intervals(list, &given.items, &given.room, &count, &fit) && fit &&
		held_put(h, k, v, given.items, count);
}

/*  Starts and ends that only one of two interval lists has, in order of time. */

typedef struct {
	const interval *a, *b;
	uint32_t na, nb, i, j;		/* borders, two for each interval */
} borders;

static inline int64_t border_at(const interval *spans, uint32_t i)
{
	return i % 2 ? spans[i / 2].end : spans[i / 2].start;
}

static int next_border(borders *s, int64_t *border)
{
	while (s->i < s->na || s->j < s->nb) {
		int64_t x = s->i < s->na ? border_at(s->a, s->i) : 0;
		int64_t y = s->j < s->nb ? border_at(s->b, s->j) : 0;
		if (s->i < s->na && s->j < s->nb && x == y) {
			s->i++;
			s->j++;
		} else if (s->j == s->nb || (s->i < s->na && x < y)) {
			s->i++;
			*border = x;
			return TRUE;
		} else {
			s->j++;
			*border = y;
			return TRUE;
		}
	}
	return FALSE;
}

static borders borders_of(const held *h, const change *c)
{
	const entry *e = &h->now.entries[c->entry];

	return (borders){.a = h->changes.past + c->past, .b = h->now.spans + e->first,
			 .na = 2 * c->count, .nb = 2 * e->count};
}

/*  compare(h, c): find out what has become different; FALSE if nothing has. */

static int compare(const held *h, change *c)
{
	borders s = borders_of(h, c);
	int64_t border, until = h->changes.until;
	uint32_t found = 0;

	c->parted = FALSE;
	while (next_border(&s, &border)) {
		if (found == 0)
			c->first = border;
		else if (found % 2 == 0 && !c->parted && c->first <= until && border > until) {
			c->parted = TRUE;
			c->known = c->till;
			c->after = border;
		}
		c->till = border;
		found++;
	}
	return found > 0;
}

/*  leave(h, border): drop the intervals that the window has left, which end by border. */

static int leave(held *h, int64_t border)
{
	for (uint32_t i = 0; i < h->now.count; i++) {
		entry *e = &h->now.entries[i];
		if (e->count == 0 || h->now.spans[e->first].end > border)
			continue;
		if (!touch(h, i))
			return FALSE;
		while (e->count && h->now.spans[e->first].end <= border) {
			e->first++;
			e->count--;
		}
	}
	return TRUE;
}

/*  held_settled(+Held, +Border): all changes are made. The window has left what ends by Border. Once this has been
    said, nothing more happens until held_changing/7. */

static foreign_t held_settled(term_t t, term_t border_)
{
	held *h = NULL;
	int64_t border;
	uint32_t kept = 0;

	if (!get_held(t, &h) || !PL_get_int64_ex(border_, &border))
		return FALSE;
	changes *all = &h->changes;
	if (!all->open)
		return TRUE;
	if (!leave(h, border))
		return FALSE;
	all->open = all->comparing = FALSE;
	for (uint32_t i = 0; i < all->count; i++) {
		change c = all->items[i];
		uint32_t before = c.count;
		while (c.count && all->past[c.past].end <= border) {
			c.past++;
			c.count--;
		}
		c.left = !compare(h, &c);
		if (c.left && (c.count == before || (h->now.entries[c.entry].count && !all->whole)))
			continue;
		all->items[kept++] = c;
	}
	all->count = kept;
	all->version++;
	return TRUE;
}

/*  put_span(t, start, end): the term Start-End. */

static int put_span(term_t t, int64_t start, int64_t end)
{
	term_t args = PL_new_term_refs(2);

	return PL_put_int64(args, start) && put_end(args + 1, end) &&
		PL_cons_functor(t, functor_minus2, args, args + 1);
}

/*  unify_region(h, c, t): where something has become different, as far as that was known before. */

static int unify_region(const held *h, const change *c, term_t t)
{
	borders s = borders_of(h, c);
	term_t tail = PL_copy_term_ref(t), head = PL_new_term_ref(), pair = PL_new_term_ref();
	int64_t start, end, until = h->changes.until;

	while (next_border(&s, &start) && next_border(&s, &end) && start <= until)
		if (!PL_unify_list(tail, head, tail) ||
		    !put_interval(pair, start, end > until ? until + 1 : end) || !PL_unify(head, pair))
			return FALSE;
	return PL_unify_nil(tail);
}

/*  unify_events(h, a, na, b, nb, ends, t): where intervals of b start, or end, and none of a does. */

static int unify_events(const held *h, const interval *a, uint32_t na, const interval *b, uint32_t nb, int ends,
			term_t t)
{
	term_t tail = PL_copy_term_ref(t), head = PL_new_term_ref();
	uint32_t j = 0;

	for (uint32_t i = 0; i < nb; i++) {
		int64_t time = ends ? b[i].end : b[i].start;
		if (time == OPEN || time - h->changes.tick <= h->changes.scope)
			continue;
		while (j < na && (ends ? a[j].end : a[j].start) < time)
			j++;
		if (j < na && (ends ? a[j].end : a[j].start) == time)
			continue;
		if (!PL_unify_list(tail, head, tail) || !PL_unify_int64(head, time - h->changes.tick))
			return FALSE;
	}
	return PL_unify_nil(tail);
}

/*  unify_change(h, c, later, t0): Span, Region, Begun, Unbegun, Ended and Unended of a change, or the span alone of
    its later part. */

static int unify_change(const held *h, const change *c, int later, term_t t0)
{
	const entry *e = &h->now.entries[c->entry];
	const interval *past = h->changes.past + c->past, *now = h->now.spans + e->first;
	term_t span = PL_new_term_ref();

	if (c->left) {
		if (!PL_unify_atom(t0, atom_none))
			return FALSE;
	} else if (!put_span(span, later ? c->after : c->first, c->parted && !later ? c->known : c->till) ||
		   !PL_unify(t0, span)) {
		return FALSE;
	}
	if (c->left || later) {
		for (int i = 1; i < 6; i++)
			if (!PL_unify_nil(t0 + i))
				return FALSE;
		return TRUE;
	}
	if (!unify_region(h, c, t0 + 1))
		return FALSE;
	if (!h->changes.events)
		return PL_unify_nil(t0 + 2) && PL_unify_nil(t0 + 3) && PL_unify_nil(t0 + 4) && PL_unify_nil(t0 + 5);
	return unify_events(h, past, c->count, now, e->count, FALSE, t0 + 2) &&
		unify_events(h, now, e->count, past, c->count, FALSE, t0 + 3) &&
		unify_events(h, past, c->count, now, e->count, TRUE, t0 + 4) &&
		unify_events(h, now, e->count, past, c->count, TRUE, t0 + 5);
}

/*  held_changed(+Held, ?Arg..., ?V, ?Span, ?Region, ?Begun, ?Unbegun, ?Ended, ?Unended): nondeterministic. */

typedef struct {
	pattern pattern;
	uint32_t change;		/* where to go on */
	uint32_t version;
	int later;			/* with the second part of it */
} cursor;

static void next_change(const held *h, cursor *c)
{
	while (c->change < h->changes.count &&
	       !fits(h, &h->now.entries[h->changes.items[c->change].entry], &c->pattern))
		c->change++;
}

static foreign_t held_changed(term_t t0, int arity, control_t control)
{
	held *h = NULL;
	cursor first, *c = &first;

	(void)arity;
	switch (PL_foreign_control(control)) {
	case PL_FIRST_CALL:
		if (!get_held(t0, &h) || h->changes.count == 0 || !get_pattern(h, t0 + 1, &c->pattern))
			return FALSE;
		c->pattern.by = MOST_WANTS;
		c->change = 0;
		c->later = FALSE;
		c->version = h->changes.version;
		next_change(h, c);
		break;
	case PL_REDO:
		c = PL_foreign_context_address(control);
		if (get_held(t0, &h) && c->version == h->changes.version)
			break;
		free(c);
		return FALSE;
	default:
		free(PL_foreign_context_address(control));
		return TRUE;
	}
	int found = FALSE;
	fid_t frame = PL_open_foreign_frame();
	while (!found && c->change < h->changes.count) {
		const change *now = &h->changes.items[c->change];
		int later = c->later;
		c->later = now->parted && !now->left && !later;
		if (!c->later) {
			c->change++;
			next_change(h, c);
		}
		found = unify_entry(h, &h->now.entries[now->entry], &c->pattern, t0 + 1) &&
			unify_change(h, now, later, t0 + h->arity + 2);
		if (!found && PL_exception(0))
			c->change = h->changes.count;
		else if (!found)
			PL_rewind_foreign_frame(frame);
	}
	PL_close_foreign_frame(frame);
	return answered(found, found && c->change < h->changes.count, c, c == &first, sizeof *c);
}

/*  held_open(+Held, -List): Key-V for all that have not ended. */

static foreign_t held_open(term_t t, term_t list)
{
	held *h = NULL;
	term_t tail = PL_copy_term_ref(list), head = PL_new_term_refs(4), pair = head + 3;

	if (!get_held(t, &h))
		return FALSE;
	for (const entry *e = h->now.entries; e < h->now.entries + h->now.count; e++) {
		if (e->count == 0 || h->now.spans[e->first + e->count - 1].end != OPEN)
			continue;
		if (!terms_put(&h->terms, e->key, head + 1) || !terms_put(&h->terms, e->value, head + 2) ||
		    !PL_cons_functor(pair, functor_minus2, head + 1, head + 2) ||
		    !PL_unify_list(tail, head, tail) || !PL_unify(head, pair))
			return FALSE;
	}
	return PL_unify_nil(tail);
}

/*  held_touched(+Held, -List): touched(Key,V,Intervals) for all that have been changed since held_changing/6, as
    they were then. */

static foreign_t held_touched(term_t t, term_t list)
{
	held *h = NULL;
	term_t result = PL_new_term_ref();

	if (!get_held(t, &h))
		return FALSE;
	PL_put_nil(result);
	for (uint32_t i = h->changes.count; i-- > 0;) {
		const change *c = &h->changes.items[i];
		const entry *e = &h->now.entries[c->entry];
		term_t args = PL_new_term_refs(4), pair = args + 3;
		PL_put_nil(args + 2);
		for (uint32_t j = c->count; j-- > 0;) {
			const interval *past = &h->changes.past[c->past + j];
			if (!put_interval(pair, past->start, past->end) || !PL_cons_list(args + 2, pair, args + 2))
				return FALSE;
		}
		if (!terms_put(&h->terms, e->key, args) || !terms_put(&h->terms, e->value, args + 1) ||
		    !PL_cons_functor_v(pair, functor_touched3, args) || !PL_cons_list(result, pair, result))
			return FALSE;
		PL_reset_term_refs(args);
	}
	return PL_unify(list, result);
}

void install_changes(void)
{
	atom_read = PL_new_atom("read");
	atom_whole = PL_new_atom("whole");
	atom_none = PL_new_atom("none");
	atom_all = PL_new_atom("all");
	functor_minus2 = PL_new_functor(PL_new_atom("-"), 2);
	functor_touched3 = PL_new_functor(PL_new_atom("touched"), 3);
	PL_register_foreign("held_changing", 7, held_changing, 0);
	PL_register_foreign("held_replaced", 4, held_replaced, 0);
	PL_register_foreign("held_settled", 2, held_settled, 0);
	PL_register_foreign("held_touched", 2, held_touched, 0);
	PL_register_foreign("held_open", 2, held_open, 0);
	for (int arity = 0; arity <= MOST_ARGUMENTS; arity++)
		PL_register_foreign("held_changed", arity + 8, held_changed,
				    PL_FA_NONDETERMINISTIC | PL_FA_VARARGS);
}
