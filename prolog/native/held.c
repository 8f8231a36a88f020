/*  What the instances of a fluent hold in the window, where Prolog needs no facts of it.

    A store in C takes the place of facts Store(Arg..., Value, Intervals): the predicate Store has a
    single clause then, which asks held_fact/4 (see prolog/rtec/links.pl). To fill and to empty it
    costs a tenth of what facts cost, and what rules look for is found by an index that
    costs no more than to count.

    Instances are known by their _key_: the argument of a fluent with one, the fluent itself
    otherwise. Keys and values are numbers of terms, which stay the same from one query time to
    the next. New entries are put aside until all are there; rules see the old ones until then. How they
    are found is in search.c, how they come there in filling.c and changes.c.
*/

#include <SWI-Stream.h>
#include <SWI-Prolog.h>
#include <stdlib.h>
#include <string.h>
#include "held.h"

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
	for (uint32_t i = 0; i < h->sources_count; i++)
		free(h->sources[i].own);
	free(h->sources);
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

/*  names_moved(old, h, map): the same for what sources may name. */

static int names_moved(const terms *old, held *h, uint32_t *map)
{
	for (names *s = h->sources; s < h->sources + h->sources_count; s++)
		for (uint32_t *own = s->own; own < s->own + s->room; own++) {
			uint32_t number = *own - 1;
			if (!*own)
				continue;
			if (!moved(old, &h->terms, map, &number))
				return FALSE;
			*own = number + 1;
		}
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
	done = done && names_moved(&old, h, map);
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
	size_t used = (size_t)h->now.count + h->named;
	return h->terms.count <= 64 + 4 * used * (h->arity + 1) || renumber(h);
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

void install_held(void)
{
	PL_register_foreign("held_new", 2, held_new, 0);
	PL_register_foreign("held_size", 2, held_size, 0);
	PL_register_foreign("held_free", 1, held_free, 0);
}
