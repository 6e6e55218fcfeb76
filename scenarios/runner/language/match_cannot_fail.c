/* match_cannot_fail.c - expectations that every value meets. */
#include <string.h>

#include "scenarios/runner/language/match.h"
#include "scenarios/runner/yaml/plain_word.h"

/* Whether it is {not: x}, and x is in the list as well. */
static bool has_opposite(const struct node *list, const struct node *one)
{
    const struct node *not = one->kind == NODE_MAPPING && one->count == 1
                                 ? node_get(one, "not")
                                 : NULL;

    for (size_t i = 0; not != NULL && i < list->count; i++) {
        if (node_equal(list->item[i], not )) {
            return true;
        }
    }
    return false;
}

static bool one_cannot_fail(const struct node *list)
{
    for (size_t i = 0; list->kind == NODE_SEQUENCE && i < list->count; i++) {
        if (match_cannot_fail(list->item[i]) ||
            has_opposite(list, list->item[i])) {
            return true;
        }
    }
    return false;
}

/* {bits: ..} that asks for no bit. */
static bool no_bits(const struct node *bits)
{
    for (size_t i = 0; bits->kind == NODE_MAPPING && i < bits->count; i++) {
        uint64_t mask;

        if (bits->entry[i].value->kind != NODE_SCALAR ||
            !plain_word_number(bits->entry[i].value->text, &mask) ||
            mask != 0) {
            return false;
        }
    }
    return bits->kind == NODE_MAPPING;
}

bool match_cannot_fail(const struct node *node)
{
    const struct node *value;

    if (node_is_word(node, "any")) {
        return true;
    }
    if (node->kind != NODE_MAPPING || node->count != 1) {
        return false;
    }
    value = node->entry[0].value;
    if (strcmp(node->entry[0].key->text, "one_of") == 0) {
        return one_cannot_fail(value);
    }
    if (strcmp(node->entry[0].key->text, "bits") == 0) {
        return no_bits(value);
    }
    if (strcmp(node->entry[0].key->text, "len") == 0) {
        return match_cannot_fail(value);
    }
    return strcmp(node->entry[0].key->text, "min") == 0 &&
           (node_is_word(value, "0") || node_is_word(value, "0x0"));
}
