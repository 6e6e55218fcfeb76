/* test_type_pointers.c - pointers whose pointee is known, and unions without a
 * name (facts.md 5.1). */
#include <string.h>

#include "api/nt/nt.h"
#include "api/nt/type.h"
#include "tests/rows.h"

static struct pointee_row {
    const char *name;
    enum nt_type type;
    const char *member;
    enum nt_type want;
    const char *want_count; /* NULL: no member says how many */
} pointee_rows[] = {
    {"name_of_a_set_is_one_text", NT_PCW_REGISTRATION_INFORMATION, "Name",
        NT_UNICODE_STRING, NULL},
    {"counters_are_as_many_as_counted", NT_PCW_REGISTRATION_INFORMATION,
        "Counters", NT_PCW_COUNTER_DESCRIPTOR, "CounterCount"},
    {"context_points_to_nobody_knows_what", NT_PCW_REGISTRATION_INFORMATION,
        "CallbackContext", NT_VOID, NULL},
    {"number_points_to_nothing", NT_PCW_REGISTRATION_INFORMATION,
        "CounterCount", NT_VOID, NULL},
    {"tail_is_counted_and_no_pointer", NT_PHYSICAL_COUNTER_RESOURCE_LIST,
        "Descriptors", NT_VOID, "Count"},
};

static void pointee_row(void **state)
{
    const struct pointee_row *row = *state;
    const struct nt_member *member = nt_type_member(row->type, row->member);
    const struct nt_member *count = nt_member_count(row->type, member);

    assert_int_equal(member->pointee, row->want);
    if (row->want_count == NULL) {
        assert_null(count);
    } else {
        assert_non_null(count);
        assert_string_equal(count->name, row->want_count);
    }
}

/* PCW-TYPE-04: what a callback is told lies over each other, and its members
 * are the structure's own. */
static void members_of_an_overlay_are_the_structures_own(void **state)
{
    static const char *const names[] = {
        "AddCounter", "RemoveCounter", "EnumerateInstances", "CollectData"};
    enum nt_type type = NT_PCW_CALLBACK_INFORMATION;

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct nt_member *member = nt_type_member(type, names[i]);

        assert_non_null(member);
        assert_int_equal(member->line, NT_LINE_MEMBER);
        assert_int_equal(member->offset, 0);
        assert_false(nt_member_is_overlay(member));
    }
    assert_true(nt_member_is_overlay(nt_type_row(type)->member));
    assert_int_equal(nt_member_step(nt_type_row(type)->member), 1);
    assert_null(nt_type_member(type, ""));
    assert_null(nt_type_member(type, "CounterMask"));
}

int main(void)
{
    struct test_list list = {.count = 0};

    TEST_ADD_ROWS(&list, pointee_row, pointee_rows);
    test_add(&list, "members_of_an_overlay_are_the_structures_own",
        members_of_an_overlay_are_the_structures_own, NULL);
    return test_run("api.type_pointers", &list);
}
