/* node.c - a value of a YAML file looked into: its keys, whether it equals
 * another, and it as text for messages. */
#include "scenarios/runner/yaml/node.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

static const struct entry *entry_find(
    const struct node *mapping, const char *key)
{
    assert(mapping->kind == NODE_MAPPING);
    for (size_t i = 0; i < mapping->count; i++) {
        const char *text = mapping->entry[i].key->text;

        if (text[0] == key[0] && strcmp(text, key) == 0) {
            return &mapping->entry[i];
        }
    }
    return NULL;
}

struct node *node_get(const struct node *mapping, const char *key)
{
    const struct entry *entry = entry_find(mapping, key);

    return entry == NULL ? NULL : entry->value;
}

struct node *node_key(const struct node *mapping, const char *key)
{
    const struct entry *entry = entry_find(mapping, key);

    return entry == NULL ? NULL : entry->key;
}

bool node_is_word(const struct node *node, const char *word)
{
    return node->kind == NODE_SCALAR && !node->quoted &&
           strcmp(node->text, word) == 0;
}

bool node_quotes_computed(const struct node *node)
{
    return node->kind == NODE_SCALAR && node->quoted && node->text[0] == '$';
}

bool node_equal(const struct node *one, const struct node *other)
{
    bool same = one->kind == other->kind && one->quoted == other->quoted &&
                one->count == other->count;

    if (same && one->kind == NODE_SCALAR) {
        return strcmp(one->text, other->text) == 0;
    }
    for (size_t i = 0; same && i < one->count; i++) {
        if (one->kind == NODE_SEQUENCE) {
            same = node_equal(one->item[i], other->item[i]);
        } else {
            same = node_equal(one->entry[i].key, other->entry[i].key) &&
                   node_equal(one->entry[i].value, other->entry[i].value);
        }
    }
    return same;
}

static char *show_sequence(char *text, const struct node *node);

static char *show_mapping(char *text, const struct node *node);

static char *show_append(char *text, const struct node *node)
{
    switch (node->kind) {
    case NODE_SCALAR:
        return talloc_asprintf_append_buffer(
            text, node->quoted ? "\"%s\"" : "%s", node->text);
    case NODE_SEQUENCE:
        return show_sequence(text, node);
    case NODE_MAPPING:
        return show_mapping(text, node);
    }
    return text;
}

static char *show_sequence(char *text, const struct node *node)
{
    text = talloc_strdup_append_buffer(text, "[");
    for (size_t i = 0; i < node->count; i++) {
        text = talloc_strdup_append_buffer(text, i == 0 ? "" : ", ");
        text = show_append(text, node->item[i]);
    }
    return talloc_strdup_append_buffer(text, "]");
}

static char *show_mapping(char *text, const struct node *node)
{
    text = talloc_strdup_append_buffer(text, "{");
    for (size_t i = 0; i < node->count; i++) {
        text = talloc_asprintf_append_buffer(
            text, "%s%s: ", i == 0 ? "" : ", ", node->entry[i].key->text);
        text = show_append(text, node->entry[i].value);
    }
    return talloc_strdup_append_buffer(text, "}");
}

char *node_show(void *context, const struct node *node)
{
    char *text = show_append(talloc_strdup(context, ""), node);

    assert(text != NULL);
    return text;
}
