/* resolve.c - a part of a file's tree as one instance has it: a copy where a
 * $name or $( ) is replaced, the same node where nothing is. */
#include "scenarios/runner/language/resolve.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/constants.h"

static struct node *new_scalar(const struct resolver *resolver,
    const struct node *at, const char *text, bool quoted)
{
    struct node *made = talloc_zero(resolver->context, struct node);

    assert(made != NULL);
    *made = (struct node){
        .kind = NODE_SCALAR,
        .source = at->source,
        .mark = at->mark,
        .width = at->width,
        .text = text,
        .quoted = quoted,
    };
    return made;
}

void resolve_report(const struct schema *schema, const struct node *node,
    const struct expression_problem *problem)
{
    const struct node *at = node->from != NULL ? node->from : node;
    struct mark mark = at->mark;

    /* Behind "$(", as long as the text is what stands there: not over several
     * lines. */
    if (at->kind == NODE_SCALAR && !at->quoted &&
        strncmp(at->text, "$(", 2) == 0 && problem->offset + 2 < at->width) {
        mark.column += 2 + problem->offset;
        diagnostics_add(schema->diagnostics, DIAGNOSTIC_EXPRESSION, at->source,
            mark, problem->width, "%s", problem->message);
    } else {
        diagnostics_add(schema->diagnostics, DIAGNOSTIC_EXPRESSION, at->source,
            mark, at->width, "%s", problem->message);
    }
    if (problem->hint != NULL) {
        diagnostics_hint(schema->diagnostics, "%s", problem->hint);
    }
    if (at != node) {
        diagnostics_add(schema->diagnostics, DIAGNOSTIC_NOTE, node->source,
            node->mark, node->width, "used here");
    }
}

static bool lookup(void *context, const char *path,
    struct expression_value *value, struct expression_problem *problem)
{
    const struct resolver *resolver = context;

    if (statics_value(
            resolver->context, resolver->statics, path, value, problem)) {
        return true;
    }
    if (problem->message == NULL) {
        problem->message =
            talloc_asprintf(resolver->context, "nothing is called '%s'", path);
        problem->hint = "a parameter, os, arch, or a constant's name";
    }
    return false;
}

static bool evaluate(const struct resolver *resolver, const struct node *node,
    const char *text, struct expression_value *value)
{
    const struct expression_names names = {
        .context = (void *)(uintptr_t)resolver, .path = lookup};
    struct expression_problem problem;

    if (expression_evaluate(resolver->context, text, &names, value, &problem)) {
        return true;
    }
    resolve_report(&resolver->schema, node, &problem);
    return false;
}

static const struct node *node_of_value(const struct resolver *resolver,
    const struct node *at, const struct expression_value *value)
{
    switch (value->kind) {
    case EXPRESSION_NUMBER:
    case EXPRESSION_BOOL:
        return new_scalar(
            resolver, at, constant_show(resolver->context, value), false);
    case EXPRESSION_TEXT:
        return new_scalar(resolver, at, value->text, true);
    case EXPRESSION_LIST:
        schema_error(&resolver->schema, DIAGNOSTIC_EXPRESSION, at,
            "a list is no value of an expression");
        diagnostics_hint(resolver->schema.diagnostics,
            "write $name alone for all of it, len(name) for its length");
        break;
    }
    return at;
}

/* $name: the value as it is written there, at the place where it is used. */
static const struct node *stand_for(const struct resolver *resolver,
    const struct node *at, const struct node *value)
{
    struct node *made = talloc_zero(resolver->context, struct node);

    assert(made != NULL);
    *made = *value;
    made->source = at->source;
    made->mark = at->mark;
    made->width = at->width;
    made->from = value->from != NULL ? value->from : value;
    return made;
}

static const struct node *resolve_scalar(
    const struct resolver *resolver, const struct node *node)
{
    const struct node *found;
    struct expression_value value;
    char *text;

    if (!node_is_computed(node)) {
        return node;
    }
    if (node->text[1] != '(') {
        found = statics_find(resolver->statics, node->text + 1);
        if (found != NULL) {
            return stand_for(resolver, node, found);
        }
        if (strcmp(node->text, "$os") != 0 &&
            strcmp(node->text, "$arch") != 0) {
            return node; /* of a step, or an error that its reader finds */
        }
    }
    text = node->text[1] == '('
               ? expression_of_node(resolver->context, node)
               : talloc_strdup(resolver->context, node->text + 1);
    if (text == NULL || !statics_are_enough(resolver->statics, text)) {
        return node;
    }
    return evaluate(resolver, node, text, &value)
               ? node_of_value(resolver, node, &value)
               : node;
}

struct when_seen *whens_seen(struct whens *whens, const struct node *node)
{
    size_t i = 0, tried = 0;

    for (; tried < whens->count; tried++) {
        i = (whens->next + tried) % whens->count;
        if (whens->item[i].node == node) {
            break;
        }
    }
    if (tried == whens->count) {
        i = whens->count;
        whens->item = talloc_realloc(
            whens, whens->item, struct when_seen, (unsigned)whens->count + 1);
        assert(whens->item != NULL);
        whens->item[whens->count++] = (struct when_seen){.node = node};
    }
    whens->next = i + 1;
    return &whens->item[i];
}

static void note_when(const struct resolver *resolver, const struct node *node,
    const struct node *resolved)
{
    struct when_seen *seen;

    if (resolver->whens == NULL) {
        return;
    }
    seen = whens_seen(resolver->whens, node);
    seen->value[0] |= node_is_word(resolved, "false");
    seen->value[1] |= node_is_word(resolved, "true");
    seen->runs |= node_is_computed(resolved);
}

static struct node *copy_of(
    const struct resolver *resolver, const struct node *node)
{
    struct node *copy = talloc_zero(resolver->context, struct node);

    assert(copy != NULL);
    *copy = *node;
    if (node->kind == NODE_SEQUENCE) {
        copy->item = talloc_memdup(
            copy, node->item, node->count * sizeof(node->item[0]));
    } else {
        copy->entry = talloc_memdup(
            copy, node->entry, node->count * sizeof(node->entry[0]));
    }
    return copy;
}

static const struct node *resolve_sequence(
    const struct resolver *resolver, const struct node *node)
{
    struct node *copy = NULL;

    for (size_t i = 0; i < node->count; i++) {
        const struct node *item = resolve(resolver, node->item[i]);

        if (item != node->item[i]) {
            copy = copy != NULL ? copy : copy_of(resolver, node);
            copy->item[i] = (struct node *)(uintptr_t)item;
        }
    }
    return copy != NULL ? copy : node;
}

static const struct node *resolve_mapping(
    const struct resolver *resolver, const struct node *node)
{
    const struct node *when = node_get(node, "when");
    const struct node *decided = NULL;
    struct node *copy = NULL;

    if (when != NULL) {
        decided = resolve(resolver, when);
        note_when(resolver, when, decided);
    }
    for (size_t i = 0; i < node->count; i++) {
        const struct node *value = node->entry[i].value;
        const struct node *made = value;

        if (value == when) {
            made = decided;
        } else if (decided == NULL || !node_is_word(decided, "false")) {
            made = resolve(resolver, value);
        }
        if (made != value) {
            copy = copy != NULL ? copy : copy_of(resolver, node);
            copy->entry[i].value = (struct node *)(uintptr_t)made;
        }
    }
    return copy != NULL ? copy : node;
}

const struct node *resolve(
    const struct resolver *resolver, const struct node *node)
{
    switch (node->kind) {
    case NODE_SCALAR:
        return resolve_scalar(resolver, node);
    case NODE_SEQUENCE:
        return resolve_sequence(resolver, node);
    case NODE_MAPPING:
        return resolve_mapping(resolver, node);
    }
    return node;
}

bool resolve_condition(
    const struct resolver *resolver, const struct node *node, bool *value)
{
    size_t before = diagnostics_errors(resolver->schema.diagnostics);
    const struct node *decided = resolve(resolver, node);

    if (node_is_word(decided, "true") || node_is_word(decided, "false")) {
        *value = decided->text[0] == 't';
        return true;
    }
    if (diagnostics_errors(resolver->schema.diagnostics) == before) {
        schema_error(&resolver->schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected $( ) that is true or false before anything runs");
        diagnostics_hint(resolver->schema.diagnostics,
            "it may name parameters, os, arch and constants");
    }
    return false;
}
