/* read_cpus.c - the value of a key `cpu`: one processor or several. */
#include "scenarios/runner/scenario/read_cpus.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/yaml/plain_word.h"

struct cpus_reader {
    const struct schema *schema;
    uint32_t processors;
    bool *named; /* by number */
};

static bool is_plain(const struct node *node)
{
    return node->kind == NODE_SCALAR && !node->quoted;
}

static void hint_processors(
    const struct schema *schema, uint32_t processors, uint64_t number)
{
    diagnostics_hint(schema->diagnostics,
        "the machine has %u processor%s, counted from 0; machine: {cpus: "
        "%" PRIu64 "} has this one",
        (unsigned)processors, processors == 1 ? "" : "s", number + 1);
}

bool read_cpu(const struct schema *schema, uint32_t processors,
    const struct node *node, uint32_t *cpu)
{
    uint64_t number;

    if (schema_number(schema, node, 0, processors - 1, &number)) {
        *cpu = (uint32_t)number;
        return true;
    }
    if (is_plain(node) && plain_word_number(node->text, &number)) {
        hint_processors(schema, processors, number);
    }
    return false;
}

/* 0-3: two numbers and nothing else. */
static bool split(const struct node *node, uint64_t *first, uint64_t *last)
{
    const char *dash = is_plain(node) ? strchr(node->text, '-') : NULL;
    char *before;
    bool right;

    if (dash == NULL || dash == node->text) {
        return false;
    }
    before = talloc_strndup(NULL, node->text, (size_t)(dash - node->text));
    assert(before != NULL);
    right =
        plain_word_number(before, first) && plain_word_number(dash + 1, last);
    talloc_free(before);
    return right;
}

static bool read_range(const struct cpus_reader *reader,
    const struct node *node, struct cpu_range *range)
{
    uint64_t first, last;

    if (!split(node, &first, &last)) {
        if (!read_cpu(
                reader->schema, reader->processors, node, &range->first)) {
            return false;
        }
        range->last = range->first;
        return true;
    }
    if (first > last) {
        schema_error(reader->schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "a range begins with its lowest processor");
        diagnostics_hint(reader->schema->diagnostics,
            "write %" PRIu64 "-%" PRIu64, last, first);
        return false;
    }
    if (last >= reader->processors) {
        schema_error(reader->schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "%" PRIu64 " is not from 0 to %u", last,
            (unsigned)reader->processors - 1);
        hint_processors(reader->schema, reader->processors, last);
        return false;
    }
    *range = (struct cpu_range){(uint32_t)first, (uint32_t)last};
    return true;
}

/* A word that no number, range or variable is meant by. */
static bool is_other_word(const struct node *node)
{
    uint64_t first, last;

    return node->kind == NODE_SCALAR && node->text[0] != '$' &&
           !plain_word_number(node->text, &first) &&
           !split(node, &first, &last);
}

/* What is none of the forms, which are all those that can stand here. */
static void report_form(
    const struct schema *schema, const struct node *node, const char *forms)
{
    schema_error(
        schema, DIAGNOSTIC_WRONG_TYPE, node, "expected a processor or several");
    diagnostics_hint(schema->diagnostics, "write %s%s", forms,
        node->quoted ? ", without quotes" : "");
}

/* Once each: which of two outcomes would be the one that is meant? */
static bool is_new(const struct cpus_reader *reader, const struct node *node,
    const struct cpu_range *range)
{
    for (uint32_t i = range->first; i <= range->last; i++) {
        if (reader->named[i]) {
            schema_error(reader->schema, DIAGNOSTIC_CONFLICT, node,
                "processor %u stands twice", (unsigned)i);
            return false;
        }
        reader->named[i] = true;
    }
    return true;
}

static bool read_sequence(const struct cpus_reader *reader,
    const struct node *node, struct cpu_range *range)
{
    if (!schema_sequence(reader->schema, node)) {
        return false;
    }
    for (size_t i = 0; i < node->count; i++) {
        const struct node *item = node->item[i];

        if (item->kind != NODE_SCALAR || is_other_word(item)) {
            report_form(reader->schema, item, "2 or 0-3; all stands alone");
            return false;
        }
        if (!read_range(reader, item, &range[i]) ||
            !is_new(reader, item, &range[i])) {
            return false;
        }
    }
    return true;
}

bool read_cpu_list(const struct schema *schema, void *context,
    uint32_t processors, const struct node *node, struct cpu_list *list)
{
    struct cpu_range *range = talloc_zero_array(context, struct cpu_range,
        (unsigned)(node->kind == NODE_SEQUENCE ? node->count : 1) + 1);
    struct cpus_reader reader = {
        schema, processors, talloc_zero_array(range, bool, processors)};
    uint64_t first, last;
    bool right = true;

    assert(range != NULL && reader.named != NULL);
    *list = (struct cpu_list){.range = range, .range_count = 1};
    if (node_is_word(node, "all")) {
        range[0].last = processors - 1;
        list->several = true;
    } else if (node->kind == NODE_SEQUENCE) {
        right = read_sequence(&reader, node, range);
        list->range_count = node->count;
        list->several = true;
    } else if (node->kind == NODE_MAPPING || is_other_word(node)) {
        report_form(schema, node, "2, 0-3, [0, 2, 4-7] or all");
        right = false;
    } else {
        right = read_range(&reader, node, range);
        list->several = split(node, &first, &last);
    }
    talloc_free(reader.named);
    return right;
}

void read_cpus(
    struct reader *reader, const struct node *node, struct cpu_list *list)
{
    if (node != NULL && !read_cpu_list(&reader->scope.schema, reader->scenario,
                            reader->scenario->machine.processors, node, list)) {
        *list = (struct cpu_list){.range_count = 0};
    }
}
