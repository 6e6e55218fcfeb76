/* test_io_object.c - names of objects: directories, statuses, letters' case. */
#include "api/io/object.h"

#include <string.h>

#include "tests/rows.h"

static struct parse_row {
    const char *name;
    const char *text;
    uint32_t want_status;
    const char *want;
} parse_rows[] = {
    {"device", "\\Device\\Sampler", 0, "\\Device\\Sampler"},
    {"link", "\\?\?\\Sampler", 0, "\\?\?\\Sampler"},
    {"dos_devices_are_links", "\\DosDevices\\Sampler", 0, "\\?\?\\Sampler"},
    {"global_ones_are_links", "\\GLOBAL?\?\\Sampler", 0, "\\?\?\\Sampler"},
    {"driver", "\\Driver\\sampler", 0, "\\Driver\\sampler"},
    {"directory_in_any_case", "\\dEVICE\\Sampler", 0, "\\Device\\Sampler"},
    {"name_with_a_space", "\\Device\\My Device", 0, "\\Device\\My Device"},
    {"nothing_is_no_path", "", 0xC000003B, NULL},
    {"path_begins_with_a_backslash", "Device\\Sampler", 0xC000003B, NULL},
    {"directory_alone_has_no_name", "\\Device\\", 0xC0000033, NULL},
    {"root_has_no_objects", "\\Sampler", 0xC000003A, NULL},
    {"root_alone_is_no_object", "\\", 0xC000003A, NULL},
    {"unknown_directory", "\\Semaphores\\A", 0xC000003A, NULL},
    {"directory_in_a_directory", "\\Device\\Sampler\\0", 0xC000003A, NULL},
    {"directory_without_its_end", "\\Device", 0xC000003A, NULL},
};

static void parse_row(void **state)
{
    const struct parse_row *row = *state;
    struct object_name name = {.length = 0};
    char text[OBJECT_NAME_TEXT_BYTES];
    NTSTATUS status = object_name_parse_text(&name, row->text);

    assert_int_equal((uint32_t)status, row->want_status);
    if (row->want != NULL) {
        object_name_text(&name, text);
        assert_string_equal(text, row->want);
    }
}

static struct length_row {
    const char *name;
    size_t letters; /* behind \Device\ */
    uint32_t want;
} length_rows[] = {
    {"name_of_128_characters_fits", 120, 0},
    {"name_of_129_characters_is_too_long", 121, 0xC0000106},
};

static void length_row(void **state)
{
    const struct length_row *row = *state;
    struct object_name name;
    char text[OBJECT_NAME_CHARS + 2] = "\\Device\\";

    memset(text + 8, 'x', row->letters);
    text[8 + row->letters] = '\0';
    assert_int_equal((uint32_t)object_name_parse_text(&name, text), row->want);
}

static void object_is_found_in_any_case(void **state)
{
    struct object first = {.kind = OBJECT_DEVICE},
                  second = {.kind = OBJECT_LINK};
    struct object *list = NULL;
    struct object_name name;

    (void)state;
    object_name_parse_text(&first.name, "\\Device\\Sampler");
    object_name_parse_text(&second.name, "\\DosDevices\\Sampler");
    object_insert(&list, &first);
    object_insert(&list, &second);
    object_name_parse_text(&name, "\\device\\SAMPLER");
    assert_ptr_equal(object_find(list, &name), &first);
    object_name_parse_text(&name, "\\?\?\\sampler");
    assert_ptr_equal(object_find(list, &name), &second);
    object_name_parse_text(&name, "\\Device\\Sample");
    assert_null(object_find(list, &name));
    object_remove(&list, &first);
    object_name_parse_text(&name, "\\Device\\Sampler");
    assert_null(object_find(list, &name));
}

static void name_for_people_is_ascii(void **state)
{
    struct object_name name = {.text = {'\\', 0xE9, 'b', 'c'}, .length = 4};
    char text[OBJECT_NAME_TEXT_BYTES];

    (void)state;
    object_name_text(&name, text);
    assert_string_equal(text, "\\?bc");
}

TEST_FILE(test_io_object)
{
    TEST_ADD_ROWS(list, parse_row, parse_rows);
    TEST_ADD_ROWS(list, length_row, length_rows);
    test_add(
        list, "object_is_found_in_any_case", object_is_found_in_any_case, NULL);
    test_add(list, "name_for_people_is_ascii", name_for_people_is_ascii, NULL);
}
