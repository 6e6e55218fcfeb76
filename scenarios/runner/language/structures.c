/* structures.c - a driver's own structures: read from `structures`, laid out as
 * a compiler for Windows does, and written with the values of their fields. */
#include "scenarios/runner/language/structures.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/scope.h"
#include "scenarios/runner/language/type_name.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_struct.h"

enum { USUAL_PACK = 16 };

static size_t alignment_of(enum nt_type type)
{
    const struct nt_type_row *row = nt_type_row(type);
    size_t alignment = 1;

    if (row->kind != NT_KIND_STRUCT) {
        return row->size;
    }
    for (size_t i = 0; i < row->member_count; i++) {
        if (row->member[i].line == NT_LINE_MEMBER) {
            size_t inner = alignment_of(row->member[i].type);

            alignment = inner > alignment ? inner : alignment;
        }
    }
    return alignment;
}

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

static struct structure *find(
    const struct structures *structures, const char *name)
{
    for (size_t i = 0; structures != NULL && i < structures->count; i++) {
        if (strcmp(structures->item[i].name, name) == 0) {
            return &structures->item[i];
        }
    }
    return NULL;
}

bool structures_type(const struct schema *schema,
    const struct structures *structures, const struct node *name,
    const struct structure **own, enum nt_type *type)
{
    const char *text = name->kind == NODE_SCALAR ? name->text : "";
    struct structure *structure = find(structures, text);
    struct suggestion suggestion = suggest_for(text);

    *own = structure;
    if (structure != NULL) {
        structure->used = true;
        return true;
    }
    if (structures == NULL || structures->count == 0 || type_is_known(text)) {
        return read_type(schema, name, type);
    }
    schema_error(
        schema, DIAGNOSTIC_UNKNOWN_NAME, name, "unknown type '%s'", text);
    for (size_t i = 0; i < structures->count; i++) {
        suggest_offer(&suggestion, structures->item[i].name);
    }
    for (enum nt_type i = 0; i < NT_VOID; i++) {
        suggest_offer(&suggestion, nt_type_row(i)->name);
    }
    schema_suggest(schema, &suggestion);
    return false;
}

/* Whether values of the type have different sizes. */
static bool has_tail(enum nt_type type)
{
    const struct nt_type_row *row = nt_type_row(type);

    return row->kind == NT_KIND_STRUCT &&
           row->member[row->member_count - 1].count_member != NULL;
}

static bool find_alias(const struct node *name, enum nt_type *type)
{
    static const struct {
        const char *name;
        enum nt_type type;
    } rows[] = {
#define TYPE_ALIAS(name, type) {name, NT_##type},
#include "scenarios/runner/language/type_aliases.def"
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (node_is_word(name, rows[i].name)) {
            *type = rows[i].type;
            return true;
        }
    }
    return false;
}

/* A field's type; *alignment is what the type asks for. */
static bool read_field_type(const struct schema *schema,
    const struct structures *structures, const struct node *type,
    struct structure_field *field, size_t *alignment)
{
    bool is_alias = find_alias(type, &field->type);

    if (!is_alias &&
        !structures_type(schema, structures, type, &field->own, &field->type)) {
        return false;
    }
    if (field->own != NULL) {
        field->size = field->own->size;
        *alignment = field->own->alignment;
        if (field->own == &structures->item[structures->count - 1]) {
            schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, type,
                "'%s' would hold itself", type->text);
            diagnostics_hint(schema->diagnostics, "a pointer to it is PVOID");
        }
        return !field->own->broken;
    }
    if (has_tail(field->type)) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, type,
            "'%s' is as long as its elements need, which no field is",
            type->text);
        diagnostics_hint(schema->diagnostics,
            "let the structure end before it, and write it behind: "
            "[{PMU_SET: ..}, {%s: ..}]",
            type->text);
        return false;
    }
    field->size = nt_type_row(field->type)->size;
    *alignment = alignment_of(field->type);
    return true;
}

/* TYPE, or {type: TYPE, count: 4}. */
static bool read_field(const struct schema *schema,
    const struct structures *structures, const struct entry *entry,
    struct structure_field *field, size_t *alignment)
{
    const struct node *value = entry->value;
    uint64_t count = 0;

    *field = (struct structure_field){.name = entry->key->text};
    if (value->kind != NODE_MAPPING) {
        return read_field_type(schema, structures, value, field, alignment);
    }
    if (!schema_mapping(schema, value, MAPPING_FIELD, value) ||
        node_get(value, "type") == NULL ||
        (node_get(value, "count") != NULL &&
            !schema_key_number(schema, MAPPING_FIELD, "count",
                node_get(value, "count"), &count))) {
        return false;
    }
    field->count = (uint32_t)count;
    return read_field_type(
        schema, structures, node_get(value, "type"), field, alignment);
}

static bool is_too_large(const struct schema *schema, const struct node *node,
    const struct structure *structure)
{
    if (structure->size <= IOCTL_OUTPUT_BYTES) {
        return false;
    }
    schema_error(schema, DIAGNOSTIC_LIMIT, node,
        "'%s' has more than %d bytes with this", structure->name,
        IOCTL_OUTPUT_BYTES);
    return true;
}

static bool read_fields(const struct schema *schema,
    const struct structures *structures, const struct node *fields, size_t pack,
    struct structure *structure)
{
    bool right = true;

    if (fields->kind != NODE_MAPPING || fields->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, fields,
            "expected fields with their types, {counter: ULONG}");
        return false;
    }
    structure->count = fields->count;
    for (size_t i = 0; i < fields->count; i++) {
        struct structure_field *field = &structure->field[i];
        size_t alignment = 1;

        if (!read_field(
                schema, structures, &fields->entry[i], field, &alignment)) {
            right = false;
            continue;
        }
        alignment = alignment > pack ? pack : alignment;
        field->at = round_up(structure->size, alignment);
        structure->size =
            field->at + field->size * (field->count == 0 ? 1 : field->count);
        if (alignment > structure->alignment) {
            structure->alignment = alignment;
        }
        if (is_too_large(schema, fields->entry[i].key, structure)) {
            return false;
        }
    }
    structure->size = round_up(structure->size, structure->alignment);
    return right;
}

/* Whether a structure may have the name. */
static bool check_name(const struct schema *schema, const struct node *key)
{
    if (type_is_known(key->text) || strcmp(key->text, "bytes") == 0 ||
        strcmp(key->text, "text") == 0) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, key,
            "'%s' has a meaning already", key->text);
        diagnostics_hint(schema->diagnostics, "call it otherwise");
        return false;
    }
    return true;
}

static bool read_pack(
    const struct schema *schema, const struct node *node, uint64_t *pack)
{
    if (node == NULL) {
        return true;
    }
    if (!schema_key_number(schema, MAPPING_STRUCTURE, "pack", node, pack)) {
        return false;
    }
    if ((*pack & (*pack - 1)) != 0) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "a pack is 1, 2, 4, 8 or 16, not %u", (unsigned)*pack);
        return false;
    }
    return true;
}

static void read_one(const struct schema *schema, void *context,
    const struct entry *entry, struct structures *structures)
{
    struct structure *structure = &structures->item[structures->count];
    const struct node *fields;
    uint64_t pack = USUAL_PACK;

    *structure = (struct structure){
        .name = entry->key->text, .defined = entry->key, .alignment = 1};
    if (!check_name(schema, entry->key)) {
        return;
    }
    structures->count++;
    structure->broken = true;
    if (!schema_mapping(schema, entry->value, MAPPING_STRUCTURE, entry->key)) {
        return;
    }
    fields = node_get(entry->value, "fields");
    if (fields == NULL ||
        !read_pack(schema, node_get(entry->value, "pack"), &pack)) {
        return;
    }
    structure->field = talloc_zero_array(
        context, struct structure_field, (unsigned)fields->count + 1);
    assert(structure->field != NULL);
    structure->broken =
        !read_fields(schema, structures, fields, (size_t)pack, structure);
}

void structures_read(const struct schema *schema, void *context,
    const struct node *node, struct structures *structures)
{
    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected structures by name, {PMU_SET: {fields: {counter: "
            "ULONG}}}");
        return;
    }
    structures->item =
        talloc_zero_array(context, struct structure, (unsigned)node->count);
    assert(structures->item != NULL);
    for (size_t i = 0; i < node->count; i++) {
        read_one(schema, context, &node->entry[i], structures);
    }
}

const struct structure_field *structure_field(struct scope *scope,
    const struct structure *structure, const struct node *name)
{
    struct suggestion suggestion;

    if (structure->broken) {
        return NULL;
    }
    for (size_t i = 0; i < structure->count; i++) {
        if (node_is_word(name, structure->field[i].name)) {
            return &structure->field[i];
        }
    }
    scope_error(scope, DIAGNOSTIC_UNKNOWN_KEY, name, "'%s' has no field '%s'",
        structure->name, name->kind == NODE_SCALAR ? name->text : "");
    suggestion = suggest_for(name->kind == NODE_SCALAR ? name->text : "");
    for (size_t i = 0; i < structure->count; i++) {
        suggest_offer(&suggestion, structure->field[i].name);
    }
    scope_suggest(scope, &suggestion);
    return NULL;
}

static bool write_element(struct scope *scope, const struct node *node,
    const struct structure_field *field, uint8_t *at)
{
    return field->own != NULL ? structure_write(scope, node, field->own, at)
                              : value_write(scope, node, field->type, at);
}

static bool write_array(struct scope *scope, const struct node *node,
    const struct structure_field *field, uint8_t *at)
{
    bool right = true;

    if (node->kind != NODE_SEQUENCE || node->count > field->count) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "expected a list of at most %u for '%s'", (unsigned)field->count,
            field->name);
        return false;
    }
    for (size_t i = 0; i < node->count; i++) {
        right &=
            write_element(scope, node->item[i], field, at + i * field->size);
    }
    return right;
}

bool structure_write(struct scope *scope, const struct node *node,
    const struct structure *structure, uint8_t *at)
{
    bool right = true;

    if (structure->broken) {
        return false;
    }
    if (node->kind != NODE_MAPPING) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "expected the fields of '%s', {%s: value}", structure->name,
            structure->field[0].name);
        return false;
    }
    for (size_t i = 0; i < node->count; i++) {
        const struct entry *entry = &node->entry[i];
        const struct structure_field *field =
            structure_field(scope, structure, entry->key);

        right &= field != NULL &&
                 (field->count > 0 ? write_array(scope, entry->value, field,
                                         at + field->at)
                                   : write_element(scope, entry->value, field,
                                         at + field->at));
    }
    return right;
}
