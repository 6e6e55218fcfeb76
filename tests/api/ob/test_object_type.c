/* test_object_type.c - what generic rights mean for each kind of objects, and
 * for a mask that has others besides. */
#include "api/ob/object_type.h"
#include "tests/rows.h"

static struct generic_row {
    const char *name;
    enum object_type_name type;
    uint32_t want_read, want_write, want_execute, want_all;
} generic_rows[] = {
    {"of_a_thread", OBJECT_TYPE_THREAD, 0x20048, 0x20037, 0x120000, 0x1FFFFF},
    {"of_a_process", OBJECT_TYPE_PROCESS, 0x20410, 0x20BEA, 0x121001, 0x1FFFFF},
    {"of_an_event", OBJECT_TYPE_EVENT, 0x20001, 0x20002, 0x120000, 0x1F0003},
    {"of_a_semaphore", OBJECT_TYPE_SEMAPHORE, 0x20001, 0x20002, 0x120000,
        0x1F0003},
    {"of_a_file", OBJECT_TYPE_FILE, 0x120089, 0x120116, 0x1200A0, 0x1F01FF},
    {"of_a_device", OBJECT_TYPE_DEVICE, 0x120089, 0x120116, 0x1200A0, 0x1F01FF},
    {"of_a_driver", OBJECT_TYPE_DRIVER, 0x120089, 0x120116, 0x1200A0, 0x1F01FF},
    {"of_a_token", OBJECT_TYPE_TOKEN, 0x2001A, 0x201E0, 0x20005, 0xF01FF},
    {"of_a_key", OBJECT_TYPE_KEY, 0x20019, 0x20006, 0x20039, 0xF003F},
    {"of_a_callback", OBJECT_TYPE_CALLBACK, 0x20000, 0x20001, 0x120000,
        0x1F0001},
    {"of_a_link", OBJECT_TYPE_LINK, 0x20001, 0x20000, 0x20001, 0xF0001},
    {"of_a_directory", OBJECT_TYPE_DIRECTORY, 0x20003, 0x2000C, 0x20003,
        0xF000F},
    {"of_a_section", OBJECT_TYPE_SECTION, 0x20005, 0x20002, 0x20008, 0xF001F},
};

static void generic_row(void **state)
{
    const struct generic_row *row = *state;

    assert_int_equal(object_type_access(row->type, 0x80000000), row->want_read);
    assert_int_equal(
        object_type_access(row->type, 0x40000000), row->want_write);
    assert_int_equal(
        object_type_access(row->type, 0x20000000), row->want_execute);
    assert_int_equal(object_type_access(row->type, 0x10000000), row->want_all);
}

static struct access_row {
    const char *name;
    enum object_type_name type;
    uint32_t access, want;
} access_rows[] = {
    {"specific", OBJECT_TYPE_EVENT, 0x2, 0x2},
    {"as_much_as_there_is", OBJECT_TYPE_FILE, 0x02000000, 0x001F01FF},
    {"read_and_one_more", OBJECT_TYPE_FILE, 0x80010000, 0x00130089},
};

static void access_row(void **state)
{
    const struct access_row *row = *state;

    assert_int_equal(object_type_access(row->type, row->access), row->want);
}

TEST_FILE(test_object_type)
{
    TEST_ADD_ROWS(list, generic_row, generic_rows);
    TEST_ADD_ROWS(list, access_row, access_rows);
}
