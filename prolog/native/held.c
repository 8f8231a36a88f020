/*  What the instances of a fluent hold in the window, where Prolog needs no facts of it.

    A store in C takes the place of facts Store(Arg..., Value, Intervals): the predicate Store has a
    single clause then, which asks held_fact/4 (see prolog/rtec/links.pl). To fill and to empty it
    costs a tenth of what facts cost, and what rules look for is found by an index that
    costs no more than to count.

    Instances are known by their _key_: the argument of a fluent with one, the fluent itself
    otherwise. Keys and values are numbers of terms, which stay the same from one query time to
    the next. New entries are put aside until all are there; rules see the old ones until then.
*/

#include <SWI-Stream.h>
#include <SWI-Prolog.h>
#include <stdlib.h>
#include <string.h>
#include "held.h"

static functor_t functor_held3, functor_comma2;

/*  A store is a blob, so that Prolog's garbage collector gives it back. */

static void free_tables(held *h)
{
	terms_free(&h->terms);
	free(h->now.entries);
	free(h->now.spans);
	free(h->next.entries);
	free(h->next.spans);
	for (uint32_t i = 0; i < MOST_INDEXES; i++) {
		free(h->indexes[i].heads);
		free(h->indexes[i].counts);
		free(h->indexes[i].next);
	}
	free(h->pairs);
	free(h->met);
	if (h->live)
		free_live(h->live);
	free(h->told);
	free(h->changes.items);
	free(h->changes.past);
	free(h->changes.of_entry);
}

static int release_held(atom_t blob)
{
	held *h = PL_blob_data(blob, NULL, NULL);

	free_tables(h);
	free(h);
	return TRUE;
}

static int write_held(IOSTREAM *out, atom_t blob, int flags)
{
	const held *h = PL_blob_data(blob, NULL, NULL);

	(void)flags;
	return Sfprintf(out, "<rtec_held>(%p)", h) >= 0;
}

static PL_blob_t held_type = {
	.magic = PL_BLOB_MAGIC, .flags = PL_BLOB_NOCOPY, .name = "rtec_held",
	.release = release_held, .write = write_held
};

/*  held_new(+Fluent, -Held): for all that is like Fluent; fails if it has too many arguments. */

static foreign_t held_new(term_t fluent, term_t t)
{
	held *h = calloc(1, sizeof *h);
	atom_t name;

	if (!h)
		return PL_resource_error("memory");
	if (!PL_get_name_arity_sz(fluent, &name, &h->arity) || h->arity > MOST_ARGUMENTS) {
		free(h);
		return FALSE;
	}
	h->functor = PL_new_functor_sz(name, h->arity);
	return PL_unify_blob(t, h, sizeof *h, &held_type);
}

int get_held(term_t t, held **h)
{
	void *data;
	PL_blob_t *type;

	if (!PL_get_blob(t, &data, NULL, &type) || type != &held_type)
		return PL_type_error("rtec_held", t);
	*h = data;
	return TRUE;
}

void held_clear(held *h)
{
	h->next.count = h->next.spans_count = 0;
	h->unfit = FALSE;
	if (h->pairs_count)
		memset(h->met, 0, h->met_size * sizeof *h->met);
	h->pairs_count = 0;
}

interval *held_entry(held *h, uint32_t key, uint32_t value, uint32_t count)
{
	table *t = &h->next;

	if (!ROOM(t->entries, t->room, (size_t)t->count + 1) ||
	    !ROOM(t->spans, t->spans_room, (size_t)t->spans_count + count + 1))
		return NULL;
	interval *spans = t->spans + t->spans_count;
	t->entries[t->count++] = (entry){key, value, t->spans_count, count};
	t->spans_count += count;
	return spans;
}

/*  Terms are given new numbers when most of them are of the past. */

static int moved(const terms *old, terms *new, uint32_t *map, uint32_t *n)
{
	if (!map[*n]) {
		fid_t frame = PL_open_foreign_frame();
		term_t t = PL_new_term_ref();
		uint32_t number;
		int done = terms_put(old, *n, t) && terms_number(new, t, &number);
		PL_discard_foreign_frame(frame);
		if (!done)
			return FALSE;
		map[*n] = number + 1;
	}
	*n = map[*n] - 1;
	return TRUE;
}

static int renumber(held *h)
{
	terms old = h->terms;
	uint32_t *map = calloc(old.count + 1, sizeof *map);
	int done = map != NULL;

	memset(&h->terms, 0, sizeof h->terms);
	h->epoch = 0;
	for (uint32_t i = 0; done && i < h->now.count; i++)
		done = moved(&old, &h->terms, map, &h->now.entries[i].key) &&
			moved(&old, &h->terms, map, &h->now.entries[i].value);
	terms_free(&old);
	free(map);
	return done || PL_resource_error("memory");
}

/*  seen(h): what was put aside is what is seen now. */

static int seen(held *h)
{
	table now = h->now;

	h->now = h->next;
	h->next = now;
	held_clear(h);
	h->version++;
	for (uint32_t i = 0; i < h->indexes_count; i++)
		h->indexes[i].ready = FALSE;
	return h->terms.count <= 64 + 4 * (size_t)h->now.count * (h->arity + 1) || renumber(h);
}

int held_done(held *h)
{
	if (h->unfit)
		return FALSE;
	if (h->changes.comparing)
		return held_merged(h);
	held_unchanged(h);
	return seen(h);
}

int held_packed(held *h)
{
	const table *t = &h->now;

	held_clear(h);
	for (const entry *e = t->entries; e < t->entries + t->count; e++) {
		if (e->count == 0)
			continue;
		interval *spans = held_entry(h, e->key, e->value, e->count);
		if (!spans)
			return FALSE;
		memcpy(spans, t->spans + e->first, e->count * sizeof *spans);
	}
	return seen(h);
}

/*  number_at(h, e, place, &n): the number of the term that an entry has there, if it has any. */

static inline int number_at(const held *h, const entry *e, place p, uint32_t *n)
{
	if (p.at == VALUE) {
		*n = e->value;
		if (p.part == 0)
			return TRUE;
	} else if (p.at == 0) {
		*n = e->key;
	} else {
		*n = h->terms.parts[h->terms.nodes[e->key].parts + p.at - 1];
	}
	if (p.part > 0) {
		const node *whole = &h->terms.nodes[*n];
		if (whole->arity < p.part)
			return FALSE;
		*n = h->terms.parts[whole->parts + p.part - 1];
	}
	return TRUE;
}

int held_append(held *h, uint32_t key, uint32_t value, uint32_t *i)
{
	table *t = &h->now;

	if (!ROOM(t->entries, t->room, (size_t)t->count + 1))
		return FALSE;
	*i = t->count;
	t->entries[t->count++] = (entry){key, value, t->spans_count, 0};
	for (uint32_t j = 0; j < h->indexes_count; j++) {
		index_of *x = &h->indexes[j];
		uint32_t n, room = x->room;
		if (!x->ready)
			continue;
		if (!ROOM(x->heads, room, h->terms.count) || !ROOM(x->counts, x->room, h->terms.count) ||
		    !ROOM(x->next, x->next_room, t->count))
			return FALSE;
		for (; x->size < h->terms.count; x->size++)
			x->heads[x->size] = x->counts[x->size] = 0;
		if (!number_at(h, &t->entries[*i], x->place, &n))
			continue;
		x->next[*i] = x->heads[n];
		x->heads[n] = *i + 1;
		x->counts[n]++;
	}
	return TRUE;
}

static int fill_index(held *h, index_of *x)
{
	const table *t = &h->now;
	uint32_t size = h->terms.count, room = x->room;

	if (!ROOM(x->heads, room, size) || !ROOM(x->counts, x->room, size) ||
	    !ROOM(x->next, x->next_room, t->count))
		return FALSE;
	memset(x->heads, 0, size * sizeof *x->heads);
	memset(x->counts, 0, size * sizeof *x->counts);
	for (uint32_t i = t->count; i-- > 0;) {
		uint32_t n;
		if (!number_at(h, &t->entries[i], x->place, &n))
			continue;
		x->next[i] = x->heads[n];
		x->heads[n] = i + 1;
		x->counts[n]++;
	}
	x->size = size;
	x->ready = TRUE;
	return TRUE;
}

int index_at(held *h, place p, index_of **x)
{
	uint32_t i = 0;

	while (i < h->indexes_count &&
	       (h->indexes[i].place.at != p.at || h->indexes[i].place.part != p.part))
		i++;
	*x = NULL;
	if (i == MOST_INDEXES)
		return TRUE;
	if (i == h->indexes_count) {
		h->indexes[i].place = p;
		h->indexes[i].ready = FALSE;
		h->indexes_count++;
	}
	*x = &h->indexes[i];
	return (*x)->ready || fill_index(h, *x);
}

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

/*  held_free(+Held): forget everything, and give the memory back at once. Nothing is replaced in it any more. */

static foreign_t held_free(term_t t)
{
	held *h = NULL;

	if (!get_held(t, &h))
		return FALSE;
	free_tables(h);
	*h = (held){.functor = h->functor, .arity = h->arity, .version = h->version + 1, .gone = TRUE};
	return TRUE;
}

/*  held_size(+Held, -N) */

static foreign_t held_size(term_t t, term_t n)
{
	held *h = NULL;
	uint64_t size = 0;

	if (!get_held(t, &h))
		return FALSE;
	for (uint32_t i = 0; i < h->now.count; i++)
		size += h->now.entries[i].count > 0;
	return PL_unify_uint64(n, size);
}

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

int held_find(held *h, uint32_t key, uint32_t value, uint32_t *i)
{
	index_of *x;

	if (!index_at(h, (place){0, 0}, &x))
		return FALSE;
	for (*i = x ? head_of(x, key) : 1; *i && *i <= h->now.count; *i = x ? x->next[*i - 1] : *i + 1) {
		const entry *e = &h->now.entries[*i - 1];
		if (e->key == key && e->value == value)
			return TRUE;
	}
	*i = 0;
	return TRUE;
}

const interval *held_intervals(held *h, uint32_t key, uint32_t value, uint32_t *count)
{
	uint32_t i;

	*count = 0;
	if (!held_find(h, key, value, &i) || !i)
		return NULL;
	*count = h->now.entries[i - 1].count;
	return h->now.spans + h->now.entries[i - 1].first;
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

void install_held(void)
{
	functor_held3 = PL_new_functor(PL_new_atom("held"), 3);
	functor_comma2 = PL_new_functor(PL_new_atom(","), 2);
	PL_register_foreign("held_new", 2, held_new, 0);
	for (int arity = 0; arity <= MOST_ARGUMENTS; arity++)
		PL_register_foreign("held_fact", arity + 3, held_fact,
				    PL_FA_NONDETERMINISTIC | PL_FA_VARARGS);
	for (int arity = 0; arity <= MOST_ARGUMENTS; arity++)
		PL_register_foreign("held_at", arity + 3, held_at,
				    PL_FA_NONDETERMINISTIC | PL_FA_VARARGS);
	PL_register_foreign("held_size", 2, held_size, 0);
	PL_register_foreign("held_free", 1, held_free, 0);
	PL_register_foreign("held_begin", 1, held_begin, 0);
	PL_register_foreign("held_end", 1, held_end, 0);
	PL_register_foreign("held_first", 3, held_first, 0);
	PL_register_foreign("held_joined", 4, held_joined, 0);
	PL_register_foreign("held_whole", 3, held_whole, 0);
	PL_register_foreign("held_list", 2, held_list, 0);
}
