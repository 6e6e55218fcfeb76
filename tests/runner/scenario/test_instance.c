/* test_instance.c - a scenario on each of its machines, with ids out of the
 * axes of the matrix (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/scenario/instance.h"
#include "tests/runner/scenario/scenario_text.h"

/* Uses the name k. */
#define STEPS_WITH_K                                                           \
    "steps:\n- {call: KeGetCurrentIrql, save: {irql: returns}, expect: "       \
    "{that: $(k > 0 and irql == 0), covers: [T-01]}}\n"

/* The ids of all instances. */
static struct id_row {
    const char *name;
    const char *head; /* after the title */
    const char *want;
} id_rows[] = {
    {"scenario_without_a_matrix_is_its_id", "", "t"},
    {"fixed_machine_is_not_part_of_the_id", "machine: {os: WIN7, arch: x86}\n",
        "t"},
    {"axis_of_versions_is_part_of_the_id", "matrix: {os: [WIN7, WIN11]}\n",
        "t[os=WIN7] t[os=WIN11]"},
    {"axis_of_architectures_is_part_of_the_id",
        "matrix: {arch: [x64, arm64]}\n", "t[arch=x64] t[arch=arm64]"},
    {"axes_are_multiplied_in_order",
        "matrix: {os: [WIN7, WIN8], arch: [x86, x64]}\n",
        "t[os=WIN7,arch=x86] t[os=WIN7,arch=x64] t[os=WIN8,arch=x86] "
        "t[os=WIN8,arch=x64]"},
    {"order_of_the_axes_is_the_file_s",
        "matrix: {arch: [x86, x64], os: [WIN8]}\n",
        "t[arch=x86,os=WIN8] t[arch=x64,os=WIN8]"},
    {"row_of_the_cases_comes_first",
        "cases: {one: {k: 1}, two: {k: 2}}\nmatrix: {os: [WIN8, WIN11]}\n",
        "t[one,os=WIN8] t[one,os=WIN11] t[two,os=WIN8] t[two,os=WIN11]"},
    {"axis_of_its_own_is_part_of_the_id", "matrix: {k: [1, 2]}\n",
        "t[k=1] t[k=2]"},
    {"requires_leaves_points_out",
        "matrix: {os: [WIN7, WIN8], k: [1, 2]}\n"
        "requires: $(os == WIN8 or k > 1)\n",
        "t[os=WIN7,k=2] t[os=WIN8,k=1] t[os=WIN8,k=2]"},
    {"axis_of_one_is_part_of_the_id", "matrix: {os: [WIN8]}\n", "t[os=WIN8]"},
    {"axis_beside_a_fixed_machine",
        "machine: {arch: x86}\nmatrix: {os: [WIN8]}\n", "t[os=WIN8]"},
    {"order_of_versions_is_the_file_s", "matrix: {os: [WIN11, WIN7]}\n",
        "t[os=WIN11] t[os=WIN7]"},
};

static void id_row(void **state)
{
    const struct id_row *row = *state;
    void *memory = talloc_new(NULL);
    const struct instances *instances;
    struct scenario_text made;
    char *ids = talloc_strdup(memory, "");

    scenario_text_read(
        &made, talloc_asprintf(memory, "%s%s%s", HEAD, row->head,
                   strstr(row->head, "k: ") == NULL ? STEPS_OK : STEPS_WITH_K));
    text_file_assert_errors(&made.file, "");
    instances = &made.outline->instances;
    for (size_t i = 0; i < instances->count; i++) {
        ids = talloc_asprintf_append_buffer(
            ids, "%s%s", i == 0 ? "" : " ", instances->item[i].id);
    }
    assert_string_equal(ids, row->want);
    scenario_text_release(&made);
    talloc_free(memory);
}

static void instance_has_its_machine_and_its_scenario(void **state)
{
    const struct instances *instances;
    struct scenario_text made;
    struct instance opened;

    (void)state;
    scenario_text_read(
        &made, HEAD "matrix: {os: [WIN7, WIN8], arch: [x86]}\n" STEPS_OK);
    instances = &made.outline->instances;
    assert_int_equal(instances->count, 2);
    opened = instance_open(made.file.memory, &instances->item[1]);
    assert_ptr_equal(opened.outline, made.outline);
    assert_ptr_equal(opened.scenario->instance, &instances->item[1]);
    assert_int_equal(opened.scenario->os, OS_WIN8);
    assert_int_equal(opened.scenario->arch, ARCH_X86);
    scenario_text_release(&made);
}

TEST_FILE(test_instance)
{
    TEST_ADD_ROWS(list, id_row, id_rows);
    test_add(list, "instance_has_its_machine_and_its_scenario",
        instance_has_its_machine_and_its_scenario, NULL);
}
