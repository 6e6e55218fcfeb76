/* test_typed_pointers.c - pointers whose type says what they point to, and
 * unions without a name: what they are, and how they are shown (facts.md 5.1).
 */
#include <stdio.h>

#include "api/core/show.h"
#include "tests/api/booted_kernel.h"

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

/* What a registration's pointers lead to: a name, and as many counters as it
 * says there are. */
static struct typed_row {
    const char *name;
    ULONG count; /* two descriptors are there */
    bool text;   /* so is a name */
    const char *want;
} typed_rows[] = {
    {"typed_pointers_are_shown_by_what_is_there", 1, true,
        "Name=\"set\", CounterCount=1, "
        "Counters=[{Id=7, StructIndex=0, Offset=0, Size=4}]"},
    {"typed_pointer_to_too_few", 3, true,
        "Name=\"set\", CounterCount=3, "
        "Counters=[{Id=7, StructIndex=0, Offset=0, Size=4}, "
        "{Id=8, StructIndex=0, Offset=4, Size=4}, ?]"},
    {"typed_pointer_to_nothing", 0, false,
        "Name=null, CounterCount=0, Counters=[]"},
};

static void typed_row(void **state)
{
    static const WCHAR characters[] = {'s', 'e', 't'};
    static const PCW_COUNTER_DESCRIPTOR counters[] = {
        {7, 0, 0, 4}, {8, 0, 4, 4}};
    const struct typed_row *row = *state;
    PCW_REGISTRATION_INFORMATION info = {.Version = PCW_VERSION_1};
    UNICODE_STRING name = {.Length = 6, .MaximumLength = 6};
    struct booted_kernel booted;
    char text[SHOW_VALUE_BYTES], want[SHOW_VALUE_BYTES];

    booted_init_usual(&booted);
    name.Buffer = booted_copy(&booted, characters, sizeof(characters));
    info.Name = row->text ? booted_copy(&booted, &name, sizeof(name)) : NULL;
    info.CounterCount = row->count;
    info.Counters = booted_copy(&booted, counters, sizeof(counters));
    show_value(&booted.kernel, NT_PCW_REGISTRATION_INFORMATION, &info, text,
        sizeof(text));
    snprintf(want, sizeof(want),
        "{Version=PCW_VERSION_1, %s, Callback=null, CallbackContext=null, "
        "Flags=PcwRegistrationNone}",
        row->want);
    assert_string_equal(text, want);
    booted_release(&booted);
}

static void overlay_is_shown_as_unknown(void **state)
{
    static const PCW_CALLBACK_INFORMATION told = {
        .AddCounter = {.CounterMask = 1}};
    struct booted_kernel booted;
    char text[SHOW_VALUE_BYTES];

    (void)state;
    booted_init_usual(&booted);
    show_value(
        &booted.kernel, NT_PCW_CALLBACK_INFORMATION, &told, text, sizeof(text));
    assert_string_equal(text, "{?}");
    booted_release(&booted);
}

TEST_FILE(test_typed_pointers)
{
    TEST_ADD_ROWS(list, pointee_row, pointee_rows);
    test_add(list, "members_of_an_overlay_are_the_structures_own",
        members_of_an_overlay_are_the_structures_own, NULL);
    TEST_ADD_ROWS(list, typed_row, typed_rows);
    test_add(
        list, "overlay_is_shown_as_unknown", overlay_is_shown_as_unknown, NULL);
}
