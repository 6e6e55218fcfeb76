/* literal_place.c - where in a file's text an expected value stands, so that it
 * can be replaced, or why it cannot. */
#include "scenarios/runner/scenario/literal_place.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/keys.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/scenario.h"

/* Whether expectations stand behind this key of a step. */
static bool holds_expectations(const char *key)
{
    const struct key_row *row = key_find(MAPPING_STEP, key);

    return row != NULL && (row->form->mapping == MAPPING_EXPECT ||
                              row->form->mapping == MAPPING_STATE);
}

/* Whether `wanted` is part of an expectation below `node`, or of any. */
static bool is_in_expectation(
    const struct node *node, const struct node *wanted, bool inside)
{
    bool found = inside && node == wanted;

    for (size_t i = 0; node->kind != NODE_SCALAR && i < node->count && !found;
         i++) {
        if (node->kind == NODE_SEQUENCE) {
            found = is_in_expectation(node->item[i], wanted, inside);
            continue;
        }
        found = is_in_expectation(node->entry[i].value, wanted,
            inside || holds_expectations(node->entry[i].key->text));
    }
    return found;
}

static bool is_expected(
    const struct scenario *scenario, const struct node *wanted)
{
    bool found = is_in_expectation(scenario->root, wanted, false);

    for (size_t i = 1; i < scenario->frame_count && !found; i++) {
        found = is_in_expectation(scenario->frame[i].steps, wanted, false);
    }
    return found;
}

/* The word that the file has where the node is. */
static char *word_at(void *context, const struct source *source, size_t offset)
{
    size_t length = strcspn(source->text + offset, ",]}\n");
    const char *at = source->text + offset;
    const char *comment = memchr(at, '#', length);

    length = comment == NULL ? length : (size_t)(comment - at);
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\r')) {
        length--;
    }
    return talloc_strndup(context, at, length);
}

/* Why a value that is not the file's own cannot be changed. */
static const char *say_computed(void *context, const struct scenario *scenario,
    const struct node *node, size_t offset)
{
    const char *word = word_at(context, node->source, offset);
    const struct node *from = node->from;

    if (from == NULL) {
        return talloc_asprintf(context, "it is %s", word);
    }
    if (from->source == scenario->root->source) {
        return talloc_asprintf(context, "it is %s, %s line %zu", word,
            outline_section(scenario->instance->outline, from),
            from->mark.line);
    }
    return talloc_asprintf(context, "it is %s, %s line %zu", word,
        from->source->path, from->mark.line);
}

static bool stands_at(const struct node *node, size_t offset)
{
    return node->kind == NODE_SCALAR && !node->quoted && node->from == NULL &&
           node->text[0] != '$' &&
           strncmp(node->source->text + offset, node->text,
               strlen(node->text)) == 0;
}

/* A list in brackets, with nothing in it but its elements. */
static void find_list(void *context, const struct scenario *scenario,
    const struct node *node, struct literal_place *place)
{
    const char *text = node->source->text;
    size_t at = place->offset + 1;

    if (text[place->offset] != '[') {
        place->problem = "it is a list that is not written as [a, b]";
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        const struct node *item = node->item[i];

        at += strspn(text + at, " ,\r\n");
        if (item->kind != NODE_SCALAR || item->quoted ||
            item->source != node->source ||
            source_offset(item->source, item->mark) != at) {
            place->problem = "it is a list with more than values in it";
            return;
        }
        if (!stands_at(item, at)) {
            place->problem = say_computed(context, scenario, item, at);
            return;
        }
        at += strlen(item->text);
    }
    at += strspn(text + at, " ,\r\n");
    if (text[at] != ']') {
        place->problem = "it is a list with more than values in it";
        return;
    }
    place->length = at + 1 - place->offset;
}

struct literal_place literal_place_find(
    void *context, const struct scenario *scenario, const struct node *node)
{
    struct literal_place place = {
        .offset = source_offset(node->source, node->mark)};

    if (!is_expected(scenario, node)) {
        place.problem = "it is no expectation";
    } else if (node->from != NULL) {
        place.problem = say_computed(context, scenario, node, place.offset);
    } else if (node->kind == NODE_SEQUENCE) {
        find_list(context, scenario, node, &place);
    } else if (node->kind == NODE_MAPPING) {
        place.problem = "it is a matcher";
    } else if (node_is_word(node, "unchanged")) {
        place.problem = "it says 'unchanged'";
    } else if (!stands_at(node, place.offset)) {
        place.problem = say_computed(context, scenario, node, place.offset);
    } else {
        place.length = strlen(node->text);
    }
    return place;
}
