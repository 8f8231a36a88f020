/*  Ground terms as numbers, equal terms by the same number. */

#ifndef RTEC_TERMS_H
#define RTEC_TERMS_H

#include <SWI-Prolog.h>
#include <stdint.h>

#define TERMS_SEEN 64

typedef struct {
	uint64_t word;		/* the atom, the bits of a number, or a functor */
	uint32_t hash;
	uint32_t parts;		/* where the numbers of a compound's arguments begin */
	uint16_t arity;
	uint8_t tag;
} node;

typedef struct {
	node *nodes;
	uint32_t count, room;
	uint32_t *parts;
	uint32_t parts_count, parts_room;
	uint32_t *slots;	/* a hash table of numbers of nodes, plus one; 0 is free */
	uint32_t slots_count;
	struct {
		atom_t atom;
		uint32_t number;
	} seen[TERMS_SEEN];	/* the same few atoms come again and again */
} terms;

/*  terms_clear(ts), terms_free(ts): forget all terms, and give their memory back.

    terms_number(ts, t, &n): n is the number of t; FALSE if t is not ground, or has anything in
    it but atoms, 64-bit integers, floats and compounds of these, or is too deep or too large.

    terms_look_up(ts, t, &n): n is the number of t if it has one already.
    terms_look_up_parts(ts, functor, parts, arity, &n): the same for a compound of numbered parts.

    terms_compound(ts, functor, parts, arity, &n): the number of a compound of numbered parts.

    terms_move(from, m, to, &n), terms_find(from, m, to, &n): n is the number in `to` of what is m in
    `from`; a new one if need be, or only if it has one already.

    terms_put(ts, n, t), terms_put_args(ts, n, arity, t0): the term with number n, and the
    arguments of it, which is its own argument where arity is 1.

    terms_unify(ts, n, t): t is the term with number n.

    terms_plain(ts, n), terms_plain_args(ts, n, arity): it is an atom or a number, and so are its arguments;
    the empty list is neither. */

enum look_up { TERM_FOUND, TERM_ABSENT, TERM_OPEN };	/* open: there is a variable in it */

void terms_clear(terms *ts);
void terms_free(terms *ts);
int terms_number(terms *ts, term_t t, uint32_t *n);
enum look_up terms_look_up(const terms *ts, term_t t, uint32_t *n);
enum look_up terms_look_up_parts(const terms *ts, functor_t functor, const uint32_t *parts,
				 size_t arity, uint32_t *n);
int terms_compound(terms *ts, functor_t functor, const uint32_t *parts, size_t arity, uint32_t *n);
int terms_move(const terms *from, uint32_t m, terms *to, uint32_t *n);
int terms_find(const terms *from, uint32_t m, const terms *to, uint32_t *n);
int terms_put(const terms *ts, uint32_t n, term_t t);
int terms_put_args(const terms *ts, uint32_t n, size_t arity, term_t t0);
int terms_unify(const terms *ts, uint32_t n, term_t t);
int terms_plain(const terms *ts, uint32_t n);
int terms_plain_args(const terms *ts, uint32_t n, size_t arity);

#endif
