/* test_counter_type.c - the types of counters by the words of a manifest: bytes
 * of a value (CTR-MAN-05) and the counters that each needs beside it
 * (CTR-MAN-04). */
#include "api/nt/counter_type.h"

#include "tests/rows.h"

/* The word is the row's name. */
static struct type_row {
    const char *name;
    uint8_t bytes;
    enum counter_needs needs;
    const char *needed; /* word of its type; NULL: nothing is needed */
} type_rows[] = {
    {"perf_counter_counter", 4, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_timer", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_timer_inv", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_queuelen_type", 4, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_large_queuelen_type", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_100ns_queuelen_type", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_obj_time_queuelen_type", 8, COUNTER_NEEDS_TIME,
        "perf_counter_large_rawcount"},
    {"perf_counter_bulk_count", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_text", 0, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_rawcount", 4, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_large_rawcount", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_rawcount_hex", 4, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_large_rawcount_hex", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_sample_fraction", 4, COUNTER_NEEDS_BASE, "perf_sample_base"},
    {"perf_sample_counter", 4, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_sample_base", 4, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_average_timer", 4, COUNTER_NEEDS_BASE, "perf_average_base"},
    {"perf_average_base", 4, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_average_bulk", 8, COUNTER_NEEDS_BASE, "perf_average_base"},
    {"perf_obj_time_timer", 8, COUNTER_NEEDS_TIME,
        "perf_counter_large_rawcount"},
    {"perf_100nsec_timer", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_100nsec_timer_inv", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_multi_timer", 8, COUNTER_NEEDS_MULTI,
        "perf_counter_rawcount"},
    {"perf_counter_multi_timer_inv", 8, COUNTER_NEEDS_MULTI_BASE,
        "perf_counter_multi_base"},
    {"perf_counter_multi_base", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_100nsec_multi_timer", 8, COUNTER_NEEDS_MULTI,
        "perf_counter_rawcount"},
    {"perf_100nsec_multi_timer_inv", 8, COUNTER_NEEDS_MULTI,
        "perf_counter_rawcount"},
    {"perf_raw_fraction", 4, COUNTER_NEEDS_BASE, "perf_raw_base"},
    {"perf_large_raw_fraction", 8, COUNTER_NEEDS_BASE, "perf_large_raw_base"},
    {"perf_raw_base", 4, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_large_raw_base", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_elapsed_time", 8, COUNTER_NEEDS_TIME, "perf_counter_large_rawcount"},
    {"perf_counter_delta", 4, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_counter_large_delta", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_precision_system_timer", 8, COUNTER_NEEDS_NOTHING, NULL},
    {"perf_precision_100ns_timer", 8, COUNTER_NEEDS_BASE,
        "perf_large_raw_base"},
    {"perf_precision_object_timer", 8, COUNTER_NEEDS_TIME,
        "perf_counter_large_rawcount"},
    {"perf_counter_composite", 0, COUNTER_NEEDS_NOTHING, NULL},
};

static void type_has(void **state)
{
    const struct type_row *row = *state;
    const struct counter_type_row *found;
    enum counter_type type;

    assert_true(counter_type_find(row->name, &type));

    found = &counter_type_rows[type];
    assert_string_equal(found->word, row->name);
    assert_int_equal(found->bytes, row->bytes);
    assert_int_equal(found->needs, row->needs);
    if (row->needed == NULL) {
        assert_int_equal(found->needed, COUNTER_TYPE_NONE);
    } else {
        assert_string_equal(counter_type_rows[found->needed].word, row->needed);
    }
}

static struct unknown_row {
    const char *name;
    const char *word;
} unknown_rows[] = {
    {"no_word", ""},
    {"the_name_in_winperf_h", "PERF_COUNTER_COUNTER"},
    {"only_the_beginning", "perf_counter"},
    {"more_behind", "perf_counter_counter "},
    {"a_type_of_no_manifest", "perf_counter_nodata"},
};

static void unknown(void **state)
{
    const struct unknown_row *row = *state;
    enum counter_type type = COUNTER_TYPE_DELTA;

    assert_false(counter_type_find(row->word, &type));
    assert_int_equal(type, COUNTER_TYPE_DELTA);
}

static void every_type_has_a_row(void **state)
{
    (void)state;
    assert_int_equal(
        sizeof(type_rows) / sizeof(type_rows[0]), COUNTER_TYPE_COUNT);
}

TEST_FILE(test_counter_type)
{
    TEST_ADD_ROWS(list, type_has, type_rows);
    TEST_ADD_ROWS(list, unknown, unknown_rows);
    test_add(list, "every_type_has_a_row", every_type_has_a_row, NULL);
}
