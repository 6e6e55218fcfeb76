/* test_call.c - a row in exports.def is all that a routine needs to be
 * called from a scenario: every row is, with arguments made from it alone. */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/scenario/scenario_text.h"

static bool takes_null(const struct parameter *parameter)
{
    enum nt_kind kind = nt_type_row(parameter->type)->kind;

    return parameter_is_pointer(parameter) || kind == NT_KIND_HANDLE ||
           kind == NT_KIND_POINTER || kind == NT_KIND_CALLBACK;
}

/* A scenario that calls it: pointers null, values 0, outputs left out. */
static char *scenario_of(const struct routine_row *row)
{
    char *text = talloc_asprintf(NULL,
        HEAD "machine: {os: WIN11}\n%ssteps:\n- call: %s\n  expect: {state: "
             "{irql: {cpu: 0}, is: 0}, covers: [T-01]}\n",
        row->image == IMAGE_KERNEL32 ? "processes: [app]\n" : "", row->name);
    const char *before = "  args: {";

    for (size_t i = 0; i < routine_parameter_count(row); i++) {
        const struct parameter *parameter = &row->parameter[i];

        if (!parameter_is_out(parameter)) {
            text = talloc_asprintf_append_buffer(text, "%s%s: %s", before,
                parameter->name, takes_null(parameter) ? "null" : "0");
            before = ", ";
        }
    }
    return strcmp(before, ", ") == 0
               ? talloc_asprintf_append_buffer(text, "}\n")
               : text;
}

static void routine_can_be_called(void **state)
{
    const struct routine_row *row = *state;
    char *text = scenario_of(row);
    struct scenario_text made;

    scenario_text_read(&made, text);
    text_file_assert_errors(&made.file, "");
    assert_non_null(made.scenario);
    assert_string_equal(made.scenario->steps.item[0].kind->key, "call");
    assert_string_equal(made.scenario->steps.item[0].signature.name, row->name);
    scenario_text_release(&made);
    talloc_free(text);
}

static void routine_is_for_native_code(void **state)
{
    const struct routine_row *row = *state;
    char *text = scenario_of(row);
    char *want = talloc_asprintf(text,
        "t.yaml:6:9: error[NTP0207]: %s can be called by a driver's own code "
        "only\n",
        row->name);
    struct scenario_text made;

    scenario_text_read(&made, text);
    text_file_assert_errors(&made.file, want);
    assert_int_equal(diagnostics_errors(made.file.diagnostics), 1);
    scenario_text_release(&made);
    talloc_free(text);
}

TEST_FILE(test_call)
{
    for (enum routine i = 0; i < ROUTINE_COUNT; i++) {
        const struct routine_row *row = &routine_rows[i];
        bool native = routine_is_native(row);

        test_add(list, row->name,
            native ? routine_is_for_native_code : routine_can_be_called,
            (void *)(uintptr_t)row);
    }
}
