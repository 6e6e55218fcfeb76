/* test_resources.c - the string table (CTR-GEN-05b). That resource compilers
 * take it is for the tests ctrpp.resources.* to say. */
#include "tests/rows.h"

#include <string.h>
#include <talloc.h>

#include "api/ctrpp/generate.h"

static struct manifest_counter counters[] = {
    {.id = 9, .name = "Reads", .description = "How many."},
    {.id = 4}, /* not displayed */
    {.id = 5, .name = "Writes", .description = "How many."},
};

static struct manifest_set sets[] = {
    {.symbol = "A",
        .name = "One",
        .description = "First.",
        .counter = counters,
        .counter_count = 3},
    {.symbol = "B", .name = "Two", .description = "Second."},
};

static const struct ctrpp_settings settings = {
    .prefix = "Ignored", .source = "name.man"};

static const char head[] =
    "/* Made by ntpmu ctrpp of \"name.man\". DO NOT EDIT:\n"
    " * change that file, and make this one anew. */\n";

static void assert_table(const struct manifest *manifest, const char *want)
{
    char *text = ctrpp_resources(NULL, manifest, &settings);

    assert_memory_equal(text, head, sizeof(head) - 1);
    assert_string_equal(text + sizeof(head) - 1, want);
    talloc_free(text);
}

/* CTR-GEN-05b: text n has the number resourceBase + 2n. A counter takes its two
 * numbers, whether it has texts or not. */
static void schema_1_1_counts_up_from_resource_base(void **state)
{
    const struct manifest manifest = {.schema = MANIFEST_SCHEMA_1_1,
        .resource_base = 1000,
        .set = sets,
        .set_count = 2};

    (void)state;
    assert_table(&manifest,
        "STRINGTABLE\n"
        "BEGIN\n"
        "    1000 L\"One\"\n"
        "    1001 L\"One\" /* Locked: do not translate. */\n"
        "    1002 L\"First.\"\n"
        "    1004 L\"Reads\"\n"
        "    1005 L\"Reads\" /* Locked: do not translate. */\n"
        "    1006 L\"How many.\"\n"
        "    1012 L\"Writes\"\n"
        "    1013 L\"Writes\" /* Locked: do not translate. */\n"
        "    1014 L\"How many.\"\n"
        "    1016 L\"Two\"\n"
        "    1017 L\"Two\" /* Locked: do not translate. */\n"
        "    1018 L\"Second.\"\n"
        "END\n");
}

static void schema_2_0_has_the_numbers_that_it_gives(void **state)
{
    struct manifest_counter given[] = {
        {.id = 9,
            .name = "Reads",
            .description = "How many.",
            .name_id = {true, 7},
            .description_id = {true, 3}},
        {.id = 5,
            .name = "Reads",
            .description = "How many.",
            .name_id = {true, 8},
            .description_id = {true, 3}}, /* shared */
        {.id = 6, .name = "Hidden"},      /* without number */
    };
    struct manifest_set set = {.symbol = "A",
        .name = "One",
        .description = "First.",
        .name_id = {true, 65533},
        .description_id = {true, 0},
        .counter = given,
        .counter_count = 3};
    const struct manifest manifest = {.schema = MANIFEST_SCHEMA_2_0,
        .resource_base = 100,
        .set = &set,
        .set_count = 1};

    (void)state;
    assert_table(&manifest,
        "STRINGTABLE\n"
        "BEGIN\n"
        "    65533 L\"One\"\n"
        "    65534 L\"One\" /* Locked: do not translate. */\n"
        "    0 L\"First.\"\n"
        "    7 L\"Reads\"\n"
        "    8 L\"Reads\" /* Locked: do not translate. */\n"
        "    3 L\"How many.\"\n"
        "    9 L\"Reads\" /* Locked: do not translate. */\n"
        "END\n");
}

/* Of many with one number, which have one text, it is there once, where it is
 * first. */
static void a_shared_text_is_there_once(void **state)
{
    static const struct {
        const char *name;
        uint32_t id;
    } texts[] = {
        {"C", 3}, {"A", 1}, {"B", 2}, {"A", 1}, {"C", 3}, {"B", 2}, {"A", 4}};
    struct manifest_counter given[7];
    struct manifest_set set = {.counter = given, .counter_count = 7};
    const struct manifest manifest = {
        .schema = MANIFEST_SCHEMA_2_0, .set = &set, .set_count = 1};

    (void)state;
    for (size_t i = 0; i < 7; i++) {
        given[i] = (struct manifest_counter){
            .name = texts[i].name, .name_id = {true, texts[i].id}};
    }
    assert_table(&manifest, "STRINGTABLE\n"
                            "BEGIN\n"
                            "    3 L\"C\"\n"
                            "    1 L\"A\"\n"
                            "    2 L\"B\"\n"
                            "    4 L\"A\"\n"
                            "END\n");
}

static void without_sets_there_is_no_table(void **state)
{
    const struct manifest manifest = {.schema = MANIFEST_SCHEMA_1_1};

    (void)state;
    assert_table(&manifest, "");
}

TEST_FILE(test_resources)
{
    test_add(list, "schema_1_1_counts_up_from_resource_base",
        schema_1_1_counts_up_from_resource_base, NULL);
    test_add(list, "schema_2_0_has_the_numbers_that_it_gives",
        schema_2_0_has_the_numbers_that_it_gives, NULL);
    test_add(
        list, "a_shared_text_is_there_once", a_shared_text_is_there_once, NULL);
    test_add(list, "without_sets_there_is_no_table",
        without_sets_there_is_no_table, NULL);
}
