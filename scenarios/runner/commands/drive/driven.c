/* driven.c - the images that were driven by one call, and what they came to. */
#include "scenarios/runner/commands/drive/driven.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/text/visible_text.h"

/* Images with the same result and failures. */
struct images {
    enum result result;
    const char *failures;
    char *names;
    struct images *next;
};

struct driven {
    size_t named, count, passed;
    struct images *first; /* that failed, in order of their first */
};

struct driven *driven_new(void *context, size_t named)
{
    struct driven *driven = talloc_zero(context, struct driven);

    assert(driven != NULL);
    driven->named = named;
    return driven;
}

void driven_add(struct driven *driven, const char *path, enum result result,
    const char *failures)
{
    struct images **at = &driven->first;

    driven->count++;
    if (result == RESULT_PASS) {
        driven->passed++;
        return;
    }
    while (*at != NULL && ((*at)->result != result ||
                              strcmp((*at)->failures, failures) != 0)) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        (*at)->names =
            talloc_asprintf_append((*at)->names, ", %s", visible_name(path));
        assert((*at)->names != NULL);
        return;
    }
    *at = talloc_zero(driven, struct images);
    assert(*at != NULL);
    (*at)->result = result;
    (*at)->failures = talloc_strdup(*at, failures);
    (*at)->names = talloc_strdup(*at, visible_name(path));
}

void driven_print(const struct driven *driven, FILE *out)
{
    if (driven->named < 2) {
        return;
    }
    fprintf(out, "%zu images: %zu passed, %zu failed", driven->named,
        driven->passed, driven->count - driven->passed);
    if (driven->count < driven->named) {
        fprintf(out, ", %zu not driven", driven->named - driven->count);
    }
    fputc('\n', out);
    driven_print_failed(driven, out);
}

void driven_print_failed(const struct driven *driven, FILE *out)
{
    for (const struct images *images = driven->first; images != NULL;
         images = images->next) {
        fprintf(out, "%s: %s\n%s", verdict_result_name(images->result),
            images->names, images->failures);
    }
}
