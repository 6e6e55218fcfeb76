/* test_manifest_types.c - what each type of a counter asks for beside it
 * (CTR-MAN-04), and how wide its values are (CTR-MAN-05). */
#define _POSIX_C_SOURCE 200809L
#include "tests/api/ctrpp/manifest_scene.h"

/* A set with a counter of each type that another can refer to: ids 2 to 9. */
static const char with_all[] =
    "<instrumentationManifest><instrumentation>"
    "<counters xmlns='http://schemas.microsoft.com/win/2005/12/counters'"
    " schemaVersion='1.1'>"
    "<provider providerGuid='{00000000-0000-0000-0000-000000000001}'"
    " applicationIdentity='a.exe' symbol='P'>"
    "<counterSet guid='{00000000-0000-0000-0000-000000000002}' symbol='Set'"
    " uri='S' name='S' description='D'>"
    "<counter id='2' uri='2' name='2' description='2' detailLevel='standard'"
    " type='perf_average_base'/>"
    "<counter id='3' uri='3' name='3' description='3' detailLevel='standard'"
    " type='perf_counter_multi_base'/>"
    "<counter id='4' uri='4' name='4' description='4' detailLevel='standard'"
    " type='perf_raw_base'/>"
    "<counter id='5' uri='5' name='5' description='5' detailLevel='standard'"
    " type='perf_large_raw_base'/>"
    "<counter id='6' uri='6' name='6' description='6' detailLevel='standard'"
    " type='perf_sample_base'/>"
    "<counter id='7' uri='7' name='7' description='7' detailLevel='standard'"
    " type='perf_counter_large_rawcount'/>"
    "<counter id='8' uri='8' name='8' description='8' detailLevel='standard'"
    " type='perf_counter_rawcount'/>\n"
    "<counter id='1' uri='1' name='1' description='1' detailLevel='standard' "
    "type='TYPE'/>"
    "</counterSet></provider></counters></instrumentation>"
    "</instrumentationManifest>";

/* What a type needs, and the problems without it and with others. */
static struct type_row {
    const char *name;  /* the type */
    const char *right; /* attributes with which it is valid */
    unsigned missing;  /* how many are missed without any */
    const char *wrong; /* attributes that lead to other types; NULL: none */
    unsigned wrongs;
    unsigned bytes; /* 0: no fixed size */
} type_rows[] = {
    {"perf_counter_counter", "", 0, NULL, 0, 4},
    {"perf_counter_timer", "", 0, NULL, 0, 8},
    {"perf_counter_timer_inv", "", 0, NULL, 0, 8},
    {"perf_counter_queuelen_type", "", 0, NULL, 0, 4},
    {"perf_counter_large_queuelen_type", "", 0, NULL, 0, 8},
    {"perf_counter_100ns_queuelen_type", "", 0, NULL, 0, 8},
    {"perf_counter_obj_time_queuelen_type", "perfTimeID='7' perfFreqID='7'", 2,
        "perfTimeID='8' perfFreqID='5'", 2, 8},
    {"perf_counter_bulk_count", "", 0, NULL, 0, 8},
    {"perf_counter_text", "", 0, NULL, 0, 0},
    {"perf_counter_rawcount", "", 0, NULL, 0, 4},
    {"perf_counter_large_rawcount", "", 0, NULL, 0, 8},
    {"perf_counter_rawcount_hex", "", 0, NULL, 0, 4},
    {"perf_counter_large_rawcount_hex", "", 0, NULL, 0, 8},
    {"perf_sample_fraction", "baseID='6'", 1, "baseID='2'", 1, 4},
    {"perf_sample_counter", "", 0, NULL, 0, 4},
    {"perf_sample_base", "", 0, NULL, 0, 4},
    {"perf_average_timer", "baseID='2'", 1, "baseID='6'", 1, 4},
    {"perf_average_base", "", 0, NULL, 0, 4},
    {"perf_average_bulk", "baseID='2'", 1, "baseID='4'", 1, 8},
    {"perf_obj_time_timer", "perfTimeID='7' perfFreqID='7'", 2,
        "perfTimeID='7' perfFreqID='8'", 1, 8},
    {"perf_100nsec_timer", "", 0, NULL, 0, 8},
    {"perf_100nsec_timer_inv", "", 0, NULL, 0, 8},
    {"perf_counter_multi_timer", "multiCounterID='8'", 1, "multiCounterID='7'",
        1, 8},
    {"perf_counter_multi_timer_inv", "baseID='3' multiCounterID='8'", 2,
        "baseID='8' multiCounterID='3'", 2, 8},
    {"perf_counter_multi_base", "", 0, NULL, 0, 8},
    {"perf_100nsec_multi_timer", "multiCounterID='8'", 1, "multiCounterID='3'",
        1, 8},
    {"perf_100nsec_multi_timer_inv", "multiCounterID='8'", 1,
        "multiCounterID='3'", 1, 8},
    {"perf_raw_fraction", "baseID='4'", 1, "baseID='5'", 1, 4},
    {"perf_large_raw_fraction", "baseID='5'", 1, "baseID='4'", 1, 8},
    {"perf_raw_base", "", 0, NULL, 0, 4},
    {"perf_large_raw_base", "", 0, NULL, 0, 8},
    {"perf_elapsed_time", "perfTimeID='7' perfFreqID='7'", 2,
        "perfTimeID='4' perfFreqID='7'", 1, 8},
    {"perf_counter_delta", "", 0, NULL, 0, 4},
    {"perf_counter_large_delta", "", 0, NULL, 0, 8},
    {"perf_precision_system_timer", "", 0, NULL, 0, 8},
    {"perf_precision_100ns_timer", "baseID='5'", 1, "baseID='4'", 1, 8},
    {"perf_precision_object_timer", "perfTimeID='7' perfFreqID='7'", 2,
        "perfTimeID='8' perfFreqID='8'", 2, 8},
    {"perf_counter_composite", "", 0, NULL, 0, 0},
};

enum { PAGE_BYTES = 65536 };

static const char *const references[] = {
    "baseID", "perfTimeID", "perfFreqID", "multiCounterID"};

/* How many problems of a kind the type has with these attributes; no others. */
static unsigned count_with(const struct type_row *row, const char *attributes,
    enum manifest_problem_code code)
{
    struct manifest_scene scene;
    char *type = talloc_asprintf(NULL, "type='%s' %s", row->name, attributes);
    char *text = text_with(type, with_all, "type='TYPE'", type);
    unsigned count = 0;

    scene_read(&scene, text, strlen(text));
    for (size_t i = 0; i < scene.problems->count; i++) {
        assert_int_equal(scene.problems->item[i].code, code);
        assert_int_equal(scene.problems->item[i].place.line, 2);
        count++;
    }
    scene_release(&scene);
    talloc_free(type);
    return count;
}

/* CTR-MAN-04 */
static void references_row(void **state)
{
    const struct type_row *row = *state;

    assert_int_equal(
        count_with(row, row->right, MANIFEST_PROBLEM_WRONG_TYPE), 0);
    assert_int_equal(
        count_with(row, "", MANIFEST_PROBLEM_MISSING_REFERENCE), row->missing);
    if (row->wrong != NULL) {
        assert_int_equal(
            count_with(row, row->wrong, MANIFEST_PROBLEM_WRONG_TYPE),
            row->wrongs);
    } else {
        assert_int_equal(
            count_with(row, "baseID='2'", MANIFEST_PROBLEM_NEEDLESS_REFERENCE),
            1);
    }
}

/* CTR-MAN-05 */
static void width_row(void **state)
{
    const struct type_row *row = *state;
    enum counter_type type;

    assert_true(counter_type_find(row->name, &type));
    assert_int_equal(counter_type_rows[type].bytes, row->bytes);
}

static char *read_page(void)
{
    char *text = calloc(1, PAGE_BYTES);
    FILE *file = fopen(REPOSITORY "/docs/ctrpp.md", "rb");

    assert_non_null(text);
    assert_non_null(file);
    assert_in_range(fread(text, 1, PAGE_BYTES - 1, file), 1, PAGE_BYTES - 2);
    fclose(file);
    return text;
}

/* Hints lead to the page, which lists them all with what they need. */
static void page_row(void **state)
{
    const struct type_row *row = *state;
    char *text = read_page();
    char *begin =
        row->bytes == 0
            ? talloc_asprintf(NULL, "\n| `%s` | any |", row->name)
            : talloc_asprintf(NULL, "\n| `%s` | %u |", row->name, row->bytes);
    char *line = strstr(text, begin);
    enum counter_type type;

    assert_non_null(line);
    line[1 + strcspn(line + 1, "\n")] = '\0';
    assert_true(counter_type_find(row->name, &type));
    if (row->missing == 0) {
        assert_string_equal(line + strlen(begin), "  |");
    } else {
        assert_non_null(strstr(
            line, counter_type_rows[counter_type_rows[type].needed].word));
    }
    for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++) {
        assert_int_equal(strstr(line, references[i]) != NULL,
            strstr(row->right, references[i]) != NULL);
    }
    talloc_free(begin);
    free(text);
}

static void all_types_are_there(void **state)
{
    (void)state;
    assert_int_equal(
        sizeof(type_rows) / sizeof(type_rows[0]), COUNTER_TYPE_COUNT);
}

TEST_FILE(test_manifest_types)
{
    TEST_ADD_GROUP(list, "references", references_row, type_rows);
    TEST_ADD_GROUP(list, "width", width_row, type_rows);
    TEST_ADD_GROUP(list, "page", page_row, type_rows);
    test_add(list, "all_types_are_there", all_types_are_there, NULL);
}
