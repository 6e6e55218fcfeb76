/* part_set.c - the files of all parts of a run: that they belong together, and
 * which of them has the result of an instance. */
#include "scenarios/runner/parts/part_set.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/parts/part_join.h"
#include "scenarios/runner/parts/part_reader.h"
#include "scenarios/runner/parts/program_build.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/text/visible_text.h"
#include "scenarios/runner/yaml/source.h"

struct part_set {
    struct part **part; /* by number, from 0 */
    size_t count;
    const struct part_head *head;
};

uint8_t *part_set_bytes(
    void *context, const char *path, size_t *length, const char **problem)
{
    FILE *file = source_open(path, problem);
    uint8_t *bytes = NULL;
    size_t got = 1;

    if (file == NULL) {
        return NULL;
    }
    for (*length = 0; got > 0; *length += got) {
        if (*length == talloc_array_length(bytes)) {
            bytes = talloc_realloc(
                context, bytes, uint8_t, 2 * (unsigned)*length + (1u << 16));
            assert(bytes != NULL);
        }
        got = fread(
            bytes + *length, 1, talloc_array_length(bytes) - *length, file);
    }
    if (ferror(file)) {
        *problem = strerror(errno);
        TALLOC_FREE(bytes);
    }
    fclose(file);
    return bytes;
}

bool part_set_same_words(const struct part_head *a, const struct part_head *b)
{
    bool same = a->words == b->words;

    for (size_t i = 0; i < a->words && same; i++) {
        same = strcmp(a->word[i], b->word[i]) == 0;
    }
    return same;
}

/* Why the file is no part of what the set is of; NULL: it is. */
static const char *why_not(
    const struct part_set *set, const struct part_head *head)
{
    const struct part_head *first = set->head;

    if (head->program != program_build()) {
        return "it is of another version of ntpmu; merge with the program that "
               "wrote it";
    }
    if (first == NULL) {
        return NULL;
    }
    if (!part_set_same_words(head, first)) {
        return "it is of another command than the first file";
    }
    if (head->suite != first->suite) {
        return "it is of other scenarios than the first file";
    }
    if (head->drivers != first->drivers) {
        return "it is of other drivers than the first file";
    }
    if (head->parts != first->parts) {
        return "it is of another number of parts than the first file";
    }
    if (set->part[head->part - 1] != NULL) {
        return "it is a part that another file is already";
    }
    return NULL;
}

static bool add(struct part_set *set, const char *path, FILE *errors)
{
    const char *problem = NULL;
    size_t length = 0;
    uint8_t *bytes = part_set_bytes(set, path, &length, &problem);
    struct part *part = bytes == NULL ? NULL
                                      : part_read(set, path, &part_of_results,
                                            bytes, length, &problem);

    if (part != NULL && set->head == NULL &&
        part->head.program == program_build()) {
        set->count = part->head.parts;
        set->part = talloc_zero_array(set, struct part *, (unsigned)set->count);
        assert(set->part != NULL);
    }
    if (part != NULL) {
        problem = why_not(set, &part->head);
    }
    if (problem != NULL) {
        fprintf(errors, "ntpmu: cannot merge '%s': %s\n", visible_name(path),
            problem);
        return false;
    }
    set->part[part->head.part - 1] = part;
    if (set->head == NULL) {
        set->head = &part->head;
    }
    return true;
}

enum { NAMED = 20 /* parts that are missing */ };

static bool is_whole(const struct part_set *set, FILE *errors)
{
    size_t missing = 0;

    for (size_t i = 0; i < set->count; i++) {
        if (set->part[i] != NULL) {
            continue;
        }
        if (missing < NAMED) {
            fprintf(errors, "%s %zu",
                missing == 0 ? "ntpmu: cannot merge, parts are missing:" : ",",
                i + 1);
        }
        missing++;
    }
    if (missing > 0) {
        fprintf(errors, "%s of %zu\n       run them with --shard I/%zu\n",
            missing > NAMED ? ", ..." : "", set->count, set->count);
    }
    return missing == 0;
}

struct part_set *part_set_read(
    void *context, const char *const path[], size_t count, FILE *errors)
{
    struct part_set *set = talloc_zero(context, struct part_set);
    bool right = true;

    assert(set != NULL);
    for (size_t i = 0; i < count && right; i++) {
        right = add(set, path[i], errors);
    }
    if (!right || !is_whole(set, errors)) {
        TALLOC_FREE(set);
    }
    return set;
}

const struct part_head *part_set_head(const struct part_set *set)
{
    return set->head;
}

static struct verdict *refuse(
    const struct instance *instance, const char *problem, FILE *errors)
{
    fprintf(errors, "ntpmu: cannot merge the results of %s: %s\n",
        visible_name(instance->id), problem);
    return NULL;
}

struct verdict *part_set_verdict(void *context, const struct part_set *set,
    const struct instance *instance, const struct requirements *requirements,
    FILE *errors)
{
    struct verdict **verdict =
        talloc_array(context, struct verdict *, (unsigned)set->count);
    struct verdict *joined;
    size_t count = 0;

    assert(verdict != NULL);
    for (size_t i = 0; i < set->count; i++) {
        const char *problem;

        if (!part_has(set->part[i], instance)) {
            continue;
        }
        verdict[count] = part_verdict(
            verdict, set->part[i], instance, requirements, &problem);
        if (verdict[count++] == NULL) {
            talloc_free(verdict);
            return refuse(instance, problem, errors);
        }
    }
    /* One has it, or all have a part of it. */
    if (count != set->count && count != 1) {
        talloc_free(verdict);
        return refuse(instance,
            count == 0 ? "no part has any" : "some parts have none", errors);
    }
    joined = part_join(verdict, instance, verdict, count);
    talloc_reparent(verdict, context, joined);
    talloc_free(verdict);
    return joined;
}
