/* list_room.c - arrays that grow: twice as large each time, so that few
 * elements are ever moved. */
#include "sim/base/list_room.h"

#include <assert.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 16 };

void *list_room(void *array, size_t *capacity, size_t count, size_t size)
{
    assert(count <= *capacity && size > 0);
    assert((array == NULL) == (*capacity == 0));
    if (count < *capacity) {
        return array;
    }
    *capacity = *capacity == 0 ? FIRST_CAPACITY : 2 * *capacity;
    array = realloc(array, *capacity * size);
    assert(array != NULL);
    return array;
}
