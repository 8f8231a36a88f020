/*  Plans: rules that only combine the intervals of other fluents; see algebra.c. */

#ifndef RTEC_ALGEBRA_H
#define RTEC_ALGEBRA_H

#include "held.h"

#define MOST_LITERALS 24
#define MOST_OPERANDS 24
#define MOST_LISTS 48

typedef struct {
	const interval *items;
	uint32_t count;
} list;

typedef struct {
	interval *items;
	uint32_t count, room;
} buffer;

typedef struct {
	held *held;
	size_t arity;
	int8_t at[MOST_ARGUMENTS];		/* a variable of the head, or -1 for a constant */
	uint32_t constant[MOST_ARGUMENTS];	/* its number in the literal's store */
	uint32_t value;
	int empty;				/* its store has no such value or constant */
} literal;

typedef struct {
	char kind;
	uint32_t operands[MOST_OPERANDS], count;
	buffer result;
} operation;

typedef struct {
	held *held;
	size_t arity;
	int8_t at[MOST_ARGUMENTS];
	uint32_t constant[MOST_ARGUMENTS];
	uint32_t value;
	literal literals[MOST_LITERALS];
	uint32_t literals_count;
	operation operations[MOST_LISTS - MOST_LITERALS];
	uint32_t operations_count;
	uint32_t result;
	uint32_t first[MOST_LITERALS], first_count;
	uint32_t variables;		/* a bit for each that the head has */
	list lists[MOST_LISTS];
	buffer spare;
} plan;

/*  plan_new(h, t): read a plan for a store; NULL if it cannot be. plan_free(p): give it back.

    plan_bind(p, l, e, args, &known): take the variables of the head from an entry of a literal, as numbers of the head's
    terms; a bit of known for each that has been taken. FALSE if it does not match the literal, or what was known.

    head_key(p, args, &key): the instance of the head with all variables known.

    look_up(p, l, args): what a literal holds for these arguments of the head.

    operate_all(p, &result): combine p->lists, of which those of the literals are given. */

plan *plan_new(held *h, term_t t);
void plan_free(plan *p);
int plan_bind(plan *p, const literal *l, const entry *e, uint32_t *args, uint32_t *known);
int head_key(plan *p, const uint32_t *args, uint32_t *key);
list look_up(const plan *p, const literal *l, const uint32_t *args);
int operate_all(plan *p, list *result);
void install_algebra(void);
void install_replans(void);

#endif
