/*  What the instances of a fluent hold, found by any of their arguments. */

#ifndef RTEC_HELD_H
#define RTEC_HELD_H

#include "arrays.h"
#include "points.h"

typedef struct {
	int64_t start, end;
} interval;

typedef struct {
	uint32_t key, value;	/* numbers of terms */
	uint32_t first, count;	/* its intervals, in order of time */
} entry;

#define MOST_INDEXES 12
#define MOST_ARGUMENTS 10
#define MOST_WANTS 12
#define VALUE UINT16_MAX		/* the place of the value */

/*  A place in an instance: an argument of its key, 0 for the key itself; and in that a part of a
    compound, 0 for all of it. */

typedef struct {
	uint16_t at, part;
} place;

typedef struct {
	place place;
	uint32_t *heads, *counts;	/* by the number of a term: the first entry plus one, how many */
	uint32_t size, room;
	uint32_t *next;			/* by entry: the next one with the same term there, plus one */
	uint32_t next_room;
	int ready;
} index_of;

typedef struct {
	entry *entries;
	uint32_t count, room;
	interval *spans;
	uint32_t spans_count, spans_room;
} table;

typedef struct {
	uint32_t key, value;
	uint32_t before;		/* another value of the same key, plus one */
} pair;

/*  What an entry held when it was first changed at this query time. What has become different of
    it, once that is known: time-points from first on and before till; where some of them were known
    before and others were not, the former end at known, and the latter begin at after. */

typedef struct {
	uint32_t entry;
	uint32_t past, count;
	int64_t first, till, known, after;
	uint8_t left, parted;		/* left: the window has left intervals, and no more */
} change;

typedef struct {
	change *items;
	uint32_t count, room;
	interval *past;
	uint32_t past_count, past_room;
	uint32_t *of_entry;		/* by entry, its change plus one */
	uint32_t of_room;
	uint32_t version;
	int64_t until, scope, tick;	/* what was known before, what is past */
	uint8_t events, whole;		/* what readers look at besides what holds when */
	uint8_t open;			/* what changes is made out */
	uint8_t comparing;		/* entries that are new all at once are compared, too */
} changes;

/*  What the numbers of a source stand for, see given.c: by its number our own, plus one. */

typedef struct {
	int64_t source, epoch;
	uint32_t *own;
	uint32_t room, count;
} names;

typedef struct held {
	terms terms;
	functor_t functor;		/* of a key, where a fluent has several arguments */
	size_t arity;
	table now, next;
	uint32_t version;		/* of what is seen now */
	index_of indexes[MOST_INDEXES];	/* of what is seen now */
	uint32_t indexes_count;
	pair *pairs;			/* what held_first/3 has met */
	uint32_t pairs_count, pairs_room;
	uint32_t *met;			/* by key, its last pair, plus one */
	uint32_t met_size;
	uint32_t key, value, pair;	/* the last one that was met */
	int unfit, gone;
	struct live *live;		/* see live.c */
	uint64_t epoch;			/* see answers.c; a new one begins where it is 0 */
	uint8_t *told;
	uint32_t told_size;
	names *sources;
	uint32_t sources_count, sources_room;
	uint32_t named;			/* how many numbers all of them have told */
	changes changes;		/* see changes.c */
} held;

/*  What a call asks for: terms that are known at some places. */

typedef struct {
	place place;
	uint32_t number;
} want;

typedef struct {
	want wants[MOST_WANTS];
	uint32_t count;
	uint32_t known;		/* a bit for each argument that need not be unified, the value above them */
	uint32_t by;		/* the want that is looked up in an index */
	index_of *index;	/* NULL if all entries are looked at */
} pattern;

/*  get_held(t, &h): of a blob; raises an error if it is none.

    held_clear(h): new entries follow. held_entry(h, key, value, count): a new one, with room for its
    intervals; NULL if there is no memory. held_done(h): rules see the new entries from now on; FALSE if one
    does not fit, and the old ones stay.

    held_met(h, key, value, &first): remember an instance for what is added next; first tells whether it is
    new since held_clear. held_add(h, spans, count, w, first): the part of its intervals in the window whose
    first time-point is first; one that begins there began when that did which held at w.

    get_pattern(h, t0, &p): what a call asks for with the arguments from t0 on and the value behind them;
    FALSE if there is no such entry. fits(h, e, p): an entry is like that, besides the term by which it
    was looked up.

    unify_entry(h, e, p, t0): unify what the call left open with an entry. answered(found, more, cursor,
    is_first, size): how a nondeterministic call ends; if there may be more, its cursor is kept, which
    stands on the stack at the first call, and is given back otherwise.

    held_find(h, key, value, &i): the entry of one instance, plus one; 0 if it has none.
    held_intervals(h, key, value, &count): what is seen now of one instance; NULL if it holds nothing.

    held_put(h, key, value, spans, count): what one instance holds from now on; spans are not the store's own.
    held_append(h, key, value, &i): a new entry among those that are seen now, which holds nothing yet.
    held_packed(h): give back the room of entries and intervals that are no more.
    held_unchanged(h): forget what has become different.
    held_merged(h): the new entries are what is seen from now on, put one by one.

    index_at(h, place, &x): the index for a place, made when it is first asked for; x is NULL if there are too
    many already. */

int get_held(term_t t, held **h);
int get_intervals(term_t list, interval **items, uint32_t *room, uint32_t *count, int *fits);
void held_clear(held *h);
interval *held_entry(held *h, uint32_t key, uint32_t value, uint32_t count);
int held_done(held *h);
int held_met(held *h, uint32_t key, uint32_t value, int *first);
int held_add(held *h, const interval *spans, uint32_t count, int64_t w, int64_t first);
int held_find(held *h, uint32_t key, uint32_t value, uint32_t *i);
int held_put(held *h, uint32_t key, uint32_t value, const interval *spans, uint32_t count);
int held_append(held *h, uint32_t key, uint32_t value, uint32_t *i);
int held_packed(held *h);
void held_unchanged(held *h);
int held_merged(held *h);
const interval *held_intervals(held *h, uint32_t key, uint32_t value, uint32_t *count);
int get_pattern(const held *h, term_t t0, pattern *p);
int fits(const held *h, const entry *e, const pattern *p);
int unify_entry(const held *h, const entry *e, const pattern *p, term_t t0);
foreign_t answered(int found, int more, void *cursor, int is_first, size_t size);
int index_at(held *h, place p, index_of **x);
void free_live(struct live *l);
void install_held(void);
void install_search(void);
void install_filling(void);
void install_changes(void);

static inline uint32_t head_of(const index_of *x, uint32_t n)
{
	return n < x->size ? x->heads[n] : 0;
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

#endif
