/* requirements.c - reading entries; finding them by id. */
#include "scenarios/runner/requirements.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/requirements_text.h"

static int compare_ids(const void *left, const void *right)
{
    const struct requirement *a = left, *b = right;

    return strcmp(a->id, b->id);
}

/* D, H, O or C (facts.md 0). */
static bool read_tag(
    const struct schema *schema, const struct node *node, char *tag)
{
    const char *text;

    if (!schema_text(schema, node, &text)) {
        return false;
    }
    if (strlen(text) != 1 || strchr("DHOC", text[0]) == NULL) {
        schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, node,
            "'%s' is not an evidence tag", text);
        diagnostics_hint(schema->diagnostics,
            "D documented, H header, O observed, C our ruling");
        return false;
    }
    *tag = text[0];
    return true;
}

static bool read_entry(const struct schema *schema, const struct entry *entry,
    struct requirement *requirement)
{
    const struct node *node = entry->value;
    size_t before = diagnostics_errors(schema->diagnostics);

    *requirement = (struct requirement){.id = entry->key->text};
    if (!schema_mapping(schema, node, MAPPING_REQUIREMENT, entry->key) ||
        diagnostics_errors(schema->diagnostics) != before) {
        return false;
    }
    return read_tag(schema, node_get(node, "tag"), &requirement->tag) &&
           schema_text(
               schema, node_get(node, "source"), &requirement->source) &&
           schema_text(schema, node_get(node, "text"), &requirement->text);
}

/* Searches the first `count` entries, which are in order. */
static const struct requirement *find_among(
    const struct requirements *requirements, size_t count, const char *id)
{
    const struct requirement key = {.id = id};

    if (count == 0) {
        return NULL;
    }
    return bsearch(&key, requirements->item, count, sizeof(key), compare_ids);
}

void requirements_read(struct requirements *requirements,
    const struct schema *schema, const struct node *root)
{
    size_t before = requirements->count;
    const struct node *list;

    if (!schema_mapping(schema, root, MAPPING_REQUIREMENTS, root)) {
        return;
    }
    list = node_get(root, "requirements");
    if (list == NULL || list->kind != NODE_MAPPING) {
        return;
    }
    requirements->item = talloc_realloc(requirements, requirements->item,
        struct requirement, (unsigned)(requirements->count + list->count));
    for (size_t i = 0; i < list->count; i++) {
        struct requirement one;

        if (!read_entry(schema, &list->entry[i], &one)) {
            continue;
        }
        if (find_among(requirements, before, one.id) != NULL) {
            schema_error(schema, DIAGNOSTIC_DUPLICATE_ID, list->entry[i].key,
                "requirement '%s' stands in another file too", one.id);
            continue;
        }
        requirements->item[requirements->count++] = one;
    }
    if (requirements->count > 0) {
        qsort(requirements->item, requirements->count,
            sizeof(*requirements->item), compare_ids);
    }
}

struct requirements *requirements_built_in(
    void *context, struct diagnostics *diagnostics)
{
    struct requirements *requirements =
        talloc_zero(context, struct requirements);

    assert(requirements != NULL);
    for (size_t i = 0; i < requirements_text_count; i++) {
        const struct requirements_text *text = &requirements_texts[i];
        struct source *source = source_from_text(
            requirements, text->path, text->text, strlen(text->text));
        const struct schema schema = {source, diagnostics};
        struct node *root = yaml_tree_read(requirements, source, diagnostics);

        if (root != NULL) {
            requirements_read(requirements, &schema, root);
        }
    }
    return requirements;
}

const struct requirement *requirements_find(
    const struct requirements *requirements, const char *id)
{
    return find_among(requirements, requirements->count, id);
}
