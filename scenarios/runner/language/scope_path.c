/* scope_path.c - variables and their parts as expressions name them:
 * name.Member, name[0], actor.name, what a pointer leads to. */
#define _GNU_SOURCE
#include "scenarios/runner/language/scope_path.h"

#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/entries.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/language/guest_value.h"
#include "scenarios/runner/yaml/plain_word.h"

/* Where the walk is. */
struct reached {
    enum nt_type type;
    enum nt_type pointee; /* of a pointer; NT_VOID: it is not followed */
    bool array;
    size_t count;      /* elements of it */
    size_t stride;     /* bytes from one to the next; 0: as the type has */
    const uint8_t *at; /* NULL: there is none, or none yet */
};

/* Makes *value, whose number and `known` are there, what expressions take for a
 * value of the type. Returns false after filling *problem, whose texts are
 * children of `texts`. */
static bool value_of_type(void *texts, enum nt_type type,
    struct expression_value *value, struct expression_problem *problem)
{
    enum nt_kind kind = nt_type_row(type)->kind;

    value->domain = constant_domain(type);
    value->ordered = kind == NT_KIND_IRQL;
    value->named = false;
    value->kind = kind == NT_KIND_BOOLEAN ? EXPRESSION_BOOL : EXPRESSION_NUMBER;
    if (kind == NT_KIND_STRUCT) {
        problem->unset = false;
        problem->message = talloc_asprintf(
            texts, "it is a structure, %s", nt_type_row(type)->name);
        problem->hint = "write name.Member";
        return false;
    }
    if (kind == NT_KIND_SIGNED && value->known) {
        unsigned above = 64 - 8u * nt_type_row(type)->size;

        value->number = (int64_t)((uint64_t)value->number << above) >> above;
    }
    return true;
}

/* There is no value from here on. */
static void lose(struct reached *reached, struct expression_problem *problem,
    const char *message)
{
    if (!problem->unset) {
        problem->message = message;
        problem->unset = true;
    }
    reached->at = NULL;
}

/* Goes to what the pointer points to. */
static void follow(struct scope_path *lookup, struct reached *reached,
    struct expression_problem *problem)
{
    enum nt_type pointee = reached->pointee;
    size_t size = nt_type_row(pointee)->size;
    const uint8_t *to = NULL;

    if (reached->at != NULL) {
        to = (const uint8_t *)(uintptr_t)nt_load(
            reached->at, nt_type_row(reached->type)->size);
    }
    *reached = (struct reached){
        .type = pointee, .pointee = NT_VOID, .count = 1, .at = to};
    if (to != NULL && !guest_value_is_there(lookup->scope->kernel, to, size)) {
        lose(reached, problem,
            talloc_asprintf(lookup->texts,
                "a %s is looked for in memory that cannot be read",
                nt_type_row(pointee)->name));
    } else if (to == NULL && !scope_checks(lookup->scope) &&
               !facts_heard(lookup->scope->facts)) {
        lose(reached, problem,
            talloc_asprintf(lookup->texts, "the pointer to a %s is NULL",
                nt_type_row(pointee)->name));
    }
}

static void take_element(struct scope_path *lookup, struct reached *reached,
    uint64_t index, struct expression_problem *problem)
{
    reached->array = false;
    if (reached->at != NULL && index >= reached->count) {
        lose(reached, problem,
            talloc_asprintf(lookup->texts, "the list has only %zu element%s",
                reached->count, reached->count == 1 ? "" : "s"));
    }
    if (reached->at != NULL) {
        reached->at +=
            index * (reached->stride != 0 ? reached->stride
                                          : nt_type_row(reached->type)->size);
    }
}

/* "did you mean 'Buffer'?"; NULL: the type has no such member. */
static const char *near(
    struct scope_path *lookup, enum nt_type type, const char *part)
{
    const struct nt_type_row *row = nt_type_row(type);
    struct suggestion suggestion = suggest_for(part);

    for (size_t i = 0; i < row->member_count;
         i += nt_member_step(&row->member[i])) {
        if (row->member[i].line == NT_LINE_MEMBER) {
            suggest_offer(&suggestion, row->member[i].name);
        }
    }
    return suggestion.nearest == NULL
               ? NULL
               : talloc_asprintf(
                     lookup->texts, "did you mean '%s'?", suggestion.nearest);
}

/* A part of a structure or list: Member, or an index. */
static bool take_part(struct scope_path *lookup, const char *part,
    struct reached *reached, struct expression_problem *problem)
{
    const struct nt_member *member = NULL;
    uint64_t index = 0;

    if (reached->pointee != NT_VOID) {
        follow(lookup, reached, problem);
    }
    if (reached->array && plain_word_number(part, &index)) {
        take_element(lookup, reached, index, problem);
        return true;
    }
    if (!reached->array && nt_type_row(reached->type)->kind == NT_KIND_STRUCT) {
        member = nt_type_member(reached->type, part);
    }
    if (member == NULL || member->line != NT_LINE_MEMBER) {
        problem->message = talloc_asprintf(lookup->texts,
            "%s%s has no part '%s'", reached->array ? "a list of " : "",
            nt_type_row(reached->type)->name, part);
        problem->hint =
            reached->array ? NULL : near(lookup, reached->type, part);
        return false;
    }
    *reached = (struct reached){
        .type = member->type,
        .pointee = nt_member_count(reached->type, member) == NULL
                       ? member->pointee
                       : NT_VOID,
        .array = member->length > 1,
        .count = member->length,
        .at = reached->at == NULL ? NULL : reached->at + member->offset,
    };
    return true;
}

static bool is_text(const struct reached *reached)
{
    return !reached->array && (reached->type == NT_UNICODE_STRING ||
                                  reached->pointee == NT_UNICODE_STRING);
}

/* The characters of a counted text are read now. */
static void read_text(struct scope_path *lookup, struct reached *reached,
    struct expression_value *value, struct expression_problem *problem)
{
    *value = (struct expression_value){.kind = EXPRESSION_TEXT};
    if (reached->pointee != NT_VOID) {
        follow(lookup, reached, problem);
    }
    if (reached->at == NULL || problem->unset) {
        return;
    }
    value->text =
        guest_value_text(lookup->texts, lookup->scope->kernel, reached->at);
    value->known = value->text != NULL;
    if (!value->known) {
        lose(reached, problem,
            "the characters of a UNICODE_STRING are in memory that cannot be "
            "read");
    }
}

/* The value that was reached. */
static bool load(struct scope_path *lookup, struct reached *reached, bool known,
    struct expression_value *value, struct expression_problem *problem)
{
    if (is_text(reached)) {
        read_text(lookup, reached, value, problem);
        return !problem->unset;
    }
    *value = (struct expression_value){.known = known && !problem->unset};
    if (reached->array) {
        value->kind = EXPRESSION_LIST;
        value->number = value->known ? (expression_number)reached->count : 0;
        return !problem->unset;
    }
    if (value->known && nt_type_row(reached->type)->kind != NT_KIND_STRUCT) {
        value->number = nt_load(reached->at, nt_type_row(reached->type)->size);
    }
    return value_of_type(lookup->texts, reached->type, value, problem) &&
           !problem->unset;
}

/* Of a value that was reached, or was not, what no type says: it is told, or
 * heard by a judge who knows the type alone. Returns whether there is one. */
static bool exchange_value(struct scope_path *lookup,
    struct expression_value *value, struct expression_problem *problem)
{
    struct scope *scope = lookup->scope;
    struct facts *facts = scope->facts;
    bool negative;
    uint64_t number;

    problem->unset = facts_flag(facts, problem->unset);
    scope->unset = facts_flag(facts, scope->unset);
    if (problem->unset) {
        problem->message = facts_text(facts, problem->message);
        return false;
    }
    value->known = facts_flag(facts, value->known);
    negative = facts_flag(facts, value->number < 0);
    number = facts_number(facts, (uint64_t)value->number);
    value->number = negative ? (expression_number)(int64_t)number
                             : (expression_number)number;
    if (value->kind == EXPRESSION_TEXT && value->known) {
        value->text = facts_utf8(facts, value->text);
    }
    return true;
}

/* Goes to the entries of an event buffer. Returns false after filling *problem,
 * where the machine has none. */
static bool enter_entries(struct scope_path *lookup,
    const struct variable *variable, struct reached *reached,
    struct expression_problem *problem)
{
    struct scope *scope = lookup->scope;
    struct entries entries = {.at = NULL};

    if (variable->pointee == NT_VOID) {
        problem->unset = false;
        problem->message = "the PMU of this machine has no event buffers, so "
                           "their entries have no fields";
        problem->hint = "machine: {pmu: {model: skylake}} has them";
        return false;
    }
    if (reached->at != NULL) {
        entries = entries_of(scope, variable);
        if (entries.at == NULL) {
            lose(reached, problem,
                "the entries of an event buffer are looked for in memory that "
                "cannot be read");
        }
    }
    *reached = (struct reached){.type = variable->pointee,
        .pointee = NT_VOID,
        .array = true,
        .count = entries.count,
        .stride = entries.size,
        .at = entries.at};
    return true;
}

/* What a variable, or a part of it, is. `rest` is what follows its name, NULL:
 * nothing; it is cut up. Returns false after filling *problem. */
static bool value_of_part(struct scope_path *lookup, struct variable *variable,
    char *rest, struct expression_value *value,
    struct expression_problem *problem)
{
    struct scope *scope = lookup->scope;
    struct reached reached = {.type = variable->type,
        .pointee = variable->pointee,
        .array = variable->array};
    const struct binding *binding = NULL;
    char *part;
    bool right;

    variable->used = true;
    if (!scope_checks(scope) && !facts_heard(scope->facts)) {
        binding =
            scope_binding(scope, (size_t)(variable - scope->variables->item));
        reached.count = binding->count;
        reached.at = binding->bytes != NULL ? binding->bytes
                                            : (const uint8_t *)&binding->value;
    }
    if (binding != NULL && !binding->set) {
        scope->unset = true;
        lose(&reached, problem,
            talloc_asprintf(lookup->texts,
                "$%s is read before a step has set it", variable->name));
    }
    if (rest != NULL && variable->entries &&
        !enter_entries(lookup, variable, &reached, problem)) {
        return false;
    }
    while ((part = strsep(&rest, ".")) != NULL) {
        if (!take_part(lookup, part, &reached, problem)) {
            problem->unset = false;
            return false;
        }
    }
    right = load(lookup, &reached, binding != NULL, value, problem);
    if (scope->facts == NULL || (!right && !problem->unset)) {
        return right;
    }
    return exchange_value(lookup, value, problem);
}

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

/* Of a word with a capital: a constant that is spelt alike, or else what the
 * callback around it is given. */
static const char *hint_of_capital(
    const struct scope *scope, void *context, const char *name)
{
    struct suggestion suggestion = suggest_for(name);
    const char *constant = constant_hint(context, name);

    if (constant != NULL) {
        return constant;
    }
    for (size_t i = 0; i < scope->variables->count; i++) {
        const struct variable *variable = &scope->variables->item[i];

        if (variable->parameter &&
            scope_variable(scope, variable->name) == variable) {
            suggest_offer(&suggestion, variable->name);
        }
    }
    return suggestion.nearest == NULL
               ? NULL
               : talloc_asprintf(context, "did you mean '%s', of the callback?",
                     suggestion.nearest);
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

struct variable *scope_path_variable(
    const struct scope *scope, const struct node *node)
{
    bool inside = node_is_computed(node) && node->text[1] == '(';
    const char *path = node->text + (inside ? 2 : 1);
    char *own = node_is_computed(node)
                    ? strndup(path, strlen(path) - (inside ? 1 : 0))
                    : NULL;
    char *rest = own;
    const char *name = own == NULL ? NULL : strsep(&rest, ".");
    struct variable *variable = NULL;

    if (name != NULL && rest == NULL) {
        variable = scope_variable(scope, name);
    } else if (name != NULL) {
        variable = find_of_actor(scope, name, rest);
    }
    free(own);
    return variable;
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
    if (variable != NULL && variable->lost) {
        lookup->lost = true;
        problem->message = "it is unknown";
        return false;
    }
    if (variable != NULL) {
        if (!scope_check_when(scope, lookup->node, variable)) {
            problem->message = "it may be unset"; /* reported already */
            return false;
        }
        return value_of_part(lookup, variable, rest, value, problem);
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
        lookup->lost = type == NT_VOID;
        *value = (struct expression_value){
            .known = !scope_checks(scope), .number = number};
        return value_of_type(texts, type, value, problem);
    }
    if (name[0] >= 'A' && name[0] <= 'Z') {
        problem->message = talloc_asprintf(texts, "no constant '%s'", name);
        problem->hint = hint_of_capital(scope, texts, name);
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
