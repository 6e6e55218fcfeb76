/* out_views.c - typed values in an output that is bytes, and fields of
 * structures there, asked one by one. */
#include "scenarios/runner/checks/out_views.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/language/match_accepts.h"
#include "scenarios/runner/language/structures.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/scenario/output_view.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static void read_value(
    struct reader *reader, enum nt_type type, bool array, const struct node *is)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};
    const struct actual actual = {.type = type, .array = array, .block = true};

    if (!match_refuse_idle(
            &reader->scope, is, match_domain_of(&reader->scope, type, array))) {
        match_values(&match, is, &actual);
    }
}

/* Which fields of a structure are asked for, and what they have to be. */
static void read_fields(struct reader *reader,
    const struct structure *structure, const struct node *is)
{
    if (structure->broken) {
        return;
    }
    if (is->kind != NODE_MAPPING || is->count == 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, is,
            "expected fields of '%s', {%s: value}", structure->name,
            structure->field[0].name);
        return;
    }
    for (size_t i = 0; i < is->count; i++) {
        const struct entry *entry = &is->entry[i];
        const struct structure_field *field =
            structure_field(&reader->scope, structure, entry->key);

        if (field == NULL) {
            continue;
        }
        if (field->own == NULL) {
            read_value(reader, field->type, field->count > 0, entry->value);
        } else if (field->count == 0) {
            read_fields(reader, field->own, entry->value);
        } else {
            schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE,
                entry->key,
                "'%s' is an array of structures: ask for those by at, which "
                "is %zu for the first, and %zu more for each next one",
                field->name, field->at, field->size);
        }
    }
}

static void read_view(
    struct reader *reader, const struct step *step, const struct node *node)
{
    const struct node *is;
    struct output_view view;

    if (!schema_mapping(
            &reader->scope.schema, node, MAPPING_OUTPUT_VALUE, node)) {
        return;
    }
    is = node_get(node, "is");
    if (!output_view_read(reader, step, node, &view) || is == NULL) {
        return;
    }
    if (view.own != NULL) {
        read_fields(reader, view.own, is);
    } else {
        read_value(reader, view.type, false, is);
    }
}

void out_views_read(
    struct reader *reader, const struct step *step, const struct node *node)
{
    if (node->kind == NODE_MAPPING) {
        read_view(reader, step, node);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        read_view(reader, step, node->item[i]);
    }
}

/* Where in the block a structure is. */
struct place {
    const struct written *block;
    size_t at;
    const char *what;
};

static void evaluate_fields(const struct evaluation *evaluation,
    const struct structure *structure, const struct node *is,
    const struct place *place)
{
    for (size_t i = 0; i < is->count; i++) {
        const struct node *value = is->entry[i].value;
        /* It was found before, without an error. */
        const struct structure_field *field = structure_field(
            &evaluation->run->scope, structure, is->entry[i].key);
        char *what = talloc_asprintf(
            evaluation->run->context, "%s.%s", place->what, field->name);
        const struct place inner = {place->block, place->at + field->at, what};
        size_t count = field->count == 0 ? 1 : field->count;
        uint8_t bits[2][sizeof(uint64_t)];
        struct actual actual = {
            .type = field->type,
            .at = place->block->at + inner.at,
            .before = place->block->before + inner.at,
            .count = count,
            .array = field->count > 0,
            .block = true,
            .block_size = field->size * count,
        };

        if (field->own != NULL) {
            evaluate_fields(evaluation, field->own, value, &inner);
            talloc_free(what);
            continue;
        }
        if (field->bits > 0) {
            nt_store(
                bits[0], field->size, structure_field_bits(field, actual.at));
            nt_store(bits[1], field->size,
                structure_field_bits(field, actual.before));
            actual.at = bits[0];
            actual.before = bits[1];
        }
        evaluate_values(evaluation, value, &actual, what);
        talloc_free(what);
    }
}

static void evaluate_view(const struct evaluation *evaluation,
    const struct node *node, const struct written *block, const char *what)
{
    struct scope *scope = &evaluation->run->scope;
    struct facts *facts = scope->facts;
    struct output_view view;
    struct actual actual = {.count = 1, .block = true};
    char *where;
    bool right = output_view_of(scope, node, &view);

    assert(right); /* it was read before, without an error */
    (void)right;
    if (facts_heard(facts) && view.at + view.size > block->size) {
        facts_refuse(facts, "an output is too short");
        return;
    }
    where = talloc_asprintf(evaluation->run->context, "%s at %zu, %s", what,
        view.at,
        view.own != NULL ? view.own->name : nt_type_row(view.type)->name);
    if (view.own != NULL) {
        const struct place place = {block, view.at, where};

        evaluate_fields(evaluation, view.own, node_get(node, "is"), &place);
    } else {
        actual.type = view.type;
        actual.at = block->at + view.at;
        actual.before = block->before + view.at;
        actual.block_size = view.size;
        evaluate_values(evaluation, node_get(node, "is"), &actual, where);
    }
    talloc_free(where);
}

void out_views_evaluate(const struct evaluation *evaluation,
    const struct node *node, const struct written *block, const char *what)
{
    if (node->kind == NODE_MAPPING) {
        evaluate_view(evaluation, node, block, what);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        evaluate_view(evaluation, node->item[i], block, what);
    }
}
