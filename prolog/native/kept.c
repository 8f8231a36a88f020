/*  The points and intervals of a simple fluent, kept from one query time to the next.

    Where reasoning is by changes (see prolog/rtec/simple_changes.pl, which does the same in
    Prolog), rules yield the points that are new since the last query time. Here they are
    added to those known before, instance by instance, the instances concerned are swept from
    the first point that is new or withdrawn, and what they hold is compared with what they held.

    An instance is known as long as it holds something or is initiated in the window; nobody
    asks what terminates others. A point that does not fit (as in sweep.c) makes the whole
    unfit: kept_changes/2 then fails, and the caller takes another way. What instances hold is
    put into the fluent's store, see changes.c.
*/

#include <string.h>
#include "kept.h"

#define ASK_ALL_AGAIN 16

static atom_t atom_all, atom_each, atom_fresh;

static int push_number(numbers *a, uint32_t n)
{
	if (!ROOM(a->items, a->room, (size_t)a->count + 1))
		return FALSE;
	a->items[a->count++] = n;
	return TRUE;
}

/*  A kept fluent is a blob, so that Prolog's garbage collector gives it back. */

static int release_kept(atom_t blob)
{
	kept *k = PL_blob_data(blob, NULL, NULL);

	terms_free(&k->terms);
	for (uint32_t i = 0; i < k->count; i++) {
		free(k->instances[i].points.items);
		free(k->instances[i].held.items);
	}
	free(k->instances);
	free(k->unused.items);
	free(k->concerned.items);
	free(k->of_term.items);
	free(k->marks.items);
	free(k->merged.items);
	free(k->now.items);
	free(k->put);
	free(k);
	return TRUE;
}

static PL_blob_t kept_type = {
	.magic = PL_BLOB_MAGIC, .flags = PL_BLOB_NOCOPY, .name = "rtec_kept", .release = release_kept
};

/*  kept_new(-Kept) */

static foreign_t kept_new(term_t t)
{
	kept *k = calloc(1, sizeof *k);

	if (!k)
		return PL_resource_error("memory");
	return PL_unify_blob(t, k, sizeof *k, &kept_type);
}

static int get_kept(term_t t, kept **k)
{
	void *data;
	PL_blob_t *type;

	if (!PL_get_blob(t, &data, NULL, &type) || type != &kept_type)
		return PL_type_error("rtec_kept", t);
	*k = data;
	return TRUE;
}

static foreign_t unfit(kept *k)
{
	k->unfit = TRUE;
	return TRUE;
}

static int concern(kept *k, uint32_t i)
{
	if (k->instances[i].concerned)
		return TRUE;
	k->instances[i].concerned = TRUE;
	return push_number(&k->concerned, i);
}

static void forget_points(instance *in, int64_t window)
{
	uint32_t n = 0;

	while (n < in->points.count && in->points.items[n].time <= window)
		n++;
	if (n) {
		in->points.count -= n;
		memmove(in->points.items, in->points.items + n, in->points.count * sizeof(point));
	}
	in->sorted = in->points.count;
}

/*  Terms are given new numbers when most of them are of the past. */

static int renumber(kept *k)
{
	terms old = k->terms;
	uint32_t *map = calloc(old.count + 1, sizeof *map);
	term_t t = PL_new_term_ref();
	int done = map != NULL;

	memset(&k->terms, 0, sizeof k->terms);
	k->of_term.count = k->marks.count = 0;
#define RENUMBER(n) \
	do { \
		uint32_t new_; \
		if (!map[n]) { \
			if (!(done = terms_put(&old, n, t) && terms_number(&k->terms, t, &new_))) \
				break; \
			map[n] = new_ + 1; \
		} \
		(n) = map[n] - 1; \
	} while (0)
	for (uint32_t i = 0; done && i < k->count; i++) {
		instance *in = &k->instances[i];
		if (!in->known)
			continue;
		RENUMBER(in->fluent);
		for (uint32_t p = 0; done && p < in->points.count; p++) {
			uint32_t value = in->points.items[p].value;
			if (value != ANY) {
				RENUMBER(value);
				in->points.items[p].value = value;
			}
		}
		for (uint32_t s = 0; done && s < in->held.count; s++)
			RENUMBER(in->held.items[s].value);
		if (done && (done = cover(&k->of_term, in->fluent)))
			k->of_term.items[in->fluent] = i + 1;
	}
#undef RENUMBER
	terms_free(&old);
	free(map);
	if (!done)
		k->unfit = TRUE;
	return TRUE;
}

/*  kept_begin(+Kept, +W, +Tick): the window (W,_] begins. Those of which it has left intervals
    are concerned. */

static foreign_t kept_begin(term_t t, term_t window, term_t tick)
{
	kept *k = NULL;

	if (!get_kept(t, &k) || !PL_get_int64_ex(window, &k->window) ||
	    !PL_get_int64_ex(tick, &k->tick))
		return FALSE;
	k->concerned.count = 0;
	for (uint32_t i = 0; i < k->count; i++) {
		instance *in = &k->instances[i];
		if (!in->known)
			continue;
		in->first = OPEN;
		in->fresh = in->concerned = FALSE;
		forget_points(in, k->window);
		if (in->held.count == 0 || in->held.items[0].end <= k->window + k->tick)
			if (!concern(k, i))
				return FALSE;
	}
	if (k->terms.count > 64 + 4 * k->count)
		return renumber(k);
	return TRUE;
}

static int find_instance(kept *k, uint32_t fluent, int make, uint32_t *found)
{
	if (!cover(&k->of_term, fluent))
		return FALSE;
	if (k->of_term.items[fluent] == 0) {
		uint32_t i = k->count;
		*found = UINT32_MAX;
		if (!make)
			return TRUE;
		if (k->unused.count)
			i = k->unused.items[--k->unused.count];
		else {
			if (!ROOM(k->instances, k->room, (size_t)i + 1))
				return FALSE;
			memset(&k->instances[i], 0, sizeof *k->instances);
			k->count++;
		}
		instance *in = &k->instances[i];
		in->fluent = fluent;
		in->known = in->fresh = TRUE;
		in->concerned = FALSE;
		in->first = OPEN;
		in->sorted = in->points.count = in->held.count = 0;
		k->of_term.items[fluent] = i + 1;
	}
	*found = k->of_term.items[fluent] - 1;
	return TRUE;
}

static foreign_t carry(kept *k, uint32_t fluent, term_t v)
{
	term_t carried = PL_new_term_ref();
	int64_t start;
	uint32_t value, i;

	if (!point_since(v, &start, carried) || !point_value(&k->terms, CARRIED, carried, &value))
		return unfit(k);
	if (!find_instance(k, fluent, TRUE, &i))
		return FALSE;
	if (k->instances[i].held.count)		/* two values stated initially */
		return unfit(k);
	return push_span(&k->instances[i].held, (span){start, OPEN, value}) && concern(k, i);
}

/*  kept_point(+Kept, +F, +T, +K, +V): a point as of pairing.pl. One of a fluent that is not
    known is passed over, unless it makes it known. */

static foreign_t kept_point(term_t t, term_t f, term_t at, term_t k_, term_t v)
{
	kept *k = NULL;
	enum kind kind;
	int64_t time;
	uint32_t fluent, value, i;

	if (!get_kept(t, &k))
		return FALSE;
	if (!point_kind(k_, &kind) || !PL_get_int64(at, &time) ||
	    !terms_number(&k->terms, f, &fluent))
		return unfit(k);
	if (kind == CARRIED)
		return carry(k, fluent, v);
	if (time <= k->window)
		return TRUE;
	if (!find_instance(k, fluent, kind == INITIATION, &i))
		return FALSE;
	if (i == UINT32_MAX) {
		k->passed_over++;
		return TRUE;
	}
	k->taken += kind != INITIATION;
	if (!point_value(&k->terms, kind, v, &value))
		return unfit(k);
	instance *in = &k->instances[i];
	if (!ROOM(in->points.items, in->points.room, (size_t)in->points.count + 1))
		return FALSE;
	in->points.items[in->points.count++] = (point){time, fluent, value, kind};
	if (time < in->first)
		in->first = time;
	return concern(k, i);
}

/*  from_time(ps, n, time): the first of n sorted points at or after a time. */

static uint32_t from_time(const point *ps, uint32_t n, int64_t time)
{
	uint32_t low = 0;

	while (low < n) {
		uint32_t middle = low + (n - low) / 2;
		if (ps[middle].time < time)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/*  kept_redo(+Kept, +F, +T): withdraw the points of F at T that were known before. */

static foreign_t kept_redo(term_t t, term_t f, term_t at)
{
	kept *k = NULL;
	int64_t time;
	uint32_t fluent, i;

	if (!get_kept(t, &k))
		return FALSE;
	if (!PL_get_int64(at, &time) || !terms_number(&k->terms, f, &fluent))
		return unfit(k);
	if (!find_instance(k, fluent, FALSE, &i))
		return FALSE;
	if (i == UINT32_MAX)
		return TRUE;
	instance *in = &k->instances[i];
	point *ps = in->points.items;
	uint32_t from = from_time(ps, in->sorted, time), to = from;
	while (to < in->sorted && ps[to].time == time)
		to++;
	if (to == from)
		return TRUE;
	memmove(ps + from, ps + to, (in->points.count - to) * sizeof *ps);
	in->points.count -= to - from;
	in->sorted -= to - from;
	if (time < in->first)
		in->first = time;
	return concern(k, i);
}

/*  kept_fluents(+Kept, +Which, -Fs): the fluents that are known, `all` or those `fresh` since
    kept_begin/3. */

static foreign_t kept_fluents(term_t t, term_t which, term_t list)
{
	kept *k = NULL;
	atom_t name;
	term_t result = PL_new_term_refs(2), fluent = result + 1;

	if (!get_kept(t, &k) || !PL_get_atom_ex(which, &name))
		return FALSE;
	int fresh = name == atom_fresh;
	PL_put_nil(result);
	for (uint32_t i = k->count; i-- > 0;) {
		const instance *in = &k->instances[i];
		if (!in->known || (fresh && !in->fresh))
			continue;
		if (!terms_put(&k->terms, in->fluent, fluent) || !PL_cons_list(result, fluent, result))
			return FALSE;
	}
	return PL_unify(list, result);
}

/*  kept_size(+Kept, -N): how many fluents are known. */

static foreign_t kept_size(term_t t, term_t n)
{
	kept *k = NULL;

	return get_kept(t, &k) && PL_unify_uint64(n, k->count - k->unused.count);
}

/*  kept_ask(+Kept, -Whom): what terminates fluents is asked of `all` at once, or of `each` that
    is known, if most of the answers of all were about others the last time. */

static foreign_t kept_ask(term_t t, term_t whom)
{
	kept *k = NULL;

	if (!get_kept(t, &k))
		return FALSE;
	if (k->asked_each ? k->asked_each < ASK_ALL_AGAIN : k->passed_over > 2 * k->taken)
		k->asked_each++;
	else
		k->asked_each = 0;
	k->passed_over = k->taken = 0;
	return PL_unify_atom(whom, k->asked_each ? atom_each : atom_all);
}

static int in_order(const void *a, const void *b)
{
	const point *p = a, *q = b;

	if (p->time != q->time)
		return p->time < q->time ? -1 : 1;
	if (p->kind != q->kind)
		return p->kind < q->kind ? -1 : 1;
	return p->value < q->value ? -1 : p->value > q->value;
}

/*  settle(k, in): put the new points of an instance in order with the others, once each. */

static int settle(kept *k, instance *in)
{
	point *ps = in->points.items;
	uint32_t n = in->points.count, sorted = in->sorted;

	if (sorted == n)
		return TRUE;
	qsort(ps + sorted, n - sorted, sizeof *ps, in_order);
	uint32_t from = from_time(ps, sorted, ps[sorted].time), i = from, j = sorted, out = 0;
	if (!ROOM(k->merged.items, k->merged.room, n - from))
		return FALSE;
	point *merged = k->merged.items;
	while (i < sorted || j < n) {
		int old = j == n || (i < sorted && in_order(&ps[i], &ps[j]) <= 0);
		point p = old ? ps[i++] : ps[j++];
		if (out == 0 || in_order(&merged[out - 1], &p) != 0)
			merged[out++] = p;
	}
	memcpy(ps + from, merged, out * sizeof *ps);
	in->points.count = in->sorted = from + out;
	return TRUE;
}

/*  resweep(k, in): k->now becomes what the instance holds now. Before the first point that
    changes, all is as it was. */

static int resweep(kept *k, const instance *in)
{
	const point *p = in->points.items, *end = p + in->points.count, *q;
	int64_t before = in->first == OPEN ? OPEN : in->first + k->tick - 1, since = 0;
	int holds = FALSE;
	uint32_t value = 0;

	k->now.count = 0;
	for (uint32_t i = 0; i < in->held.count; i++) {
		const span *s = &in->held.items[i];
		if (in->first == OPEN) {
			if (!push_span(&k->now, *s))
				return FALSE;
			continue;
		}
		if (s->start > before)
			break;
		if (s->end > before) {
			holds = TRUE;
			value = s->value;
			since = s->start;
			break;
		}
		if (!push_span(&k->now, *s))
			return FALSE;
	}
	for (p += from_time(p, in->points.count, in->first); p < end; p = q) {
		for (q = p + 1; q < end && q->time == p->time; q++)
			;
		if (holds && any_breaks(p, q, value)) {
			if (!push_span(&k->now, (span){since, p->time + k->tick, value}))
				return FALSE;
			holds = FALSE;
		}
		for (const point *i = p; !holds && i < q; i++)
			if (i->kind == INITIATION) {
				if (any_breaks(p, q, i->value))
					break;
				holds = TRUE;
				value = i->value;
				since = p->time + k->tick;
			}
	}
	return !holds || push_span(&k->now, (span){since, OPEN, value});
}

/*  put_value(k, h, key, value): k->now is what an instance holds; put what it holds of one value into the store. */

static int put_value(kept *k, held *h, uint32_t key, uint32_t value)
{
	uint32_t n, count = 0;

	if (!terms_move(&k->terms, value, &h->terms, &n) || !ROOM(k->put, k->put_room, k->now.count))
		return FALSE;
	for (uint32_t i = 0; i < k->now.count; i++)
		if (k->now.items[i].value == value)
			k->put[count++] = (interval){k->now.items[i].start, k->now.items[i].end};
	return held_put(h, key, n, k->put, count);
}

/*  unseen(k, value): look at each value once. */

static int unseen(kept *k, uint32_t value, int *is)
{
	if (!cover(&k->marks, value))
		return FALSE;
	*is = k->marks.items[value] != k->mark;
	k->marks.items[value] = k->mark;
	return TRUE;
}

/*  put_instance(k, h, in, left): put all values of which an instance holds something else than before. Of what it
    held, the window has left the first few; the store sees to these by itself. */

static int put_instance(kept *k, held *h, const instance *in, uint32_t left)
{
	const span *old = in->held.items + left, *now = k->now.items;
	uint32_t n = in->held.count - left, same = 0, key;
	int is;

	while (same < n && same < k->now.count && old[same].start == now[same].start &&
	       old[same].end == now[same].end && old[same].value == now[same].value)
		same++;
	if (same == n && same == k->now.count)
		return TRUE;
	if (!terms_move(&k->terms, in->fluent, &h->terms, &key))
		return FALSE;
	if (++k->mark == 0) {
		memset(k->marks.items, 0, k->marks.count * sizeof *k->marks.items);
		k->mark = 1;
	}
	for (uint32_t i = same; i < n; i++)
		if (!unseen(k, old[i].value, &is) || (is && !put_value(k, h, key, old[i].value)))
			return FALSE;
	for (uint32_t i = same; i < k->now.count; i++)
		if (!unseen(k, now[i].value, &is) || (is && !put_value(k, h, key, now[i].value)))
			return FALSE;
	return TRUE;
}

static int update_instance(kept *k, held *h, uint32_t i)
{
	instance *in = &k->instances[i];
	int64_t border = k->window + k->tick;
	uint32_t left = 0;
	int initiated = FALSE;

	if (!settle(k, in) || !resweep(k, in))
		return FALSE;
	while (left < in->held.count && in->held.items[left].end <= border)
		left++;
	uint32_t past = 0;
	while (past < k->now.count && k->now.items[past].end <= border)
		past++;
	k->now.count -= past;
	if (past)
		memmove(k->now.items, k->now.items + past, k->now.count * sizeof(span));
	if (h && !put_instance(k, h, in, left))
		return FALSE;
	spans held = in->held;
	in->held = k->now;
	k->now = held;
	in->concerned = FALSE;
	for (uint32_t p = 0; !initiated && p < in->points.count; p++)
		initiated = in->points.items[p].kind == INITIATION;
	if (in->held.count == 0 && !initiated) {
		in->known = FALSE;
		in->points.count = in->sorted = 0;
		k->of_term.items[in->fluent] = 0;
		return push_number(&k->unused, i);
	}
	return TRUE;
}

/*  kept_changes(+Kept, +Held): sweep what is concerned, and put what it holds into a store, unless Held is `none`.
    Fails if the whole is unfit. */

static foreign_t kept_changes(term_t t, term_t store)
{
	kept *k = NULL;
	held *h = NULL;

	if (!get_kept(t, &k) || k->unfit || (!PL_is_atom(store) && !get_held(store, &h)))
		return FALSE;
	for (uint32_t i = 0; i < k->concerned.count; i++)
		if (!update_instance(k, h, k->concerned.items[i])) {
			k->unfit = TRUE;
			return FALSE;
		}
	k->concerned.count = 0;
	return TRUE;
}

void install_kept(void)
{
	atom_all = PL_new_atom("all");
	atom_each = PL_new_atom("each");
	atom_fresh = PL_new_atom("fresh");
	PL_register_foreign("kept_new", 1, kept_new, 0);
	PL_register_foreign("kept_begin", 3, kept_begin, 0);
	PL_register_foreign("kept_point", 5, kept_point, 0);
	PL_register_foreign("kept_redo", 3, kept_redo, 0);
	PL_register_foreign("kept_fluents", 3, kept_fluents, 0);
	PL_register_foreign("kept_size", 2, kept_size, 0);
	PL_register_foreign("kept_ask", 2, kept_ask, 0);
	PL_register_foreign("kept_changes", 2, kept_changes, 0);
}
