/*  Kept fluents; see kept.c. */

#ifndef RTEC_KEPT_H
#define RTEC_KEPT_H

#include <string.h>
#include "arrays.h"
#include "held.h"

typedef struct {
	int64_t start, end;
	uint32_t value;
} span;

typedef struct {
	point *items;
	uint32_t count, room;
} points;

typedef struct {
	span *items;
	uint32_t count, room;
} spans;

typedef struct {
	uint32_t fluent;	/* the number of the fluent's term */
	uint32_t sorted;	/* so many points are in order, those behind are new */
	points points;
	spans held;		/* in order of time */
	int64_t first;		/* the first time-point that changes, OPEN if none does */
	uint8_t known, concerned, fresh;
} instance;

typedef struct {
	uint32_t *items;
	uint32_t count, room;
} numbers;

typedef struct {
	terms terms;
	instance *instances;
	uint32_t count, room;
	numbers unused;		/* instances that are free to be used again */
	numbers concerned;	/* instances that may change at this query time */
	numbers of_term;	/* by the number of a term its instance, plus one */
	numbers marks;		/* by the number of a value, when it was last looked at */
	uint32_t mark;
	points merged;		/* room to work in */
	spans now;
	interval *put;		/* what one value of an instance holds */
	uint32_t put_room;
	int64_t window, tick;
	uint32_t taken, passed_over;	/* points of fluents that are known, and of others */
	uint32_t asked_each;	/* so often in turn, fluents were asked one by one */
	int unfit;
} kept;

static inline int push_span(spans *a, span s)
{
	if (!ROOM(a->items, a->room, (size_t)a->count + 1))
		return FALSE;
	a->items[a->count++] = s;
	return TRUE;
}

/*  cover(a, n): let a have the numbers 0 up to n, new ones 0. */

static inline int cover(numbers *a, uint32_t n)
{
	if (n < a->count)
		return TRUE;
	if (!ROOM(a->items, a->room, (size_t)n + 1))
		return FALSE;
	memset(a->items + a->count, 0, (n + 1 - a->count) * sizeof *a->items);
	a->count = n + 1;
	return TRUE;
}

#endif
