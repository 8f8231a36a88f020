/*  Arrays that grow: structs with `items`, `count` and `room`. */

#ifndef RTEC_ARRAYS_H
#define RTEC_ARRAYS_H

#include <SWI-Prolog.h>
#include <stdint.h>
#include <stdlib.h>

/*  room_for(&items, &room, wanted, size): make an array large enough; FALSE without memory. */

static inline int room_for(void **items, uint32_t *room, size_t wanted, size_t size)
{
	if (wanted <= *room)
		return TRUE;
	size_t more = wanted < 8 ? 8 : wanted + wanted / 2;
	void *larger = more < UINT32_MAX ? realloc(*items, more * size) : NULL;
	if (!larger)
		return PL_resource_error("memory");
	*items = larger;
	*room = (uint32_t)more;
	return TRUE;
}

#define ROOM(a, n) room_for((void **)&(a)->items, &(a)->room, n, sizeof *(a)->items)

#endif
