/* named_codes.c - control codes by number, by CTL_CODE's parts, and by names
 * that a scenario gives them. */
#include "scenarios/runner/language/named_codes.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/schema.h"

/* Where the parts lie in a code (IO-30a); METHOD_BUFFERED is 0 and
 * FILE_ANY_ACCESS too, which keys.def has in the order of their values. */
enum { DEVICE_SHIFT = 16, ACCESS_SHIFT = 14, FUNCTION_SHIFT = 2 };

static bool read_access(
    const struct schema *schema, const struct node *node, uint32_t *access)
{
    size_t word;

    *access = 0;
    if (node->kind != NODE_SEQUENCE) {
        if (!schema_key_word(schema, MAPPING_CODE, "access", node, &word)) {
            return false;
        }
        *access = (uint32_t)word;
        return true;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (!schema_key_word(
                schema, MAPPING_CODE, "access", node->item[i], &word)) {
            return false;
        }
        if (word == 0 || (*access & word) != 0) {
            schema_error(schema, DIAGNOSTIC_NO_EFFECT, node->item[i],
                "'%s' adds nothing here", node->item[i]->text);
            return false;
        }
        *access |= (uint32_t)word;
    }
    return true;
}

/* CTL_CODE(device, function, method, access). */
static bool read_parts(
    const struct schema *schema, const struct node *node, uint32_t *code)
{
    uint64_t device, function;
    size_t method;
    uint32_t access;

    if (!schema_mapping(schema, node, MAPPING_CODE, node) ||
        node_get(node, "device") == NULL ||
        node_get(node, "function") == NULL ||
        node_get(node, "method") == NULL || node_get(node, "access") == NULL) {
        return false; /* it has been said which one is missing */
    }
    if (!schema_key_number(schema, MAPPING_CODE, "device",
            node_get(node, "device"), &device) ||
        !schema_key_number(schema, MAPPING_CODE, "function",
            node_get(node, "function"), &function) ||
        !schema_key_word(schema, MAPPING_CODE, "method",
            node_get(node, "method"), &method) ||
        !read_access(schema, node_get(node, "access"), &access)) {
        return false;
    }
    *code = (uint32_t)device << DEVICE_SHIFT | access << ACCESS_SHIFT |
            (uint32_t)function << FUNCTION_SHIFT | (uint32_t)method;
    return true;
}

static bool is_name(const struct node *node)
{
    return node->kind == NODE_SCALAR && !node->quoted && node->text[0] != '$' &&
           (node->text[0] < '0' || node->text[0] > '9') && node->text[0] != '-';
}

static void report_name(const struct schema *schema,
    const struct named_codes *codes, const struct node *node)
{
    struct suggestion suggestion = suggest_for(node->text);

    schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, node,
        "no control code is called '%s'", node->text);
    for (size_t i = 0; i < codes->count; i++) {
        suggest_offer(&suggestion, codes->item[i].name);
    }
    if (codes->count == 0) {
        diagnostics_hint(schema->diagnostics,
            "name it at the top, codes: {%s: 0x22E000}, or write the number",
            node->text);
    } else {
        schema_suggest(schema, &suggestion);
    }
}

bool named_code_read(const struct schema *schema,
    const struct named_codes *codes, const struct node *node, uint32_t *code)
{
    uint64_t number;

    if (node->kind == NODE_MAPPING) {
        return read_parts(schema, node, code);
    }
    for (size_t i = 0; i < codes->count; i++) {
        if (node_is_word(node, codes->item[i].name)) {
            codes->item[i].used = true;
            *code = codes->item[i].code;
            return true;
        }
    }
    if (is_name(node)) {
        report_name(schema, codes, node);
        return false;
    }
    if (!schema_number(schema, node, 0, UINT32_MAX, &number)) {
        return false;
    }
    *code = (uint32_t)number;
    return true;
}

void named_codes_read(const struct schema *schema, void *context,
    const struct node *node, struct named_codes *codes)
{
    static const struct named_codes none = {NULL, 0};

    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected control codes by name, {IOCTL_PMU_SET: 0x22E000}");
        return;
    }
    codes->item =
        talloc_zero_array(context, struct named_code, (unsigned)node->count);
    assert(codes->item != NULL);
    for (size_t i = 0; i < node->count; i++) {
        struct named_code *code = &codes->item[codes->count];

        *code = (struct named_code){
            .name = node->entry[i].key->text, .defined = node->entry[i].key};
        if (!is_name(node->entry[i].key)) {
            schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node->entry[i].key,
                "a control code's name begins with a letter");
            continue;
        }
        /* Its name is known, also where its number is not. */
        codes->count++;
        named_code_read(schema, &none, node->entry[i].value, &code->code);
    }
}
