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
#include "tests/mutation/proofs.h"
#include "tests/mutation/report.h"
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

/* NULL after saying why. */
static struct proofs *record_of(void *memory, const char *path)
{
    char *text = walk_read_file(memory, path);
    const char *problem;
    struct proofs *proofs;

    if (text == NULL) {
        fail(path);
        return NULL;
    }
    proofs = proofs_read(memory, path, text, &problem);
    if (proofs == NULL) {
        fprintf(stderr, "%s\n", problem);
    }
    return proofs;
}

static json_t *about_proof(const struct proof *proof, const char *record)
{
    json_t *wanted = json_array();

    for (size_t i = 0; i < PROOF_REQUIREMENTS && proof->proves[i] != NULL;
         i++) {
        json_array_append_new(wanted, json_string(proof->proves[i]));
    }
    return json_pack("{ss so ss so}", "kind", "proof", "wanted", wanted, "by",
        proof->by, "entry", json_sprintf("%s:%u", record, proof->line));
}

/* Makes the defect of an entry, `text` being its file's. */
static bool find_defect(void *memory, const struct proof *proof,
    const char *record, const char *text, struct mutant *mutant)
{
    const char *problem;

    *mutant = (struct mutant){
        .kind = MUTANT_STATEMENT, .after = proof->after, .column = 1};
    if (!proof_locate(memory, proof, record, text, &mutant->at, &mutant->length,
            &problem)) {
        fprintf(stderr, "%s\n", problem);
        return false;
    }
    mutant->line = line_at(text, mutant->at);
    return true;
}

/* RECORD [--first] [ID...]: the numbers of its entries; of those that prove one
 * of these; or of the first of each family. */
static int list_proofs(void *memory, char **argument, int count)
{
    const struct proofs *proofs = record_of(memory, argument[0]);
    bool first = count > 1 && strcmp(argument[1], "--first") == 0;
    int from = first ? 2 : 1;
    size_t found = 0;

    for (size_t i = 0; proofs != NULL && i < proofs->count; i++) {
        if (proof_is_asked_for(
                &proofs->item[i], argument + from, (size_t)(count - from)) &&
            (!first || proofs_is_first(proofs, i))) {
            printf("%zu\n", i);
            found++;
        }
    }
    if (proofs != NULL && found == 0) {
        fprintf(stderr, "%s: no entry proves that\n", argument[0]);
    }
    return found > 0 ? DONE : WRONG_CALL;
}

/* RECORD NTH INTO: prints the file's name and the scenario's. */
static int plant_proof(void *memory, char **argument, int count)
{
    const struct proofs *proofs = record_of(memory, argument[0]);
    size_t nth = strtoull(argument[1], NULL, 10);
    const struct proof *proof;
    struct mutant mutant;
    char *text;

    (void)count;
    if (proofs == NULL) {
        return WRONG_CALL;
    }
    if (nth >= proofs->count) {
        return NO_MORE;
    }
    proof = &proofs->item[nth];
    text = walk_read_file(memory, proof->file);
    if (text == NULL) {
        return fail(proof->file);
    }
    if (!find_defect(memory, proof, argument[0], text, &mutant)) {
        return WRONG_CALL;
    }
    if (!planted_write(argument[2], nth, proof->file, text, &mutant,
            about_proof(proof, argument[0]))) {
        return fail(argument[2]);
    }
    printf("%s %s\n", proof->file, proof->by);
    return DONE;
}

static bool is_stale(
    void *memory, const struct proof *proof, const char *record)
{
    char *text = walk_read_file(memory, proof->file);
    char *scenario = walk_read_file(memory, proof->by);
    struct mutant mutant;
    const char *problem;
    bool right = true;

    if (text == NULL || scenario == NULL) {
        fprintf(stderr, "%s:%u: %s is not there\n", record, proof->line,
            text == NULL ? proof->file : proof->by);
        return true;
    }
    right = find_defect(memory, proof, record, text, &mutant);
    if (!proof_is_cited(memory, proof, record, scenario, &problem)) {
        fprintf(stderr, "%s\n", problem);
        right = false;
    }
    return !right;
}

/* RECORD: says of each entry whether what it names is there. */
static int find_stale(void *memory, char **argument, int count)
{
    const struct proofs *proofs = record_of(memory, argument[0]);
    size_t stale = 0;

    (void)count;
    for (size_t i = 0; proofs != NULL && i < proofs->count; i++) {
        stale += is_stale(memory, &proofs->item[i], argument[0]);
    }
    return proofs == NULL ? WRONG_CALL : stale > 0 ? FAILED : DONE;
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

/* The directory has mutant.json, and errors and report if the suite ran. NULL
 * after saying that it has not. */
static json_t *judged(void *memory, const char *in, const char *end)
{
    char *about = talloc_asprintf(memory, "%s/mutant.json", in);
    json_t *mutant = json_load_file(about, 0, NULL);
    json_t *noticed = report_read(talloc_asprintf(memory, "%s/report", in));
    char *errors =
        walk_read_file(memory, talloc_asprintf(memory, "%s/errors", in));

    if (mutant == NULL) {
        fprintf(stderr, "mutate: %s is not there\n", about);
    } else {
        judge(mutant, end, errors == NULL ? "" : errors, noticed);
    }
    json_decref(noticed);
    return mutant;
}

/* DIRECTORY END [MODULE_TESTS]: a further line. */
static int judge_mutant(void *memory, char **argument, int count)
{
    json_t *mutant = judged(memory, argument[0], argument[1]);

    if (mutant == NULL) {
        return WRONG_CALL;
    }
    if (count > 2) {
        judge_module_tests(mutant, argument[2]);
    }
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

/* DIRECTORY END: of an entry of the record; says why it proves nothing. */
static int prove(void *memory, char **argument, int count)
{
    json_t *mutant = judged(memory, argument[0], argument[1]);
    bool proven = mutant != NULL && judge_proof(mutant, stdout);

    (void)count;
    json_decref(mutant);
    return proven ? DONE : FAILED;
}

static const struct command {
    const char *name, *help;
    int least, most; /* arguments */
    int (*run)(void *memory, char **argument, int count);
} commands[] = {
    {"list", "FILE...", 1, INT32_MAX, list},
    {"plant", "SEED NTH INTO FILE...", 4, INT32_MAX, plant},
    {"proofs", "RECORD [--first] [ID...]", 1, INT32_MAX, list_proofs},
    {"stale", "RECORD", 1, 1, find_stale},
    {"proof", "RECORD NTH INTO", 3, 3, plant_proof},
    {"base", "SEED TREE REPORT WHO [UNDER...]", 4, INT32_MAX, base},
    {"judge", "DIRECTORY END [MODULE_TESTS]", 2, 3, judge_mutant},
    {"summary", "STATE OUTPUT", 2, 2, summarise},
    {"prove", "DIRECTORY END", 2, 2, prove},
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
