/* read_checks.c - expect, always, at_end: what is expected of a step, each with
 * the requirements that it tests. */
#include "scenarios/runner/scenario/read_checks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/library/kinds.h"
#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

/* Of an id whose family there is, IRQL of IRQL-99, another number is no better
 * guess than the next. */
static bool hint_family(struct reader *reader, const struct node *node)
{
    const struct requirements *requirements = reader->requirements;
    const char *dash =
        node->kind == NODE_SCALAR ? strrchr(node->text, '-') : NULL;
    const size_t length = dash == NULL ? 0 : (size_t)(dash + 1 - node->text);
    const char *first = NULL, *last = NULL;

    for (size_t i = 0; length > 1 && i < requirements->count; i++) {
        const char *id = requirement_at(requirements, i)->id;

        if (strncmp(id, node->text, length) == 0 &&
            strchr(id + length, '-') == NULL) {
            if (strtoul(id + length, NULL, 10) ==
                strtoul(node->text + length, NULL, 10)) {
                return false; /* the same number in other words */
            }
            first = first == NULL ? id : first;
            last = id;
        }
    }
    if (first == NULL) {
        return false;
    }
    diagnostics_hint(reader->scope.schema.diagnostics,
        "the family %.*s has others, %s to %s: ntpmu explain %.*s lists them",
        (int)length - 1, node->text, first, last, (int)length - 1, node->text);
    return true;
}

/* What is stated elsewhere is cited there. */
static bool refuse_same(struct reader *reader, const struct node *node,
    const struct requirement *requirement)
{
    const struct schema *schema = &reader->scope.schema;
    char *list;

    if (requirement->same[0] == NULL) {
        return false;
    }
    list = talloc_strdup(schema->diagnostics, requirement->same[0]);
    for (size_t i = 1; requirement->same[i] != NULL; i++) {
        list = talloc_asprintf_append(list, ", %s", requirement->same[i]);
    }
    schema_error(schema, DIAGNOSTIC_REQUIREMENT, node,
        "'%s' is stated elsewhere", requirement->id);
    diagnostics_hint(
        schema->diagnostics, "cite what the check tests of %s", list);
    return true;
}

static void read_cover(struct reader *reader, const struct node *node,
    const char *covers[CHECK_COVERS], size_t n)
{
    const struct schema *schema = &reader->scope.schema;
    const struct requirements *requirements = reader->requirements;
    const struct requirement *found =
        node->kind == NODE_SCALAR ? requirements_find(requirements, node->text)
                                  : NULL;
    struct suggestion suggestion;

    if (found != NULL) {
        if (!refuse_same(reader, node, found)) {
            covers[n] = node->text;
        }
        return;
    }
    schema_error(schema, DIAGNOSTIC_REQUIREMENT, node, "no requirement '%s'",
        node_show(reader->scenario, node));
    if (hint_family(reader, node)) {
        return;
    }
    suggestion = suggest_for(node->kind == NODE_SCALAR ? node->text : "");
    for (size_t i = 0; i < requirements->count; i++) {
        suggest_offer(&suggestion, requirement_at(requirements, i)->id);
    }
    schema_suggest(schema, &suggestion);
}

void read_covers(struct reader *reader, const struct node *node,
    const char *covers[CHECK_COVERS])
{
    if (!schema_sequence(&reader->scope.schema, node)) {
        return;
    }
    if (node->count > CHECK_COVERS) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_REQUIREMENT, node,
            "more than %d requirements for one expectation", CHECK_COVERS);
        diagnostics_hint(reader->scope.schema.diagnostics,
            "write a list of expectations, each with what it tests");
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        read_cover(reader, node->item[i], covers, i);
        for (size_t k = 0; k < i; k++) {
            if (covers[i] != NULL && covers[k] != NULL &&
                strcmp(covers[i], covers[k]) == 0) {
                schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT,
                    node->item[i], "'%s' stands twice", covers[i]);
            }
        }
    }
}

void read_checks_no_result(struct reader *reader, const struct step *step,
    const struct node *key, const char *instead)
{
    schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, key,
        "this step has no '%s'", key->text);
    if (!step_has_action(step)) {
        diagnostics_hint(reader->scope.schema.diagnostics,
            "it does nothing: what is expected of a step stands in that step, "
            "without a '- ' of its own");
        return;
    }
    diagnostics_hint(reader->scope.schema.diagnostics, "%s", instead);
}

/* The kind of expectation that a key of EXPECT is; NULL for covers. */
static const struct check_kind *kind_of(
    const struct reader *reader, const char *key)
{
    const struct check_kinds *kinds = reader->kinds->checks;

    for (size_t i = 0; i < kinds->count; i++) {
        if (strcmp(kinds->item[i].key, key) == 0) {
            return &kinds->item[i];
        }
    }
    return NULL;
}

/* The expectations of one mapping, which its covers stand for. */
static void read_group(
    struct reader *reader, const struct node *node, struct step *step)
{
    struct check_list *list = &step->expect;
    const char *covers[CHECK_COVERS] = {NULL};
    size_t before = list->count;
    size_t errors = diagnostics_errors(reader->scope.schema.diagnostics);

    if (!schema_mapping(&reader->scope.schema, node, MAPPING_EXPECT, node)) {
        return;
    }
    if (node_get(node, "covers") != NULL) {
        read_covers(reader, node_get(node, "covers"), covers);
    }
    list->item = talloc_realloc(reader->scenario, list->item, struct check,
        (unsigned)(list->count + node->count));
    for (size_t i = 0; i < node->count; i++) {
        const struct entry *entry = &node->entry[i];
        const struct check_kind *kind = kind_of(reader, entry->key->text);
        struct check *check = &list->item[list->count];

        if (kind == NULL) {
            continue;
        }
        *check = (struct check){.kind = kind,
            .key = entry->key,
            .value = entry->value,
            .cites = node_get(node, "covers")};
        memcpy(check->covers, covers, sizeof(covers));
        list->count++;
        kind->code->read(reader, step, entry->key, entry->value);
    }
    if (list->count == before &&
        diagnostics_errors(reader->scope.schema.diagnostics) == errors) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, node,
            "nothing is expected here");
    }
    reader->scenario->check_count += list->count - before;
}

/* The kind that is written so among assertions. */
static const struct check_kind *asserted(
    const struct reader *reader, enum check_asserted form)
{
    const struct check_kind *kind = reader->kinds->checks->item;

    while (kind->asserted != form) {
        kind++;
        assert(
            kind < reader->kinds->checks->item + reader->kinds->checks->count);
    }
    return kind;
}

static void read_assertion(struct reader *reader, const struct node *node,
    const struct step *step, struct check *check)
{
    *check = (struct check){
        .kind = asserted(reader,
            node->kind == NODE_MAPPING ? ASSERTED_MAPPING : ASSERTED_CONDITION),
        .key = step->key,
        .value = node};
    check->kind->code->read(reader, step, step->key, node);
}

void read_assertions(struct reader *reader, const struct node *node,
    const struct step *step, struct check_list *list)
{
    if (!schema_sequence(&reader->scope.schema, node)) {
        return;
    }
    list->item = talloc_zero_array(
        reader->scenario, struct check, (unsigned)node->count);
    for (size_t i = 0; i < node->count; i++) {
        read_assertion(reader, node->item[i], step, &list->item[i]);
    }
    list->count = node->count;
    reader->scenario->check_count += node->count;
}

void read_checks(
    struct reader *reader, const struct node *node, struct step *step)
{
    if (node->kind != NODE_SEQUENCE) {
        read_group(reader, node, step);
        return;
    }
    if (!schema_sequence(&reader->scope.schema, node)) {
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        read_group(reader, node->item[i], step);
    }
}
