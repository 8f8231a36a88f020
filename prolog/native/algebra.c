/*  Rules that do nothing but combine the intervals of other fluents, for all their instances.

    Such a rule is a _plan_ (see prolog/rtec/plans.pl):

        plan(Head, V, Literals, Operations, Result, First)

    Head lists the arguments of the fluent, Literals what is read, as literal(Held, Arguments, Value). An
    argument is a number, which stands for a variable of the head, or k(Term). Interval lists have
    numbers: those of the literals come first, from 0 on, then one for each of the operations u(Ns), i(Ns)
    and m(N,Ns), union, intersection and relative complement. First are the numbers of the literals
    one of which must hold something, and which name all variables of the head.
*/

#include <SWI-Prolog.h>
#include <stdlib.h>
#include <string.h>
#include "algebra.h"

static functor_t functor_plan6, functor_literal3, functor_k1;

static int push(buffer *b, int64_t start, int64_t end)
{
	if (!ROOM(b->items, b->room, (size_t)b->count + 1))
		return FALSE;
	b->items[b->count++] = (interval){start, end};
	return TRUE;
}

static list all_of(const buffer *b)
{
	return (list){b->items, b->count};
}

/*  What is in a or in b. Intervals that touch are one. */

static int unite(list a, list b, buffer *out)
{
	out->count = 0;
	while (a.count || b.count) {
		list *next = b.count == 0 || (a.count && a.items->start <= b.items->start) ? &a : &b;
		interval i = *next->items++;
		next->count--;
		if (out->count && i.start <= out->items[out->count - 1].end) {
			if (i.end > out->items[out->count - 1].end)
				out->items[out->count - 1].end = i.end;
		} else if (!push(out, i.start, i.end))
			return FALSE;
	}
	return TRUE;
}

static int intersect(list a, list b, buffer *out)
{
	out->count = 0;
	while (a.count && b.count) {
		int64_t start = a.items->start > b.items->start ? a.items->start : b.items->start;
		int64_t end = a.items->end < b.items->end ? a.items->end : b.items->end;
		if (start < end && !push(out, start, end))
			return FALSE;
		list *passed = a.items->end < b.items->end ? &a : &b;
		passed->items++;
		passed->count--;
	}
	return TRUE;
}

/*  What is in a and not in b. */

static int subtract(list a, list b, buffer *out)
{
	out->count = 0;
	for (; a.count; a.items++, a.count--) {
		int64_t start = a.items->start, end = a.items->end;
		for (; b.count && b.items->end <= start; b.items++, b.count--)
			;
		list c = b;
		for (; c.count && c.items->start < end && start < end; c.items++, c.count--) {
			if (start < c.items->start && !push(out, start, c.items->start))
				return FALSE;
			start = c.items->end;
		}
		if (start < end && !push(out, start, end))
			return FALSE;
	}
	return TRUE;
}

/*  combine(p, o, from, f): the lists of an operation from so and so on, two by two, by f. */

typedef int (*combination)(list a, list b, buffer *out);

static int combine(plan *p, operation *o, uint32_t from, combination f, list *result)
{
	*result = from < o->count ? p->lists[o->operands[from]] : (list){NULL, 0};
	for (uint32_t i = from + 1; i < o->count; i++) {
		list other = p->lists[o->operands[i]];
		if (f == unite && (other.count == 0 || result->count == 0)) {
			if (result->count == 0)
				*result = other;
			continue;
		}
		if (!f(*result, other, &p->spare))
			return FALSE;
		buffer swap = o->result;
		o->result = p->spare;
		p->spare = swap;
		*result = all_of(&o->result);
	}
	return TRUE;
}

static int operate(plan *p, operation *o, list *result)
{
	list others;

	switch (o->kind) {
	case 'u':
		return combine(p, o, 0, unite, result);
	case 'i':
		return combine(p, o, 0, intersect, result);
	default:
		if (!combine(p, o, 1, unite, &others))
			return FALSE;
		*result = p->lists[o->operands[0]];
		if (result->count == 0 || others.count == 0)
			return TRUE;
		if (!subtract(*result, others, &p->spare))
			return FALSE;
		buffer swap = o->result;
		o->result = p->spare;
		p->spare = swap;
		*result = all_of(&o->result);
		return TRUE;
	}
}

list look_up(const plan *p, const literal *l, const uint32_t *args)
{
	list found = {NULL, 0};
	uint32_t parts[MOST_ARGUMENTS], key = 0;

	if (l->empty || l->held->now.count == 0)
		return found;
	for (size_t i = 0; i < l->arity; i++)
		if (l->at[i] < 0)
			parts[i] = l->constant[i];
		else if (!terms_find(&p->held->terms, args[l->at[i]], &l->held->terms, &parts[i]))
			return found;
	if (l->arity == 0)
		key = l->held->now.entries[0].key;
	else if (l->arity == 1)
		key = parts[0];
	else if (terms_look_up_parts(&l->held->terms, l->held->functor, parts, l->arity, &key) != TERM_FOUND)
		return found;
	found.items = held_intervals(l->held, key, l->value, &found.count);
	return found;
}

int operate_all(plan *p, list *result)
{
	for (uint32_t i = 0; i < p->operations_count; i++)
		if (!operate(p, &p->operations[i], &p->lists[p->literals_count + i]))
			return FALSE;
	*result = p->lists[p->result];
	return TRUE;
}

/*  hold(p, args, w, first): add what one instance holds. */

static int hold(plan *p, const uint32_t *args, int64_t w, int64_t first)
{
	list result;

	for (uint32_t i = 0; i < p->literals_count; i++)
		p->lists[i] = look_up(p, &p->literals[i], args);
	return operate_all(p, &result) && held_add(p->held, result.items, result.count, w, first);
}

int plan_bind(plan *p, const literal *l, const entry *e, uint32_t *args, uint32_t *known)
{
	held *h = p->held;
	const uint32_t *from = l->arity == 1 ? &e->key : &l->held->terms.parts[l->held->terms.nodes[e->key].parts];

	for (size_t i = 0; i < l->arity; i++) {
		uint32_t n;
		if (l->at[i] < 0) {
			if (from[i] != l->constant[i])
				return FALSE;
			continue;
		}
		if (!terms_move(&l->held->terms, from[i], &h->terms, &n)) {
			h->unfit = TRUE;
			return FALSE;
		}
		if (*known & 1u << l->at[i] && args[l->at[i]] != n)
			return FALSE;
		args[l->at[i]] = n;
		*known |= 1u << l->at[i];
	}
	return TRUE;
}

int head_key(plan *p, const uint32_t *args, uint32_t *key)
{
	uint32_t parts[MOST_ARGUMENTS];

	for (size_t i = 0; i < p->arity; i++)
		parts[i] = p->at[i] < 0 ? p->constant[i] : args[p->at[i]];
	if (p->arity == 1) {
		*key = parts[0];
		return TRUE;
	}
	return terms_compound(&p->held->terms, p->held->functor, parts, p->arity, key);
}

/*  hold_all(p, l, w, first): add what all instances hold that a literal names. */

static int hold_all(plan *p, const literal *l, int64_t w, int64_t first)
{
	index_of *x;
	uint32_t args[MOST_ARGUMENTS], key;
	int is_first;

	if (l->empty || l->held->now.count == 0)
		return TRUE;
	if (!index_at(l->held, (place){VALUE, 0}, &x))
		return FALSE;
	for (uint32_t i = x ? head_of(x, l->value) : 1; i && i <= l->held->now.count;
	     i = x ? x->next[i - 1] : i + 1) {
		const entry *e = &l->held->now.entries[i - 1];
		uint32_t known = 0;
		if (e->value != l->value || !e->count || !plan_bind(p, l, e, args, &known))
			continue;
		if (!head_key(p, args, &key) || !held_met(p->held, key, p->value, &is_first) ||
		    (is_first && !hold(p, args, w, first)))
			return FALSE;
	}
	return TRUE;
}

/*  How a plan is read. FALSE where something is not as it should be, which plans.pl sees to. */

static int get_args(terms *ts, term_t t, size_t *count, int8_t *at, uint32_t *constant, int *empty)
{
	term_t tail = PL_copy_term_ref(t), head = PL_new_term_ref(), arg = PL_new_term_ref();
	int position;

	for (*count = 0; PL_get_list(tail, head, tail); (*count)++) {
		if (*count == MOST_ARGUMENTS)
			return FALSE;
		at[*count] = -1;
		if (PL_get_integer(head, &position)) {
			if (position < 0 || position >= MOST_ARGUMENTS)
				return FALSE;
			at[*count] = (int8_t)position;
		} else if (!PL_is_functor(head, functor_k1) || !PL_get_arg(1, head, arg)) {
			return FALSE;
		} else if (empty) {
			if (terms_look_up(ts, arg, &constant[*count]) != TERM_FOUND)
				*empty = TRUE;
		} else if (!terms_number(ts, arg, &constant[*count])) {
			return FALSE;
		}
	}
	return PL_get_nil(tail);
}

static int get_literal(term_t t, literal *l)
{
	term_t arg = PL_new_term_ref();

	l->empty = FALSE;
	if (!PL_is_functor(t, functor_literal3) || !PL_get_arg(1, t, arg) || !get_held(arg, &l->held) ||
	    !PL_get_arg(2, t, arg) ||
	    !get_args(&l->held->terms, arg, &l->arity, l->at, l->constant, &l->empty) ||
	    l->arity != l->held->arity || !PL_get_arg(3, t, arg))
		return FALSE;
	if (terms_look_up(&l->held->terms, arg, &l->value) != TERM_FOUND)
		l->empty = TRUE;
	return TRUE;
}

static int get_numbers(term_t t, uint32_t most, uint32_t below, uint32_t *numbers, uint32_t *count)
{
	term_t tail = PL_copy_term_ref(t), head = PL_new_term_ref();
	int n;

	while (PL_get_list(tail, head, tail)) {
		if (*count == most || !PL_get_integer(head, &n) || n < 0 || (uint32_t)n >= below)
			return FALSE;
		numbers[(*count)++] = (uint32_t)n;
	}
	return PL_get_nil(tail);
}

static int get_operation(term_t t, uint32_t below, operation *o)
{
	atom_t name;
	size_t arity;
	term_t arg = PL_new_term_ref();
	int n;

	if (!PL_get_name_arity_sz(t, &name, &arity) || arity < 1 || arity > 2)
		return FALSE;
	o->kind = PL_atom_nchars(name, NULL)[0];
	if (arity == 2) {
		if (!PL_get_arg(1, t, arg) || !PL_get_integer(arg, &n) || n < 0 || (uint32_t)n >= below)
			return FALSE;
		o->operands[o->count++] = (uint32_t)n;
	}
	return PL_get_arg(arity, t, arg) && get_numbers(arg, MOST_OPERANDS, below, o->operands, &o->count);
}

static int get_plan(term_t t, plan *p)
{
	term_t arg = PL_new_term_ref(), tail = PL_new_term_ref(), head = PL_new_term_ref();
	int result;

	if (!PL_is_functor(t, functor_plan6) || !PL_get_arg(1, t, arg) ||
	    !get_args(&p->held->terms, arg, &p->arity, p->at, p->constant, NULL) ||
	    p->arity != p->held->arity || p->arity == 0 || !PL_get_arg(2, t, arg) ||
	    !terms_number(&p->held->terms, arg, &p->value) || !PL_get_arg(3, t, tail))
		return FALSE;
	while (PL_get_list(tail, head, tail))
		if (p->literals_count == MOST_LITERALS ||
		    !get_literal(head, &p->literals[p->literals_count++]))
			return FALSE;
	if (!PL_get_arg(4, t, tail))
		return FALSE;
	while (PL_get_list(tail, head, tail)) {
		uint32_t n = p->operations_count;
		if (n == MOST_LISTS - MOST_LITERALS ||
		    !get_operation(head, p->literals_count + n, &p->operations[n]))
			return FALSE;
		p->operations_count++;
	}
	uint32_t lists = p->literals_count + p->operations_count;
	if (!PL_get_arg(5, t, arg) || !PL_get_integer(arg, &result) || result < 0 ||
	    (uint32_t)result >= lists || !PL_get_arg(6, t, arg))
		return FALSE;
	p->result = (uint32_t)result;
	for (size_t i = 0; i < p->arity; i++)
		if (p->at[i] >= 0)
			p->variables |= 1u << p->at[i];
	return get_numbers(arg, MOST_LITERALS, p->literals_count, p->first, &p->first_count);
}

void plan_free(plan *p)
{
	for (uint32_t i = 0; i < MOST_LISTS - MOST_LITERALS; i++)
		free(p->operations[i].result.items);
	free(p->spare.items);
	free(p);
}

plan *plan_new(held *h, term_t t)
{
	plan *p = calloc(1, sizeof *p);

	if (!p) {
		PL_resource_error("memory");
		return NULL;
	}
	p->held = h;
	if (get_plan(t, p))
		return p;
	plan_free(p);
	return NULL;
}

/*  held_planned(+Held, +Plan, +W, +First): all that the instances of a plan hold in the window whose first
    time-point is First; fails if something does not fit. */

static foreign_t held_planned(term_t t, term_t planned, term_t window, term_t first_point)
{
	held *h = NULL;
	int64_t w, first;
	plan *p;
	int done = TRUE;

	if (!get_held(t, &h) || !PL_get_int64_ex(window, &w) || !PL_get_int64_ex(first_point, &first) ||
	    !(p = plan_new(h, planned)))
		return FALSE;
	held_clear(h);
	for (uint32_t i = 0; done && i < p->first_count; i++)
		done = hold_all(p, &p->literals[p->first[i]], w, first);
	plan_free(p);
	return done && held_done(h);
}

void install_algebra(void)
{
	functor_plan6 = PL_new_functor(PL_new_atom("plan"), 6);
	functor_literal3 = PL_new_functor(PL_new_atom("literal"), 3);
	functor_k1 = PL_new_functor(PL_new_atom("k"), 1);
	PL_register_foreign("held_planned", 4, held_planned, 0);
}
