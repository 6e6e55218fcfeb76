/* report_set.c - the reports of one run: each KIND=FILE taken apart and told of
 * all results; no two in one file. */
#include "scenarios/runner/report/report_set.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/run/verdict.h"

struct report_entry {
    const char *path;
    struct reporter *reporter;
};

struct report_set {
    struct report_entry *item;
    size_t count;
};

static bool is_taken(const struct report_set *set, const char *path)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->item[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns whether it could be opened. */
static bool add(struct report_set *set, void *context, const char *word,
    const char **problem)
{
    struct report_entry *entry = &set->item[set->count];
    const char *equals = strchr(word, '=');
    const char *kind;

    if (equals == NULL || equals[1] == '\0') {
        *problem = talloc_asprintf(context,
            "--report wants KIND=FILE, as in junit=report.xml, not '%s'", word);
        return false;
    }
    entry->path = equals + 1;
    if (is_taken(set, entry->path)) {
        *problem = talloc_asprintf(context, "two reports in '%s'", entry->path);
        return false;
    }
    kind = talloc_strndup(set, word, (size_t)(equals - word));
    entry->reporter = reporter_open(set, kind, entry->path, problem);
    if (entry->reporter == NULL) {
        talloc_reparent(talloc_parent(*problem), context, *problem);
        return false;
    }
    set->count++;
    return true;
}

struct report_set *report_set_open(void *context, const char *const words[],
    size_t count, const char **problem)
{
    struct report_set *set = talloc_zero(context, struct report_set);

    assert(set != NULL);
    set->item =
        talloc_zero_array(set, struct report_entry, (unsigned)count + 1);
    assert(set->item != NULL);
    for (size_t i = 0; i < count; i++) {
        if (!add(set, context, words[i], problem)) {
            talloc_free(set);
            return NULL;
        }
    }
    return set;
}

bool report_set_takes_output(const struct report_set *set)
{
    return is_taken(set, "-");
}

void report_set_begin(struct report_set *set, const struct report_run *run)
{
    for (size_t i = 0; i < set->count; i++) {
        reporter_begin(set->item[i].reporter, run);
    }
}

void report_set_result(struct report_set *set, const struct instance *instance,
    const struct verdict *verdict)
{
    for (size_t i = 0; i < set->count; i++) {
        reporter_result(set->item[i].reporter, instance, verdict);
    }
}

const char *report_set_end(
    struct report_set *set, const struct report_totals *totals)
{
    const char *failed = NULL;
    int error = 0;

    for (size_t i = 0; i < set->count; i++) {
        if (!reporter_end(set->item[i].reporter, totals) && failed == NULL) {
            failed = set->item[i].path;
            error = errno;
        }
    }
    errno = error;
    return failed;
}
