/* scope.c - what the names in a scenario's values mean at a place in it: its
 * variables and callbacks, $name and $( ). */
#include "scenarios/runner/language/scope.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/callback.h"
#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/language/form.h"
#include "scenarios/runner/language/resolve.h"
#include "scenarios/runner/language/scope_path.h"
#include "sim/base/bits.h"

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

/* Words that mean something in expressions, and in values. */
static const char *const taken_in_expressions[] = {
    "i", "and", "or", "not", "true", "false", "os", "arch"};

static const char *const taken_in_values[] = {
    "all",
    "nobody",
#define MATCHER_WORD(spelling, help) spelling,
#include "scenarios/runner/language/matchers.def"
};

static bool is_taken(const char *const words[], size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_taken_in_expressions(const char *name)
{
    return is_taken(taken_in_expressions,
        sizeof(taken_in_expressions) / sizeof(taken_in_expressions[0]), name);
}

static bool is_taken_in_values(const char *name)
{
    return is_taken(taken_in_values,
        sizeof(taken_in_values) / sizeof(taken_in_values[0]), name);
}

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
    bool right = strspn(name->text, LETTERS_NAME) == strlen(name->text) &&
                 (name->text[0] > '9' || name->text[0] < '0') &&
                 !is_parameter(name->text) &&
                 !is_taken_in_expressions(name->text) &&
                 !is_taken_in_values(name->text);

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
    return name[0] >= 'a' && name[0] <= 'z' &&
           strspn(name, LETTERS_NAME) == strlen(name) &&
           !is_taken_in_expressions(name);
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

static struct variable *append_variable(struct scope *scope, const char *text,
    const struct node *name, enum nt_type type)
{
    struct variables *variables = scope->variables;

    variables->item = talloc_realloc(variables, variables->item,
        struct variable, (unsigned)variables->count + 1);
    assert(variables->item != NULL);
    variables->item[variables->count] = (struct variable){
        .name = text,
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

/* Of $name, the name is what was meant, and is no news where it is read. */
static void report_name(struct scope *scope, const struct node *name)
{
    const char *meant = name->text + 1;

    schema_error(&scope->schema, DIAGNOSTIC_UNKNOWN_NAME, name,
        "'%s' is not a variable's name", name->text);
    if (name->text[0] != '$' || !scope_is_variable_name(meant)) {
        diagnostics_hint(scope->schema.diagnostics,
            "a lower-case letter, then letters, digits and _; not a word of "
            "the language");
        return;
    }
    diagnostics_hint(scope->schema.diagnostics,
        "write %s: the $ stands where it is read", meant);
    if (scope_variable(scope, meant) == NULL) {
        append_variable(scope, meant, name, NT_ULONG64)->lost = true;
    }
}

struct variable *scope_define(
    struct scope *scope, const struct node *name, enum nt_type type)
{
    struct variables *variables = scope->variables;

    if (!scope_is_variable_name(name->text)) {
        report_name(scope, name);
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
    return append_variable(scope, name->text, name, type);
}

/* Whether a variable's value can stand in a field: the same type, a number in a
 * field that is wide enough for its type, one as wide as a handle for a handle
 * that was read, or a pointer as an address. */
static bool type_fits(enum nt_type from, enum nt_type to)
{
    const struct nt_type_row *source = nt_type_row(from);
    const struct nt_type_row *target = nt_type_row(to);
    bool numbers =
        (source->kind == NT_KIND_UNSIGNED || source->kind == NT_KIND_HEX) &&
        (target->kind == NT_KIND_UNSIGNED || target->kind == NT_KIND_HEX ||
            (target->kind == NT_KIND_HANDLE && source->size == target->size));

    return from == to || (numbers && source->size <= target->size) ||
           (source->kind == NT_KIND_POINTER && to == NT_ULONG_PTR);
}

static void report_unknown(
    struct scope *scope, const struct node *node, const char *name)
{
    if (scope->names_broken) {
        scope->failure = scope_checks(scope) ? scope->failure : "unknown name";
        return;
    }
    scope_error(scope, DIAGNOSTIC_UNKNOWN_VARIABLE, node,
        "no variable '%s' is set before this place", name);
    if (scope_checks(scope)) {
        diagnostics_hint(scope->schema.diagnostics, "%s",
            scope_hint_unknown(scope, scope->schema.diagnostics, name, "$"));
    }
}

static bool lookup_name(struct scope *scope, const struct node *node,
    enum nt_type type, uint64_t *value)
{
    const char *name = node->text + 1;
    struct variable *variable = scope_variable(scope, name);
    enum nt_type from;

    if (variable != NULL) {
        variable->used = true;
        from = variable->type;
        *value = 0;
        if (variable->lost) {
            return false; /* reported already */
        }
    } else if (!scope_constant(scope, name, &from, value)) {
        report_unknown(scope, node, name);
        return false;
    }
    if (from == NT_VOID) {
        return false; /* a callback that was reported */
    }
    if (!type_fits(from, type) || (variable != NULL && variable->array)) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "$%s is a %s%s, expected %s", name,
            variable != NULL && variable->array ? "list of " : "",
            nt_type_row(from)->name, nt_type_row(type)->name);
        return false;
    }
    if (variable != NULL && !scope_check_when(scope, node, variable)) {
        return false;
    }
    if (variable != NULL && !scope_checks(scope)) {
        const struct binding *binding =
            scope_binding(scope, (size_t)(variable - scope->variables->item));

        if (!facts_flag(scope->facts, binding->set)) {
            scope->unset = true;
            scope_error(scope, DIAGNOSTIC_UNKNOWN_VARIABLE, node,
                "$%s is read before a step has set it", name);
            return false;
        }
        *value = facts_number(scope->facts, binding->value);
    }
    return true;
}

/* What is wrong with an expression, like scope_error(). */
static void report_expression(struct scope *scope, const struct node *node,
    const struct expression_problem *problem)
{
    if (scope_checks(scope)) {
        resolve_report(&scope->schema, node, problem);
    } else {
        scope_error(scope, DIAGNOSTIC_EXPRESSION, node, "%s: %s", node->text,
            problem->message);
    }
}

static bool compute(struct scope *scope, const struct node *node,
    struct expression_value *value)
{
    void *texts = talloc_new(scope->schema.diagnostics);
    size_t before = diagnostics_errors(scope->schema.diagnostics);
    struct scope_path lookup = {.scope = scope, .node = node, .texts = texts};
    const struct expression_names names = {
        .context = &lookup, .path = scope_path};
    struct expression_problem problem = {.offset = 0,
        .width = node->width,
        .message = "a $( ) that does not end with )",
        .hint = "all of the value is computed"};
    bool unset = scope->unset;
    /* $name is the expression of that name. */
    const char *text =
        node->text[1] == '(' ? expression_of_node(texts, node) : node->text + 1;
    bool right = text != NULL &&
                 expression_evaluate(texts, text, &names, value, &problem);

    if (right) {
        scope->unset = unset; /* what was skipped does not count */
        value->text = NULL;   /* only its kind matters from here on */
    } else if (diagnostics_errors(scope->schema.diagnostics) == before &&
               !(scope->names_broken && scope_checks(scope)) && !lookup.lost) {
        report_expression(scope, node, &problem);
    }
    assert(right || scope_checks(scope) || scope->failure != NULL);
    talloc_free(texts);
    return right;
}

static bool refuse(struct scope *scope, const struct node *node,
    const struct expression_value *value, enum nt_type type)
{
    if (value->kind == EXPRESSION_NUMBER && value->domain == NULL &&
        value->known) {
        scope_error(scope, DIAGNOSTIC_OUT_OF_RANGE, node,
            "%s is %s, which no %s is", node->text,
            expression_show_number(scope->schema.diagnostics, value->number),
            nt_type_row(type)->name);
    } else {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "%s is a %s, expected %s", node->text, expression_kind_name(value),
            nt_type_row(type)->name);
    }
    return false;
}

static bool number_fits(expression_number number, const struct nt_type_row *row)
{
    unsigned bits = 8u * row->size;
    bool is_signed = row->kind == NT_KIND_SIGNED;
    expression_number limit = (expression_number)1 << (bits - is_signed);

    return number >= (is_signed ? -limit : 0) && number < limit;
}

static bool compute_as(struct scope *scope, const struct node *node,
    enum nt_type type, uint64_t *value)
{
    const struct nt_type_row *row = nt_type_row(type);
    const char *domain = constant_domain(type);
    struct expression_value found;
    bool fits;

    if (!compute(scope, node, &found)) {
        return false;
    }
    if (row->kind == NT_KIND_BOOLEAN) {
        fits = found.kind == EXPRESSION_BOOL;
    } else {
        fits = found.kind == EXPRESSION_NUMBER && !found.named &&
               row->kind != NT_KIND_CALLBACK &&
               (found.domain == NULL || domain == NULL ||
                   strcmp(found.domain, domain) == 0) &&
               (!found.known || number_fits(found.number, row) ||
                   row->kind == NT_KIND_STATUS);
    }
    if (!fits) {
        return refuse(scope, node, &found, type);
    }
    *value =
        found.known ? (uint64_t)found.number & bits_low(8u * row->size) : 0;
    return true;
}

bool scope_lookup(struct scope *scope, const struct node *node,
    enum nt_type type, uint64_t *value)
{
    bool path = node->text[1] == '(' || strchr(node->text, '.') != NULL;

    assert(node_is_computed(node));
    return path ? compute_as(scope, node, type, value)
                : lookup_name(scope, node, type, value);
}

bool scope_condition(struct scope *scope, const struct node *node, bool *value)
{
    struct expression_value found;

    if (!node_is_computed(node)) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "expected $( ) that is true or false");
        if (node->quoted && strncmp(node->text, "$(", 2) == 0 &&
            scope_checks(scope)) {
            diagnostics_hint(
                scope->schema.diagnostics, "%s without quotes", node->text);
        }
        return false;
    }
    if (!compute(scope, node, &found)) {
        return false;
    }
    if (found.kind != EXPRESSION_BOOL) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "%s is a %s, expected true or false", node->text,
            expression_kind_name(&found));
        return false;
    }
    *value = found.number != 0;
    return true;
}
