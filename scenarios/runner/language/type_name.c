/* type_name.c - NT types as a scenario names them, and values that they do not
 * have. */
#include "scenarios/runner/language/type_name.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/runner/language/value.h"

bool type_find(const char *name, enum nt_type *type)
{
    for (enum nt_type i = 0; i < NT_VOID; i++) {
        if (strcmp(nt_type_row(i)->name, name) == 0) {
            *type = i;
            return true;
        }
    }
    return false;
}

bool type_find_alias(const char *name, enum nt_type *type)
{
    static const struct {
        const char *name;
        enum nt_type type;
    } rows[] = {
#define TYPE_ALIAS(name, type) {name, NT_##type},
#include "scenarios/runner/language/type_aliases.def"
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].name, name) == 0) {
            *type = rows[i].type;
            return true;
        }
    }
    return false;
}

static bool find_pointer(const char *name, enum nt_type *type)
{
    return name[0] == 'P' && (type_find(name + 1, type) ||
                                 (name[1] == 'C' && type_find(name + 2, type)));
}

bool type_is_known(const char *name)
{
    enum nt_type type;

    return type_find(name, &type) || find_pointer(name, &type);
}

bool type_name(size_t n, char *name, size_t size)
{
    static const char *const before[] = {"", "P", "PC"};
    size_t type = n / 3;

    if (type >= NT_VOID) {
        return false;
    }
    snprintf(name, size, "%s%s", before[n % 3],
        nt_type_row((enum nt_type)type)->name);
    return true;
}

void type_check_value(
    struct scope *scope, const struct node *type, const struct node *value)
{
    enum nt_type found;
    uint64_t number;

    if (value->kind != NODE_SCALAR || node_is_word(value, "null") ||
        !read_type(&scope->schema, type, &found) ||
        nt_type_row(found)->kind == NT_KIND_STRUCT) {
        return; /* the place where it is used says more */
    }
    value_scalar(scope, value, found, &number);
}

bool read_type(
    const struct schema *schema, const struct node *node, enum nt_type *type)
{
    struct suggestion suggestion;

    if (node->kind == NODE_SCALAR && !node->quoted &&
        (type_find(node->text, type) || find_pointer(node->text, type))) {
        return true;
    }
    schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, node, "unknown type '%s'",
        node->kind == NODE_SCALAR ? node->text : "");
    suggestion = suggest_for(node->kind == NODE_SCALAR ? node->text : "");
    for (enum nt_type i = 0; i < NT_VOID; i++) {
        suggest_offer(&suggestion, nt_type_row(i)->name);
    }
    schema_suggest(schema, &suggestion);
    return false;
}
