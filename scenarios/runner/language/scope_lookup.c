/* scope_lookup.c - what $name and $( ) are at a place. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/resolve.h"
#include "scenarios/runner/language/scope.h"
#include "scenarios/runner/language/scope_path.h"
#include "sim/base/bits.h"

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

        if (!binding->set) {
            scope->unset = true;
            scope_error(scope, DIAGNOSTIC_UNKNOWN_VARIABLE, node,
                "$%s is read before a step has set it", name);
            return false;
        }
        *value = binding->value;
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
    } else if (!scope_checks(scope) && scope->failure == NULL) {
        scope->failure = "an unknown name";
    }
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
