/* read_checks.c - expect: a mapping, or a list of mappings. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static const struct check_row {
    const char *key;
    void (*check)(struct reader *reader, const struct step *step,
        const struct node *key, const struct node *value);
} rows[] = {
#define CHECK(name, key, function, ...)                                        \
    [CHECK_##name] = {key, check_##function},
#include "scenarios/runner/language/checks.def"
};

static void read_cover(struct reader *reader, const struct node *node,
    const char *covers[CHECK_COVERS], size_t n)
{
    const struct schema *schema = &reader->scope.schema;
    const struct requirements *requirements = reader->requirements;
    struct suggestion suggestion;

    if (node->kind == NODE_SCALAR &&
        requirements_find(requirements, node->text) != NULL) {
        covers[n] = node->text;
        return;
    }
    schema_error(schema, DIAGNOSTIC_REQUIREMENT, node, "no requirement '%s'",
        node_show(reader->scenario, node));
    suggestion = suggest_for(node->kind == NODE_SCALAR ? node->text : "");
    for (size_t i = 0; i < requirements->count; i++) {
        suggest_offer(&suggestion, requirements->item[i].id);
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

/* The kind of check that a key of EXPECT is; CHECK_KIND_COUNT for covers. */
static enum check_kind kind_of(const char *key)
{
    enum check_kind kind = 0;

    while (kind < CHECK_KIND_COUNT && strcmp(rows[kind].key, key) != 0) {
        kind++;
    }
    return kind;
}

/* The expectations of one mapping, which its covers stand for. */
static void read_group(
    struct reader *reader, const struct node *node, struct step *step)
{
    const char *covers[CHECK_COVERS] = {NULL};
    size_t before = step->check_count;
    size_t errors = diagnostics_errors(reader->scope.schema.diagnostics);

    if (!schema_mapping(&reader->scope.schema, node, MAPPING_EXPECT, node)) {
        return;
    }
    if (node_get(node, "covers") != NULL) {
        read_covers(reader, node_get(node, "covers"), covers);
    }
    step->check = talloc_realloc(reader->scenario, step->check, struct check,
        (unsigned)(step->check_count + node->count));
    for (size_t i = 0; i < node->count; i++) {
        const struct entry *entry = &node->entry[i];
        enum check_kind kind = kind_of(entry->key->text);
        struct check *check = &step->check[step->check_count];

        if (kind == CHECK_KIND_COUNT) {
            continue;
        }
        *check = (struct check){
            .kind = kind, .key = entry->key, .value = entry->value};
        memcpy(check->covers, covers, sizeof(covers));
        step->check_count++;
        rows[kind].check(reader, step, entry->key, entry->value);
    }
    if (step->check_count == before &&
        diagnostics_errors(reader->scope.schema.diagnostics) == errors) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, node,
            "nothing is expected here");
    }
    reader->scenario->check_count += step->check_count - before;
}

static void read_assertion(struct reader *reader, const struct node *node,
    struct step *step, struct check *check)
{
    bool state = node->kind == NODE_MAPPING;

    *check = (struct check){.kind = state ? CHECK_STATE : CHECK_THAT,
        .key = step->key,
        .value = node};
    rows[check->kind].check(reader, step, step->key, node);
}

void read_assertions(struct reader *reader, const struct node *node,
    struct step *step, struct check **check, size_t *count)
{
    if (!schema_sequence(&reader->scope.schema, node)) {
        return;
    }
    *check = talloc_zero_array(
        reader->scenario, struct check, (unsigned)node->count);
    for (size_t i = 0; i < node->count; i++) {
        read_assertion(reader, node->item[i], step, &(*check)[i]);
    }
    *count = node->count;
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
