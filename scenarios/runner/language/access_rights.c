/* access_rights.c - reads `access:` of a scenario's open step: GENERIC_READ and
 * other access rights by the names of the WDK, a list of them, or a number. */
#include "scenarios/runner/language/access_rights.h"

#include <string.h>

#include "scenarios/runner/language/names.h"
#include "scenarios/runner/yaml/yaml_tree.h"

static const struct {
    const char *name;
    uint32_t rights;
} rights_by_name[] = {
#define ACCESS_RIGHT(name, number) {#name, number},
#define OTHER_RIGHT(...) /* none of a file */
#include "api/nt/access_rights.def"
};

const char *name_of_access_right(size_t n, const void *context)
{
    (void)context;
    return n < sizeof(rights_by_name) / sizeof(rights_by_name[0])
               ? rights_by_name[n].name
               : NULL;
}

static bool is_number(const struct node *node)
{
    return node->kind == NODE_SCALAR && !node->quoted &&
           (node->text[0] == '-' ||
               (node->text[0] >= '0' && node->text[0] <= '9'));
}

/* A number, or a name. */
static bool read_one(
    const struct schema *schema, const struct node *node, uint32_t *rights)
{
    uint64_t number;
    size_t n;

    if (is_number(node)) {
        if (!schema_number(schema, node, 0, UINT32_MAX, &number)) {
            return false;
        }
        *rights = (uint32_t)number;
        return true;
    }
    if (node->kind == NODE_SCALAR && strchr(node->text, '|') != NULL) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected one access right, or a list of them");
        diagnostics_hint(schema->diagnostics,
            "write several as [GENERIC_READ, GENERIC_WRITE]");
        return false;
    }
    if (!schema_name(
            schema, node, "access right", name_of_access_right, NULL, &n)) {
        return false;
    }
    *rights = rights_by_name[n].rights;
    return true;
}

bool access_rights_read(
    const struct schema *schema, const struct node *node, uint32_t *rights)
{
    uint32_t one;

    if (node->kind != NODE_SEQUENCE) {
        return read_one(schema, node, rights);
    }
    if (!schema_sequence(schema, node)) {
        return false;
    }
    *rights = 0;
    for (size_t i = 0; i < node->count; i++) {
        if (!read_one(schema, node->item[i], &one)) {
            return false;
        }
        if ((one & ~*rights) == 0) {
            schema_error(schema, DIAGNOSTIC_NO_EFFECT, node->item[i],
                "'%s' adds nothing here", node->item[i]->text);
            return false;
        }
        *rights |= one;
    }
    return true;
}
