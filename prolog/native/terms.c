#include "terms.h"
#include <stdlib.h>
#include <string.h>

enum tag { ATOM, INTEGER, FLOAT, COMPOUND };

#define DEEPEST 64
#define MOST_ARGUMENTS 256
#define FEWEST_SLOTS 1024

void terms_clear(terms *ts)
{
	for (uint32_t i = 0; i < ts->count; i++)
		if (ts->nodes[i].tag == ATOM)
			PL_unregister_atom(ts->nodes[i].word);
	if (ts->count)
		memset(ts->slots, 0, ts->slots_count * sizeof *ts->slots);
	ts->count = ts->parts_count = 0;
	memset(ts->seen, 0, sizeof ts->seen);
}

void terms_free(terms *ts)
{
	terms_clear(ts);
	free(ts->nodes);
	free(ts->parts);
	free(ts->slots);
}

/*  grown(array, &room, size): the array with twice the room; NULL if there is no memory. */

static void *grown(void *array, uint32_t *room, size_t size)
{
	uint32_t more = *room ? 2 * *room : 256;
	void *larger = more > *room ? realloc(array, more * size) : NULL;
	if (larger)
		*room = more;
	return larger;
}

static uint32_t mixed(uint64_t h)
{
	h ^= h >> 31;
	h *= 0x9e3779b97f4a7c15u;
	return (uint32_t)(h >> 32);
}

/*  Half of the slots are free, so that a search ends soon. */

static int more_slots(terms *ts)
{
	uint32_t count = ts->slots_count ? 2 * ts->slots_count : FEWEST_SLOTS;
	uint32_t *slots = calloc(count, sizeof *slots);
	if (!slots)
		return FALSE;
	for (uint32_t i = 0; i < ts->count; i++) {
		uint32_t s = ts->nodes[i].hash & (count - 1);
		while (slots[s])
			s = (s + 1) & (count - 1);
		slots[s] = i + 1;
	}
	free(ts->slots);
	ts->slots = slots;
	ts->slots_count = count;
	return TRUE;
}

static int same(const terms *ts, const node *a, const node *b, const uint32_t *parts)
{
	return a->word == b->word && a->hash == b->hash && a->tag == b->tag &&
		a->arity == b->arity &&
		(a->arity == 0 || !memcmp(ts->parts + a->parts, parts, a->arity * sizeof *parts));
}

static uint32_t hash_of(const node *wanted, const uint32_t *parts)
{
	uint64_t h = wanted->word * 4 + wanted->tag;

	for (uint16_t i = 0; i < wanted->arity; i++)
		h = (h ^ parts[i]) * 0x100000001b3u + i;
	return mixed(h);
}

/*  known(ts, wanted, parts, &n): the number of the node that is like the wanted one; if there is
    none, n is the slot where it belongs. */

static int known(const terms *ts, const node *wanted, const uint32_t *parts, uint32_t *n)
{
	uint32_t s = wanted->hash & (ts->slots_count - 1);

	for (; ts->slots[s]; s = (s + 1) & (ts->slots_count - 1))
		if (same(ts, &ts->nodes[ts->slots[s] - 1], wanted, parts)) {
			*n = ts->slots[s] - 1;
			return TRUE;
		}
	*n = s;
	return FALSE;
}

/*  find(ts, wanted, parts, &n): the number of a node that is like the wanted one, a new one if
    there is none. */

static int find(terms *ts, node wanted, const uint32_t *parts, uint32_t *n)
{
	uint32_t s;

	wanted.hash = hash_of(&wanted, parts);
	if (2 * ts->count >= ts->slots_count && !more_slots(ts))
		return FALSE;
	if (known(ts, &wanted, parts, &s)) {
		*n = s;
		return TRUE;
	}
	if (ts->count == ts->room) {
		node *nodes = grown(ts->nodes, &ts->room, sizeof *nodes);
		if (!nodes)
			return FALSE;
		ts->nodes = nodes;
	}
	wanted.parts = ts->parts_count;
	for (uint16_t i = 0; i < wanted.arity; i++) {
		if (ts->parts_count == ts->parts_room) {
			uint32_t *pool = grown(ts->parts, &ts->parts_room, sizeof *pool);
			if (!pool)
				return FALSE;
			ts->parts = pool;
		}
		ts->parts[ts->parts_count++] = parts[i];
	}
	/* A rule may have made the atom, and nobody else know it. */
	if (wanted.tag == ATOM)
		PL_register_atom(wanted.word);
	ts->nodes[ts->count] = wanted;
	ts->slots[s] = ++ts->count;
	*n = ts->count - 1;
	return TRUE;
}

/*  read_term(t, &wanted): a node for an atom or a number; of a compound the functor and arity only.
    Atoms come first, since most terms are. */

enum reading { ATOMIC, STRUCTURE, VARIABLE, OTHER };

static enum reading read_term(term_t t, node *wanted)
{
	atom_t atom;
	functor_t functor;
	int64_t i;
	double f;
	size_t arity;

	*wanted = (node){0};
	if (PL_get_atom(t, &atom)) {
		wanted->tag = ATOM;
		wanted->word = atom;
		return ATOMIC;
	}
	switch (PL_term_type(t)) {
	case PL_VARIABLE:
		return VARIABLE;
	case PL_INTEGER:
		wanted->tag = INTEGER;
		if (!PL_get_int64(t, &i))
			return OTHER;
		wanted->word = (uint64_t)i;
		return ATOMIC;
	case PL_FLOAT:
		wanted->tag = FLOAT;
		if (!PL_get_float(t, &f))
			return OTHER;
		memcpy(&wanted->word, &f, sizeof f);
		return ATOMIC;
	case PL_TERM:
	case PL_LIST_PAIR:
		wanted->tag = COMPOUND;
		if (!PL_get_functor(t, &functor))
			return OTHER;
		arity = PL_functor_arity_sz(functor);
		/* A compound without arguments could not be put together again. */
		if (arity == 0 || arity > MOST_ARGUMENTS)
			return OTHER;
		wanted->word = functor;
		wanted->arity = (uint16_t)arity;
		return STRUCTURE;
	default:
		return OTHER;
	}
}

static int number(terms *ts, term_t t, int depth, uint32_t *n)
{
	node wanted;
	uint32_t parts[MOST_ARGUMENTS];

	switch (read_term(t, &wanted)) {
	case ATOMIC:
		return find(ts, wanted, NULL, n);
	case STRUCTURE:
		break;
	default:
		return FALSE;
	}
	if (depth == DEEPEST)
		return FALSE;
	term_t arg = PL_new_term_ref();
	for (uint16_t i = 0; i < wanted.arity; i++) {
		_PL_get_arg_sz(i + 1, t, arg);
		if (!number(ts, arg, depth + 1, &parts[i]))
			return FALSE;
	}
	PL_reset_term_refs(arg);
	return find(ts, wanted, parts, n);
}

int terms_number(terms *ts, term_t t, uint32_t *n)
{
	atom_t atom;

	if (!PL_get_atom(t, &atom))
		return number(ts, t, 0, n);
	size_t i = (atom >> 7) % TERMS_SEEN;	/* below are the bits of the tag */
	if (atom != ts->seen[i].atom) {
		if (!number(ts, t, 0, &ts->seen[i].number))
			return FALSE;
		ts->seen[i].atom = atom;
	}
	*n = ts->seen[i].number;
	return TRUE;
}

static enum look_up look_up(const terms *ts, term_t t, int depth, uint32_t *n)
{
	node wanted;
	uint32_t parts[MOST_ARGUMENTS];
	enum look_up found = TERM_FOUND;

	switch (read_term(t, &wanted)) {
	case ATOMIC:
		break;
	case VARIABLE:
		return TERM_OPEN;
	case STRUCTURE:
		if (depth < DEEPEST)
			break;
		/* fallthrough */
	default:
		return TERM_ABSENT;
	}
	if (wanted.arity) {
		term_t arg = PL_new_term_ref();
		for (uint16_t i = 0; i < wanted.arity && found == TERM_FOUND; i++) {
			_PL_get_arg_sz(i + 1, t, arg);
			found = look_up(ts, arg, depth + 1, &parts[i]);
		}
		PL_reset_term_refs(arg);
		if (found != TERM_FOUND)
			return found;
	}
	wanted.hash = hash_of(&wanted, parts);
	return known(ts, &wanted, parts, n) ? TERM_FOUND : TERM_ABSENT;
}

enum look_up terms_look_up(const terms *ts, term_t t, uint32_t *n)
{
	return ts->count ? look_up(ts, t, 0, n) : PL_is_ground(t) ? TERM_ABSENT : TERM_OPEN;
}

enum look_up terms_look_up_parts(const terms *ts, functor_t functor, const uint32_t *parts,
				 size_t arity, uint32_t *n)
{
	node wanted = {.word = functor, .tag = COMPOUND, .arity = (uint16_t)arity};

	wanted.hash = hash_of(&wanted, parts);
	return ts->count && known(ts, &wanted, parts, n) ? TERM_FOUND : TERM_ABSENT;
}

int terms_compound(terms *ts, functor_t functor, const uint32_t *parts, size_t arity, uint32_t *n)
{
	return find(ts, (node){.word = functor, .tag = COMPOUND, .arity = (uint16_t)arity}, parts, n);
}

int terms_move(const terms *from, uint32_t m, terms *to, uint32_t *n)
{
	node wanted = from->nodes[m];
	uint32_t parts[MOST_ARGUMENTS];

	for (uint16_t i = 0; i < wanted.arity; i++)
		if (!terms_move(from, from->parts[from->nodes[m].parts + i], to, &parts[i]))
			return FALSE;
	return find(to, wanted, parts, n);
}

int terms_find(const terms *from, uint32_t m, const terms *to, uint32_t *n)
{
	node wanted = from->nodes[m];
	uint32_t parts[MOST_ARGUMENTS];

	if (!to->count)
		return FALSE;
	for (uint16_t i = 0; i < wanted.arity; i++)
		if (!terms_find(from, from->parts[wanted.parts + i], to, &parts[i]))
			return FALSE;
	if (wanted.arity)
		wanted.hash = hash_of(&wanted, parts);
	return known(to, &wanted, parts, n);
}

int terms_put(const terms *ts, uint32_t n, term_t t)
{
	const node *node = &ts->nodes[n];

	switch ((enum tag)node->tag) {
	case ATOM:
		return PL_put_atom(t, node->word);
	case INTEGER:
		return PL_put_int64(t, (int64_t)node->word);
	case FLOAT: {
		double f;
		memcpy(&f, &node->word, sizeof f);
		return PL_put_float(t, f);
	}
	case COMPOUND: {
		term_t args = PL_new_term_refs(node->arity);
		for (uint16_t i = 0; i < node->arity; i++)
			if (!terms_put(ts, ts->parts[node->parts + i], args + i))
				return FALSE;
		return PL_cons_functor_v(t, node->word, args);
	}
	}
	return FALSE;
}

int terms_put_args(const terms *ts, uint32_t n, size_t arity, term_t t0)
{
	const node *node = &ts->nodes[n];

	if (arity == 1)
		return terms_put(ts, n, t0);
	for (size_t i = 0; i < arity; i++)
		if (!terms_put(ts, ts->parts[node->parts + i], t0 + i))
			return FALSE;
	return TRUE;
}

int terms_unify(const terms *ts, uint32_t n, term_t t)
{
	const node *node = &ts->nodes[n];

	switch ((enum tag)node->tag) {
	case ATOM:
		return PL_unify_atom(t, node->word);
	case INTEGER:
		return PL_unify_int64(t, (int64_t)node->word);
	default: {
		term_t whole = PL_new_term_ref();
		return terms_put(ts, n, whole) && PL_unify(t, whole);
	}
	}
}

int terms_plain(const terms *ts, uint32_t n)
{
	const node *node = &ts->nodes[n];

	return node->tag != COMPOUND && !(node->tag == ATOM && node->word == ATOM_nil);
}

int terms_plain_args(const terms *ts, uint32_t n, size_t arity)
{
	if (arity == 1)
		return terms_plain(ts, n);
	for (size_t i = 0; i < arity; i++)
		if (!terms_plain(ts, ts->parts[ts->nodes[n].parts + i]))
			return FALSE;
	return TRUE;
}
