/* routine_name.c - a kernel routine by its name; one that is known and not
 * modelled is refused with the reason (not_modelled.def). */
#include "scenarios/runner/language/routine_name.h"

#include <string.h>

#include "scenarios/runner/language/names.h"

static const struct {
    const char *name, *why;
} not_modelled[] = {
#define NOT_MODELLED(name, why) {name, why},
#include "scenarios/runner/language/not_modelled.def"
};

const char *routine_name_why_not(const char *name)
{
    for (size_t i = 0; i < sizeof(not_modelled) / sizeof(not_modelled[0]);
         i++) {
        if (strcmp(not_modelled[i].name, name) == 0) {
            return not_modelled[i].why;
        }
    }
    return NULL;
}

bool routine_name_read(
    const struct schema *schema, const struct node *node, size_t *routine)
{
    const char *why =
        node->kind == NODE_SCALAR ? routine_name_why_not(node->text) : NULL;

    if (why == NULL) {
        return schema_name(
            schema, node, "routine", name_of_routine, NULL, routine);
    }
    schema_error(schema, DIAGNOSTIC_NOT_MODELLED, node,
        "'%s' is not modelled: %s", node->text, why);
    diagnostics_hint(schema->diagnostics, "see docs/fidelity.md");
    return false;
}
