/* test_list_room.c - arrays that grow, with what is in them. */
#include "sim/base/list_room.h"
#include "tests/rows.h"

#include <stdlib.h>

static struct room_row {
    const char *name;
    size_t count, want_capacity;
} room_rows[] = {
    {"none_yet_get_room_for_sixteen", 0, 16},
    {"one_has_room_behind_it", 1, 16},
    {"the_sixteenth_finds_room", 15, 16},
    {"behind_sixteen_it_is_twice_as_large", 16, 32},
    {"behind_thirty_two_once_more", 32, 64},
};

/* Elements that say which they are. */
static void room_row(void **state)
{
    const struct room_row *row = *state;
    uint64_t *list = NULL;
    size_t capacity = 0;

    for (size_t i = 0; i < row->count; i++) {
        list = list_room(list, &capacity, i, sizeof(*list));
        list[i] = i;
    }
    list = list_room(list, &capacity, row->count, sizeof(*list));
    assert_int_equal(capacity, row->want_capacity);
    for (size_t i = 0; i < row->count; i++) {
        assert_int_equal(list[i], i);
    }
    list[capacity - 1] = 0; /* the sanitizers watch */
    free(list);
}

TEST_FILE(test_list_room)
{
    TEST_ADD_ROWS(list, room_row, room_rows);
}
