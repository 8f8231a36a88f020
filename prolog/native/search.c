/*  What a store holds, found by what is known of its instances and values.

    A call is made a _pattern_: the terms that are known, and their places. The index by which the fewest entries are looked at
    leads to them, the others are compared.
*/

#include <SWI-Prolog.h>
#include <stdlib.h>
#include <string.h>
#include "held.h"

static inline uint32_t count_of(const index_of *x, uint32_t n)
{
	return n < x->size ? x->counts[n] : 0;
}

static void add_want(pattern *p, uint16_t at, uint16_t part, uint32_t number)
{
	/* What does not fit is looked at when it is unified. */
	if (p->count < MOST_WANTS)
		p->wants[p->count++] = (want){{at, part}, number};
}

/*  want_parts(h, t, at, p): the known arguments of a compound that has a variable in it; FALSE if no
    entry has them. */

static int want_parts(const held *h, term_t t, uint16_t at, pattern *p)
{
	atom_t name;
	size_t arity;
	uint32_t n;

	if (!PL_get_compound_name_arity_sz(t, &name, &arity))
		return TRUE;
	term_t arg = PL_new_term_ref();
	for (size_t i = 1; i <= arity && i < VALUE; i++) {
		_PL_get_arg_sz(i, t, arg);
		enum look_up found = terms_look_up(&h->terms, arg, &n);
		if (found == TERM_ABSENT)
			return FALSE;
		if (found == TERM_FOUND)
			add_want(p, at, (uint16_t)i, n);
	}
	return TRUE;
}

int get_pattern(const held *h, term_t t0, pattern *p)
{
	uint32_t numbers[MOST_ARGUMENTS + 1], key;
	size_t n = h->arity;

	p->count = p->known = 0;
	for (size_t i = 0; i <= n; i++) {
		enum look_up found = terms_look_up(&h->terms, t0 + i, &numbers[i]);
		if (found == TERM_ABSENT)
			return FALSE;
		if (found == TERM_FOUND)
			p->known |= 1u << i;
	}
	uint32_t all = (1u << n) - 1;
	if (n > 0 && (p->known & all) == all) {
		key = numbers[0];
		if (n > 1 && terms_look_up_parts(&h->terms, h->functor, numbers, n, &key) != TERM_FOUND)
			return FALSE;
		add_want(p, 0, 0, key);
	} else {
		for (size_t i = 0; i < n; i++)
			if (p->known & 1u << i)
				add_want(p, n == 1 ? 0 : (uint16_t)(i + 1), 0, numbers[i]);
			else if (!want_parts(h, t0 + i, n == 1 ? 0 : (uint16_t)(i + 1), p))
				return FALSE;
	}
	if (p->known & 1u << n)
		add_want(p, VALUE, 0, numbers[n]);
	else if (!want_parts(h, t0 + n, VALUE, p))
		return FALSE;
	return TRUE;
}

/*  first_entry(h, p, &i): choose the index by which the fewest entries are looked at; i is where that
    begins, plus one. */

static int first_entry(held *h, pattern *p, uint32_t *i)
{
	uint32_t fewest = UINT32_MAX;

	p->index = NULL;
	p->by = MOST_WANTS;
	*i = 1;
	for (uint32_t w = 0; w < p->count && fewest > 1; w++) {
		uint32_t number = p->wants[w].number;
		index_of *x;
		/* An instance has few values. */
		if (w > 0 && p->wants[0].place.at == 0 && p->wants[0].place.part == 0)
			break;
		if (!index_at(h, p->wants[w].place, &x))
			return FALSE;
		if (x && count_of(x, number) < fewest) {
			fewest = count_of(x, number);
			p->index = x;
			p->by = w;
			*i = head_of(x, number);
		}
	}
	return TRUE;
}

int fits(const held *h, const entry *e, const pattern *p)
{
	for (uint32_t i = 0; i < p->count; i++) {
		uint32_t n;
		if (i != p->by &&
		    (!number_at(h, e, p->wants[i].place, &n) || n != p->wants[i].number))
			return FALSE;
	}
	return TRUE;
}

/*  next_fit(h, p, i): of the entries from i-1 on in the order of the index, the first that fits, plus
    one; 0 if there is none. */

static inline uint32_t after(const pattern *p, uint32_t i)
{
	return p->index ? p->index->next[i - 1] : i + 1;
}

static uint32_t next_fit(const held *h, const pattern *p, uint32_t i)
{
	while (i > 0 && i <= h->now.count) {
		if (h->now.entries[i - 1].count && fits(h, &h->now.entries[i - 1], p))
			return i;
		i = after(p, i);
	}
	return 0;
}

static int put_intervals(const held *h, const entry *e, term_t list)
{
	term_t pair = PL_new_term_ref();

	PL_put_nil(list);
	for (uint32_t i = e->first + e->count; i-- > e->first;) {
		const interval *span = &h->now.spans[i];
		if (!put_interval(pair, span->start, span->end) || !PL_cons_list(list, pair, list))
			return FALSE;
	}
	return TRUE;
}

int unify_entry(const held *h, const entry *e, const pattern *p, term_t t0)
{
	size_t n = h->arity;
	const uint32_t *parts = n == 1 ? &e->key : &h->terms.parts[h->terms.nodes[e->key].parts];

	for (size_t i = 0; i < n; i++)
		if (!(p->known & 1u << i) && !terms_unify(&h->terms, parts[i], t0 + i))
			return FALSE;
	return p->known & 1u << n || terms_unify(&h->terms, e->value, t0 + n);
}

foreign_t answered(int found, int more, void *cursor, int is_first, size_t size)
{
	if (more && is_first) {
		void *kept = malloc(size);
		if (!kept)
			return PL_resource_error("memory");
		cursor = memcpy(kept, cursor, size);
	}
	if (more)
		PL_retry_address(cursor);
	if (!is_first)
		free(cursor);
	return found;
}

static int unify_intervals(const held *h, const entry *e, term_t t)
{
	term_t list = PL_new_term_ref();

	return put_intervals(h, e, list) && PL_unify(t, list);
}

/*  all_known(h, p): there is nothing to unify. */

static int all_known(const held *h, const pattern *p)
{
	uint32_t all = (1u << (h->arity + 1)) - 1;

	return (p->known & all) == all;
}

static int holds_at(const held *h, const entry *e, int64_t time)
{
	const interval *spans = h->now.spans + e->first;
	uint32_t low = 0, high = e->count;	/* the first that ends after time is in between */

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (spans[middle].end > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low < e->count && spans[low].start <= time;
}

/*  held_fact(+Held, ?Arg..., ?Value, ?Intervals): nondeterministic. held_at(+Held, ?Arg..., ?Value, +T): the same for
    what holds at a time-point. */

typedef struct {
	pattern pattern;
	uint32_t entry;		/* where to go on, plus one */
	uint32_t version;
	int64_t time;
	int timed;
} cursor;

static uint32_t next_entry(const held *h, const cursor *c, uint32_t i)
{
	for (i = next_fit(h, &c->pattern, i); i && c->timed; i = next_fit(h, &c->pattern, after(&c->pattern, i)))
		if (holds_at(h, &h->now.entries[i - 1], c->time))
			break;
	return i;
}

static foreign_t found(term_t t0, control_t control, int timed)
{
	held *h = NULL;
	cursor first, *c = &first;

	switch (PL_foreign_control(control)) {
	case PL_FIRST_CALL:
		c->timed = timed;
		if (!get_held(t0, &h) || h->now.count == 0 || !get_pattern(h, t0 + 1, &c->pattern) ||
		    !first_entry(h, &c->pattern, &c->entry) ||
		    (timed && !PL_get_int64(t0 + h->arity + 2, &c->time)))
			return FALSE;
		c->entry = next_entry(h, c, c->entry);
		c->version = h->version;
		break;
	case PL_REDO:
		c = PL_foreign_context_address(control);
		if (get_held(t0, &h) && c->version == h->version)
			break;
		free(c);
		return FALSE;
	default:
		free(PL_foreign_context_address(control));
		return TRUE;
	}
	if (timed && c == &first && c->entry && all_known(h, &c->pattern))
		return TRUE;
	int found = FALSE;
	fid_t frame = PL_open_foreign_frame();
	while (!found && c->entry) {
		const entry *e = &h->now.entries[c->entry - 1];
		c->entry = next_entry(h, c, after(&c->pattern, c->entry));
		found = unify_entry(h, e, &c->pattern, t0 + 1) &&
			(timed || unify_intervals(h, e, t0 + h->arity + 2));
		if (!found && PL_exception(0))
			c->entry = 0;
		else if (!found)
			PL_rewind_foreign_frame(frame);
	}
	PL_close_foreign_frame(frame);
	return answered(found, found && c->entry, c, c == &first, sizeof *c);
}

static foreign_t held_fact(term_t t0, int arity, control_t control)
{
	(void)arity;
	return found(t0, control, FALSE);
}

static foreign_t held_at(term_t t0, int arity, control_t control)
{
	(void)arity;
	return found(t0, control, TRUE);
}

void install_search(void)
{
	for (int arity = 0; arity <= MOST_ARGUMENTS; arity++)
		PL_register_foreign("held_fact", arity + 3, held_fact,
				    PL_FA_NONDETERMINISTIC | PL_FA_VARARGS);
	for (int arity = 0; arity <= MOST_ARGUMENTS; arity++)
		PL_register_foreign("held_at", arity + 3, held_at,
				    PL_FA_NONDETERMINISTIC | PL_FA_VARARGS);
}
