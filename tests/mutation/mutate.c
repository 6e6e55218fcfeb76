/* mutate.c - plants small defects in copies of C files and keeps the account
 * of which were noticed; tools/soak_mutation compiles and runs them.
 *
 * The walk over all mutants is seeded (walk.h); files are named relative to
 * the directory that it is called in, the top of a source tree. */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "tests/mutation/judge.h"
#include "tests/mutation/planted.h"
#include "tests/mutation/report.h"
#include "tests/mutation/slice.h"
#include "tests/mutation/summary.h"
#include "tests/mutation/walk.h"

enum { DONE = 0, FAILED = 1, WRONG_CALL = 2, NO_MORE = 3 };

static int fail(const char *path)
{
    fprintf(stderr, "mutate: %s: %s\n", path, strerror(errno));
    return WRONG_CALL;
}

static struct walk *walk_of(void *memory, char **path, int count)
{
    const char *unreadable = NULL;
    struct walk *walk = walk_read(memory, path, (size_t)count, &unreadable);

    if (walk == NULL) {
        fail(unreadable);
    }
    return walk;
}

/* FILE... */
static int list(void *memory, char **argument, int count)
{
    struct walk *walk = walk_of(memory, argument, count);

    for (size_t i = 0; walk != NULL && i < walk->site_count; i++) {
        const struct walk_file *file = &walk->file[walk->site[i].file];
        const struct mutant *mutant =
            &file->mutants->item[walk->site[i].mutant];

        printf("%zu %s:%u:%u %s: %s -> %s\n", i, file->path, mutant->line,
            mutant->column, mutant_kind_name(mutant->kind),
            planted_line(walk, file->text + mutant->at, mutant->length),
            planted_line(walk, mutant->after, strlen(mutant->after)));
    }
    return walk == NULL ? WRONG_CALL : DONE;
}

/* SEED NTH INTO FILE...: prints the file's name. */
static int plant(void *memory, char **argument, int count)
{
    struct walk *walk = walk_of(memory, argument + 3, count - 3);
    size_t nth = strtoull(argument[1], NULL, 10);
    const struct walk_file *file;

    if (walk == NULL) {
        return WRONG_CALL;
    }
    if (nth >= walk->site_count) {
        return NO_MORE;
    }
    walk_shuffle(walk, strtoull(argument[0], NULL, 10));
    file = &walk->file[walk->site[nth].file];
    if (!planted_write(argument[2], nth, file->path, file->text,
            &file->mutants->item[walk->site[nth].mutant], NULL)) {
        return fail(argument[2]);
    }
    puts(file->path);
    return DONE;
}

static unsigned line_at(const char *text, size_t at)
{
    unsigned line = 1;

    for (size_t i = 0; i < at; i++) {
        line += text[i] == '\n';
    }
    return line;
}

static int plant_entry(void *memory, const struct slice_entry *entry,
    const char *name, size_t nth, const char *into)
{
    char *text = walk_read_file(memory, entry->file);
    struct mutant mutant = {.kind = MUTANT_STATEMENT, .after = entry->after};
    const char *problem;
    json_t *wanted;

    if (text == NULL) {
        return fail(entry->file);
    }
    if (!slice_locate(memory, entry, name, text, &mutant.at, &problem)) {
        fprintf(stderr, "%s\n", problem);
        return WRONG_CALL;
    }
    wanted = json_array();
    for (size_t i = 0; i < SLICE_COVERS && entry->covers[i] != NULL; i++) {
        json_array_append_new(wanted, json_string(entry->covers[i]));
    }
    mutant.length = strlen(entry->before);
    mutant.line = line_at(text, mutant.at);
    mutant.column = 1;
    if (!planted_write(into, nth, entry->file, text, &mutant,
            json_pack("{ss so}", "kind", "slice", "wanted", wanted))) {
        return fail(into);
    }
    puts(entry->file);
    return DONE;
}

/* SLICE NTH INTO: prints the file's name. */
static int plant_slice(void *memory, char **argument, int count)
{
    char *text = walk_read_file(memory, argument[0]);
    size_t nth = strtoull(argument[1], NULL, 10);
    const char *problem;
    struct slice *slice;

    (void)count;
    if (text == NULL) {
        return fail(argument[0]);
    }
    slice = slice_read(memory, argument[0], text, &problem);
    if (slice == NULL) {
        fprintf(stderr, "%s\n", problem);
        return WRONG_CALL;
    }
    return nth >= slice->count ? NO_MORE
                               : plant_entry(memory, &slice->item[nth],
                                     argument[0], nth, argument[2]);
}

static int print_line(json_t *json)
{
    int result = json_dumpf(json, stdout, JSON_COMPACT);

    putchar('\n');
    json_decref(json);
    return result == 0 ? DONE : FAILED;
}

/* SEED TREE REPORT WHO UNDER...: the first line of the state, TREE being its
 * hash, WHO `suite` or `modules` (those and the suite), and UNDER the places
 * that the walk keeps to. */
static int base(void *memory, char **argument, int count)
{
    json_t *noticed = report_read(argument[2]);
    json_t *under = json_array();
    json_t *head = json_pack("{sI ss sb so sO}", "seed",
        (json_int_t)strtoull(argument[0], NULL, 10), "tree", argument[1],
        "module_tests", strcmp(argument[3], "modules") == 0, "under", under,
        "cited", json_object_get(noticed, "cited"));

    (void)memory;
    for (int i = 4; i < count; i++) {
        json_array_append_new(under, json_string(argument[i]));
    }
    json_decref(noticed);
    return print_line(head);
}

/* DIRECTORY END [MODULE_TESTS]: a further line; the directory has mutant.json,
 * and errors and report if the suite ran. */
static int judge_mutant(void *memory, char **argument, int count)
{
    const char *in = argument[0];
    char *about = talloc_asprintf(memory, "%s/mutant.json", in);
    json_t *mutant = json_load_file(about, 0, NULL);
    json_t *noticed = report_read(talloc_asprintf(memory, "%s/report", in));
    char *errors =
        walk_read_file(memory, talloc_asprintf(memory, "%s/errors", in));

    if (mutant == NULL) {
        fprintf(stderr, "mutate: %s is not there\n", about);
        return WRONG_CALL;
    }
    judge(mutant, argument[1], errors == NULL ? "" : errors, noticed);
    if (count > 2) {
        judge_module_tests(mutant, argument[2]);
    }
    json_decref(noticed);
    return print_line(mutant);
}

/* The lines of a file as an array. A last one that broke off is left out. */
static json_t *read_state(const char *path)
{
    json_t *state = json_array();
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    while (file != NULL && getline(&text, &size, file) > 0) {
        json_t *line = json_loads(text, 0, NULL);

        if (line != NULL) {
            json_array_append_new(state, line);
        }
    }
    free(text);
    if (file != NULL) {
        fclose(file);
    }
    return state;
}

/* STATE OUTPUT */
static int summarise(void *memory, char **argument, int count)
{
    json_t *state = read_state(argument[0]);
    json_t *summary = summary_make(state);

    (void)memory, (void)count;
    if (json_dump_file(summary, argument[1], JSON_INDENT(2)) != 0) {
        return fail(argument[1]);
    }
    summary_print(summary, stdout);
    json_decref(summary);
    json_decref(state);
    return DONE;
}

/* STATE: of the slice, without a first line. */
static int verify(void *memory, char **argument, int count)
{
    json_t *state = read_state(argument[0]);
    const json_t *mutant;
    bool noticed = json_array_size(state) > 0;
    size_t i;

    (void)memory, (void)count;
    json_array_foreach(state, i, mutant)
    {
        noticed = judge_slice(mutant, stdout) && noticed;
    }
    json_decref(state);
    return noticed ? DONE : FAILED;
}

static const struct command {
    const char *name, *help;
    int least, most; /* arguments */
    int (*run)(void *memory, char **argument, int count);
} commands[] = {
    {"list", "FILE...", 1, INT32_MAX, list},
    {"plant", "SEED NTH INTO FILE...", 4, INT32_MAX, plant},
    {"slice", "SLICE NTH INTO", 3, 3, plant_slice},
    {"base", "SEED TREE REPORT WHO [UNDER...]", 4, INT32_MAX, base},
    {"judge", "DIRECTORY END [MODULE_TESTS]", 2, 3, judge_mutant},
    {"summary", "STATE OUTPUT", 2, 2, summarise},
    {"verify", "STATE", 1, 1, verify},
};

int main(int argc, char **argv)
{
    const size_t count = sizeof(commands) / sizeof(commands[0]);
    void *memory = talloc_new(NULL);

    for (size_t i = 0; argc > 1 && i < count; i++) {
        if (strcmp(argv[1], commands[i].name) == 0 &&
            argc - 2 >= commands[i].least && argc - 2 <= commands[i].most) {
            int result = commands[i].run(memory, argv + 2, argc - 2);

            talloc_free(memory);
            return result;
        }
    }
    for (size_t i = 0; i < count; i++) {
        fprintf(stderr, "%s mutate %s %s\n", i == 0 ? "usage:" : "      ",
            commands[i].name, commands[i].help);
    }
    talloc_free(memory);
    return WRONG_CALL;
}
