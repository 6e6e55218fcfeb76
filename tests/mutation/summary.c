/* summary.c - counts. */
#include "tests/mutation/summary.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text == NULL ? "" : text;
}

static json_int_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static void count_one(json_t *object, const char *key)
{
    json_object_set_new(object, key, json_integer(number_of(object, key) + 1));
}

static json_t *share(json_int_t caught, json_int_t survived)
{
    return caught + survived == 0
               ? json_null()
               : json_real((double)caught / (double)(caught + survived));
}

static json_t *file_of(json_t *files, const char *name)
{
    json_t *file = json_object_get(files, name);

    if (file == NULL) {
        file =
            json_pack("{ss si si}", "file", name, "caught", 0, "survived", 0);
        json_object_set_new(files, name, file);
    }
    return file;
}

/* The keys in the order of the alphabet. */
static int by_name(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static const char **sorted_keys(json_t *object)
{
    const char **list = calloc(json_object_size(object) + 1, sizeof(*list));
    size_t count = 0;
    const char *key;
    json_t *value;

    assert(list != NULL);
    json_object_foreach(object, key, value)
    {
        list[count++] = key;
    }
    if (count > 0) {
        qsort(list, count, sizeof(*list), by_name);
    }
    return list;
}

static json_t *sorted_files(json_t *files)
{
    const char **names = sorted_keys(files);
    json_t *list = json_array();

    for (size_t i = 0; names[i] != NULL; i++) {
        json_t *file = json_object_get(files, names[i]);

        json_object_set_new(file, "share",
            share(number_of(file, "caught"), number_of(file, "survived")));
        json_array_append(list, file);
    }
    free(names);
    return list;
}

/* Those of `cited`, a list, that are no keys of `caught`. */
static json_t *hollow(const json_t *cited, const json_t *caught)
{
    json_t *rest = json_object();
    json_t *list = json_array();
    const json_t *id;
    const char **names;
    size_t i;

    json_array_foreach(cited, i, id)
    {
        if (json_object_get(caught, json_string_value(id)) == NULL) {
            json_object_set_new(rest, json_string_value(id), json_true());
        }
    }
    names = sorted_keys(rest);
    for (i = 0; names[i] != NULL; i++) {
        json_array_append_new(list, json_string(names[i]));
    }
    free(names);
    json_decref(rest);
    return list;
}

struct counts {
    json_int_t tried, caught, survived;
    json_t *ends, *how, *files, *survivors, *requirements;
};

static void count_mutant(struct counts *counts, json_t *mutant)
{
    const char *end = text_of(mutant, "end");
    json_t *id;
    size_t i;

    counts->tried++;
    count_one(counts->ends, end);
    if (strcmp(end, "caught") == 0) {
        count_one(counts->how, text_of(mutant, "how"));
        count_one(file_of(counts->files, text_of(mutant, "file")), end);
    } else if (strcmp(end, "survived") == 0) {
        count_one(file_of(counts->files, text_of(mutant, "file")), end);
        json_array_append(counts->survivors, mutant);
    }
    json_array_foreach(json_object_get(mutant, "requirements"), i, id)
    {
        json_object_set_new(
            counts->requirements, json_string_value(id), json_true());
    }
}

json_t *summary_make(const json_t *head, const json_t *lines)
{
    struct counts counts = {.ends = json_object(),
        .how = json_object(),
        .files = json_object(),
        .survivors = json_array(),
        .requirements = json_object()};
    json_int_t caught, survived;
    json_t *summary, *under;

    for (size_t i = 0; i < json_array_size(lines); i++) {
        count_mutant(&counts, json_array_get(lines, i));
    }
    caught = number_of(counts.ends, "caught");
    survived = number_of(counts.ends, "survived");
    under = json_object_get(head, "under");
    summary = json_pack("{sI sI sI sI sI sI sI so so so so so sO?}", "seed",
        number_of(head, "seed"), "tried", counts.tried, "stillborn",
        number_of(counts.ends, "stillborn"), "same_code",
        number_of(counts.ends, "same_code"), "equivalent",
        number_of(head, "equivalent"), "caught", caught, "survived", survived,
        "share", share(caught, survived), "how", counts.how, "files",
        sorted_files(counts.files), "survivors", counts.survivors, "hollow",
        json_is_true(json_object_get(head, "module_tests"))
            ? json_null()
            : hollow(json_object_get(head, "cited"), counts.requirements),
        "under", under);
    assert(summary != NULL);
    json_decref(counts.ends);
    json_decref(counts.files);
    json_decref(counts.requirements);
    return summary;
}

static void print_files(const json_t *files, FILE *out)
{
    const json_t *file;
    size_t i;

    fprintf(out, "\ncaught of planted, by file\n");
    json_array_foreach(files, i, file)
    {
        json_int_t caught = number_of(file, "caught");

        fprintf(out, "  %4d of %4d  %3.0f %%  %s\n", (int)caught,
            (int)(caught + number_of(file, "survived")),
            100 * json_real_value(json_object_get(file, "share")),
            text_of(file, "file"));
    }
}

static void print_survivors(const json_t *survivors, FILE *out)
{
    const json_t *mutant;
    size_t i;

    fprintf(out, "\nsurvivors\n");
    json_array_foreach(survivors, i, mutant)
    {
        const char *by = text_of(mutant, "module_tests");

        fprintf(out, "  %s:%d:%d: %s: %s -> %s%s%s\n", text_of(mutant, "file"),
            (int)number_of(mutant, "line"), (int)number_of(mutant, "column"),
            text_of(mutant, "kind"), text_of(mutant, "before"),
            text_of(mutant, "after"),
            by[0] == '\0' ? "" : "; module tests: ", by);
    }
}

static void print_hollow(const json_t *ids, FILE *out)
{
    const json_t *id;
    size_t i;

    fprintf(out, "\nhollow, none of their expectations caught one:");
    json_array_foreach(ids, i, id)
    {
        fprintf(out, "%s%s", i % 6 == 0 ? "\n  " : " ", json_string_value(id));
    }
    putc('\n', out);
}

static void print_how(const json_t *summary, FILE *out)
{
    const json_t *value;
    const char *key, *before = "";

    fprintf(out, "%d caught (", (int)number_of(summary, "caught"));
    json_object_foreach((json_t *)json_object_get(summary, "how"), key, value)
    {
        fprintf(out, "%s%s %d", before, key, (int)json_integer_value(value));
        before = ", ";
    }
    fputs("), ", out);
}

void summary_print(const json_t *summary, FILE *out)
{
    const json_t *hollow_ids = json_object_get(summary, "hollow");
    const json_t *under = json_object_get(summary, "under");
    const json_t *place;
    size_t i;

    print_files(json_object_get(summary, "files"), out);
    print_survivors(json_object_get(summary, "survivors"), out);
    if (json_is_array(hollow_ids)) {
        print_hollow(hollow_ids, out);
    }
    fprintf(out, "\n%d mutants of seed %d", (int)number_of(summary, "tried"),
        (int)number_of(summary, "seed"));
    json_array_foreach(under, i, place)
    {
        fprintf(out, "%s %s", i == 0 ? " under" : "", json_string_value(place));
    }
    fputs(": ", out);
    print_how(summary, out);
    fprintf(out,
        "%d survived, %d of the same code, %d stillborn, %d equivalent; %.1f "
        "%%",
        (int)number_of(summary, "survived"),
        (int)number_of(summary, "same_code"),
        (int)number_of(summary, "stillborn"),
        (int)number_of(summary, "equivalent"),
        100 * json_real_value(json_object_get(summary, "share")));
    if (json_is_array(hollow_ids)) {
        fprintf(out, "; %zu hollow", json_array_size(hollow_ids));
    }
    putc('\n', out);
}
