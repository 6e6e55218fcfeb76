/* registry_data.c - registry values: texts become UTF-16 with their NULs,
 * numbers 4 or 8 bytes, lists of bytes themselves. */
#include "scenarios/runner/language/registry_data.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/nt/nt.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/text/wide_text.h"

enum { SHOWN_BYTES = 16 };

static const struct registry_type types[] = {
#define REGISTRY_TYPE(key, number, form, ...) {key, number, REGISTRY_##form},
#include "scenarios/runner/language/registry_types.def"
};

enum { TYPES = sizeof(types) / sizeof(types[0]) };

const struct registry_type *registry_type_of(const struct node *node)
{
    for (size_t i = 0; i < TYPES; i++) {
        if (node_get(node, types[i].key) != NULL) {
            return &types[i];
        }
    }
    return NULL;
}

static const struct registry_type *type_numbered(uint32_t number)
{
    for (size_t i = 0; i < TYPES; i++) {
        if (types[i].number == number) {
            return &types[i];
        }
    }
    return NULL;
}

const struct node *registry_data_node(const struct node *node)
{
    const struct registry_type *type = registry_type_of(node);

    return node_get(node, type == NULL ? "bytes" : type->key);
}

bool registry_data_type(
    struct scope *scope, const struct node *node, uint32_t *type)
{
    const struct registry_type *named = registry_type_of(node);
    const struct node *number = node_get(node, "type");
    uint64_t value;

    if (named != NULL) {
        *type = named->number;
        if (number == NULL) {
            return true;
        }
        scope_error(scope, DIAGNOSTIC_CONFLICT, number,
            "%s is a type; 'type' goes with bytes", named->key);
        return false;
    }
    if (number == NULL) {
        scope_error(scope, DIAGNOSTIC_MISSING_KEY, node_get(node, "bytes"),
            "bytes alone have no type");
        if (scope_checks(scope)) {
            diagnostics_hint(scope->schema.diagnostics,
                "write {REG_BINARY: [..]}, or {type: 5, bytes: [..]} for a "
                "type by its number");
        }
        return false;
    }
    if (!schema_number(&scope->schema, number, 0, UINT32_MAX, &value)) {
        return false;
    }
    *type = (uint32_t)value;
    return true;
}

static bool is_text(struct scope *scope, const struct node *node)
{
    if (node->kind == NODE_SCALAR && !node_is_computed(node)) {
        return true;
    }
    scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node, "expected a text");
    return false;
}

/* The text in UTF-16 and its NUL, at the end of what there is. */
static void add_text(
    void *context, struct registry_data *data, const char *utf8)
{
    struct pcw_text text = wide_text(context, utf8);
    size_t bytes = text.length * sizeof(*text.at);
    uint8_t *all = talloc_zero_array(
        context, uint8_t, (unsigned)(data->size + bytes + sizeof(*text.at)));

    assert(all != NULL);
    if (data->size > 0) {
        memcpy(all, data->bytes, data->size);
    }
    memcpy(all + data->size, text.at, bytes);
    data->bytes = all;
    data->size += bytes + sizeof(*text.at);
}

static bool read_text(struct scope *scope, void *context,
    const struct node *node, struct registry_data *data)
{
    if (!is_text(scope, node)) {
        return false;
    }
    add_text(context, data, node->text);
    return true;
}

static bool read_texts(struct scope *scope, void *context,
    const struct node *node, struct registry_data *data)
{
    if (node->kind != NODE_SEQUENCE) {
        return schema_sequence(&scope->schema, node);
    }
    for (size_t i = 0; i < node->count; i++) {
        if (!read_text(scope, context, node->item[i], data)) {
            return false;
        }
        if (node->item[i]->text[0] == '\0') {
            scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node->item[i],
                "an empty text would end the list");
            return false;
        }
    }
    add_text(context, data, "");
    return true;
}

static bool read_number(struct scope *scope, void *context,
    const struct node *node, enum nt_type type, struct registry_data *data)
{
    size_t size = nt_type_row(type)->size;
    uint8_t *bytes = talloc_array(context, uint8_t, (unsigned)size);
    uint64_t number;

    assert(bytes != NULL);
    if (!value_scalar(scope, node, type, &number)) {
        return false;
    }
    nt_store(bytes, size, number);
    data->bytes = bytes;
    data->size = size;
    return true;
}

static bool read_bytes(struct scope *scope, void *context,
    const struct node *node, struct registry_data *data)
{
    struct value_block block;

    if (!value_bytes(scope, context, node, &block)) {
        return false;
    }
    data->bytes = block.bytes;
    data->size = block.size;
    return true;
}

bool registry_data_read(struct scope *scope, void *context,
    const struct node *node, struct registry_data *data)
{
    const struct registry_type *type = registry_type_of(node);
    const struct node *inner = registry_data_node(node);

    *data = (struct registry_data){.size = 0};
    if (!registry_data_type(scope, node, &data->type)) {
        return false;
    }
    switch (type == NULL ? REGISTRY_BYTES : type->form) {
    case REGISTRY_BYTES:
        return read_bytes(scope, context, inner, data);
    case REGISTRY_TEXT:
        return read_text(scope, context, inner, data);
    case REGISTRY_TEXTS:
        return read_texts(scope, context, inner, data);
    case REGISTRY_ULONG:
        return read_number(scope, context, inner, NT_ULONG, data);
    case REGISTRY_ULONG64:
        return read_number(scope, context, inner, NT_ULONG64, data);
    }
    abort(); /* every form returns */
    return false;
}

static char *show_bytes(char *text, const struct registry_data *data)
{
    text = talloc_strdup_append_buffer(text, "[");
    for (size_t i = 0; i < data->size && i < SHOWN_BYTES; i++) {
        text = talloc_asprintf_append_buffer(
            text, "%s%u", i == 0 ? "" : ", ", data->bytes[i]);
    }
    if (data->size > SHOWN_BYTES) {
        text =
            talloc_asprintf_append_buffer(text, ", ... %zu in all", data->size);
    }
    return talloc_strdup_append_buffer(text, "]");
}

/* One text from `at` on, which ends with a NUL; *at is behind that then. False:
 * there is none. */
static bool show_text(
    const struct registry_data *data, size_t *at, char **shown)
{
    size_t start = *at, end = start;
    struct pcw_text text;
    uint16_t *unit;
    char *utf8;

    while (end + 1 < data->size &&
           (data->bytes[end] != 0 || data->bytes[end + 1] != 0)) {
        end += sizeof(*unit);
    }
    if (end + 1 >= data->size) {
        return false;
    }
    unit = talloc_zero_size(*shown, end - start + sizeof(*unit));
    assert(unit != NULL);
    memcpy(unit, data->bytes + start, end - start);
    text = (struct pcw_text){unit, (end - start) / sizeof(*unit)};
    utf8 = wide_text_utf8(unit, text);
    *shown = talloc_asprintf_append_buffer(*shown, "'%s'", utf8);
    *at = end + sizeof(*unit);
    return true;
}

/* NULL: the data are not what the type says. */
static char *show_as(
    char *shown, const struct registry_data *data, enum registry_form form)
{
    size_t at = 0;
    bool right = true;

    switch (form) {
    case REGISTRY_BYTES:
        return show_bytes(shown, data);
    case REGISTRY_ULONG:
    case REGISTRY_ULONG64:
        if (data->size != (form == REGISTRY_ULONG ? 4 : 8)) {
            return NULL;
        }
        return talloc_asprintf_append_buffer(
            shown, "%" PRIu64, nt_load(data->bytes, data->size));
    case REGISTRY_TEXT:
        return show_text(data, &at, &shown) && at == data->size ? shown : NULL;
    case REGISTRY_TEXTS:
        break;
    }
    shown = talloc_strdup_append_buffer(shown, "[");
    while (right && at + 2 < data->size) {
        shown = talloc_strdup_append_buffer(shown, at == 0 ? "" : ", ");
        right = show_text(data, &at, &shown);
    }
    right = right && at + 2 == data->size && data->bytes[at] == 0 &&
            data->bytes[at + 1] == 0;
    return right ? talloc_strdup_append_buffer(shown, "]") : NULL;
}

char *registry_data_show(void *context, const struct registry_data *data)
{
    const struct registry_type *type = type_numbered(data->type);
    char *shown = NULL;

    if (type != NULL) {
        shown = show_as(
            talloc_asprintf(context, "{%s: ", type->key), data, type->form);
    }
    if (shown == NULL) {
        shown = show_bytes(
            talloc_asprintf(context, "{type: %" PRIu32 ", bytes: ", data->type),
            data);
    }
    return talloc_strdup_append_buffer(shown, "}");
}
