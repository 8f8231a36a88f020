/*  Records on their way from Python's arrays into facts.

    Python hands over where its columns stand in memory, and keeps them there until the call
    is over. A column is 64-bit integers, floats, or the places of cells in a list of terms:
    i(Address), f(Address), o(Address, Terms).
*/

#include <SWI-Prolog.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
	char kind;
	const void *data;
	term_t terms;		/* of kind o: the first of its terms */
} column;

static functor_t functor_i1, functor_f1, functor_o2;

/*  get_terms(list, &first): the elements of a list in references, one after the other. */

static int get_terms(term_t list, term_t *first)
{
	size_t n;
	term_t tail = PL_copy_term_ref(list), head = PL_new_term_ref();

	if (PL_skip_list(list, 0, &n) != PL_LIST)
		return PL_type_error("list", list);
	*first = PL_new_term_refs(n);
	for (size_t i = 0; PL_get_list(tail, head, tail); i++)
		if (!PL_put_term(*first + i, head))
			return FALSE;
	return TRUE;
}

static int get_column(term_t t, column *c)
{
	term_t arg = PL_new_term_ref();
	int64_t address;

	c->kind = PL_is_functor(t, functor_i1) ? 'i' : PL_is_functor(t, functor_f1) ? 'f' : 'o';
	if (c->kind == 'o' && !PL_is_functor(t, functor_o2))
		return PL_type_error("column", t);
	if (!PL_get_arg(1, t, arg) || !PL_get_int64_ex(arg, &address))
		return FALSE;
	c->data = (const void *)(uintptr_t)address;
	return c->kind != 'o' || (PL_get_arg(2, t, arg) && get_terms(arg, &c->terms));
}

static int put_cell(const column *c, size_t row, term_t t)
{
	switch (c->kind) {
	case 'i':
		return PL_put_int64(t, ((const int64_t *)c->data)[row]);
	case 'f':
		return PL_put_float(t, ((const double *)c->data)[row]);
	default:
		return PL_put_term(t, c->terms + ((const int32_t *)c->data)[row]);
	}
}

/*  load_rows(+M, +Pred, +N, +Columns): assert N facts Pred(Cell...) of M. */

static foreign_t load_rows(term_t module, term_t pred, term_t rows, term_t columns)
{
	atom_t m, name;
	size_t n, arity = 0;

	if (!PL_get_atom_ex(module, &m) || !PL_get_atom_ex(pred, &name) ||
	    !PL_get_size_ex(rows, &n) || PL_skip_list(columns, 0, &arity) != PL_LIST)
		return FALSE;
	column *cs = malloc((arity + 1) * sizeof *cs);
	if (!cs)
		return PL_resource_error("memory");
	term_t tail = PL_copy_term_ref(columns), head = PL_new_term_ref();
	int done = TRUE;
	for (size_t i = 0; done && PL_get_list(tail, head, tail); i++)
		done = get_column(head, &cs[i]);
	functor_t fact = PL_new_functor_sz(name, arity);
	module_t place = PL_new_module(m);
	for (size_t row = 0; done && row < n; row++) {
		fid_t frame = PL_open_foreign_frame();
		term_t args = PL_new_term_refs(arity), clause = PL_new_term_ref();
		for (size_t i = 0; done && i < arity; i++)
			done = put_cell(&cs[i], row, args + i);
		done = done && PL_cons_functor_v(clause, fact, args) &&
			PL_assert(clause, place, PL_ASSERTZ);
		PL_discard_foreign_frame(frame);
	}
	free(cs);
	return done;
}

/*  rtec_codes(cells, n, codes, firsts): for Python. Of n addresses of objects, codes has the number of
    each, from 0 in order of appearance, and firsts where each number stands first. Returns how
    many numbers there are, or -1 if there is no memory. */

int64_t rtec_codes(const uintptr_t *cells, int64_t n, int32_t *codes, int64_t *firsts)
{
	size_t size = 1024;
	int32_t count = 0, *slots = calloc(size, sizeof *slots);

	for (int64_t i = 0; slots && i < n; i++) {
		if (i > 0 && cells[i] == cells[i - 1]) {
			codes[i] = codes[i - 1];
			continue;
		}
		size_t s = (cells[i] >> 4) * 0x9e3779b97f4a7c15u >> 20 & (size - 1);
		while (slots[s] && cells[firsts[slots[s] - 1]] != cells[i])
			s = (s + 1) & (size - 1);
		if (!slots[s]) {
			firsts[count] = i;
			slots[s] = ++count;
		}
		codes[i] = slots[s] - 1;
		if (2 * (size_t)count < size)
			continue;
		free(slots);
		size *= 4;
		slots = calloc(size, sizeof *slots);
		for (int32_t c = 0; slots && c < count; c++) {
			s = (cells[firsts[c]] >> 4) * 0x9e3779b97f4a7c15u >> 20 & (size - 1);
			while (slots[s])
				s = (s + 1) & (size - 1);
			slots[s] = c + 1;
		}
	}
	if (!slots)
		return -1;
	free(slots);
	return count;
}

void install_rows(void)
{
	functor_i1 = PL_new_functor(PL_new_atom("i"), 1);
	functor_f1 = PL_new_functor(PL_new_atom("f"), 1);
	functor_o2 = PL_new_functor(PL_new_atom("o"), 2);
	PL_register_foreign("load_rows", 4, load_rows, 0);
}
