/* test_part_file.c - files of --results: written, read, and refused where
 * anything is wrong with them. */
#define _POSIX_C_SOURCE 200809L
#include "api/text/fnv.h"
#include "scenarios/runner/parts/part_reader.h"
#include "scenarios/runner/parts/part_writer.h"
#include "scenarios/runner/run/verdict.h"
#include "tests/rows.h"
#include "tests/runner/run/verdict_exchange.h"

static const char *const words[] = {"ntpmu", "run", "a", "-D", "n=1"};

static const struct part_head head = {
    .program = 11,
    .suite = 12,
    .drivers = 13,
    .part = 2,
    .parts = 3,
    .word = words,
    .words = 5,
};

struct written {
    struct exchange exchange;
    char *bytes;
    size_t length;
};

static void write_file(struct written *written)
{
    const struct instance *instance;
    struct verdict verdict = {.result = RESULT_PASS, .checks = 7};
    FILE *out = open_memstream(&written->bytes, &written->length);
    struct part_writer writer;

    assert_non_null(out);
    exchange_init(&written->exchange);
    instance = &written->exchange.made.instances->item[0];
    writer = part_writer_begin(out, &part_of_results, &head);
    part_writer_add(&writer, instance, &verdict);
    part_writer_end(&writer);
    fclose(out);
}

static void release(struct written *written)
{
    exchange_release(&written->exchange);
    free(written->bytes);
}

/* In a block of just that size, so that a read behind it is seen. NULL: it is
 * refused. */
static struct part *read_bytes(void *context, const char *bytes, size_t length)
{
    const char *problem = NULL;
    uint8_t *copy = talloc_array(context, uint8_t, (unsigned)length + 1);
    struct part *part;

    memcpy(copy + 1, bytes, length);
    part = part_read(
        context, "file", &part_of_results, copy + 1, length, &problem);
    assert_int_equal(part == NULL, problem != NULL);
    return part;
}

static void what_is_written_is_read(void **state)
{
    struct written written;
    struct verdict *verdict;
    struct part *part;
    struct instance other = {.id = "other"};
    const struct instance *instance;
    const char *problem = NULL;
    void *context = talloc_new(NULL);

    (void)state;
    write_file(&written);
    instance = &written.exchange.made.instances->item[0];
    part = read_bytes(context, written.bytes, written.length);
    assert_non_null(part);
    assert_int_equal(part->head.program, 11);
    assert_int_equal(part->head.suite, 12);
    assert_int_equal(part->head.drivers, 13);
    assert_int_equal(part->head.part, 2);
    assert_int_equal(part->head.parts, 3);
    assert_int_equal(part->head.words, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(part->head.word[i], words[i]);
    }
    assert_true(part_has(part, instance));
    assert_false(part_has(part, &other));
    verdict = part_verdict(context, part, instance,
        &written.exchange.made.text.requirements, &problem);
    assert_non_null(verdict);
    assert_int_equal(verdict->result, RESULT_PASS);
    assert_int_equal(verdict->checks, 7);
    talloc_free(context);
    release(&written);
}

static void each_beginning_of_it_is_refused(void **state)
{
    struct written written;

    (void)state;
    write_file(&written);
    for (size_t length = 0; length < written.length; length++) {
        void *context = talloc_new(NULL);

        assert_null(read_bytes(context, written.bytes, length));
        talloc_free(context);
    }
    release(&written);
}

static void each_changed_bit_is_refused(void **state)
{
    struct written written;

    (void)state;
    write_file(&written);
    for (size_t bit = 0; bit < 8 * written.length; bit++) {
        void *context = talloc_new(NULL);

        written.bytes[bit / 8] ^= (char)(1 << bit % 8);
        assert_null(read_bytes(context, written.bytes, written.length));
        written.bytes[bit / 8] ^= (char)(1 << bit % 8);
        talloc_free(context);
    }
    release(&written);
}

/* A log of three results. */
static char *write_log(size_t *length)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, length);
    struct part_writer writer;

    assert_non_null(out);
    writer = part_writer_begin(out, &part_of_log, &head);
    part_writer_add_bytes(&writer, "one", "1", 1);
    part_writer_add_bytes(&writer, "two", "22", 2);
    part_writer_add_bytes(&writer, "three", "333", 3);
    fclose(out);
    return bytes;
}

/* How many results there are; SIZE_MAX: it is refused. */
static size_t results_of_log(const char *bytes, size_t length)
{
    void *context = talloc_new(NULL);
    const char *problem = NULL;
    uint8_t *copy = talloc_array(context, uint8_t, (unsigned)length + 1);
    const struct part *part;
    size_t results;

    memcpy(copy + 1, bytes, length);
    part = part_read(context, "file", &part_of_log, copy + 1, length, &problem);
    assert_int_equal(part == NULL, problem != NULL);
    assert_true(part == NULL || part->whole <= length);
    results = part == NULL ? SIZE_MAX : part->count;
    talloc_free(context);
    return results;
}

static void each_beginning_of_a_log_has_its_whole_results(void **state)
{
    size_t length, before = 0;
    char *bytes = write_log(&length);

    (void)state;
    assert_int_equal(results_of_log(bytes, length), 3);
    for (size_t cut = 0; cut < length; cut++) {
        size_t results = results_of_log(bytes, cut);

        if (results != SIZE_MAX) {
            assert_in_range(results, before, before + 1);
            before = results;
        } else {
            assert_int_equal(before, 0); /* the head is not whole */
        }
    }
    assert_int_equal(before, 2);
    free(bytes);
}

/* A length that points behind the end, too: it is no end that is missing. */
static void each_changed_bit_of_a_log_is_refused(void **state)
{
    size_t length;
    char *bytes = write_log(&length);

    (void)state;
    for (size_t bit = 0; bit < 8 * length; bit++) {
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        assert_int_equal(results_of_log(bytes, length), SIZE_MAX);
        bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    free(bytes);
}

/* Records with right sums. HEAD is a right head, RESULT one of "i", END says
 * one result, NONE ends the list. */
enum record_of {
    NONE,
    HEAD_,
    RESULT,
    END,
    END_OF_TWO,
    KIND_9,
    NO_PART,
    PART_3_OF_2,
    OF_1000001,
    NO_WORDS
};

static struct refused_row {
    const char *name;
    enum record_of record[4];
    const char *want; /* NULL: nothing is wrong */
} refused_rows[] = {
    {"one_result", {HEAD_, RESULT, END}, NULL},
    {"no_head", {RESULT, END}, "its head is not at its beginning"},
    {"two_heads", {HEAD_, HEAD_, END}, "its head is not at its beginning"},
    {"two_results_of_an_instance", {HEAD_, RESULT, RESULT, END},
        "an instance has two results"},
    {"too_few_results", {HEAD_, RESULT, END_OF_TWO},
        "it does not have the number of results that it says"},
    {"no_results", {HEAD_, END},
        "it does not have the number of results that it says"},
    {"no_end", {HEAD_, RESULT}, "it ends too early"},
    {"record_behind_the_end", {HEAD_, RESULT, END, RESULT},
        "something stands behind its end"},
    {"kind_that_does_not_exist", {HEAD_, KIND_9, END},
        "it has a record of a kind that does not exist"},
    {"part_0", {NO_PART}, "it is no part of a run"},
    {"more_parts_than_a_run_has", {OF_1000001}, "it is no part of a run"},
    {"part_3_of_2", {PART_3_OF_2}, "it is no part of a run"},
    {"command_without_words", {NO_WORDS},
        "its command has no such number of words"},
};

static void put(FILE *out, uint32_t kind, const void *bytes, uint64_t length)
{
    uint64_t sum = fnv1a_bytes(bytes, (size_t)length);
    uint32_t head_sum = part_record_sum(kind, length);

    fwrite(&kind, sizeof(kind), 1, out);
    fwrite(&length, sizeof(length), 1, out);
    fwrite(&head_sum, sizeof(head_sum), 1, out);
    fwrite(bytes, 1, (size_t)length, out);
    fwrite(&sum, sizeof(sum), 1, out);
}

static void put_head(
    FILE *out, uint32_t part, uint32_t parts, uint32_t word_count)
{
    struct {
        uint64_t program, suite, drivers;
        uint32_t part, parts, words, length;
        char word[8];
    } bytes = {1, 2, 3, part, parts, word_count, 5, "ntpmu"};

    put(out, 1, &bytes, 24 + 12 + (word_count == 0 ? 0 : 4 + 5));
}

static void put_record(FILE *out, enum record_of record)
{
    const uint64_t one = 1, two = 2;

    switch (record) {
    case NONE:
        break;
    case HEAD_:
        put_head(out, 1, 1, 1);
        break;
    case NO_PART:
        put_head(out, 0, 1, 1);
        break;
    case PART_3_OF_2:
        put_head(out, 3, 2, 1);
        break;
    case OF_1000001:
        put_head(out, 1, 1000001, 1);
        break;
    case NO_WORDS:
        put_head(out, 1, 1, 0);
        break;
    case RESULT:
        put(out, 2, "\1\0\0\0i", 5);
        break;
    case END:
        put(out, 3, &one, sizeof(one));
        break;
    case END_OF_TWO:
        put(out, 3, &two, sizeof(two));
        break;
    case KIND_9:
        put(out, 9, "", 0);
        break;
    }
}

static void refused_row(void **state)
{
    const struct refused_row *row = *state;
    void *context = talloc_new(NULL);
    const char *problem = NULL;
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);

    assert_non_null(out);
    fwrite(part_of_results.magic, 1, PART_MAGIC_BYTES, out);
    for (size_t i = 0; i < 4; i++) {
        put_record(out, row->record[i]);
    }
    fclose(out);
    part_read(context, "file", &part_of_results, (const uint8_t *)bytes, length,
        &problem);
    if (row->want == NULL) {
        assert_null(problem);
    } else {
        assert_non_null(problem);
        assert_string_equal(problem, row->want);
    }
    talloc_free(context);
    free(bytes);
}

TEST_FILE(test_part_file)
{
    test_add(list, "what_is_written_is_read", what_is_written_is_read, NULL);
    test_add(list, "each_beginning_of_it_is_refused",
        each_beginning_of_it_is_refused, NULL);
    test_add(
        list, "each_changed_bit_is_refused", each_changed_bit_is_refused, NULL);
    test_add(list, "each_beginning_of_a_log_has_its_whole_results",
        each_beginning_of_a_log_has_its_whole_results, NULL);
    test_add(list, "each_changed_bit_of_a_log_is_refused",
        each_changed_bit_of_a_log_is_refused, NULL);
    TEST_ADD_ROWS(list, refused_row, refused_rows);
}
