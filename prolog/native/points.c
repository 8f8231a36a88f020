#include "points.h"

static atom_t kind_atoms[4], atom_inf;
static functor_t functor_comma2, functor_minus2;

int point_kind(term_t k, enum kind *kind)
{
	atom_t name;

	if (!PL_get_atom(k, &name))
		return FALSE;
	for (*kind = CARRIED; kind_atoms[*kind] != name; (*kind)++)
		if (*kind == OTHERS)
			return FALSE;
	return TRUE;
}

int point_since(term_t v, int64_t *since, term_t value)
{
	term_t start = PL_new_term_ref();

	return PL_is_functor(v, functor_minus2) && PL_get_arg(1, v, start) &&
		PL_get_int64(start, since) && PL_get_arg(2, v, value);
}

int point_value(terms *ts, enum kind kind, term_t v, uint32_t *value)
{
	if (kind == TERMINATION && PL_is_variable(v)) {
		*value = ANY;
		return TRUE;
	}
	return terms_number(ts, v, value) && *value < ANY;
}

int get_end(term_t t, int64_t *end)
{
	atom_t atom;

	if (PL_get_int64(t, end))
		return *end != OPEN;
	*end = OPEN;
	return PL_get_atom(t, &atom) && atom == atom_inf;
}

int put_end(term_t t, int64_t end)
{
	return end == OPEN ? PL_put_atom(t, atom_inf) : PL_put_int64(t, end);
}

int put_interval(term_t interval, int64_t start, int64_t end)
{
	term_t s = PL_new_term_refs(2), e = s + 1;
	int done = PL_put_int64(s, start) && put_end(e, end) &&
		PL_cons_functor(interval, functor_comma2, s, e);

	PL_reset_term_refs(s);
	return done;
}

void install_points(void)
{
	static const char *names[] = {"c", "i", "t", "x"};

	for (int kind = CARRIED; kind <= OTHERS; kind++)
		kind_atoms[kind] = PL_new_atom(names[kind]);
	atom_inf = PL_new_atom("inf");
	functor_comma2 = PL_new_functor(PL_new_atom(","), 2);
	functor_minus2 = PL_new_functor(PL_new_atom("-"), 2);
}
