/*  Arrays that grow: items, and for how many of them there is room. */

#ifndef RTEC_ARRAYS_H
#define RTEC_ARRAYS_H

#include <SWI-Prolog.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*  room_for(&items, &room, wanted, size, zeroed): make an array large enough, and what is new of it
    zero if that is asked for; FALSE without memory. */

static inline int room_for(void **items, uint32_t *room, size_t wanted, size_t size, int zeroed)
{
	if (wanted <= *room)
		return TRUE;
	size_t more = wanted < 8 ? 8 : wanted + wanted / 2;
	char *larger = more < UINT32_MAX ? realloc(*items, more * size) : NULL;
	if (!larger)
		return PL_resource_error("memory");
	if (zeroed)
		memset(larger + *room * size, 0, (more - *room) * size);
	*items = larger;
	*room = (uint32_t)more;
	return TRUE;
}

#define ROOM(items, room, wanted) room_for((void **)&(items), &(room), wanted, sizeof *(items), FALSE)
#define ZEROED(items, room, wanted) room_for((void **)&(items), &(room), wanted, sizeof *(items), TRUE)

#endif
