/* list_room.h - arrays that grow, an element at a time. What lies in them,
 * their owner knows. */
#ifndef SIM_BASE_LIST_ROOM_H
#define SIM_BASE_LIST_ROOM_H

#include <stddef.h>

/* An array of the host's heap with room behind its `count` elements of `size`
 * bytes, and those in it: the one that is given, or a larger one in its place.
 * `capacity` is how many it has room for; NULL has room for 0. Running out of
 * memory is the host's failure, and ends the process. */
void *list_room(void *array, size_t *capacity, size_t count, size_t size);

#endif
