/* test_requirements.c - requirements: read from a file, found by id, and those
 * that the program was built with. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/requirements.h"

#include <dirent.h>

#include "tests/runner/text_file.h"

#define FOLDER REPOSITORY "/scenarios/requirements"

/* Reads the text as a file of requirements. */
static struct requirements *read_text(struct text_file *file, const char *text)
{
    struct requirements *requirements;
    struct schema schema;
    struct node *root;

    text_file_init(file, text);
    requirements = talloc_zero(file->memory, struct requirements);
    schema = (struct schema){file->diagnostics};
    root = yaml_tree_read(file->memory, file->source, file->diagnostics);
    assert_non_null(root);
    requirements_read(requirements, &schema, root);
    return requirements;
}

static void entry_has_its_tag_source_and_text(void **state)
{
    struct text_file file;
    struct requirements *requirements = read_text(&file,
        "ntpmu: 1\n"
        "requirements:\n"
        "  HAL-X-02: {tag: C, source: our ruling, text: Two., switch: a | b}\n"
        "  HAL-X-01: {tag: D, source: the page, text: \"One, and more.\",\n"
        "    untestable: because, awaits: MDLs,\n"
        "    unit: sim.test_b_2}\n"
        "  HAL-X-03: {tag: D, source: s, text: t, same: [HAL-X-01, Y-02a]}\n");
    const struct requirement *one, *two, *three;

    (void)state;
    text_file_assert_errors(&file, "");
    assert_int_equal(requirements->count, 3);
    one = requirements_find(requirements, "HAL-X-01");
    two = requirements_find(requirements, "HAL-X-02");
    assert_non_null(one);
    assert_non_null(two);
    assert_int_equal(one->tag, 'D');
    assert_string_equal(one->source, "the page");
    assert_string_equal(one->text, "One, and more.");
    assert_string_equal(one->untestable, "because");
    assert_string_equal(one->awaits, "MDLs");
    assert_string_equal(one->unit, "sim.test_b_2");
    assert_int_equal(two->tag, 'C');
    assert_string_equal(two->text, "Two.");
    assert_null(two->untestable);
    assert_null(two->awaits);
    assert_null(two->unit);
    assert_null(two->same[0]);
    three = requirements_find(requirements, "HAL-X-03");
    assert_non_null(three);
    assert_string_equal(three->same[0], "HAL-X-01");
    assert_string_equal(three->same[1], "Y-02a");
    assert_null(three->same[2]);
    text_file_release(&file);
}

static struct missing_row {
    const char *name;
    const char *id;
} missing_rows[] = {
    {"unknown_id_is_not_found", "A-03"},
    {"part_of_an_id_is_not_found", "A-0"},
    {"id_with_a_letter_is_another", "A-01a"},
    {"id_in_other_case_is_not_found", "a-01"},
    {"empty_id_is_not_found", ""},
};

static void missing_row(void **state)
{
    const struct missing_row *row = *state;
    struct text_file file;
    struct requirements *requirements = read_text(&file,
        "{ntpmu: 1, requirements: {A-02: {tag: D, source: s, text: t}, "
        "A-01: {tag: D, source: s, text: t}}}");

    assert_non_null(requirements_find(requirements, "A-01"));
    assert_null(requirements_find(requirements, row->id));
    text_file_release(&file);
}

static void nothing_is_found_among_none(void **state)
{
    const struct requirements none = {0};

    (void)state;
    assert_null(requirements_find(&none, "A-01"));
}

#define ENTRY "{tag: D, source: s, text: t}"

static struct error_row {
    const char *name;
    const char *text;
    const char *want;
} error_rows[] = {
    {"entry_without_a_tag",
        "{ntpmu: 1, requirements: {A-01: {source: s, text: t}}}",
        "t.yaml:1:27: error[NTP0204]: missing key 'tag'\n"},
    {"entry_without_a_source",
        "{ntpmu: 1, requirements: {A-01: {tag: D, text: t}}}",
        "t.yaml:1:27: error[NTP0204]: missing key 'source'\n"},
    {"entry_without_a_text",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s}}}",
        "t.yaml:1:27: error[NTP0204]: missing key 'text'\n"},
    {"entry_with_another_key",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, note: "
        "n}}}",
        "t.yaml:1:62: error[NTP0202]: unknown key 'note'\n"},
    {"entry_that_is_a_text", "{ntpmu: 1, requirements: {A-01: text}}",
        "t.yaml:1:33: error[NTP0205]"},
    {"tag_that_is_none",
        "{ntpmu: 1, requirements: {A-01: {tag: X, source: s, text: t}}}",
        "t.yaml:1:39: error[NTP0203]: 'X' is not an evidence tag\n"},
    {"tag_of_two_letters",
        "{ntpmu: 1, requirements: {A-01: {tag: DH, source: s, text: t}}}",
        "t.yaml:1:39: error[NTP0203]"},
    {"tag_in_lower_case",
        "{ntpmu: 1, requirements: {A-01: {tag: d, source: s, text: t}}}",
        "t.yaml:1:39: error[NTP0203]"},
    {"empty_text",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: \"\"}}}",
        "t.yaml:1:59: error[NTP0205]: expected a text\n"},
    {"empty_reason",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, "
        "untestable: \"\"}}}",
        "t.yaml:1:74: error[NTP0205]: expected a text\n"},
    {"awaits_what_nobody_models",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, "
        "awaits: DPC}}}",
        "t.yaml:1:70: error[NTP0203]: expected MDLs\n"},
    {"unit_without_a_layer",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, "
        "unit: test_pmc}}}",
        "t.yaml:1:68: error[NTP0203]: 'test_pmc' is not the name of a unit "
        "test\n"},
    {"unit_that_is_a_file",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, "
        "unit: sim.test_pmc.c}}}",
        "t.yaml:1:68: error[NTP0203]"},
    {"unit_without_a_name",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, "
        "unit: sim.test_}}}",
        "t.yaml:1:68: error[NTP0203]"},
    {"empty_unit",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, "
        "unit: \"\"}}}",
        "t.yaml:1:68: error[NTP0205]: expected a text\n"},
    {"same_as_what_is_no_id",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, "
        "same: [A-2]}}}",
        "t.yaml:1:69: error[NTP0203]: 'A-2' is not a requirement id\n"},
    {"same_as_itself",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, "
        "same: [A-01]}}}",
        "t.yaml:1:69: error[NTP0214]: a requirement is no other than itself\n"},
    {"same_as_one_twice",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, "
        "same: [A-02, A-02]}}}",
        "t.yaml:1:75: error[NTP0214]: 'A-02' stands twice\n"},
    {"same_as_none",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, "
        "same: []}}}",
        "t.yaml:1:68: error[NTP0205]: an empty list\n"},
    {"same_as_more_than_eight",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, same: "
        "[A-02, A-03, A-04, A-05, A-06, A-07, A-08, A-09, A-10]}}}",
        "t.yaml:1:68: error[NTP0206]: more than 8 requirements\n"},
    {"same_that_is_no_list",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, "
        "same: A-02}}}",
        "t.yaml:1:68: error[NTP0205]"},
    {"same_with_a_unit_test_of_its_own",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, "
        "unit: sim.test_pmc, same: [A-02]}}}",
        "t.yaml:1:62: error[NTP0214]: 'unit' is for those that 'same' names\n"},
    {"same_with_a_switch_of_its_own",
        "{ntpmu: 1, requirements: {A-01: {tag: C, source: s, text: t, "
        "switch: a | b, same: [A-02]}}}",
        "t.yaml:1:62: error[NTP0214]: 'switch' is for those that 'same' "
        "names\n"},
    {"id_without_a_number", "{ntpmu: 1, requirements: {A: " ENTRY "}}",
        "t.yaml:1:27: error[NTP0203]: 'A' is not a requirement id\n"},
    {"id_without_a_family", "{ntpmu: 1, requirements: {-01: " ENTRY "}}",
        "t.yaml:1:27: error[NTP0203]"},
    {"id_of_one_digit", "{ntpmu: 1, requirements: {A-1: " ENTRY "}}",
        "t.yaml:1:27: error[NTP0203]"},
    {"id_of_three_digits", "{ntpmu: 1, requirements: {A-001: " ENTRY "}}",
        "t.yaml:1:27: error[NTP0203]"},
    {"id_with_two_letters", "{ntpmu: 1, requirements: {A-01ab: " ENTRY "}}",
        "t.yaml:1:27: error[NTP0203]"},
    {"id_with_a_capital_behind", "{ntpmu: 1, requirements: {A-01B: " ENTRY "}}",
        "t.yaml:1:27: error[NTP0203]"},
    {"id_in_lower_case", "{ntpmu: 1, requirements: {a-01: " ENTRY "}}",
        "t.yaml:1:27: error[NTP0203]"},
    {"id_with_an_empty_word", "{ntpmu: 1, requirements: {A--B-01: " ENTRY "}}",
        "t.yaml:1:27: error[NTP0203]"},
    {"id_with_a_digit_in_its_family",
        "{ntpmu: 1, requirements: {A1-01: " ENTRY "}}",
        "t.yaml:1:27: error[NTP0203]"},
    {"switch_of_a_documented_one",
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: t, switch: "
        "a | b}}}",
        "t.yaml:1:62: error[NTP0214]: a requirement with tag D has no switch"},
    {"empty_switch",
        "{ntpmu: 1, requirements: {A-01: {tag: C, source: s, text: t, switch: "
        "\"\"}}}",
        "t.yaml:1:70: error[NTP0205]: expected a text\n"},
    {"requirements_that_are_a_list", "{ntpmu: 1, requirements: [A-01]}",
        "t.yaml:1:26: error[NTP0205]"},
    {"other_version_of_the_language", "{ntpmu: 2, requirements: {}}",
        "t.yaml:1:9: error[NTP0207]"},
    {"file_with_another_key", "{ntpmu: 1, requirements: {}, more: 1}",
        "t.yaml:1:30: error[NTP0202]"},
    {"file_without_requirements", "{ntpmu: 1}",
        "t.yaml:1:1: error[NTP0204]: missing key 'requirements'\n"},
};

static void error_row(void **state)
{
    const struct error_row *row = *state;
    struct text_file file;
    struct requirements *requirements = read_text(&file, row->text);

    text_file_assert_errors(&file, row->want);
    assert_int_equal(requirements->count, 0);
    text_file_release(&file);
}

static void id_of_another_file_is_not_read_again(void **state)
{
    struct text_file file;
    struct requirements *requirements = read_text(&file,
        "{ntpmu: 1, requirements: {A-01: {tag: D, source: s, text: first}}}");
    struct source *source;
    struct schema schema;
    const char *again =
        "{ntpmu: 1, requirements: {A-02: {tag: D, source: s, text: t}, A-01: "
        "{tag: C, source: s, text: second}}}";

    (void)state;
    source = source_from_text(file.memory, "u.yaml", again, strlen(again));
    schema = (struct schema){file.diagnostics};
    requirements_read(requirements, &schema,
        yaml_tree_read(file.memory, source, file.diagnostics));
    text_file_assert_errors(&file,
        "u.yaml:1:63: error[NTP0211]: requirement 'A-01' stands in another "
        "file too\n");
    assert_non_null(strstr(text_file_errors(&file), "t.yaml:1:27: note: "));
    assert_int_equal(requirements->count, 2);
    assert_string_equal(requirements_find(requirements, "A-01")->text, "first");
    text_file_release(&file);
}

/* Of facts.md and pmu.md, out of every file. */
static struct built_in_row {
    const char *name;
    const char *id;
    char want; /* 0: not among them */
} built_in_rows[] = {
    {"general_requirement_is_built_in", "IRQL-GEN-01", 'C'},
    {"hal_requirement_is_built_in", "HAL-ALLOC-01", 'D'},
    {"hal_ruling_is_built_in", "HAL-ALLOC-35a", 'C'},
    {"hal_header_fact_is_built_in", "HAL-TYPE-04", 'H'},
    {"hal_observation_is_built_in", "HAL-ALLOC-53", 'O'},
    {"profiling_requirement_is_built_in", "KHC-SET-03", 'D'},
    {"last_of_profiling_is_built_in", "KHC-QRY-13", 'C'},
    {"profiling_of_user_mode_is_built_in", "HCP-RD-12", 'O'},
    {"counterset_ruling_is_built_in", "PCW-REG-08b", 'C'},
    {"counterset_instance_is_built_in", "PCW-ADD-05", 'D'},
    {"generated_code_is_built_in", "CTR-GEN-06", 'D'},
    {"spin_lock_is_built_in", "LOCK-05b", 'C'},
    {"dpc_header_fact_is_built_in", "DPC-06", 'H'},
    {"pool_is_built_in", "POOL-08b", 'C'},
    {"cpuid_leaf_is_built_in", "PMU-ENUM-10f", 'D'},
    {"register_ruling_is_built_in", "PMU-MSR-04b", 'C'},
    {"register_observation_is_built_in", "PMU-MSR-18", 'O'},
    {"overflow_is_built_in", "PMU-OVF-05e", 'O'},
    {"pebs_is_built_in", "PMU-PEBS-05f", 'O'},
    {"fault_is_built_in", "PMU-GP-10e", 'D'},
    {"amd_is_built_in", "PMU-AMD-11", 'O'},
    {"arm_is_built_in", "PMU-ARM-13b", 'D'},
    {"behaviour_is_built_in", "PMU-BEH-20", 'O'},
    {"id_that_nobody_gave_is_not", "HAL-ALLOC-99", 0},
};

static void built_in_row(void **state)
{
    const struct built_in_row *row = *state;
    struct text_file file;
    struct requirements *requirements;
    const struct requirement *found;

    text_file_init(&file, "");
    requirements = requirements_built_in(file.memory);
    found = requirements_find(requirements, row->id);
    if (row->want == 0) {
        assert_null(found);
    } else {
        assert_non_null(found);
        assert_int_equal(found->tag, row->want);
        assert_true(strlen(found->text) > 20);
        assert_true(strlen(found->source) > 0);
    }
    text_file_release(&file);
}

static void built_in_requirements_are_in_order_of_their_ids(void **state)
{
    struct text_file file;
    struct requirements *requirements;

    (void)state;
    text_file_init(&file, "");
    requirements = requirements_built_in(file.memory);
    assert_true(requirements->count > 100);
    for (size_t i = 1; i < requirements->count; i++) {
        assert_true(strcmp(requirement_at(requirements, i - 1)->id,
                        requirement_at(requirements, i)->id) < 0);
    }
    text_file_release(&file);
}

/* Reads every YAML file of scenarios/requirements/ into one list. */
static struct requirements *read_directory(struct text_file *file)
{
    struct requirements *read = talloc_zero(file->memory, struct requirements);
    DIR *directory = opendir(FOLDER);
    const struct dirent *entry;

    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        const char *problem;
        char *path =
            talloc_asprintf(file->memory, "%s/%s", FOLDER, entry->d_name);
        struct source *source;
        struct schema schema;

        if (strstr(entry->d_name, ".yaml") == NULL) {
            continue;
        }
        source =
            source_from_file(file->memory, path, YAML_FILE_BYTES, &problem);
        assert_non_null(source);
        schema = (struct schema){file->diagnostics};
        requirements_read(read, &schema,
            yaml_tree_read(file->memory, source, file->diagnostics));
    }
    closedir(directory);
    return read;
}

static void assert_same_text(const char *left, const char *right)
{
    assert_int_equal(left == NULL, right == NULL);
    if (left != NULL && right != NULL) {
        assert_string_equal(left, right);
    }
}

/* The build has both from the record. */
static void built_in_requirement_is_proven_by_the_record(void **state)
{
    struct text_file file;
    const struct requirements *built;

    (void)state;
    text_file_init(&file, "");
    built = requirements_built_in(file.memory);
    assert_true(requirements_find(built, "HAL-FREE-01")->proven);
    /* Nothing can prove what it says is not there. */
    assert_false(requirements_find(built, "HAL-OVF-09")->proven);
    text_file_release(&file);
}

/* The build makes its table without a reader of YAML. */
static void built_in_requirements_are_those_of_the_files(void **state)
{
    struct text_file file;
    struct requirements *built, *read;

    (void)state;
    text_file_init(&file, "");
    built = requirements_built_in(file.memory);
    read = read_directory(&file);
    text_file_assert_errors(&file, "");
    assert_int_equal(built->count, read->count);
    for (size_t i = 0; i < built->count; i++) {
        const struct requirement *left = requirement_at(built, i);
        const struct requirement *right = requirement_at(read, i);

        assert_string_equal(left->id, right->id);
        assert_int_equal(left->tag, right->tag);
        assert_string_equal(left->source, right->source);
        assert_string_equal(left->text, right->text);
        assert_same_text(left->untestable, right->untestable);
        assert_same_text(left->awaits, right->awaits);
        assert_same_text(left->choices, right->choices);
        assert_same_text(left->unit, right->unit);
        for (size_t k = 0; k < REQUIREMENT_SAME; k++) {
            assert_same_text(left->same[k], right->same[k]);
        }
    }
    text_file_release(&file);
}

/* Whoever is the same as others is none of those that are cited in its place.
 */
static void built_in_requirement_is_the_same_as_those_that_are_cited(
    void **state)
{
    struct text_file file;
    const struct requirements *built;
    size_t count = 0;

    (void)state;
    text_file_init(&file, "");
    built = requirements_built_in(file.memory);
    for (size_t i = 0; i < built->count; i++) {
        const struct requirement *one = requirement_at(built, i);

        for (size_t k = 0; k < REQUIREMENT_SAME && one->same[k] != NULL; k++) {
            assert_null(requirements_find(built, one->same[k])->same[0]);
            count++;
        }
    }
    assert_true(count > 0);
    text_file_release(&file);
}

TEST_FILE(test_requirements)
{
    TEST_ADD_ROWS(list, missing_row, missing_rows);
    TEST_ADD_ROWS(list, error_row, error_rows);
    TEST_ADD_ROWS(list, built_in_row, built_in_rows);
    test_add(list, "entry_has_its_tag_source_and_text",
        entry_has_its_tag_source_and_text, NULL);
    test_add(
        list, "nothing_is_found_among_none", nothing_is_found_among_none, NULL);
    test_add(list, "id_of_another_file_is_not_read_again",
        id_of_another_file_is_not_read_again, NULL);
    test_add(list, "built_in_requirements_are_in_order_of_their_ids",
        built_in_requirements_are_in_order_of_their_ids, NULL);
    test_add(list, "built_in_requirement_is_proven_by_the_record",
        built_in_requirement_is_proven_by_the_record, NULL);
    test_add(list, "built_in_requirement_is_the_same_as_those_that_are_cited",
        built_in_requirement_is_the_same_as_those_that_are_cited, NULL);
    test_add(list, "built_in_requirements_are_those_of_the_files",
        built_in_requirements_are_those_of_the_files, NULL);
}
