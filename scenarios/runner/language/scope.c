/* scope.c - variables and callbacks by name. */
#include "scenarios/runner/language/scope.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/callback.h"

struct binding *scope_binding(const struct scope *scope, size_t variable)
{
    const struct own_bindings *own = scope->own;

    return own != NULL && variable - own->first < own->count
               ? &own->binding[variable - own->first]
               : &scope->binding[variable];
}

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

const char *scope_take_failure(struct scope *scope)
{
    const char *failure = scope->failure;

    scope->failure = NULL;
    scope->unset = false;
    return failure;
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

        if (variable->frame == scope->frame &&
            (variable->branch == 0 || variable->branch == scope->branch) &&
            strcmp(variable->name, name) == 0) {
            return variable;
        }
    }
    return NULL;
}

/* Words that mean something in values; the first ones in expressions. */
enum { TAKEN_IN_EXPRESSIONS = 8 };

static const char *const taken[] = {"i", "and", "or", "not", "true", "false",
    "os", "arch", "all", "any", "nobody", "null", "unchanged"};

/* A callback's parameters are variables that nobody defines. */
static bool is_parameter(const char *name)
{
    for (size_t i = 0; i < CALLBACK_TYPE_COUNT; i++) {
        for (size_t k = 0; k < CALLBACK_PARAMETERS; k++) {
            const char *parameter = callback_rows[i].parameter[k].name;

            if (parameter != NULL && strcmp(parameter, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

bool scope_check_name(
    const struct scope *scope, const struct node *name, const char *what)
{
    const char *letters = "abcdefghijklmnopqrstuvwxyz"
                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    bool right = strspn(name->text, letters) == strlen(name->text) &&
                 (name->text[0] > '9' || name->text[0] < '0') &&
                 !is_parameter(name->text);

    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
        right = right && strcmp(taken[i], name->text) != 0;
    }
    if (!right) {
        schema_error(&scope->schema, DIAGNOSTIC_UNKNOWN_NAME, name,
            "'%s' cannot be the name of %s", name->text, what);
        diagnostics_hint(scope->schema.diagnostics,
            "letters, digits and _, and not a word of the language");
    } else if (scope_callback(scope, name->text) != NULL ||
               (scope->statics != NULL &&
                   statics_find(scope->statics, name->text) != NULL)) {
        schema_error(&scope->schema, DIAGNOSTIC_CONFLICT, name,
            "'%s' has a meaning already", name->text);
        diagnostics_hint(
            scope->schema.diagnostics, "give %s another name", what);
        right = false;
    }
    return right;
}

bool scope_is_variable_name(const char *name)
{
    const char *rest = "abcdefghijklmnopqrstuvwxyz"
                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    bool right =
        name[0] >= 'a' && name[0] <= 'z' && strspn(name, rest) == strlen(name);

    for (size_t i = 0; right && i < TAKEN_IN_EXPRESSIONS; i++) {
        right = strcmp(taken[i], name) != 0;
    }
    return right;
}

struct callback_name *scope_callback(
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

    if (!scope_is_variable_name(name->text)) {
        schema_error(&scope->schema, DIAGNOSTIC_UNKNOWN_NAME, name,
            "'%s' is not a variable's name", name->text);
        diagnostics_hint(scope->schema.diagnostics,
            "a lower-case letter, then letters, digits and _; not a word of "
            "the language");
        return NULL;
    }
    if (scope_callback(scope, name->text) != NULL) {
        schema_error(&scope->schema, DIAGNOSTIC_CONFLICT, name,
            "$%s has a meaning already", name->text);
        return NULL;
    }
    if (scope->is_actor != NULL && scope->is_actor(scope->actors, name->text)) {
        schema_error(&scope->schema, DIAGNOSTIC_CONFLICT, name,
            "'%s' is an actor", name->text);
        return NULL;
    }
    if (scope->statics != NULL &&
        statics_find(scope->statics, name->text) != NULL) {
        schema_error(&scope->schema, DIAGNOSTIC_CONFLICT, name,
            "'%s' is a parameter, a column or an axis", name->text);
        return NULL;
    }
    for (size_t i = 0; i < variables->count; i++) {
        const struct variable *variable = &variables->item[i];

        if (strcmp(variable->name, name->text) == 0 &&
            variable->frame == scope->frame &&
            (variable->branch == 0 || variable->branch == scope->branch)) {
            schema_error(&scope->schema, DIAGNOSTIC_CONFLICT, name,
                "variable '%s' is set twice", name->text);
            diagnostics_add(scope->schema.diagnostics, DIAGNOSTIC_NOTE,
                variable->defined->source, variable->defined->mark,
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
        .pointee = NT_VOID,
        .defined = name,
        .branch = scope->branch,
        .frame = scope->frame,
        .actor = scope->actor,
        .when = scope->when,
    };
    return &variables->item[variables->count++];
}
