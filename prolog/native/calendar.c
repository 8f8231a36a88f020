/*  When something happened to whom: the times of the records of one predicate, by their first argument.

    Where a fluent has become different within a span of time, rules that it is a condition of are asked again at the records of its
    entity in that span (see prolog/rtec/calendars.pl). Of an entity with hundreds of records in the window, few are there.

    Times of an entity are in order, but for those that were added last. One may be there more often than once, and also when its
    record has been taken back or left by the window: who asks looks for the record itself.
*/

#include <string.h>
#include "arrays.h"
#include "terms.h"

typedef struct {
	int64_t *items;
	uint32_t count, room;
	uint32_t sorted;	/* so many are in order */
} days;

typedef struct {
	terms terms;
	days *of_key;		/* by the number of a term */
	uint32_t room;
	uint64_t count;		/* of all times */
} calendar;

/*  A calendar is a blob, so that Prolog's garbage collector gives it back. */

static int release_calendar(atom_t blob)
{
	calendar *c = PL_blob_data(blob, NULL, NULL);

	for (uint32_t i = 0; i < c->room; i++)
		free(c->of_key[i].items);
	free(c->of_key);
	terms_free(&c->terms);
	free(c);
	return TRUE;
}

static PL_blob_t calendar_type = {
	.magic = PL_BLOB_MAGIC, .flags = PL_BLOB_NOCOPY, .name = "rtec_calendar", .release = release_calendar
};

/*  calendar_new(-Calendar) */

static foreign_t calendar_new(term_t t)
{
	calendar *c = calloc(1, sizeof *c);

	if (!c)
		return PL_resource_error("memory");
	return PL_unify_blob(t, c, sizeof *c, &calendar_type);
}

static int get_calendar(term_t t, calendar **c)
{
	void *data;
	PL_blob_t *type;

	if (!PL_get_blob(t, &data, NULL, &type) || type != &calendar_type)
		return PL_type_error("rtec_calendar", t);
	*c = data;
	return TRUE;
}

/*  calendar_add(+Calendar, +Key, +Time): fails if one of them does not fit. */

static foreign_t calendar_add(term_t t, term_t key, term_t time)
{
	calendar *c = NULL;
	uint32_t n;
	int64_t at;

	if (!get_calendar(t, &c) || !terms_number(&c->terms, key, &n) || !PL_is_integer(time) ||
	    !PL_get_int64(time, &at) || !ZEROED(c->of_key, c->room, (size_t)n + 1))
		return FALSE;
	days *d = &c->of_key[n];
	if (!ROOM(d->items, d->room, (size_t)d->count + 1))
		return FALSE;
	if (d->sorted == d->count && (d->count == 0 || d->items[d->count - 1] <= at))
		d->sorted++;
	d->items[d->count++] = at;
	c->count++;
	return TRUE;
}

/*  calendar_size(+Calendar, -N): how many times there are, with those of the past. */

static foreign_t calendar_size(term_t t, term_t n)
{
	calendar *c = NULL;

	return get_calendar(t, &c) && PL_unify_uint64(n, c->count);
}

static int in_order(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/*  settle(d): put those that were added last in order with the others. They are few, so they are moved to their places one
    by one, from the last. */

static void settle(days *d)
{
	if (d->sorted == d->count)
		return;
	if (d->count - d->sorted > 16) {
		qsort(d->items, d->count, sizeof *d->items, in_order);
		d->sorted = d->count;
		return;
	}
	for (; d->sorted < d->count; d->sorted++) {
		int64_t time = d->items[d->sorted];
		uint32_t i = d->sorted;
		for (; i > 0 && d->items[i - 1] > time; i--)
			d->items[i] = d->items[i - 1];
		d->items[i] = time;
	}
}

/*  before(d, time): how many of the times are before one. */

static uint32_t before(const days *d, int64_t time)
{
	uint32_t low = 0, high = d->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (d->items[middle] < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*  calendar_times(+Calendar, +Key, +Start, +End, -Times): the times of Key from Start on and before End, each once. */

static foreign_t calendar_times(term_t t, term_t key, term_t start, term_t end, term_t times)
{
	calendar *c = NULL;
	uint32_t n;
	int64_t from, to;
	term_t list = PL_new_term_refs(2), item = list + 1;

	if (!get_calendar(t, &c) || !PL_get_int64_ex(start, &from) || !PL_get_int64_ex(end, &to))
		return FALSE;
	if (terms_look_up(&c->terms, key, &n) != TERM_FOUND || n >= c->room)
		return PL_unify_nil(times);
	days *d = &c->of_key[n];
	settle(d);
	uint32_t first = before(d, from);
	PL_put_nil(list);
	for (uint32_t i = before(d, to); i-- > first;)
		if (i == first || d->items[i - 1] != d->items[i])
			if (!PL_put_int64(item, d->items[i]) || !PL_cons_list(list, item, list))
				return FALSE;
	return PL_unify(times, list);
}

void install_calendar(void)
{
	PL_register_foreign("calendar_new", 1, calendar_new, 0);
	PL_register_foreign("calendar_add", 3, calendar_add, 0);
	PL_register_foreign("calendar_size", 2, calendar_size, 0);
	PL_register_foreign("calendar_times", 5, calendar_times, 0);
}
