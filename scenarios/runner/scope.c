/* scope.c - variables and callbacks by name. */
#include "scenarios/runner/scope.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include <talloc.h>

bool scope_checks(const struct scope *scope)
{
    return scope->binding == NULL;
}

void scope_error(struct scope *scope, enum diagnostic_code code,
    const struct node *node, const char *format, ...)
{
    va_list arguments;
    char *message;

    va_start(arguments, format);
    message = talloc_vasprintf(scope->schema.diagnostics, format, arguments);
    va_end(arguments);
    if (scope_checks(scope)) {
        schema_error(&scope->schema, code, node, "%s", message);
    } else if (scope->failure == NULL) {
        scope->failure = message;
    }
}

void scope_suggest(
    const struct scope *scope, const struct suggestion *suggestion)
{
    if (scope_checks(scope)) {
        schema_suggest(&scope->schema, suggestion);
    }
}

struct variable *scope_variable(const struct scope *scope, const char *name)
{
    for (size_t i = 0; i < scope->variables->count; i++) {
        struct variable *variable = &scope->variables->item[i];

        if (strcmp(variable->name, name) == 0 &&
            (variable->branch == 0 || variable->branch == scope->branch)) {
            return variable;
        }
    }
    return NULL;
}

bool scope_check_name(
    const struct scope *scope, const struct node *name, const char *what)
{
    /* What these words mean elsewhere in the language. */
    static const char *const taken[] = {"i", "all", "any", "nobody", "null",
        "true", "false", "unchanged", "OverflowBits", "OwningHandle"};
    const char *letters = "abcdefghijklmnopqrstuvwxyz"
                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    bool right = strspn(name->text, letters) == strlen(name->text) &&
                 (name->text[0] > '9' || name->text[0] < '0');

    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
        right = right && strcmp(taken[i], name->text) != 0;
    }
    if (!right) {
        schema_error(&scope->schema, DIAGNOSTIC_UNKNOWN_NAME, name,
            "'%s' cannot be the name of %s", name->text, what);
        diagnostics_hint(scope->schema.diagnostics,
            "letters, digits and _, and not a word of the language");
    }
    return right;
}

static bool is_variable_name(const char *name)
{
    const char *rest = "abcdefghijklmnopqrstuvwxyz"
                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

    return name[0] >= 'a' && name[0] <= 'z' &&
           strspn(name, rest) == strlen(name);
}

static struct callback_name *find_callback(
    const struct scope *scope, const char *name)
{
    for (size_t i = 0; i < scope->callbacks->count; i++) {
        if (strcmp(scope->callbacks->item[i].name, name) == 0) {
            return &scope->callbacks->item[i];
        }
    }
    return NULL;
}

struct variable *scope_define(
    struct scope *scope, const struct node *name, enum nt_type type)
{
    struct variables *variables = scope->variables;

    if (!is_variable_name(name->text)) {
        schema_error(&scope->schema, DIAGNOSTIC_UNKNOWN_NAME, name,
            "'%s' is not a variable's name", name->text);
        diagnostics_hint(scope->schema.diagnostics,
            "a lower-case letter, then letters, digits and _");
        return NULL;
    }
    if (strcmp(name->text, "i") == 0 ||
        find_callback(scope, name->text) != NULL) {
        schema_error(&scope->schema, DIAGNOSTIC_CONFLICT, name,
            "$%s has a meaning already", name->text);
        return NULL;
    }
    for (size_t i = 0; i < variables->count; i++) {
        const struct variable *variable = &variables->item[i];

        if (strcmp(variable->name, name->text) == 0 &&
            (variable->branch == 0 || variable->branch == scope->branch)) {
            schema_error(&scope->schema, DIAGNOSTIC_CONFLICT, name,
                "variable '%s' is set twice", name->text);
            diagnostics_add(scope->schema.diagnostics, DIAGNOSTIC_NOTE,
                scope->schema.source, variable->defined->mark,
                variable->defined->width, "first set here");
            return NULL;
        }
    }
    variables->item = talloc_realloc(variables, variables->item,
        struct variable, (unsigned)variables->count + 1);
    assert(variables->item != NULL);
    variables->item[variables->count] = (struct variable){
        .name = name->text,
        .type = type,
        .defined = name,
        .branch = scope->branch,
    };
    return &variables->item[variables->count++];
}

/* Whether a variable's value can stand in a field: the same type, a number in a
 * field that is wide enough for its type, or a pointer as an address. */
static bool type_fits(enum nt_type from, enum nt_type to)
{
    const struct nt_type_row *source = nt_type_row(from);
    const struct nt_type_row *target = nt_type_row(to);
    bool numbers =
        (source->kind == NT_KIND_UNSIGNED || source->kind == NT_KIND_HEX) &&
        (target->kind == NT_KIND_UNSIGNED || target->kind == NT_KIND_HEX);

    return from == to || (numbers && source->size <= target->size) ||
           (source->kind == NT_KIND_POINTER && to == NT_ULONG_PTR);
}

static void report_unknown(struct scope *scope, const struct node *node)
{
    struct suggestion suggestion = suggest_for(node->text + 1);

    for (size_t i = 0; i < scope->variables->count; i++) {
        suggest_offer(&suggestion, scope->variables->item[i].name);
    }
    for (size_t i = 0; i < scope->callbacks->count; i++) {
        suggest_offer(&suggestion, scope->callbacks->item[i].name);
    }
    scope_error(scope, DIAGNOSTIC_UNKNOWN_VARIABLE, node,
        "no variable '%s' is set before this place", node->text + 1);
    if (!scope_checks(scope)) {
        return;
    }
    if (suggestion.nearest != NULL && suggestion.distance == 0) {
        diagnostics_hint(scope->schema.diagnostics,
            "it belongs to another branch of parallel, or to a callback");
        return;
    }
    if (suggestion.nearest != NULL) {
        diagnostics_hint(scope->schema.diagnostics, "did you mean '$%s'?",
            suggestion.nearest);
    } else {
        diagnostics_hint(scope->schema.diagnostics,
            "an earlier step sets it: save: {%s: out.Name}", node->text + 1);
    }
}

/* $i inside of repeat, and callbacks: what no step sets. */
static bool lookup_constant(
    struct scope *scope, const char *name, enum nt_type *from, uint64_t *value)
{
    struct callback_name *callback = find_callback(scope, name);

    if (scope->in_repeat && strcmp(name, "i") == 0) {
        *from = NT_USHORT; /* fits any number field */
        *value = scope->repeat_index;
        return true;
    }
    if (callback == NULL) {
        return false;
    }
    callback->used = true;
    *from = callback->type;
    *value = callback->address;
    return true;
}

bool scope_lookup(struct scope *scope, const struct node *node,
    enum nt_type type, uint64_t *value)
{
    const char *name = node->text + 1;
    struct variable *variable = scope_variable(scope, name);
    enum nt_type from;

    assert(node->text[0] == '$');
    if (variable != NULL) {
        variable->used = true;
        from = variable->type;
        *value = 0;
    } else if (!lookup_constant(scope, name, &from, value)) {
        report_unknown(scope, node);
        return false;
    }
    if (!type_fits(from, type)) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "$%s is a %s, expected %s", name, nt_type_row(from)->name,
            nt_type_row(type)->name);
        return false;
    }
    if (variable != NULL && !scope_checks(scope)) {
        const struct binding *binding =
            &scope->binding[variable - scope->variables->item];

        if (!binding->set) {
            scope_error(scope, DIAGNOSTIC_UNKNOWN_VARIABLE, node,
                "$%s is read before a step has set it", name);
            return false;
        }
        *value = binding->value;
    }
    return true;
}
