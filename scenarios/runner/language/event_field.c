/* event_field.c - one field of an event compared with what is expected: numbers
 * as everywhere (match.h), registers and texts by name, with {not: x} and
 * {one_of: [x, y]}. */
#include "scenarios/runner/language/event_field.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/yaml/plain_word.h"
#include "sim/machine/msr.h"

/* A field whose values have names. */
struct named {
    const struct meaning *meaning;
    const struct field_value *value; /* NULL while the scope checks */
};

struct meaning {
    struct event_field_list list;
    /* Whether a scalar is the name of the value. */
    bool (*is)(struct match *match, const struct node *node,
        const struct named *named);
};

static bool wrong(
    struct match *match, const struct node *node, const char *what)
{
    scope_error(match->scope, DIAGNOSTIC_WRONG_TYPE, node, "%s", what);
    return false;
}

/* A routine that the scenario answers for. */
static bool is_answer(struct match *match, const struct node *node,
    const struct meaning *meaning, struct suggestion *suggestion)
{
    const struct answer_names *answers = match->scope->answers;

    for (size_t i = 0;
         meaning->list.letter == 'A' && answers != NULL && i < answers->count;
         i++) {
        if (strcmp(node->text, answers->item[i]) == 0) {
            return true;
        }
        suggest_offer(suggestion, answers->item[i]);
    }
    return false;
}

/* One of a list of names, or, where there is no list, any text. */
static bool is_text(
    struct match *match, const struct node *node, const struct named *named)
{
    const struct meaning *meaning = named->meaning;
    struct suggestion suggestion = suggest_for(node->text);
    const char *name;

    if (named->value != NULL) {
        return strcmp(node->text, named->value->text) == 0;
    }
    if (!node->quoted && node->text[0] == '$') {
        return wrong(match, node, "no variable is a text, as this field is");
    }
    if (meaning->list.names == NULL ||
        (meaning->list.none && node_is_word(node, "none")) ||
        is_answer(match, node, meaning, &suggestion)) {
        return true;
    }
    for (size_t i = 0; (name = meaning->list.names(i, NULL)) != NULL; i++) {
        if (node_is_word(node, name)) {
            return true;
        }
        suggest_offer(&suggestion, name);
    }
    scope_error(match->scope, DIAGNOSTIC_UNKNOWN_NAME, node, "unknown %s '%s'",
        meaning->list.what, node->text);
    scope_suggest(match->scope, &suggestion);
    return false;
}

static void report_register(struct match *match, const struct node *node)
{
    struct suggestion suggestion = suggest_for(node->text);
    char name[40];

    scope_error(match->scope, DIAGNOSTIC_UNKNOWN_NAME, node,
        "unknown register '%s'", node->text);
    for (size_t i = 0; msr_name(i, name, sizeof(name)); i++) {
        suggest_offer(&suggestion, talloc_strdup(match->context, name));
    }
    scope_suggest(match->scope, &suggestion);
}

/* IA32_PMC0, or its address. */
static bool is_register(
    struct match *match, const struct node *node, const struct named *named)
{
    bool word = !node->quoted && node->text[0] != '$' &&
                (node->text[0] < '0' || node->text[0] > '9');
    uint32_t address;
    uint64_t number;

    if (node->quoted || (word && !msr_address(node->text, &address))) {
        report_register(match, node);
        return false;
    }
    if (word) {
        number = address;
    } else if (!value_scalar(match->scope, node, NT_ULONG, &number)) {
        return false;
    }
    return named->value == NULL || named->value->number == number;
}

static const struct meaning meanings[] = {
    {{'A', "routine", name_of_routine, true}, is_text},
    {{'V', "rule", name_of_rule, false}, is_text},
    {{'B', "bug check", name_of_bugcheck, false}, is_text},
    {{'P', "ring", name_of_ring, false}, is_text},
    {{'E', "event of the hardware", name_of_pmu_event, false}, is_text},
    {{'R', "register", NULL, false}, is_register},
    {{'M', "system register", name_of_sysreg, false}, is_text},
    {{0, "text", NULL, false}, is_text},
};

const struct event_field_list *event_field_nth_list(size_t n)
{
    return n < sizeof(meanings) / sizeof(meanings[0]) ? &meanings[n].list
                                                      : NULL;
}

static bool match_name(
    struct match *match, const struct node *node, const struct named *named);

static bool match_one_of(
    struct match *match, const struct node *list, const struct named *named)
{
    bool right = true;

    if (list->kind != NODE_SEQUENCE || list->count == 0) {
        return wrong(match, list, "one_of wants a list, [a, b]");
    }
    for (size_t i = 0; i < list->count; i++) {
        if (!match_name(match, list->item[i], named)) {
            right = false;
        } else if (named->value != NULL) {
            return true;
        }
    }
    return right;
}

static bool match_name(
    struct match *match, const struct node *node, const struct named *named)
{
    const struct node *inner;

    if (node_is_word(node, "any")) {
        return true;
    }
    if (node->kind == NODE_SCALAR) {
        return named->meaning->is(match, node, named);
    }
    inner = node->kind == NODE_MAPPING && node->count == 1
                ? node->entry[0].value
                : NULL;
    if (inner != NULL && strcmp(node->entry[0].key->text, "one_of") == 0) {
        return match_one_of(match, inner, named);
    }
    if (inner != NULL && strcmp(node->entry[0].key->text, "not") == 0) {
        bool met = match_name(match, inner, named);

        /* A value that cannot be computed differs from nothing. */
        return named->value == NULL ? met
                                    : !met && match->scope->failure == NULL;
    }
    return wrong(
        match, node, "expected a name, {not: name} or {one_of: [name, name]}");
}

/* The trace has the status by its name, where it has one. */
static bool find_status(enum arch arch, const char *text, uint64_t *number)
{
    return constant_find(text, NT_NTSTATUS, arch, number) ||
           plain_word_number(text, number);
}

bool event_field_is_status(enum arch arch, const char *text)
{
    uint64_t number;

    return find_status(arch, text, &number);
}

static bool match_status(struct match *match, const struct node *node,
    const struct field_value *value)
{
    uint64_t number = 0;
    bool known =
        value == NULL || find_status(match->scope->arch, value->text, &number);

    assert(known);
    (void)known;
    return match_number(match, node, NT_NTSTATUS, number);
}

/* All records that have the field have the same. */
static bool check_word(struct match *match, const struct node *node,
    const struct trace_field *field)
{
    if (node->kind == NODE_SCALAR && strlen(node->text) == field->word_length &&
        memcmp(node->text, field->word, field->word_length) == 0) {
        return true;
    }
    scope_error(match->scope, DIAGNOSTIC_WRONG_TYPE, node,
        "where there is '%.*s', it is '%.*s'", (int)field->name_length,
        field->name, (int)field->word_length, field->word);
    return false;
}

const char *event_field_noun(const struct trace_field *field)
{
    const struct meaning *meaning = meanings;

    if (field->meaning == 'S') {
        return "status";
    }
    if (field->meaning == 'L') {
        return "level";
    }
    if (field->meaning == 0 && field->conversion != 's') {
        return "number";
    }
    while (
        meaning->list.letter != field->meaning && meaning->list.letter != 0) {
        meaning++;
    }
    return meaning->list.what;
}

bool event_field_match(struct match *match, const struct node *node,
    const struct trace_field *field, const struct field_value *value)
{
    const struct meaning *meaning = meanings;
    const uint64_t number = value == NULL ? 0 : value->number;
    bool text = field->conversion == 's' || field->conversion == 0;

    if (field->conversion == 0 && value == NULL) {
        return check_word(match, node, field);
    }
    if (field->meaning == 'S') {
        return match_status(match, node, value);
    }
    if (field->meaning == 'L') {
        return match_number(match, node, NT_KIRQL, number);
    }
    if (field->meaning == 0 && !text) {
        return match_number(match, node, NT_ULONG64, number);
    }
    while (
        meaning->list.letter != field->meaning && meaning->list.letter != 0) {
        meaning++;
    }
    assert(meaning->list.letter == field->meaning);
    return match_name(match, node, &(struct named){meaning, value});
}

enum nt_type event_field_type(const struct trace_field *field)
{
    if (field->meaning == 'S') {
        return NT_NTSTATUS;
    }
    if (field->meaning == 'L') {
        return NT_KIRQL;
    }
    return field->meaning == 0 && field->conversion != 's' ? NT_ULONG64
                                                           : NT_VOID;
}
