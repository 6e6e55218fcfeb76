/* structures.c - a driver's own structures: read from `structures`, laid out as
 * a compiler for Windows does, and written with the values of their fields. */
#include "scenarios/runner/language/structures.h"

#include <assert.h>
#include <inttypes.h>
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
    if (structures != NULL && structures->incomplete && !type_is_known(text)) {
        return false; /* it may be where the error is */
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

/* A field's type; *alignment is what the type asks for. */
static bool read_field_type(const struct schema *schema,
    const struct structures *structures, const struct node *type,
    struct structure_field *field, size_t *alignment)
{
    bool is_alias = type->kind == NODE_SCALAR && !type->quoted &&
                    type_find_alias(type->text, &field->type);

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
    if (nt_type_tail(field->type) != NULL) {
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

/* What stands behind the key; as it was where there is nothing. */
static bool read_number(const struct schema *schema, const struct node *value,
    const char *key, uint64_t *number)
{
    const struct node *node = node_get(value, key);

    return node == NULL ||
           schema_key_number(schema, MAPPING_FIELD, key, node, number);
}

/* Bits are of one number. */
static bool check_bits(const struct schema *schema, const struct node *value,
    const struct structure_field *field, uint64_t bit, uint64_t bits)
{
    const struct node *node = node_get(value, bits > 0 ? "bits" : "bit");
    bool is_number = field->own == NULL &&
                     nt_type_row(field->type)->kind == NT_KIND_UNSIGNED;

    if (node == NULL) {
        return true;
    }
    if (bits == 0) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "a first bit, without how many bits there are");
        diagnostics_hint(schema->diagnostics, "bits says that");
    } else if (!is_number || field->count > 0) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "bits are of one number, as UCHAR, USHORT, ULONG and ULONG64 are");
    } else if (bit + bits > field->size * 8) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "%u bits from bit %u on are not in %u", (unsigned)bits,
            (unsigned)bit, (unsigned)(field->size * 8));
    } else {
        return true;
    }
    return false;
}

/* TYPE, or {type: TYPE, count: 4}. field->at is where it follows. */
static bool read_field(const struct schema *schema,
    const struct structures *structures, const struct entry *entry, size_t pack,
    struct structure_field *field, size_t *alignment)
{
    const struct node *value = entry->value;
    bool is_type = value->kind != NODE_MAPPING;
    uint64_t count = 0, bit = 0, bits = 0, at;

    if (!is_type && (!schema_mapping(schema, value, MAPPING_FIELD, value) ||
                        node_get(value, "type") == NULL ||
                        !read_number(schema, value, "count", &count) ||
                        !read_number(schema, value, "bit", &bit) ||
                        !read_number(schema, value, "bits", &bits))) {
        return false;
    }
    field->count = (uint32_t)count;
    field->bit = (uint8_t)bit;
    field->bits = (uint8_t)bits;
    if (!read_field_type(schema, structures,
            is_type ? value : node_get(value, "type"), field, alignment) ||
        (!is_type && !check_bits(schema, value, field, bit, bits))) {
        return false;
    }
    *alignment = *alignment > pack ? pack : *alignment;
    at = round_up(field->at, *alignment);
    if (!is_type && !read_number(schema, value, "at", &at)) {
        return false;
    }
    field->at = (size_t)at;
    return true;
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
        size_t alignment = 1, end;

        *field = (struct structure_field){
            .name = fields->entry[i].key->text, .at = structure->size};
        if (!read_field(schema, structures, &fields->entry[i], pack, field,
                &alignment)) {
            right = false;
            continue;
        }
        end = field->at + field->size * (field->count == 0 ? 1 : field->count);
        structure->size = end > structure->size ? end : structure->size;
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

bool structure_name_is_taken(const char *name)
{
    enum nt_type type;

    return type_is_known(name) || type_find_alias(name, &type) ||
           strcmp(name, "bytes") == 0 || strcmp(name, "text") == 0;
}

static bool check_name(const struct schema *schema, const struct node *key)
{
    if (structure_name_is_taken(key->text)) {
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

/* `bytes`, a size that is not what the fields come to. */
static bool read_size(const struct schema *schema, const struct node *node,
    struct structure *structure)
{
    uint64_t bytes;

    if (node == NULL) {
        return true;
    }
    if (!schema_key_number(schema, MAPPING_STRUCTURE, "bytes", node, &bytes)) {
        return false;
    }
    for (size_t i = 0; i < structure->count; i++) {
        const struct structure_field *field = &structure->field[i];

        if (field->at + field->size * (field->count == 0 ? 1 : field->count) >
            bytes) {
            schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
                "'%s' does not end within %u bytes", field->name,
                (unsigned)bytes);
            return false;
        }
    }
    structure->size = (size_t)bytes;
    return true;
}

/* Names that say why they are none. */
static bool read_left_out(const struct schema *schema, const struct node *node,
    struct structure *structure)
{
    const char *text;
    bool right = true;

    if (node == NULL) {
        return true;
    }
    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected fields with what they are, {Ratio: a floating-point "
            "number}");
        return false;
    }
    for (size_t i = 0; i < node->count; i++) {
        right &= schema_text(schema, node->entry[i].value, &text);
        for (size_t k = 0; k < structure->count; k++) {
            if (node_is_word(node->entry[i].key, structure->field[k].name)) {
                schema_error(schema, DIAGNOSTIC_CONFLICT, node->entry[i].key,
                    "'%s' is a field, too", structure->field[k].name);
                right = false;
            }
        }
    }
    structure->left_out = node;
    return right;
}

static void read_one(const struct schema *schema, void *context,
    const struct entry *entry, struct structures *structures)
{
    struct structure *structure = &structures->item[structures->count];
    const struct structure *known = find(structures, entry->key->text);
    const struct node *fields;
    uint64_t pack = USUAL_PACK;

    *structure = (struct structure){
        .name = entry->key->text, .defined = entry->key, .alignment = 1};
    if (!check_name(schema, entry->key)) {
        return;
    }
    if (known != NULL) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, entry->key,
            "'%s' is in header '%s', too", known->name, known->defined->text);
        diagnostics_hint(
            schema->diagnostics, "leave it out: the header is what counts");
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
        !read_fields(schema, structures, fields, (size_t)pack, structure) ||
        !read_size(schema, node_get(entry->value, "bytes"), structure) ||
        !read_left_out(schema, node_get(entry->value, "left_out"), structure);
}

void structures_reserve(
    void *context, struct structures *structures, size_t more)
{
    assert(structures->item == NULL); /* there are pointers to them */
    if (more == 0) {
        return;
    }
    structures->item =
        talloc_zero_array(context, struct structure, (unsigned)more);
    assert(structures->item != NULL);
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
    for (size_t i = 0; i < node->count; i++) {
        read_one(schema, context, &node->entry[i], structures);
    }
}

const struct structure_field *structure_field(struct scope *scope,
    const struct structure *structure, const struct node *name)
{
    struct suggestion suggestion;
    const struct node *left_out;

    if (structure->broken) {
        return NULL;
    }
    for (size_t i = 0; i < structure->count; i++) {
        if (node_is_word(name, structure->field[i].name)) {
            return &structure->field[i];
        }
    }
    left_out = structure->left_out == NULL || name->kind != NODE_SCALAR
                   ? NULL
                   : node_get(structure->left_out, name->text);
    if (left_out != NULL) {
        scope_error(scope, DIAGNOSTIC_NOT_MODELLED, name,
            "'%s' of '%s' is no field here: it is %s", name->text,
            structure->name, left_out->text);
        diagnostics_hint(scope->schema.diagnostics,
            "its bytes can be written, and asked for, by their place");
        return NULL;
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

static uint64_t mask_of(const struct structure_field *field)
{
    return UINT64_MAX >> (64 - field->bits);
}

uint64_t structure_field_bits(
    const struct structure_field *field, const void *at)
{
    return nt_load(at, field->size) >> field->bit & mask_of(field);
}

/* The other bits of the number stay. */
static bool write_bits(struct scope *scope, const struct node *node,
    const struct structure_field *field, uint8_t *at)
{
    uint64_t mask = mask_of(field);
    uint8_t number[sizeof(uint64_t)] = {0};
    uint64_t value;

    if (!value_write(scope, node, field->type, number)) {
        return false;
    }
    value = nt_load(number, field->size);
    if (value > mask) {
        scope_error(scope, DIAGNOSTIC_OUT_OF_RANGE, node,
            "0x%" PRIX64 " is too large for '%s', which has %u bits", value,
            field->name, (unsigned)field->bits);
        return false;
    }
    nt_store(at, field->size,
        (nt_load(at, field->size) & ~(mask << field->bit)) | value
                                                                 << field->bit);
    return true;
}

static bool write_element(struct scope *scope, const struct node *node,
    const struct structure_field *field, uint8_t *at)
{
    if (field->own != NULL) {
        return structure_write(scope, node, field->own, at);
    }
    return field->bits > 0 ? write_bits(scope, node, field, at)
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
