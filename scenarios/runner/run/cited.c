/* cited.c - a short list, looked through from its beginning. */
#include "scenarios/runner/run/cited.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/scenario_limits.h"

/* The entry of this requirement, a new one where there is none. */
static struct cited *cited_entry(struct verdict *verdict, const char *id)
{
    struct cited *entry;

    for (size_t i = 0; i < verdict->cited_count; i++) {
        if (strcmp(verdict->cited[i].requirement, id) == 0) {
            return &verdict->cited[i];
        }
    }
    verdict->cited = talloc_realloc(verdict, verdict->cited, struct cited,
        (unsigned)verdict->cited_count + 1);
    assert(verdict->cited != NULL);
    entry = &verdict->cited[verdict->cited_count++];
    *entry = (struct cited){.requirement = id, .hollow = true};
    return entry;
}

void cited_note(struct verdict *verdict, const char *const covers[],
    enum cited_outcome outcome)
{
    for (size_t i = 0; i < CHECK_COVERS && covers[i] != NULL; i++) {
        struct cited *entry = cited_entry(verdict, covers[i]);

        entry->failed |= outcome == CITED_FAILED;
        entry->hollow &= outcome == CITED_HOLLOW;
    }
}
