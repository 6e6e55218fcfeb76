/* scope_part.c - a walk along the names of a path. While checking there are
 * types and no values. */
#define _GNU_SOURCE
#include "scenarios/runner/language/scope_part.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/guest_value.h"
#include "scenarios/runner/yaml/plain_word.h"

/* Where the walk is. */
struct place {
    enum nt_type type;
    enum nt_type pointee; /* of a pointer; NT_VOID: it is not followed */
    bool array;
    size_t count;      /* elements of it */
    const uint8_t *at; /* NULL: there is none, or none yet */
};

bool scope_value_of_type(void *texts, enum nt_type type,
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
static void lose(struct place *place, struct expression_problem *problem,
    const char *message)
{
    if (!problem->unset) {
        problem->message = message;
        problem->unset = true;
    }
    place->at = NULL;
}

/* Goes to what the pointer points to. */
static void follow(struct scope_path *lookup, struct place *place,
    struct expression_problem *problem)
{
    enum nt_type pointee = place->pointee;
    size_t size = nt_type_row(pointee)->size;
    const uint8_t *to = NULL;

    if (place->at != NULL) {
        to = (const uint8_t *)(uintptr_t)nt_load(
            place->at, nt_type_row(place->type)->size);
    }
    *place = (struct place){
        .type = pointee, .pointee = NT_VOID, .count = 1, .at = to};
    if (to != NULL && !guest_value_is_there(lookup->scope->kernel, to, size)) {
        lose(place, problem,
            talloc_asprintf(lookup->texts,
                "a %s is looked for in memory that cannot be read",
                nt_type_row(pointee)->name));
    } else if (to == NULL && !scope_checks(lookup->scope)) {
        lose(place, problem,
            talloc_asprintf(lookup->texts, "the pointer to a %s is NULL",
                nt_type_row(pointee)->name));
    }
}

static void take_element(struct scope_path *lookup, struct place *place,
    uint64_t index, struct expression_problem *problem)
{
    place->array = false;
    if (place->at != NULL && index >= place->count) {
        lose(place, problem,
            talloc_asprintf(lookup->texts, "the list has only %zu element%s",
                place->count, place->count == 1 ? "" : "s"));
    }
    if (place->at != NULL) {
        place->at += index * nt_type_row(place->type)->size;
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
    struct place *place, struct expression_problem *problem)
{
    const struct nt_member *member = NULL;
    uint64_t index = 0;

    if (place->pointee != NT_VOID) {
        follow(lookup, place, problem);
    }
    if (place->array && plain_word_number(part, &index)) {
        take_element(lookup, place, index, problem);
        return true;
    }
    if (!place->array && nt_type_row(place->type)->kind == NT_KIND_STRUCT) {
        member = nt_type_member(place->type, part);
    }
    if (member == NULL || member->line != NT_LINE_MEMBER) {
        problem->message = talloc_asprintf(lookup->texts,
            "%s%s has no part '%s'", place->array ? "a list of " : "",
            nt_type_row(place->type)->name, part);
        problem->hint = place->array ? NULL : near(lookup, place->type, part);
        return false;
    }
    *place = (struct place){
        .type = member->type,
        .pointee = nt_member_count(place->type, member) == NULL
                       ? member->pointee
                       : NT_VOID,
        .array = member->length > 1,
        .count = member->length,
        .at = place->at == NULL ? NULL : place->at + member->offset,
    };
    return true;
}

static bool is_text(const struct place *place)
{
    return !place->array && (place->type == NT_UNICODE_STRING ||
                                place->pointee == NT_UNICODE_STRING);
}

/* The characters of a counted text are read now. */
static void read_text(struct scope_path *lookup, struct place *place,
    struct expression_value *value, struct expression_problem *problem)
{
    *value = (struct expression_value){.kind = EXPRESSION_TEXT};
    if (place->pointee != NT_VOID) {
        follow(lookup, place, problem);
    }
    if (place->at == NULL || problem->unset) {
        return;
    }
    value->text =
        guest_value_text(lookup->texts, lookup->scope->kernel, place->at);
    value->known = value->text != NULL;
    if (!value->known) {
        lose(place, problem,
            "the characters of a UNICODE_STRING are in memory that cannot be "
            "read");
    }
}

/* The value at the place. */
static bool load(struct scope_path *lookup, struct place *place, bool known,
    struct expression_value *value, struct expression_problem *problem)
{
    if (is_text(place)) {
        read_text(lookup, place, value, problem);
        return !problem->unset;
    }
    *value = (struct expression_value){.known = known && !problem->unset};
    if (place->array) {
        value->kind = EXPRESSION_LIST;
        value->number = value->known ? (expression_number)place->count : 0;
        return !problem->unset;
    }
    if (value->known && nt_type_row(place->type)->kind != NT_KIND_STRUCT) {
        value->number = nt_load(place->at, nt_type_row(place->type)->size);
    }
    return scope_value_of_type(lookup->texts, place->type, value, problem) &&
           !problem->unset;
}

bool scope_part(struct scope_path *lookup, struct variable *variable,
    char *rest, struct expression_value *value,
    struct expression_problem *problem)
{
    struct scope *scope = lookup->scope;
    struct place place = {.type = variable->type,
        .pointee = variable->pointee,
        .array = variable->array};
    const struct binding *binding = NULL;
    char *part;

    variable->used = true;
    if (!scope_checks(scope)) {
        binding =
            scope_binding(scope, (size_t)(variable - scope->variables->item));
        place.count = binding->count;
        place.at = binding->bytes != NULL ? binding->bytes
                                          : (const uint8_t *)&binding->value;
    }
    if (binding != NULL && !binding->set) {
        scope->unset = true;
        lose(&place, problem,
            talloc_asprintf(lookup->texts,
                "$%s is read before a step has set it", variable->name));
    }
    while ((part = strsep(&rest, ".")) != NULL) {
        if (!take_part(lookup, part, &place, problem)) {
            problem->unset = false;
            return false;
        }
    }
    return load(lookup, &place, binding != NULL, value, problem);
}
