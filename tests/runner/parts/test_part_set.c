/* test_part_set.c - the files of all parts of a run: what makes a whole of
 * them, and whose result an instance has. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/parts/part_set.h"

#include <unistd.h>

#include "scenarios/runner/parts/part_writer.h"
#include "scenarios/runner/parts/program_build.h"
#include "scenarios/runner/run/verdict.h"
#include "tests/rows.h"
#include "tests/runner/run/verdict_exchange.h"

enum { PARTS = 3, PATH_BYTES = 40 };

static const char *const words[] = {"ntpmu", "run", "a"};
static const char *const fewer_words[] = {"ntpmu", "run"};
static const char *const other_words[] = {"ntpmu", "run", "b"};

/* Files that are there, and what is said of them. */
struct set_scene {
    struct exchange exchange;
    char path[PARTS][PATH_BYTES];
    const char *given[PARTS];
    struct part_set *set;
    char *said;
    size_t said_bytes;
    FILE *errors;
};

static struct part_head head_of(uint32_t part, uint32_t parts)
{
    return (struct part_head){.program = program_build(),
        .suite = 12,
        .drivers = 13,
        .part = part,
        .parts = parts,
        .word = words,
        .words = 3};
}

/* Of the instance those that have a result have this many checks; 0: no
 * result. */
static void write_part(struct set_scene *scene, size_t n,
    const struct part_head *head, size_t checks,
    const struct explored *explored)
{
    const struct verdict verdict = {
        .result = RESULT_PASS, .checks = checks, .explored = *explored};
    struct part_writer writer;
    FILE *out;
    int file;

    snprintf(scene->path[n], PATH_BYTES, "/tmp/ntpmu-part-XXXXXX");
    file = mkstemp(scene->path[n]);
    assert_true(file >= 0);
    out = fdopen(file, "w");
    assert_non_null(out);
    writer = part_writer_begin(out, &part_of_results, head);
    if (checks > 0) {
        part_writer_add(
            &writer, &scene->exchange.made.instances->item[0], &verdict);
    }
    part_writer_end(&writer);
    fclose(out);
    scene->given[n] = scene->path[n];
}

static void begin(struct set_scene *scene)
{
    *scene = (struct set_scene){.said = NULL};
    exchange_init(&scene->exchange);
    scene->errors = open_memstream(&scene->said, &scene->said_bytes);
    assert_non_null(scene->errors);
}

static void read_set(struct set_scene *scene, size_t count)
{
    scene->set = part_set_read(scene->exchange.made.text.file.memory,
        scene->given, count, scene->errors);
    fflush(scene->errors);
}

static void end(struct set_scene *scene)
{
    for (size_t i = 0; i < PARTS; i++) {
        if (scene->path[i][0] != '\0') {
            unlink(scene->path[i]);
        }
    }
    fclose(scene->errors);
    free(scene->said);
    exchange_release(&scene->exchange);
}

static struct verdict_row {
    const char *name;
    size_t order[PARTS];  /* in which they are given */
    size_t checks[PARTS]; /* of the result that each has; 0: it has none */
    size_t want_checks;   /* 0: it is refused */
    uint64_t want_schedules;
    const char *want_said;
} verdict_rows[] = {
    {"first_has_it", {0, 1, 2}, {5, 0, 0}, 5, 11, ""},
    {"one_amid_has_it", {0, 1, 2}, {0, 6, 0}, 6, 12, ""},
    {"last_has_it", {0, 1, 2}, {0, 0, 7}, 7, 13, ""},
    {"last_has_it_and_comes_first", {2, 0, 1}, {0, 0, 7}, 7, 13, ""},
    {"each_has_a_part", {0, 1, 2}, {5, 6, 7}, 5, 30, ""},
    {"each_has_a_part_and_they_come_in_another_order", {1, 2, 0}, {5, 6, 7}, 5,
        30, ""},
    {"none_has_any", {0, 1, 2}, {0, 0, 0}, 0, 0,
        "ntpmu: cannot merge the results of t: no part has any\n"},
    {"first_has_none", {0, 1, 2}, {0, 6, 7}, 0, 0,
        "ntpmu: cannot merge the results of t: some parts have none\n"},
    {"last_has_none", {0, 1, 2}, {5, 6, 0}, 0, 0,
        "ntpmu: cannot merge the results of t: some parts have none\n"},
};

/* Three schedules are common to all, of 11, 12 and 13. */
static void verdict_row(void **state)
{
    const struct verdict_row *row = *state;
    struct set_scene scene;
    struct verdict *verdict;

    begin(&scene);
    for (size_t i = 0; i < PARTS; i++) {
        const struct part_head head = head_of((uint32_t)i + 1, PARTS);
        const struct explored explored = {
            .schedules = 11 + i, .shared = 3, .left = 1};

        write_part(&scene, i, &head, row->checks[i], &explored);
    }
    for (size_t i = 0; i < PARTS; i++) {
        scene.given[i] = scene.path[row->order[i]];
    }
    read_set(&scene, PARTS);
    assert_non_null(scene.set);
    assert_int_equal(part_set_head(scene.set)->part, row->order[0] + 1);
    verdict = part_set_verdict(scene.exchange.made.text.file.memory, scene.set,
        &scene.exchange.made.instances->item[0],
        &scene.exchange.made.text.requirements, scene.errors);
    fflush(scene.errors);
    assert_string_equal(scene.said, row->want_said);
    assert_int_equal(verdict != NULL, row->want_checks != 0);
    if (verdict != NULL) {
        assert_int_equal(verdict->checks, row->want_checks);
        assert_int_equal(verdict->explored.schedules, row->want_schedules);
        assert_int_equal(verdict->explored.joined, row->want_schedules == 30);
    }
    end(&scene);
}

static struct other_row {
    const char *name;
    struct part_head head; /* of the second file, where it is not 0 */
    const char *want;
} other_rows[] = {
    {"program", {.program = 1}, "it is of another version of ntpmu"},
    {"command", {.word = other_words, .words = 3},
        "it is of another command than the first file"},
    {"command_with_fewer_words", {.word = fewer_words, .words = 2},
        "it is of another command than the first file"},
    {"suite", {.suite = 1}, "it is of other scenarios than the first file"},
    {"drivers", {.drivers = 1}, "it is of other drivers than the first file"},
    {"number_of_parts", {.parts = 4},
        "it is of another number of parts than the first file"},
    {"part_that_is_there", {.part = 1},
        "it is a part that another file is already"},
};

static void other_row(void **state)
{
    const struct other_row *row = *state;
    const struct explored none = {.schedules = 0};
    struct part_head first = head_of(1, 2), second = head_of(2, 2);
    struct set_scene scene;

    begin(&scene);
    write_part(&scene, 0, &first, 1, &none);
    second.program = row->head.program != 0 ? 1 : second.program;
    second.suite = row->head.suite != 0 ? row->head.suite : second.suite;
    second.drivers =
        row->head.drivers != 0 ? row->head.drivers : second.drivers;
    second.part = row->head.part != 0 ? row->head.part : second.part;
    second.parts = row->head.parts != 0 ? row->head.parts : second.parts;
    if (row->head.words != 0) {
        second.word = row->head.word;
        second.words = row->head.words;
    }
    write_part(&scene, 1, &second, 1, &none);
    read_set(&scene, 2);
    assert_null(scene.set);
    assert_non_null(strstr(scene.said, row->want));
    assert_non_null(strstr(scene.said, scene.path[1]));
    end(&scene);
}

static struct missing_row {
    const char *name;
    uint32_t part, parts;
    const char *want;
} missing_rows[] = {
    {"first", 2, 2,
        "ntpmu: cannot merge, parts are missing: 1 of 2\n"
        "       run them with --shard I/2\n"},
    {"last", 1, 2,
        "ntpmu: cannot merge, parts are missing: 2 of 2\n"
        "       run them with --shard I/2\n"},
    {"as_many_as_are_named", 1, 21,
        "ntpmu: cannot merge, parts are missing: 2, 3, 4, 5, 6, 7, 8, 9, 10, "
        "11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21 of 21\n"
        "       run them with --shard I/21\n"},
    {"more_than_are_named", 22, 22,
        "ntpmu: cannot merge, parts are missing: 1, 2, 3, 4, 5, 6, 7, 8, 9, "
        "10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, ... of 22\n"
        "       run them with --shard I/22\n"},
};

static void missing_row(void **state)
{
    const struct missing_row *row = *state;
    const struct explored none = {.schedules = 0};
    const struct part_head head = head_of(row->part, row->parts);
    struct set_scene scene;

    begin(&scene);
    write_part(&scene, 0, &head, 1, &none);
    read_set(&scene, 1);
    assert_null(scene.set);
    assert_string_equal(scene.said, row->want);
    end(&scene);
}

static void run_that_was_not_split_is_one_part(void **state)
{
    const struct explored none = {.schedules = 0};
    const struct part_head head = head_of(1, 1);
    struct set_scene scene;
    struct verdict *verdict;

    (void)state;
    begin(&scene);
    write_part(&scene, 0, &head, 9, &none);
    read_set(&scene, 1);
    assert_non_null(scene.set);
    verdict = part_set_verdict(scene.exchange.made.text.file.memory, scene.set,
        &scene.exchange.made.instances->item[0],
        &scene.exchange.made.text.requirements, scene.errors);
    assert_non_null(verdict);
    assert_int_equal(verdict->checks, 9);
    assert_false(verdict->explored.joined);
    end(&scene);
}

static struct bytes_row {
    const char *name;
    size_t length;
} bytes_rows[] = {
    {"none", 0},
    {"one", 1},
    {"as_much_as_is_read_at_once", 1 << 16},
    {"one_more", (1 << 16) + 1},
    {"much_more", 700001},
};

static void bytes_row(void **state)
{
    const struct bytes_row *row = *state;
    void *context = talloc_new(NULL);
    char path[] = "/tmp/ntpmu-part-XXXXXX";
    const char *problem = NULL;
    size_t length = 1;
    uint8_t *bytes;
    int file = mkstemp(path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");

    assert_non_null(out);
    for (size_t i = 0; i < row->length; i++) {
        fputc((int)(i * 7 + i / 256) & 0xFF, out);
    }
    fclose(out);
    bytes = part_set_bytes(context, path, &length, &problem);
    assert_non_null(bytes);
    assert_null(problem);
    assert_int_equal(length, row->length);
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != (uint8_t)(i * 7 + i / 256)) {
            assert_int_equal(i, length); /* it differs there */
        }
    }
    unlink(path);
    assert_null(part_set_bytes(context, path, &length, &problem));
    assert_non_null(problem);
    talloc_free(context);
}

TEST_FILE(test_part_set)
{
    TEST_ADD_GROUP(list, "verdict", verdict_row, verdict_rows);
    TEST_ADD_GROUP(list, "other", other_row, other_rows);
    TEST_ADD_GROUP(list, "missing", missing_row, missing_rows);
    test_add(list, "run_that_was_not_split_is_one_part",
        run_that_was_not_split_is_one_part, NULL);
    TEST_ADD_GROUP(list, "bytes", bytes_row, bytes_rows);
}
