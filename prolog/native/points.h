/*  Points of simple fluents: what they are, how they are read, and what breaks what.
    prolog/rtec/pairing.pl says what they mean. */

#ifndef RTEC_POINTS_H
#define RTEC_POINTS_H

#include "terms.h"

enum kind { CARRIED, INITIATION, TERMINATION, OTHERS };	/* in the order of their names */

#define ANY 0x3fffffff		/* the value of a termination of every value */
#define OPEN INT64_MAX		/* the end of what has not ended */

typedef struct {
	int64_t time;
	uint32_t fluent;
	uint32_t value : 30;
	uint32_t kind : 2;
} point;

/*  point_kind(k, &kind): of an atom c, i, t or x; FALSE if it is another term.

    point_since(v, &since, value): the parts of v, which is S-Value; FALSE if it is not.

    point_value(ts, kind, v, &value): the number of a value; FALSE if it does not fit.

    get_end(t, &end): of a time-point or `inf`; FALSE if it is another term.

    put_end(t, end), put_interval(interval, start, end): an end, and the term (Start,End). */

void install_points(void);
int point_kind(term_t k, enum kind *kind);
int point_since(term_t v, int64_t *since, term_t value);
int point_value(terms *ts, enum kind kind, term_t v, uint32_t *value);
int get_end(term_t t, int64_t *end);
int put_end(term_t t, int64_t end);
int put_interval(term_t interval, int64_t start, int64_t end);

/*  breaks(p, value): the point ends what holds with that value. */

static inline int breaks(const point *p, uint32_t value)
{
	switch ((enum kind)p->kind) {
	case TERMINATION:
		return p->value == ANY || p->value == value;
	case INITIATION:
	case OTHERS:
		return p->value != value;
	default:
		return FALSE;
	}
}

static inline int any_breaks(const point *p, const point *end, uint32_t value)
{
	for (; p < end; p++)
		if (breaks(p, value))
			return TRUE;
	return FALSE;
}

#endif
