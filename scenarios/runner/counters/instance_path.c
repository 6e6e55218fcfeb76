/* instance_path.c - names of instances with parents, as consumers take them
 * apart. */
#include "scenarios/runner/counters/instance_path.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <talloc.h>

#include "api/pcw/text.h"
#include "scenarios/runner/text/wide_text.h"

/* The slash between parent and instance; NULL: there is none. */
static const char *slash_of(const char *name)
{
    const char *slash = strchr(name, '/');

    return slash == name || slash == NULL || slash[1] == '\0' ? NULL : slash;
}

char *instance_path_parent(void *context, const char *name)
{
    const char *slash = slash_of(name);
    char *parent = NULL;

    if (slash != NULL) {
        parent = talloc_strndup(context, name, (size_t)(slash - name));
        assert(parent != NULL);
    }
    return parent;
}

static bool meets(void *context, const char *name, const char *mask)
{
    return pcw_text_matches(wide_text(context, name), wide_text(context, mask));
}

bool instance_path_meets(const char *name, const char *mask)
{
    void *context = talloc_new(NULL);
    const char *slash = slash_of(mask);
    bool met;

    assert(context != NULL);
    if (slash == NULL) {
        met = meets(context, name, mask);
    } else {
        const char *parent = instance_path_parent(context, name);

        met = parent != NULL &&
              meets(context, parent, instance_path_parent(context, mask)) &&
              meets(context, name + strlen(parent) + 1, slash + 1);
    }
    talloc_free(context);
    return met;
}
