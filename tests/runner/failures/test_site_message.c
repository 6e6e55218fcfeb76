/* test_site_message.c - names of calls: sent, read, and refused where anything
 * is wrong with them. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/failures/site_message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/failures/planted.h"
#include "scenarios/runner/text/key_index.h"
#include "tests/rows.h"

static void what_is_not_known_is_sent_and_read(void **state)
{
    void *context = talloc_new(NULL);
    struct planted_log *log = talloc_zero(context, struct planted_log);
    struct key_index *known = key_index_new(context);
    const char *const names[] = {"A@step:1", "B@a.sys+0x10", "C@step:2"};
    const char *problem = NULL;
    struct site_message message;
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);

    (void)state;
    assert_non_null(out);
    for (size_t i = 0; i < 3; i++) {
        snprintf(log->site[i].name, CALL_SITE_NAME_BYTES, "%s", names[i]);
    }
    log->count = 3;
    key_index_add(known, names[1], strlen(names[1]), 0);
    site_message_send(out, log, known);
    fputs("behind", out);
    fclose(out);
    message =
        site_message_read(context, (const uint8_t *)bytes, length, &problem);
    assert_null(problem);
    assert_int_equal(message.count, 2);
    assert_string_equal(message.name[0], names[0]);
    assert_string_equal(message.name[1], names[2]);
    assert_int_equal(message.taken, length - strlen("behind"));
    free(bytes);
    talloc_free(context);
}

/* The longest that there is, and one byte more, with all of its bytes. */
static void name_has_room_for_its_end(void **state)
{
    void *context = talloc_new(NULL);
    uint8_t bytes[8 + CALL_SITE_NAME_BYTES] = {1};
    const char *problem = NULL;
    struct site_message message;

    (void)state;
    memset(bytes + 8, 'a', CALL_SITE_NAME_BYTES);
    bytes[4] = 0xFF; /* 511 */
    bytes[5] = 0x01;
    message = site_message_read(context, bytes, 8 + 511, &problem);
    assert_null(problem);
    assert_int_equal(strlen(message.name[0]), 511);

    bytes[4] = 0; /* 512 */
    bytes[5] = 0x02;
    site_message_read(context, bytes, 8 + 512, &problem);
    assert_string_equal(problem, "a call has no name");
    talloc_free(context);
}

/* Bytes, of which the first are the count. */
static struct refused_row {
    const char *name;
    size_t size;
    const char *bytes;
    const char *want; /* NULL: it is read */
    size_t want_count;
} refused_rows[] = {
    {"none", 4, "\0\0\0\0", NULL, 0},
    {"one", 9, "\1\0\0\0\1\0\0\0a", NULL, 1},
    {"nothing", 0, "", "it has no such number of calls", 0},
    {"half_a_count", 3, "\1\0\0", "it has no such number of calls", 0},
    {"more_than_a_run_notes", 4, "\1\40\0\0", "it has no such number of calls",
        0},
    {"no_name", 4, "\1\0\0\0", "a call has no name", 0},
    {"half_a_length", 7, "\1\0\0\0\1\0\0", "a call has no name", 0},
    {"empty_name", 8, "\1\0\0\0\0\0\0\0", "a call has no name", 0},
    {"name_that_is_cut", 9, "\1\0\0\0\2\0\0\0a", "a call has no name", 0},
    {"name_that_is_too_long", 9, "\1\0\0\0\0\2\0\0a", "a call has no name", 0},
    {"second_is_missing", 9, "\2\0\0\0\1\0\0\0a", "a call has no name", 1},
    {"name_with_a_space", 11, "\1\0\0\0\3\0\0\0a b", "a call's name is none",
        0},
    {"name_with_an_end", 11, "\1\0\0\0\3\0\0\0a\0b", "a call's name is none",
        0},
    {"name_with_a_line", 11, "\1\0\0\0\3\0\0\0a\nb", "a call's name is none",
        0},
};

/* In a block of just that size, so that a read behind it is seen. */
static void refused_row(void **state)
{
    const struct refused_row *row = *state;
    void *context = talloc_new(NULL);
    uint8_t *bytes = talloc_array(context, uint8_t, (unsigned)row->size + 1);
    const char *problem = NULL;
    struct site_message message;

    memcpy(bytes + 1, row->bytes, row->size);
    message = site_message_read(context, bytes + 1, row->size, &problem);
    assert_int_equal(message.count, row->want_count);
    if (row->want == NULL) {
        assert_null(problem);
        assert_int_equal(message.taken, row->size);
    } else {
        assert_non_null(problem);
        assert_string_equal(problem, row->want);
    }
    talloc_free(context);
}

TEST_FILE(test_site_message)
{
    test_add(
        list, "name_has_room_for_its_end", name_has_room_for_its_end, NULL);
    test_add(list, "what_is_not_known_is_sent_and_read",
        what_is_not_known_is_sent_and_read, NULL);
    TEST_ADD_ROWS(list, refused_row, refused_rows);
}
