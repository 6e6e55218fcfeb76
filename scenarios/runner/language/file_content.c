/* file_content.c - files as a scenario writes them: text as it stands in
 * UTF-8, bytes, or a directory; and words for attributes. */
#include "scenarios/runner/language/file_content.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/nt/file_access.h"
#include "scenarios/runner/language/value.h"

static const struct {
    const char *word;
    uint32_t bit;
} attributes_by_word[] = {
#define FILE_ATTRIBUTE(word, name) {word, FILE_ATTRIBUTE_##name},
#include "scenarios/runner/language/file_attributes.def"
};

bool file_attributes_read(const struct schema *schema, enum mapping mapping,
    const struct node *node, uint32_t *attributes)
{
    *attributes = 0;
    if (node->kind != NODE_SEQUENCE) {
        return schema_sequence(schema, node);
    }
    for (size_t i = 0; i < node->count; i++) {
        size_t n;

        if (!schema_key_word(
                schema, mapping, "attributes", node->item[i], &n)) {
            return false;
        }
        if ((*attributes & attributes_by_word[n].bit) != 0) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, node->item[i],
                "'%s' stands twice", node->item[i]->text);
            return false;
        }
        *attributes |= attributes_by_word[n].bit;
    }
    return true;
}

char *file_attributes_show(void *context, uint32_t attributes)
{
    char *text = talloc_strdup(context, "[");
    const char *between = "";

    for (size_t i = 0;
         i < sizeof(attributes_by_word) / sizeof(attributes_by_word[0]); i++) {
        if ((attributes & attributes_by_word[i].bit) != 0) {
            text = talloc_asprintf_append_buffer(
                text, "%s%s", between, attributes_by_word[i].word);
            between = ", ";
        }
    }
    return talloc_strdup_append_buffer(text, "]");
}

static bool read_directory(
    struct scope *scope, const struct node *node, struct file_content *content)
{
    if (!schema_bool(&scope->schema, node, &content->directory)) {
        return false;
    }
    if (!content->directory) {
        scope_error(scope, DIAGNOSTIC_NO_EFFECT, node,
            "what is no directory is a file, {text: abc} or {bytes: [..]}");
    }
    return content->directory;
}

static bool read_text(
    struct scope *scope, const struct node *node, struct file_content *content)
{
    if (node->kind != NODE_SCALAR || node_is_computed(node)) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node, "expected a text");
        return false;
    }
    content->bytes = (const uint8_t *)node->text;
    content->size = strlen(node->text);
    return true;
}

static bool read_bytes(struct scope *scope, void *context,
    const struct node *node, struct file_content *content)
{
    struct value_block block;

    if (!value_bytes(scope, context, node, &block)) {
        return false;
    }
    content->bytes = block.bytes;
    content->size = block.size;
    return true;
}

bool file_content_read(struct scope *scope, void *context,
    const struct node *node, struct file_content *content)
{
    const struct node *attributes = node_get(node, "attributes");
    const struct node *text = node_get(node, "text");
    const struct node *bytes = node_get(node, "bytes");

    *content = (struct file_content){.size = 0};
    if (attributes != NULL &&
        !file_attributes_read(
            &scope->schema, MAPPING_FILE, attributes, &content->attributes)) {
        return false;
    }
    if (text != NULL) {
        return read_text(scope, text, content);
    }
    if (bytes != NULL) {
        return read_bytes(scope, context, bytes, content);
    }
    return read_directory(scope, node_get(node, "directory"), content);
}
