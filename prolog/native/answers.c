/*  What a store holds, for Python to read where it stands (see python/rtec/runtime/held.py).

    Entries and intervals are arrays of numbers. What the numbers of keys and values stand for is told
    once: they stay the same as long as the _epoch_ of the store does, and whoever reads a store at every query
    time remembers them.
*/

#include <stdlib.h>
#include <string.h>
#include "held.h"

/*  There are two readers: one of answers, and one of what is handed to another session. Each is told for itself. */

enum reader { OF_ANSWERS = 0, OF_FACTS = 2 };
enum { AS_KEY = 1, AS_VALUE = 2 };

static uint64_t epochs;
static atom_t atom_answers;
static functor_t functor_answers6;

/*  begin_telling(h): make room for what is told; nothing is in a new epoch. */

static int begin_telling(held *h)
{
	if (!h->epoch) {
		h->epoch = ++epochs;
		h->told_size = 0;
	}
	return ZEROED(h->told, h->told_size, h->terms.count);
}

static int is_new(held *h, uint32_t number, uint8_t how)
{
	if (h->told[number] & how)
		return FALSE;
	h->told[number] |= how;
	return TRUE;
}

/*  put_args(h, key, t): the list of an instance's arguments. */

static int put_args(const held *h, uint32_t key, term_t t)
{
	term_t args = PL_new_term_refs((int)h->arity);

	if (h->arity && !terms_put_args(&h->terms, key, h->arity, args))
		return FALSE;
	PL_put_nil(t);
	for (size_t i = h->arity; i-- > 0;)
		if (!PL_cons_list(t, args + i, t))
			return FALSE;
	return TRUE;
}

static int tell(term_t list, uint32_t number, term_t what, term_t item)
{
	return PL_cons_list(list, what, list) && PL_put_int64(item, number) &&
		PL_cons_list(list, item, list);
}

/*  held_answers(+Held, -answers(Epoch,N,Entries,Spans,Keys,Values)): where N entries and their
    intervals stand, and what is new among their keys and values: Number, Args, Number, Args..., and
    Number, Value, and so on. held_facts/2 is the same for the other reader. */

static foreign_t read_by(enum reader reader, term_t t, term_t answers)
{
	held *h = NULL;
	term_t keys = PL_new_term_ref(), values = PL_new_term_ref(), item = PL_new_term_ref();

	if (!get_held(t, &h) || !begin_telling(h))
		return FALSE;
	PL_put_nil(keys);
	PL_put_nil(values);
	for (uint32_t i = 0; i < h->now.count; i++) {
		const entry *e = &h->now.entries[i];
		term_t what = PL_new_term_ref();
		if (is_new(h, e->key, AS_KEY << reader) &&
		    !(put_args(h, e->key, what) && tell(keys, e->key, what, item)))
			return FALSE;
		if (is_new(h, e->value, AS_VALUE << reader) &&
		    !(terms_put(&h->terms, e->value, what) && tell(values, e->value, what, item)))
			return FALSE;
		PL_reset_term_refs(what);
	}
	return PL_unify_term(answers, PL_FUNCTOR, functor_answers6,
			     PL_INT64, (int64_t)h->epoch,
			     PL_INT64, (int64_t)h->now.count,
			     PL_INT64, (int64_t)(uintptr_t)h->now.entries,
			     PL_INT64, (int64_t)(uintptr_t)h->now.spans,
			     PL_TERM, keys, PL_TERM, values);
}

static foreign_t held_answers(term_t t, term_t answers)
{
	return read_by(OF_ANSWERS, t, answers);
}

static foreign_t held_facts(term_t t, term_t answers)
{
	return read_by(OF_FACTS, t, answers);
}

/*  held_retell(+Held, +Reader): `answers` or `facts`. Who has not read a store at a query time knows nothing
    more of it, and is told again. */

static foreign_t held_retell(term_t t, term_t reader)
{
	held *h = NULL;
	atom_t name;

	if (!get_held(t, &h) || !PL_get_atom_ex(reader, &name))
		return FALSE;
	enum reader who = name == atom_answers ? OF_ANSWERS : OF_FACTS;
	for (uint32_t i = 0; i < h->told_size; i++)
		h->told[i] &= (uint8_t)~((AS_KEY | AS_VALUE) << who);
	return TRUE;
}

void install_answers(void)
{
	atom_answers = PL_new_atom("answers");
	functor_answers6 = PL_new_functor(atom_answers, 6);
	PL_register_foreign("held_answers", 2, held_answers, 0);
	PL_register_foreign("held_facts", 2, held_facts, 0);
	PL_register_foreign("held_retell", 2, held_retell, 0);
}
