/* test_sid.c - SIDs as text (SEC-05c), and lists in the kernel's own memory. */
#include "api/se/sid.h"

#include "api/boot/exports.h"
#include "api/se/acl.h"
#include "api/se/descriptor.h"
#include "api/se/well_known.h"
#include "tests/api/booted_kernel.h"

static struct text_row {
    const char *name;
    uint8_t sid[24];
    const char *want;
} text_rows[] = {
    {"nobody", {1, 1, 0, 0, 0, 0, 0, 0}, "S-1-0-0"},
    {"authority_alone", {1, 0, 0, 0, 0, 0, 0, 5}, "S-1-5"},
    {"administrators", {1, 2, 0, 0, 0, 0, 0, 5, 32, 0, 0, 0, 0x20, 2},
        "S-1-5-32-544"},
    {"largest_decimal_authority", {1, 0, 0, 0, 255, 255, 255, 255},
        "S-1-4294967295"},
    {"hexadecimal_authority", {1, 0, 0, 1, 0, 0, 0, 5}, "S-1-0x000100000005"},
    {"largest_number", {1, 1, 0, 0, 0, 0, 0, 5, 255, 255, 255, 255},
        "S-1-5-4294967295"},
};

struct showing {
    void *sid;
    UNICODE_STRING *string;
    NTSTATUS status;
};

static void show(void *argument)
{
    struct showing *showing = argument;

    showing->status =
        RtlConvertSidToUnicodeString(showing->string, showing->sid, false);
}

static void text_row(void **state)
{
    const struct text_row *row = *state;
    struct booted_kernel booted;
    struct showing showing;
    UNICODE_STRING string = {.MaximumLength = 128};
    const uint16_t *text;

    booted_init_usual(&booted);
    string.Buffer = booted_block(&booted, 128, 0);
    text = string.Buffer;
    showing = (struct showing){
        .sid = booted_copy(&booted, row->sid, sizeof(row->sid)),
        .string = booted_copy(&booted, &string, sizeof(string)),
    };
    booted_run(&booted, 0, show, &showing);
    assert_int_equal(showing.status, 0);
    assert_int_equal(showing.string->Length, 2 * strlen(row->want));
    for (size_t i = 0; i <= strlen(row->want); i++) {
        assert_int_equal(text[i], row->want[i]);
    }
    booted_release(&booted);
}

static void descriptors_that_have_no_room_together_are_refused(void **state)
{
    static struct descriptor_block first, second, merged;
    static const uint8_t list[2400] = {2, 0, 2400 & 0xFF, 2400 >> 8};

    (void)state;
    descriptor_make(&first, list, sizeof(list), well_known_sid(WELL_KNOWN_SY),
        well_known_sid(WELL_KNOWN_BA));
    assert_int_equal(first.size, 20 + 2400 + 12 + 16);
    assert_int_equal(descriptor_part_size(&first, DESCRIPTOR_DACL), 2400);
    assert_int_equal(descriptor_part_size(&first, DESCRIPTOR_SACL), 0);
    second = first;
    /* Its list as one of the other kind. */
    memcpy(&second.bytes[4 + 4 * DESCRIPTOR_SACL],
        &second.bytes[4 + 4 * DESCRIPTOR_DACL], 4);
    assert_true(
        descriptor_merge(&first, 1U << DESCRIPTOR_OWNER, NULL, &merged));
    assert_int_equal(merged.size, 20 + 12);
    assert_false(
        descriptor_merge(&first, 1U << DESCRIPTOR_DACL, &second, &merged));
}

static void list_in_bytes_that_do_not_hold_a_head_is_none(void **state)
{
    static const uint8_t bytes[8] = {2, 0, 8};

    (void)state;
    assert_true(acl_is_right(bytes, 8));
    assert_false(acl_is_right(bytes, 7));
}

TEST_FILE(test_sid)
{
    TEST_ADD_ROWS(list, text_row, text_rows);
    test_add(list, "descriptors_that_have_no_room_together_are_refused",
        descriptors_that_have_no_room_together_are_refused, NULL);
    test_add(list, "list_in_bytes_that_do_not_hold_a_head_is_none",
        list_in_bytes_that_do_not_hold_a_head_is_none, NULL);
}
