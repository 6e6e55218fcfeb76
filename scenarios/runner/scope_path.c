/* scope_path.c - variables and their parts, as expressions name them. */
#define _GNU_SOURCE
#include "scenarios/runner/scope_path.h"

#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/constants.h"

/* A step that may not run has set it, and this one runs all the same. */
/* Whether the text has `or` outside of parentheses. */
static bool has_or(const char *text)
{
    int depth = 0;

    for (; *text != '\0'; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0 && strncmp(text, " or ", 4) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether one condition is another with more behind it: $((a) and (b)) holds
 * only where $(a) does. */
static bool is_narrower(const char *when, const char *other)
{
    const char *inside = other[1] == '(' ? other + 2 : other + 1;
    size_t length = strlen(inside) - (other[1] == '(' ? 1 : 0);
    const char *text = when + 2;

    if (when[1] != '(' || has_or(text)) {
        return false;
    }
    if (strncmp(text, inside, length) == 0 &&
        strncmp(text + length, " and ", 5) == 0) {
        char *own = strndup(inside, length);
        bool narrower = !has_or(own);

        free(own);
        return narrower;
    }
    return text[0] == '(' && strncmp(text + 1, inside, length) == 0 &&
           strncmp(text + 1 + length, ") and ", 6) == 0;
}

bool scope_check_when(struct scope *scope, const struct node *node,
    const struct variable *variable)
{
    if (!scope_checks(scope) || variable->when == NULL || scope->in_callback ||
        (scope->when != NULL &&
            (strcmp(scope->when->text, variable->when->text) == 0 ||
                is_narrower(scope->when->text, variable->when->text)))) {
        return true;
    }
    scope_error(scope, DIAGNOSTIC_UNKNOWN_VARIABLE, node,
        "'%s' may be unset here", variable->name);
    diagnostics_hint(scope->schema.diagnostics,
        "the step that sets it has when: %s; write the same here",
        variable->when->text);
    return false;
}

/* $i inside of repeat, and callbacks: what no step sets. */
bool scope_constant(
    struct scope *scope, const char *name, enum nt_type *from, uint64_t *value)
{
    struct callback_name *callback = scope_callback(scope, name);

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

const char *scope_hint_unknown(const struct scope *scope, void *context,
    const char *name, const char *sigil)
{
    struct suggestion suggestion = suggest_for(name);

    for (size_t i = 0; i < scope->variables->count; i++) {
        suggest_offer(&suggestion, scope->variables->item[i].name);
    }
    for (size_t i = 0; i < scope->callbacks->count; i++) {
        suggest_offer(&suggestion, scope->callbacks->item[i].name);
    }
    for (size_t i = 0; scope->statics != NULL && i < scope->statics->count;
         i++) {
        suggest_offer(&suggestion, scope->statics->item[i].name->name);
    }
    if (suggestion.nearest != NULL && suggestion.distance == 0) {
        return "it belongs to another branch of parallel, to a fragment or to "
               "a callback";
    }
    return suggestion.nearest != NULL
               ? talloc_asprintf(
                     context, "did you mean '%s%s'?", sigil, suggestion.nearest)
               : talloc_asprintf(context,
                     "an earlier step sets it: save: {%s: out.Name}", name);
}

/* A value of a type, as expressions compute with it. */
static bool value_of_type(struct scope_path *lookup, enum nt_type type,
    bool array, struct expression_value *value,
    struct expression_problem *problem)
{
    enum nt_kind kind = nt_type_row(type)->kind;

    value->domain = constant_domain(type);
    value->ordered = kind == NT_KIND_IRQL;
    value->named = false;
    value->kind = array                     ? EXPRESSION_LIST
                  : kind == NT_KIND_BOOLEAN ? EXPRESSION_BOOL
                                            : EXPRESSION_NUMBER;
    if (!array && kind == NT_KIND_STRUCT) {
        problem->unset = false;
        problem->message = talloc_asprintf(
            lookup->texts, "it is a structure, %s", nt_type_row(type)->name);
        problem->hint = "write name.Member";
        return false;
    }
    if (kind == NT_KIND_SIGNED && value->known && !array) {
        unsigned above = 64 - 8u * nt_type_row(type)->size;

        value->number = (int64_t)((uint64_t)value->number << above) >> above;
    }
    return true;
}

/* A part of a structure or list: Member, or an index. Moves on in all that is
 * given. */
static bool take_part(struct scope_path *lookup, const char *part,
    enum nt_type *type, bool *array, const uint8_t **at, size_t *count,
    struct expression_problem *problem)
{
    const struct nt_member *member = NULL;
    uint64_t index = 0;
    bool number = schema_parse_number(part, &index);

    if (*array && number) {
        *array = false;
        if (*at != NULL && index >= *count) {
            problem->message = talloc_asprintf(lookup->texts,
                "the list has only %zu element%s", *count,
                *count == 1 ? "" : "s");
            problem->unset = true;
            *at = NULL;
        }
        *at = *at == NULL ? NULL : *at + index * nt_type_row(*type)->size;
        return true;
    }
    if (!*array && nt_type_row(*type)->kind == NT_KIND_STRUCT) {
        member = nt_type_member(*type, part);
    }
    if (member == NULL || member->line != NT_LINE_MEMBER) {
        problem->message =
            talloc_asprintf(lookup->texts, "%s%s has no part '%s'",
                *array ? "a list of " : "", nt_type_row(*type)->name, part);
        return false;
    }
    *at = *at == NULL ? NULL : *at + member->offset;
    *count = member->length;
    *type = member->type;
    *array = member->length > 1;
    return true;
}

/* What a variable, or a part of it, is. `rest` is what follows its name. */
static bool variable_value(struct scope_path *lookup, struct variable *variable,
    char *rest, struct expression_value *value,
    struct expression_problem *problem)
{
    struct scope *scope = lookup->scope;
    const struct binding none = {0};
    const struct binding *binding =
        scope_checks(scope)
            ? &none
            : scope_binding(scope, (size_t)(variable - scope->variables->item));
    enum nt_type type = variable->type;
    bool array = variable->array;
    const uint8_t *at = binding->bytes;
    size_t count = binding->count;
    char *part;

    variable->used = true;
    if (!scope_checks(scope) && !binding->set) {
        scope->unset = true;
        problem->unset = true;
        problem->message = talloc_asprintf(lookup->texts,
            "$%s is read before a step has set it", variable->name);
    }
    while ((part = strsep(&rest, ".")) != NULL) {
        if (!take_part(lookup, part, &type, &array, &at, &count, problem)) {
            problem->unset = false;
            return false;
        }
    }
    *value =
        (struct expression_value){.known = binding->set && !problem->unset};
    if (value->known) {
        value->number = array        ? (expression_number)count
                        : at == NULL ? binding->value
                                     : nt_load(at, nt_type_row(type)->size);
    }
    return value_of_type(lookup, type, array, value, problem) &&
           !problem->unset;
}

/* actor.name: what another actor's branch has set last. */
static struct variable *find_of_actor(
    const struct scope *scope, const char *actor, const char *name)
{
    struct variable *found = NULL;

    for (size_t i = 0; i < scope->variables->count; i++) {
        struct variable *variable = &scope->variables->item[i];

        if (variable->actor != NULL && strcmp(variable->actor, actor) == 0 &&
            variable->frame == scope->frame &&
            strcmp(variable->name, name) == 0) {
            found = variable;
        }
    }
    return found;
}

static bool find_value(struct scope_path *lookup, const char *path,
    struct expression_value *value, struct expression_problem *problem)
{
    struct scope *scope = lookup->scope;
    void *texts = lookup->texts;
    char *rest = talloc_strdup(texts, path);
    const char *name = strsep(&rest, ".");
    struct variable *variable = scope_variable(scope, name);
    enum nt_type type;
    uint64_t number;

    if (variable == NULL && rest != NULL) {
        char *own = talloc_strdup(texts, rest);
        char *of = strsep(&own, ".");

        variable = find_of_actor(scope, name, of);
        rest = variable != NULL ? own : rest;
    }
    if (variable != NULL) {
        if (!scope_check_when(scope, lookup->node, variable)) {
            problem->message = "it may be unset"; /* reported already */
            return false;
        }
        return variable_value(lookup, variable, rest, value, problem);
    }
    if (scope->statics != NULL
            ? statics_value(texts, scope->statics, path, value, problem)
            : constant_value(path, scope->arch, value)) {
        return true;
    }
    if (problem->message != NULL) {
        return false;
    }
    if (rest == NULL && scope_constant(scope, name, &type, &number)) {
        *value = (struct expression_value){
            .known = !scope_checks(scope), .number = number};
        return value_of_type(lookup, type, false, value, problem);
    }
    if (name[0] >= 'A' && name[0] <= 'Z') {
        problem->message = talloc_asprintf(texts, "no constant '%s'", name);
        problem->hint = constant_hint(texts, name);
        return false;
    }
    problem->message = talloc_asprintf(
        texts, "no variable '%s' is set before this place", name);
    problem->hint = scope_hint_unknown(scope, texts, name, "");
    return false;
}

/* For the report of a condition that is false. */
static void note_value(
    struct scope *scope, const char *path, const struct expression_value *value)
{
    const char *level =
        value->domain != NULL &&
                strcmp(value->domain, constant_domain(NT_KIRQL)) == 0
            ? irql_level_name(scope->arch, (uint8_t)value->number)
            : NULL;
    char *one = talloc_asprintf(scope->shown, "%s = %s", path,
        level != NULL ? level : constant_show(scope->shown, value));

    if (strstr(scope->shown, one) == NULL) {
        scope->shown = talloc_asprintf_append_buffer(
            scope->shown, "%s%s", scope->shown[0] == '\0' ? "" : ", ", one);
    }
}

bool scope_path(void *context, const char *path, struct expression_value *value,
    struct expression_problem *problem)
{
    struct scope_path *lookup = context;
    struct expression_value constant;

    if (!find_value(lookup, path, value, problem)) {
        return false;
    }
    if (lookup->scope->shown != NULL && value->known &&
        !constant_value(path, lookup->scope->arch, &constant)) {
        note_value(lookup->scope, path, value);
    }
    return true;
}
