/* test_layout.c - each byte of an NT structure has a name: where we fill one
 * for a driver, none of them holds what lay on a stack of ours. An unnamed byte
 * is left to the compiler. */
#include <string.h>

#include "api/nt/nt.h"
#include "tests/rows.h"

enum { STRUCTURE_MAX = 4096 };

/* Bytes that have a name: of a member, or as NT_PAD. */
static const struct named {
    const char *owner;
    size_t offset, size;
    bool goes_on; /* as far as a count says */
} named[] = {
#define SIZE_OF(owner, member) sizeof(((const owner *)0)->member)
#define NT_MEMBER(owner, path, type, name, offset)                             \
    {#owner, offset, SIZE_OF(owner, path name), false},
#define NT_ARRAY(owner, path, type, name, length, offset)                      \
    NT_MEMBER(owner, path, type, name, offset)
#define NT_TAIL(owner, type, name, count, offset)                              \
    {#owner, offset, SIZE_OF(owner, name), true},
#define NT_PAD(owner, path, bytes, offset) {#owner, offset, bytes, false},
#include "api/nt/types.def"
};

static struct structure_row {
    const char *name;
    size_t size;
} structure_rows[] = {
#define NT_STRUCT_END(name, size) {#name, size},
#include "api/nt/types.def"
};

/* What is behind the first of a tail's elements, the writer counts. */
static void has_a_name_for_each_byte(void **state)
{
    const struct structure_row *row = *state;
    bool has_name[STRUCTURE_MAX] = {false};
    size_t end = row->size;

    assert_in_range(row->size, 1, STRUCTURE_MAX);
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        const struct named *it = &named[i];

        if (strcmp(it->owner, row->name) != 0) {
            continue;
        }
        assert_in_range(it->offset + it->size, 1, row->size);
        memset(has_name + it->offset, true, it->size);
        end = it->goes_on ? it->offset + it->size : end;
    }
    for (size_t at = 0; at < end; at++) {
        if (!has_name[at]) {
            fail_msg(
                "%s: nothing has the byte at %zu: add NT_PAD", row->name, at);
        }
    }
}

TEST_FILE(test_layout)
{
    TEST_ADD_ROWS(list, has_a_name_for_each_byte, structure_rows);
}
