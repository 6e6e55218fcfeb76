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

#include "tests/mutation/bars.h"
#include "tests/mutation/equivalents.h"
#include "tests/mutation/equivalents_file.h"
#include "tests/mutation/function_at.h"
#include "tests/mutation/judge.h"
#include "tests/mutation/paragraphs.h"
#include "tests/mutation/planted.h"
#include "tests/mutation/program_tests.h"
#include "tests/mutation/proofs.h"
#include "tests/mutation/reached.h"
#include "tests/mutation/record.h"
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

/* The list of those that make no difference. */
static int check_equivalents(void *memory, char **argument, int count)
{
    (void)argument, (void)count;
    return equivalents_file_check(memory) ? DONE : FAILED;
}

static struct walk *ordered_walk(
    void *memory, const char *seed, char **path, int count)
{
    struct walk *walk = walk_of(memory, path, count);

    if (walk == NULL || !equivalents_file_mark(memory, walk)) {
        return NULL;
    }
    walk_order(walk, strtoull(seed, NULL, 10));
    return walk;
}

/* For reading in a shell. */
static const char *function_or_dash(
    void *memory, const char *text, const struct mutant *mutant)
{
    const char *name = function_at(memory, text, mutant->at);

    return name == NULL ? "-" : name;
}

/* SEED RECORD TREE WHICH COUNT INTO FILE...: plants as many, `new` ones or
 * `survivors` of other trees' tests, the first in INTO_0; prints a line for
 * each: its file, the function it is in, - for none, and its directory. */
static int plant(void *memory, char **argument, int count)
{
    struct walk *walk =
        ordered_walk(memory, argument[0], argument + 6, count - 6);
    size_t wanted = strtoull(argument[4], NULL, 10), planted = 0;
    enum record_wanted which =
        strcmp(argument[3], "survivors") == 0 ? RECORD_SURVIVORS : RECORD_NEW;
    json_t *record = record_read(argument[1]);
    int result = walk == NULL ? WRONG_CALL : DONE;

    for (size_t i = 0;
         result == DONE && planted < wanted && i < walk->site_count; i++) {
        const struct walk_site *site = &walk->site[i];
        const struct walk_file *file = &walk->file[site->file];
        const struct mutant *mutant = &file->mutants->item[site->mutant];
        char *into;

        if (!record_wants(record, walk, site, which, argument[2])) {
            continue;
        }
        into = talloc_asprintf(memory, "%s_%zu", argument[5], planted++);
        if (planted_write(into, site->mutant, file->path, file->text, mutant,
                record_marks(file, argument[2]))) {
            printf("%s %s %s\n", file->path,
                function_or_dash(memory, file->text, mutant), into);
        } else {
            result = fail(into);
        }
    }
    json_decref(record);
    return result;
}

/* NULL after saying why. */
static struct proofs *proofs_of(void *memory, const char *path)
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

/* What it plants, as the record has it, and who is to notice. */
static json_t *about_proof(const struct proof *proof, const char *record)
{
    const struct proof_place *place = proof->place;
    const char *join = place[1].file == NULL ? "" : " ... ";
    json_t *wanted = json_array();

    for (size_t i = 0; i < PROOF_REQUIREMENTS && proof->proves[i] != NULL;
         i++) {
        json_array_append_new(wanted, json_string(proof->proves[i]));
    }
    return json_pack("{ss so ss sb so so so}", "kind", "proof", "wanted",
        wanted, "by", proof->by, "unit", proof_is_by_unit(proof), "entry",
        json_sprintf("%s:%u", record, proof->line), "before",
        json_sprintf("%s%s%s", place[0].before, join,
            place[1].file == NULL ? "" : place[1].before),
        "after",
        json_sprintf("%s%s%s", place[0].after, join,
            place[1].file == NULL ? "" : place[1].after));
}

/* RECORD [--first] [ID...]: the numbers of its entries; of those that prove one
 * of these; or of the first of each family. */
static int list_proofs(void *memory, char **argument, int count)
{
    const struct proofs *proofs = proofs_of(memory, argument[0]);
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

/* What it plants in that file; NULL after saying why there is nothing. */
static char *find_defect(void *memory, const struct proof *proof,
    const char *record, const char *file, struct mutant *mutant)
{
    char *text = walk_read_file(memory, file);
    const char *problem;

    if (text == NULL) {
        fprintf(stderr, "%s:%u: %s is not there\n", record, proof->line, file);
        return NULL;
    }
    if (!proof_locate(memory, proof, file, record, text, mutant, &problem)) {
        fprintf(stderr, "%s\n", problem);
        return NULL;
    }
    return text;
}

/* RECORD NTH INTO: prints what is to fail, and the names of the files. */
static int plant_proof(void *memory, char **argument, int count)
{
    const struct proofs *proofs = proofs_of(memory, argument[0]);
    size_t nth = strtoull(argument[1], NULL, 10);
    const struct proof *proof;

    (void)count;
    if (proofs == NULL) {
        return WRONG_CALL;
    }
    if (nth >= proofs->count) {
        return NO_MORE;
    }
    proof = &proofs->item[nth];
    printf("%s", proof->by);
    for (size_t i = 0; proof_file(proof, i) != NULL; i++) {
        const char *file = proof_file(proof, i);
        struct mutant mutant;
        const char *text =
            find_defect(memory, proof, argument[0], file, &mutant);

        if (text == NULL) {
            return WRONG_CALL;
        }
        if (!planted_write(argument[2], nth, file, text, &mutant,
                about_proof(proof, argument[0]))) {
            return fail(argument[2]);
        }
        printf(" %s", file);
    }
    putchar('\n');
    return DONE;
}

static bool is_stale(
    void *memory, const struct proof *proof, const char *record)
{
    char *source = proof_source(memory, proof);
    char *cites = walk_read_file(memory, source);
    const char *problem;
    bool right = true;

    if (cites == NULL) {
        fprintf(
            stderr, "%s:%u: %s is not there\n", record, proof->line, source);
        return true;
    }
    for (size_t i = 0; proof_file(proof, i) != NULL; i++) {
        struct mutant mutant;

        right &= find_defect(memory, proof, record, proof_file(proof, i),
                     &mutant) != NULL;
    }
    if (!proof_is_cited(memory, proof, record, cites, &problem)) {
        fprintf(stderr, "%s\n", problem);
        right = false;
    }
    return !right;
}

/* RECORD: says of each entry whether what it names is there. */
static int find_stale(void *memory, char **argument, int count)
{
    const struct proofs *proofs = proofs_of(memory, argument[0]);
    size_t stale = 0;

    (void)count;
    for (size_t i = 0; proofs != NULL && i < proofs->count; i++) {
        stale += is_stale(memory, &proofs->item[i], argument[0]);
    }
    return proofs == NULL ? WRONG_CALL : stale > 0 ? FAILED : DONE;
}

static int plant_entry(void *memory, const struct slice_entry *entry,
    const char *name, size_t nth, const char *into)
{
    char *text = walk_read_file(memory, entry->file);
    struct mutant mutant = {
        .kind = MUTANT_STATEMENT, .after = entry->after, .column = 1};
    const char *problem;

    if (text == NULL) {
        return fail(entry->file);
    }
    if (!paragraph_locate(memory, entry->before, entry->file, text, name,
            entry->line, &mutant.at, &problem)) {
        fprintf(stderr, "%s\n", problem);
        return WRONG_CALL;
    }
    mutant.length = strlen(entry->before);
    mutant.line = mutant_line(text, mutant.at);
    if (!planted_write(into, nth, entry->file, text, &mutant,
            json_pack("{ss ss}", "kind", "slice", "test", entry->test))) {
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

/* SEED REPORT WHO UNDER...: what the account begins with, WHO being `suite` or
 * `all`, and UNDER the places that the walk keeps to. */
static int base(void *memory, char **argument, int count)
{
    json_t *noticed = report_read(argument[1]);
    json_t *under = json_array();
    json_t *head = json_pack("{sI sb so sO}", "seed",
        (json_int_t)strtoull(argument[0], NULL, 10), "module_tests",
        strcmp(argument[2], "all") == 0, "under", under, "cited",
        json_object_get(noticed, "cited"));

    (void)memory;
    for (int i = 3; i < count; i++) {
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

/* DIRECTORY END [MODULE_TESTS]: a line of the record. */
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

static size_t equivalents_of(const struct walk *walk)
{
    size_t count = 0;

    for (size_t i = 0; i < walk->site_count; i++) {
        count +=
            walk->file[walk->site[i].file].equivalent[walk->site[i].mutant];
    }
    return count;
}

/* The bars are those of the project; false where one is missed. */
static bool add_bars(void *memory, json_t *summary, const json_t *lines)
{
    static const char path[] = "tests/mutation/bars.txt";
    char *text = walk_read_file(memory, path);
    const char *problem;
    json_t *bars;

    if (text == NULL) {
        fail(path);
        return false;
    }
    bars = bars_measure(memory, path, text, lines, &problem);
    if (bars == NULL) {
        fprintf(stderr, "%s\n", problem);
        return false;
    }
    json_object_set_new(summary, "bars", bars);
    return bars_print(bars, stdout);
}

/* SEED HEAD RECORD OUTPUT FILE...: HEAD is what `base` has printed. */
static int summarise(void *memory, char **argument, int count)
{
    struct walk *walk =
        ordered_walk(memory, argument[0], argument + 4, count - 4);
    json_t *head = json_load_file(argument[1], 0, NULL);
    json_t *record, *lines, *summary;
    bool held;

    if (walk == NULL || head == NULL) {
        return walk == NULL ? WRONG_CALL : fail(argument[1]);
    }
    json_object_set_new(
        head, "equivalent", json_integer((json_int_t)equivalents_of(walk)));
    record = record_read(argument[2]);
    lines = record_lines(record, walk);
    summary = summary_make(head, lines);
    summary_print(summary, stdout);
    held = add_bars(memory, summary, lines);
    if (json_dump_file(summary, argument[3], JSON_INDENT(2)) != 0) {
        return fail(argument[3]);
    }
    json_decref(summary);
    json_decref(lines);
    json_decref(record);
    json_decref(head);
    return held ? DONE : FAILED;
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

/* STATE: of the slice. */
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

/* DIRECTORY END: of an entry of the record; says why it proves nothing. */
static int prove(void *memory, char **argument, int count)
{
    json_t *mutant = judged(memory, argument[0], argument[1]);
    bool proven = mutant != NULL && judge_proof(mutant, stdout);

    (void)count;
    json_decref(mutant);
    return proven ? DONE : FAILED;
}

/* NAMES NOTED FILE: NAMES is what nm(1) has printed, NOTED what the program has
 * noted; prints the functions that the scenarios of FILE have reached. */
static int print_reached(void *memory, char **argument, int count)
{
    const char *listing = walk_read_file(memory, argument[0]);
    FILE *file = fopen(argument[1], "r");
    uint8_t *noted = talloc_zero_array(memory, uint8_t, REACHED_BYTES);
    const struct reached_names *names;

    (void)count;
    if (listing == NULL || file == NULL) {
        return fail(argument[listing == NULL ? 0 : 1]);
    }
    names = reached_names_read(memory, listing);
    if (names == NULL || fread(noted, 1, REACHED_BYTES, file) == 0) {
        fclose(file);
        fprintf(stderr, "mutate: %s: nothing is noted\n", argument[1]);
        return WRONG_CALL;
    }
    fclose(file);
    reached_print(names, noted, REACHED_BYTES, argument[2], stdout);
    return DONE;
}

/* LISTING */
static int print_commands(void *memory, char **argument, int count)
{
    json_t *listing = json_load_file(argument[0], 0, NULL);

    (void)memory, (void)count;
    if (listing == NULL) {
        return fail(argument[0]);
    }
    program_tests_print(listing, stdout);
    json_decref(listing);
    return DONE;
}

static const struct command {
    const char *name, *help;
    int least, most; /* arguments */
    int (*run)(void *memory, char **argument, int count);
} commands[] = {
    {"list", "FILE...", 1, INT32_MAX, list},
    {"plant", "SEED RECORD TREE new|survivors COUNT INTO FILE...", 7, INT32_MAX,
        plant},
    {"proofs", "RECORD [--first] [ID...]", 1, INT32_MAX, list_proofs},
    {"stale", "RECORD", 1, 1, find_stale},
    {"equivalents", "", 0, 0, check_equivalents},
    {"proof", "RECORD NTH INTO", 3, 3, plant_proof},
    {"prove", "DIRECTORY END", 2, 2, prove},
    {"slice", "SLICE NTH INTO", 3, 3, plant_slice},
    {"base", "SEED REPORT suite|all [UNDER...]", 3, INT32_MAX, base},
    {"judge", "DIRECTORY END [MODULE_TESTS]", 2, 3, judge_mutant},
    {"summary", "SEED HEAD RECORD OUTPUT FILE...", 5, INT32_MAX, summarise},
    {"verify", "STATE", 1, 1, verify},
    {"reached", "NAMES NOTED FILE", 3, 3, print_reached},
    {"commands", "LISTING", 1, 1, print_commands},
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
