/*  The times of the records in the window, so that those which it leaves are found without a
    look at the others (see prolog/rtec/records.pl).

    Times are in order, but for those that were added last. A time may be there more often than
    once, and also when its record has been taken back.
*/

#include <string.h>
#include "arrays.h"

typedef struct {
	int64_t *items;
	uint32_t count, room;
	uint32_t sorted;	/* so many are in order */
	int64_t *merged;	/* room to work in */
	uint32_t merged_room;
} dates;

static functor_t functor_i1;

/*  Dates are a blob, so that Prolog's garbage collector gives them back. */

static int release_dates(atom_t blob)
{
	dates *d = PL_blob_data(blob, NULL, NULL);

	free(d->items);
	free(d->merged);
	free(d);
	return TRUE;
}

static PL_blob_t dates_type = {
	.magic = PL_BLOB_MAGIC, .flags = PL_BLOB_NOCOPY, .name = "rtec_dates",
	.release = release_dates
};

/*  dates_new(-Dates) */

static foreign_t dates_new(term_t t)
{
	dates *d = calloc(1, sizeof *d);

	if (!d)
		return PL_resource_error("memory");
	return PL_unify_blob(t, d, sizeof *d, &dates_type);
}

static int get_dates(term_t t, dates **d)
{
	void *data;
	PL_blob_t *type;

	if (!PL_get_blob(t, &data, NULL, &type) || type != &dates_type)
		return PL_type_error("rtec_dates", t);
	*d = data;
	return TRUE;
}

static int add(dates *d, int64_t time)
{
	if (!ROOM(d->items, d->room, (size_t)d->count + 1))
		return FALSE;
	d->items[d->count++] = time;
	return TRUE;
}

/*  dates_add(+Dates, +Time): fails if the time does not fit into 64 bits. */

static foreign_t dates_add(term_t t, term_t time)
{
	dates *d = NULL;
	int64_t i;

	return get_dates(t, &d) && PL_get_int64(time, &i) && add(d, i);
}

/*  column_times(column, &times): the array of a column i(Address), see rows.c. */

static int column_times(term_t column, const int64_t **times)
{
	term_t arg = PL_new_term_ref();
	int64_t address;

	if (!PL_is_functor(column, functor_i1) || !PL_get_arg(1, column, arg) ||
	    !PL_get_int64_ex(arg, &address))
		return PL_type_error("column of times", column);
	*times = (const int64_t *)(uintptr_t)address;
	return TRUE;
}

/*  dates_add_rows(+Dates, +N, +Column): add a column of N times. */

static foreign_t dates_add_rows(term_t t, term_t rows, term_t column)
{
	dates *d = NULL;
	const int64_t *times;
	size_t n;

	if (!get_dates(t, &d) || !PL_get_size_ex(rows, &n) || !column_times(column, &times) ||
	    !ROOM(d->items, d->room, d->count + n))
		return FALSE;
	if (n)
		memcpy(d->items + d->count, times, n * sizeof *times);
	d->count += n;
	return TRUE;
}

/*  rows_after(+N, +Column, +T, -After): how many of N times are after T. */

static foreign_t rows_after(term_t rows, term_t column, term_t t, term_t after)
{
	const int64_t *times;
	size_t n, found = 0;
	int64_t time;

	if (!PL_get_size_ex(rows, &n) || !column_times(column, &times) || !PL_get_int64_ex(t, &time))
		return FALSE;
	for (size_t i = 0; i < n; i++)
		found += times[i] > time;
	return PL_unify_uint64(after, found);
}

static int in_order(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/*  up_to(items, n, time): how many of n sorted times are not after a time. */

static uint32_t up_to(const int64_t *items, uint32_t n, int64_t time)
{
	uint32_t low = 0;

	while (low < n) {
		uint32_t middle = low + (n - low) / 2;
		if (items[middle] <= time)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/*  settle(d): put those that were added last in order with the others. */

static int settle(dates *d)
{
	uint32_t n = d->count, sorted = d->sorted;

	if (sorted == n)
		return TRUE;
	qsort(d->items + sorted, n - sorted, sizeof *d->items, in_order);
	uint32_t from = up_to(d->items, sorted, d->items[sorted]);
	if (!ROOM(d->merged, d->merged_room, sorted - from))
		return FALSE;
	/* Those before are out of the way, so the others can be merged where they stand. */
	if (sorted > from)
		memcpy(d->merged, d->items + from, (sorted - from) * sizeof *d->items);
	uint32_t i = 0, m = sorted - from, j = sorted, out = from;
	while (i < m)
		d->items[out++] = j < n && d->items[j] < d->merged[i] ? d->items[j++] : d->merged[i++];
	d->sorted = n;
	return TRUE;
}

/*  dates_take(+Dates, +Until, -Times): take out all times up to one; Times has each of them
    once. */

static foreign_t dates_take(term_t t, term_t until, term_t times)
{
	dates *d = NULL;
	int64_t time;
	term_t list = PL_new_term_refs(2), item = list + 1;

	if (!get_dates(t, &d) || !PL_get_int64_ex(until, &time) || !settle(d))
		return FALSE;
	uint32_t n = up_to(d->items, d->count, time);
	PL_put_nil(list);
	for (uint32_t i = n; i-- > 0;)
		if (i == 0 || d->items[i - 1] != d->items[i])
			if (!PL_put_int64(item, d->items[i]) || !PL_cons_list(list, item, list))
				return FALSE;
	if (n) {
		memmove(d->items, d->items + n, (d->count - n) * sizeof *d->items);
		d->count = d->sorted = d->count - n;
	}
	return PL_unify(times, list);
}

/*  dates_size(+Dates, -N) */

static foreign_t dates_size(term_t t, term_t n)
{
	dates *d = NULL;

	return get_dates(t, &d) && PL_unify_uint64(n, d->count);
}

void install_dates(void)
{
	functor_i1 = PL_new_functor(PL_new_atom("i"), 1);
	PL_register_foreign("dates_new", 1, dates_new, 0);
	PL_register_foreign("dates_add", 2, dates_add, 0);
	PL_register_foreign("dates_add_rows", 3, dates_add_rows, 0);
	PL_register_foreign("rows_after", 4, rows_after, 0);
	PL_register_foreign("dates_take", 3, dates_take, 0);
	PL_register_foreign("dates_size", 2, dates_size, 0);
}
