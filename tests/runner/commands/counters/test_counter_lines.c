/* test_counter_lines.c - samples as lines: names of instances, what is in
 * hexadecimal, and what is told of once. */
#include "scenarios/runner/commands/counters/counter_lines.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/text/wide_text.h"
#include "tests/rows.h"

enum { MHZ = 1000 };

static struct manifest_counter counters[] = {
    {.id = 0,
        .type = COUNTER_TYPE_RAWCOUNT,
        .name = "Height",
        .field = "Depth"},
    {.id = 1, .type = COUNTER_TYPE_RAWCOUNT},
};

static struct manifest_set sets[] = {{.symbol = "Waves",
    .name = "Waves",
    .counter = counters,
    .counter_count = sizeof(counters) / sizeof(counters[0])}};

static const struct manifest manifest = {.set = sets, .set_count = 1};

/* Adds a sample of one set, with instances of these names and two counters
 * each. */
static void add_sample(struct samples *samples, uint64_t cycles,
    const char *const *name, size_t count, uint16_t size)
{
    struct rows *rows = talloc_zero(samples, struct rows);

    rows->cycles = cycles;
    rows->count = count;
    rows->item = talloc_zero_array(rows, struct row, (unsigned)count);
    for (size_t i = 0; i < count; i++) {
        struct row *row = &rows->item[i];

        row->name = name[i];
        row->wide = wide_text(rows, name[i]);
        row->value_count = 2;
        row->id = (uint32_t)i;
        row->value = talloc_zero_array(rows, struct row_value, 2);
        row->value[0] = (struct row_value){.counter = 0, .size = size};
        row->value[1] = (struct row_value){.counter = 1, .size = size};
    }
    samples_add_sample(samples);
    samples_add_set(samples, 0, rows);
    samples_end_sample(samples);
}

static struct counter_lines *make_as(void *context,
    const struct samples *samples, const struct counter_lines_way *way)
{
    struct described described = {.manifest = &manifest};
    struct counter_manifests manifests = {&described, 1};

    return counter_lines_make(context, samples, &manifests, way);
}

static struct counter_lines *make(void *context, const struct samples *samples)
{
    const struct counter_lines_way way = {.mhz = MHZ, .all = true};

    return make_as(context, samples, &way);
}

static struct name_row {
    const char *name;
    const char *instance[4], *want[4];
    size_t count;
} name_rows[] = {
    {"one_instance", {"sea"}, {"sea"}, 1},
    {"equal_names_are_numbered", {"sea", "lake", "sea", "sea"},
        {"sea", "lake", "sea#1", "sea#2"}, 4},
    {"equal_but_for_case", {"sea", "SEA"}, {"sea", "SEA#1"}, 2},
    {"no_names", {"", ""}, {"", "#1"}, 2},
    /* pcw_text_hash() is 0x1386D729 for both. */
    {"names_with_one_hash_are_two", {"I40410", "I47907", "I40410"},
        {"I40410", "I47907", "I40410#1"}, 3},
};

static void name_row(void **state)
{
    const struct name_row *row = *state;
    void *context = talloc_new(NULL);
    struct samples *samples = samples_new(context);
    const struct counter_lines *lines;

    samples_add_name(samples, "Waves");
    add_sample(samples, 1000, row->instance, row->count, 4);
    lines = make(context, samples);
    assert_int_equal(lines->count, 2 * row->count);
    for (size_t i = 0; i < lines->count; i++) {
        assert_string_equal(lines->item[i].instance, row->want[i / 2]);
    }
    talloc_free(context);
}

static void names_with_one_hash_have_one(void **state)
{
    void *context = talloc_new(NULL);

    (void)state;
    assert_int_equal(pcw_text_hash(wide_text(context, "I40410")), 0x1386D729);
    assert_int_equal(pcw_text_hash(wide_text(context, "I47907")), 0x1386D729);
    talloc_free(context);
}

static void lines_have_the_time_of_their_collection(void **state)
{
    static const char *const name[] = {"sea"};
    void *context = talloc_new(NULL);
    struct samples *samples = samples_new(context);
    const struct counter_lines *lines;

    (void)state;
    samples_add_name(samples, "Waves");
    add_sample(samples, 1000, name, 1, 4);
    add_sample(samples, 2500, name, 1, 4);
    lines = make(context, samples);
    assert_int_equal(lines->count, 4);
    assert_int_equal(lines->item[1].time_ns, 1000);
    assert_int_equal(lines->item[2].time_ns, 2500);
    talloc_free(context);
}

static void counter_of_another_width_is_told_of_once(void **state)
{
    static const char *const name[] = {"sea", "lake"};
    void *context = talloc_new(NULL);
    struct samples *samples = samples_new(context);
    const struct counter_lines *lines;

    (void)state;
    samples_add_name(samples, "Waves");
    add_sample(samples, 1000, name, 2, 8);
    add_sample(samples, 2000, name, 2, 8);
    lines = make(context, samples);
    assert_string_equal(counter_notes_text(context, lines->notes, 0),
        "counter set 'Waves': registered with 8 bytes, its type in the "
        "manifest has 4, so without a figure: 'Height', 1");
    assert_null(counter_notes_text(context, lines->notes, 1));
    assert_null(lines->item[0].figure);
    talloc_free(context);
}

/* The driver has counters 0 and 1, the manifest 0 to 2 and 64, or 1 alone. */
static struct manifest_counter more[] = {
    {.id = 0, .type = COUNTER_TYPE_RAWCOUNT, .name = "Height"},
    {.id = 1, .type = COUNTER_TYPE_RAWCOUNT},
    {.id = 2, .type = COUNTER_TYPE_RAWCOUNT, .name = "Depth"},
    {.id = 64, .type = COUNTER_TYPE_RAWCOUNT},
};

#define NOT_REGISTERED                                                         \
    "counter set 'Waves': in the manifest, but not registered, so without a "  \
    "value: "

static struct apart_row {
    const char *name;
    size_t first, count; /* of `more` */
    bool masked;
    const char *want;
} apart_rows[] = {
    {"driver_and_manifest_agree", 0, 2, false, NULL},
    {"counters_that_are_not_registered", 0, 4, false,
        NOT_REGISTERED "'Depth', 64"},
    {"counters_that_a_mask_leaves_out", 0, 4, true, NOT_REGISTERED "'Depth'"},
    {"counter_that_the_manifest_does_not_have", 1, 1, false,
        "counter set 'Waves': registered, but not in the manifest, so without "
        "a name and a figure: 0"},
};

static void apart_row(void **state)
{
    static const char *const name[] = {"sea", "lake"};
    const struct apart_row *row = *state;
    const struct counter_lines_way way = {
        .mhz = MHZ, .all = true, .masked = row->masked};
    void *context = talloc_new(NULL);
    struct samples *samples = samples_new(context);
    const struct manifest_set before = sets[0];
    const struct counter_lines *lines;
    const char *note;

    sets[0].counter = &more[row->first];
    sets[0].counter_count = row->count;
    samples_add_name(samples, "Waves");
    add_sample(samples, 1000, name, 2, 4);
    add_sample(samples, 2000, name, 2, 4);
    lines = make_as(context, samples, &way);
    sets[0] = before;
    note = counter_notes_text(context, lines->notes, 0);
    if (row->want == NULL) {
        assert_null(note);
    } else {
        assert_non_null(note);
        assert_string_equal(note, row->want);
        assert_null(counter_notes_text(context, lines->notes, 1));
    }
    talloc_free(context);
}

/* PCW-ADD-04b: of each that shares its id, once for all collections. */
static void instances_that_share_an_id_are_noted(void **state)
{
    static const char *const name[] = {"sea", "lake", "pond", "brook", "bay"};
    static const uint32_t id[] = {7, 0, 3, 0, 7};
    void *context = talloc_new(NULL);
    struct samples *samples = samples_new(context);
    const struct counter_lines *lines;

    (void)state;
    samples_add_name(samples, "Waves");
    for (uint64_t i = 0; i < 2; i++) {
        add_sample(samples, 1000 * (i + 1), name, 5, 4);
        for (size_t k = 0; k < 5; k++) {
            samples->item[i].set[0].rows->item[k].id = id[k];
        }
    }
    lines = make(context, samples);
    assert_string_equal(counter_notes_text(context, lines->notes, 0),
        "counter set 'Waves': instances that share their id with others, so "
        "that the name alone tells them apart: 'lake', 'brook', 'sea', 'bay'");
    assert_null(counter_notes_text(context, lines->notes, 1));
    talloc_free(context);
}

static struct hex_row {
    const char *name;
    enum counter_type type;
    unsigned attributes;
    const char *figure;
    bool want;
} hex_rows[] = {
    {"hexadecimal_type", COUNTER_TYPE_RAWCOUNT_HEX, 0, "255", true},
    {"large_hexadecimal_type", COUNTER_TYPE_LARGE_RAWCOUNT_HEX, 0, "255", true},
    {"hexadecimal_type_without_a_figure", COUNTER_TYPE_RAWCOUNT_HEX, 0, NULL,
        false},
    {"raw_count", COUNTER_TYPE_RAWCOUNT, 0, "255", false},
    {"raw_count_as_hexadecimal", COUNTER_TYPE_RAWCOUNT, MANIFEST_DISPLAY_AS_HEX,
        "255", true},
    {"delta_as_hexadecimal", COUNTER_TYPE_DELTA, MANIFEST_DISPLAY_AS_HEX, "255",
        true},
    {"rate_as_hexadecimal", COUNTER_TYPE_COUNTER, MANIFEST_DISPLAY_AS_HEX,
        "255", false},
    {"raw_count_that_is_not_displayed", COUNTER_TYPE_RAWCOUNT,
        MANIFEST_NO_DISPLAY, "255", false},
};

static void hex_row(void **state)
{
    const struct hex_row *row = *state;
    const struct manifest_counter counter = {
        .type = row->type, .attributes = row->attributes};
    const struct counter_line line = {
        .counter = &counter, .figure = row->figure};

    assert_int_equal(counter_line_is_hex(&line), row->want);
}

static void nothing_describes_hexadecimal(void **state)
{
    const struct counter_line line = {.value = 5};

    (void)state;
    assert_false(counter_line_is_hex(&line));
}

static struct filled_row {
    const char *name;
    uint16_t size;
    uint64_t value;
    uint32_t counter;
    const char *want; /* NULL: no note */
} filled_rows[] = {
    {"filled_with_4_bytes", 4, 0xCDCDCDCD, 0,
        "counter set 'Waves': published though nobody has initialised its "
        "field 'Depth' (0xCD in each byte): 'Height'"},
    {"filled_with_8_bytes", 8, 0xCDCDCDCDCDCDCDCD, 0,
        "counter set 'Waves': published though nobody has initialised its "
        "field 'Depth' (0xCD in each byte): 'Height'"},
    {"filled_without_a_field", 4, 0xCDCDCDCD, 1,
        "counter set 'Waves': published though nobody has initialised it "
        "(0xCD in each byte): 1"},
    {"filled_but_for_a_bit", 4, 0xCDCDCDCC, 0, NULL},
    {"filled_in_the_lower_half", 8, 0xCDCDCDCD, 0, NULL},
    {"byte_may_be_anything", 1, 0xCD, 0, NULL},
};

static void filled_row(void **state)
{
    static const char *const name[] = {"sea"};
    const struct filled_row *row = *state;
    void *context = talloc_new(NULL);
    struct samples *samples = samples_new(context);
    const struct counter_lines *lines;
    const char *text;
    size_t found = 0;

    samples_add_name(samples, "Waves");
    add_sample(samples, 1000, name, 1, row->size);
    samples->item[0].set[0].rows->item[0].value[row->counter].value =
        row->value;
    lines = make(context, samples);
    for (size_t i = 0;
         (text = counter_notes_text(context, lines->notes, i)) != NULL; i++) {
        if (strstr(text, "initialised") != NULL) {
            assert_non_null(row->want);
            assert_string_equal(text, row->want);
            found++;
        }
    }
    assert_int_equal(found, row->want != NULL);
    assert_int_equal(lines->widths, row->size != 4);
    talloc_free(context);
}

/* Which instances have lines, the total among them, and what was met. */
static struct asked_row {
    const char *name;
    const char *instance[4]; /* NULL behind the last */
    const char *mask[2];
    const char *want[5];
    bool met[2];
} asked_rows[] = {
    {"all_are_shown", {"lake", "sea"}, {NULL}, {"lake", "sea", "_Total"},
        {false, false}},
    {"one_is_asked_for", {"lake", "sea"}, {"SEA"}, {"sea"}, {true, false}},
    {"total_is_asked_for", {"lake", "sea"}, {"_t*"}, {"_Total"}, {true, false}},
    {"second_is_met_alone", {"lake", "sea"}, {"pond", "sea"}, {"sea"},
        {false, true}},
    {"none_is_met", {"lake", "sea"}, {"pond"}, {NULL}, {false, false}},
    {"repeat_is_asked_for", {"sea", "sea"}, {"sea#1"}, {"sea#1"},
        {true, false}},
    {"total_of_those_with_parents", {"lake/a", "sea/a"}, {NULL},
        {"lake/a", "sea/a", "_Total/_Total"}, {false, false}},
    {"one_has_no_parent", {"lake/a", "sea"}, {NULL},
        {"lake/a", "sea", "_Total"}, {false, false}},
    {"those_of_a_parent", {"lake/a", "lake/b", "sea/a"}, {"lake/*"},
        {"lake/a", "lake/b"}, {true, false}},
    {"own_total_is_left_alone", {"lake/a", "_total/_TOTAL"}, {NULL},
        {"lake/a", "_total/_TOTAL"}, {false, false}},
};

static void asked_row(void **state)
{
    const struct asked_row *row = *state;
    const struct counter_lines_way way = {.mhz = MHZ,
        .mask = row->mask,
        .mask_count = row->mask[0] == NULL   ? 0
                      : row->mask[1] == NULL ? 1
                                             : 2};
    void *context = talloc_new(NULL);
    struct samples *samples = samples_new(context);
    const struct manifest_set before = sets[0];
    const struct counter_lines *lines;
    size_t count = 0, shown = 0;

    while (row->instance[count] != NULL) {
        count++;
    }
    sets[0].instances = MANIFEST_MULTIPLE_AGGREGATE;
    counters[0].aggregate = MANIFEST_SUM;
    samples_add_name(samples, "Waves");
    add_sample(samples, 1000, row->instance, count, 4);
    lines = make_as(context, samples, &way);
    sets[0] = before;
    counters[0].aggregate = MANIFEST_AGGREGATE_UNDEFINED;
    for (size_t i = 0; i < lines->count; i++) {
        if (lines->item[i].counter_id == 0) {
            assert_non_null(row->want[shown]);
            assert_string_equal(lines->item[i].instance, row->want[shown]);
            shown++;
        }
    }
    assert_null(row->want[shown]);
    for (size_t i = 0; i < way.mask_count; i++) {
        assert_int_equal(lines->met[i], row->met[i]);
    }
    talloc_free(context);
}

TEST_FILE(test_counter_lines)
{
    TEST_ADD_ROWS(list, asked_row, asked_rows);
    TEST_ADD_ROWS(list, filled_row, filled_rows);
    test_add(list, "instances_that_share_an_id_are_noted",
        instances_that_share_an_id_are_noted, NULL);
    TEST_ADD_ROWS(list, name_row, name_rows);
    test_add(list, "names_with_one_hash_have_one", names_with_one_hash_have_one,
        NULL);
    test_add(list, "lines_have_the_time_of_their_collection",
        lines_have_the_time_of_their_collection, NULL);
    test_add(list, "counter_of_another_width_is_told_of_once",
        counter_of_another_width_is_told_of_once, NULL);
    TEST_ADD_ROWS(list, apart_row, apart_rows);
    TEST_ADD_ROWS(list, hex_row, hex_rows);
    test_add(list, "nothing_describes_hexadecimal",
        nothing_describes_hexadecimal, NULL);
}
