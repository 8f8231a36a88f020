/*  What is said of a change in a kept fluent: see prolog/rtec/changes.pl. */

#include "kept.h"

static atom_t atom_left, atom_true, atom_false;
static functor_t functor_minus2, functor_change6, functor_parted2, functor_update5;

void report_begin(report *r)
{
	r->start = PL_new_term_refs(17);
	r->end = r->start + 1;
	r->interval = r->start + 2;
	r->number = r->start + 3;
	r->list = r->start + 4;
	r->args = r->start + 5;
	r->update = r->start + 11;
	r->later = r->start + 16;
	PL_put_nil(r->list);
}

static int cons_interval(report *r, term_t list, int64_t start, int64_t end)
{
	return put_interval(r->interval, start, end) && PL_cons_list(list, r->interval, list);
}

/*  put_intervals(r, list, s, n, value): the intervals of a value among n spans. */

static int put_intervals(report *r, term_t list, const span *s, uint32_t n, uint32_t value)
{
	PL_put_nil(list);
	while (n-- > 0)
		if (s[n].value == value && !cons_interval(r, list, s[n].start, s[n].end))
			return FALSE;
	return TRUE;
}

/*  next_border(s, n, value, &i): the next start or end of a value's spans; i counts both. */

static int next_border(const span *s, uint32_t n, uint32_t value, uint32_t *i, int64_t *border)
{
	while (*i < 2 * n && s[*i / 2].value != value)
		*i += 2;
	if (*i >= 2 * n)
		return FALSE;
	*border = *i % 2 ? s[*i / 2].end : s[*i / 2].start;
	++*i;
	return TRUE;
}

static int put_span(report *r, term_t t, int64_t start, int64_t end)
{
	return PL_put_int64(r->start, start) && put_end(r->end, end) &&
		PL_cons_functor(t, functor_minus2, r->start, r->end);
}

/*  put_region(r, span, region, later, ...): where a value holds in one of two lists of spans and
    not in the other, as far as that was known before; and from when on, until when, in all. Where
    there are differences both before and after that, later is the span of those after. */

static int put_region(report *r, term_t span_, term_t region, term_t later, const span *a,
		      uint32_t na, const span *b, uint32_t nb, uint32_t value, int *split)
{
	uint32_t i = 0, j = 0, found = 0;
	int64_t x = 0, y = 0, first = 0, border = 0, known = 0, after = 0;
	int more_a = next_border(a, na, value, &i, &x), more_b = next_border(b, nb, value, &j, &y);

	r->k->region.count = 0;
	while (more_a || more_b) {
		int64_t start = border;
		if (more_a && more_b && x == y) {
			more_a = next_border(a, na, value, &i, &x);
			more_b = next_border(b, nb, value, &j, &y);
			continue;
		}
		if (!more_b || (more_a && x < y)) {
			border = x;
			more_a = next_border(a, na, value, &i, &x);
		} else {
			border = y;
			more_b = next_border(b, nb, value, &j, &y);
		}
		if (found++ == 0)
			first = border;
		else if (found % 2 == 1 && !*split && first <= r->until && border > r->until) {
			*split = TRUE;
			known = start;
			after = border;
		}
		if (found % 2 == 0 && start <= r->until &&
		    !push_span(&r->k->region,
			       (span){start, border > r->until ? r->until + 1 : border, value}))
			return FALSE;
	}
	if (!put_span(r, span_, first, *split ? known : border) ||
	    (*split && !put_span(r, later, after, border)))
		return FALSE;
	return put_intervals(r, region, r->k->region.items, r->k->region.count, value);
}

/*  put_events(r, list, ...): where the value starts (or ends) in the second list of spans and
    not in the first. From the last to the first, since a list is made from its end. */

static int put_events(report *r, term_t list, const span *a, uint32_t na, const span *b,
		      uint32_t nb, uint32_t value, int ends)
{
	PL_put_nil(list);
	while (nb-- > 0) {
		int64_t time = ends ? b[nb].end : b[nb].start;
		if (b[nb].value != value || time == OPEN || time - r->k->tick <= r->after)
			continue;
		while (na > 0 && (a[na - 1].value != value ||
				  (ends ? a[na - 1].end : a[na - 1].start) > time))
			na--;
		if (na > 0 && (ends ? a[na - 1].end : a[na - 1].start) == time)
			continue;
		if (!PL_put_int64(r->number, time - r->k->tick) ||
		    !PL_cons_list(list, r->number, list))
			return FALSE;
	}
	return TRUE;
}

static int same_spans(const span *a, uint32_t na, const span *b, uint32_t nb, uint32_t value)
{
	uint32_t i = 0, j = 0;

	for (;; i++, j++) {
		while (i < na && a[i].value != value)
			i++;
		while (j < nb && b[j].value != value)
			j++;
		if (i == na || j == nb)
			return i == na && j == nb;
		if (a[i].start != b[j].start || a[i].end != b[j].end)
			return FALSE;
	}
}

static int has_value(const span *s, uint32_t n, uint32_t value)
{
	for (uint32_t i = 0; i < n; i++)
		if (s[i].value == value)
			return TRUE;
	return FALSE;
}

/*  put_change(r, t, ...): the term change(Span,Region,Begun,Unbegun,Ended,Unended), or with a
    further span as parted(Change,Span). */

static int put_change(report *r, term_t t, const span *old, uint32_t n_old, const span *now,
		      uint32_t n_now, uint32_t value)
{
	term_t args = r->args;
	int split = FALSE;

	if (!put_region(r, args, args + 1, r->later, old, n_old, now, n_now, value, &split))
		return FALSE;
	if (!r->events) {
		for (int i = 2; i < 6; i++)
			PL_put_nil(args + i);
	} else if (!put_events(r, args + 2, old, n_old, now, n_now, value, FALSE) ||
		   !put_events(r, args + 3, now, n_now, old, n_old, value, FALSE) ||
		   !put_events(r, args + 4, old, n_old, now, n_now, value, TRUE) ||
		   !put_events(r, args + 5, now, n_now, old, n_old, value, TRUE))
		return FALSE;
	return PL_cons_functor_v(t, functor_change6, args) &&
		(!split || PL_cons_functor(t, functor_parted2, t, r->later));
}

/*  report_value(r, in, left, value): add update(F,V,Had,Is,Change) to the list if F=V holds
    in other intervals than before; of those before, the window has left the first few. */

static int report_value(report *r, const instance *in, uint32_t left, uint32_t value)
{
	const span *old = in->held.items, *known = old + left, *now = r->k->now.items;
	uint32_t n_known = in->held.count - left, n_now = r->k->now.count;
	int same = same_spans(known, n_known, now, n_now, value);
	term_t u = r->update;

	if (same && !has_value(old, left, value))
		return TRUE;
	return terms_put(&r->k->terms, in->fluent, u) && terms_put(&r->k->terms, value, u + 1) &&
		PL_put_atom(u + 2, has_value(old, in->held.count, value) ? atom_true : atom_false) &&
		put_intervals(r, u + 3, now, n_now, value) &&
		(same ? PL_put_atom(u + 4, atom_left)
		 : put_change(r, u + 4, known, n_known, now, n_now, value)) &&
		PL_cons_functor_v(r->interval, functor_update5, u) &&
		PL_cons_list(r->list, r->interval, r->list);
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

int report_instance(report *r, const instance *in, uint32_t left)
{
	kept *k = r->k;
	const span *old = in->held.items, *now = k->now.items;
	uint32_t same = 0;	/* so many spans are as they were */
	int is;

	while (left + same < in->held.count && same < k->now.count &&
	       old[left + same].start == now[same].start && old[left + same].end == now[same].end &&
	       old[left + same].value == now[same].value)
		same++;
	if (++k->mark == 0) {
		memset(k->marks.items, 0, k->marks.count * sizeof *k->marks.items);
		k->mark = 1;
	}
	for (uint32_t i = 0; i < in->held.count; i++) {
		if (i == left)
			i += same;
		if (i < in->held.count &&
		    (!unseen(k, old[i].value, &is) ||
		     (is && !report_value(r, in, left, old[i].value))))
			return FALSE;
	}
	for (uint32_t i = same; i < k->now.count; i++)
		if (!unseen(k, now[i].value, &is) || (is && !report_value(r, in, left, now[i].value)))
			return FALSE;
	return TRUE;
}

void install_kept_report(void)
{
	atom_left = PL_new_atom("left");
	atom_true = PL_new_atom("true");
	atom_false = PL_new_atom("false");
	functor_minus2 = PL_new_functor(PL_new_atom("-"), 2);
	functor_change6 = PL_new_functor(PL_new_atom("change"), 6);
	functor_parted2 = PL_new_functor(PL_new_atom("parted"), 2);
	functor_update5 = PL_new_functor(PL_new_atom("update"), 5);
}
