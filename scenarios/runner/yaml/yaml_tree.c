/* yaml_tree.c - a file read as a tree of nodes: libyaml's events, and what our
 * subset of YAML refuses. */
#include "scenarios/runner/yaml/yaml_tree.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>
#include <yaml.h>

#include "api/text/character.h"
#include "api/text/utf8.h"
#include "scenarios/runner/yaml/plain_word.h"
#include "scenarios/runner/yaml/yaml_problem.h"
#include "scenarios/runner/yaml/yaml_text.h"

/* Bytes of a block: a tree takes about as much for each byte of its text. */
enum { BLOCK_LEAST = 1024, BLOCK_MOST = 1 << 16, BLOCK_OF_TEXT = 16 };

/* Memory for a tree, which is given back as a whole: of many small nodes each
 * allocation would count. */
struct tree_memory {
    void *context;
    char *next; /* of the last block, zeroed */
    size_t left;
    size_t size; /* of a block */
};

struct tree_reader {
    struct tree_memory memory;
    const struct source *source;
    struct diagnostics *diagnostics;
    yaml_parser_t parser;
    size_t events;
    size_t depth;
    bool failed; /* nothing more can be read */
};

static struct mark to_mark(yaml_mark_t mark)
{
    return (struct mark){mark.line + 1, mark.column + 1};
}

static bool next_event(struct tree_reader *reader, yaml_event_t *event)
{
    if (reader->failed) {
        return false;
    }
    if (yaml_parser_parse(&reader->parser, event) == 0) {
        yaml_problem_report(
            &reader->parser, reader->source, reader->diagnostics);
        reader->failed = true;
        return false;
    }
    if (++reader->events > YAML_EVENTS) {
        diagnostics_add(reader->diagnostics, DIAGNOSTIC_LIMIT, reader->source,
            to_mark(event->start_mark), 1,
            "more than %d values, keys and brackets in one file", YAML_EVENTS);
        yaml_event_delete(event);
        reader->failed = true;
        return false;
    }
    return true;
}

static void refuse(struct tree_reader *reader, enum diagnostic_code code,
    const struct node *node, const char *what, const char *instead)
{
    diagnostics_add(reader->diagnostics, code, reader->source, node->mark,
        node->width, "%s", what);
    diagnostics_hint(reader->diagnostics, "%s", instead);
}

/* Zeroed, and aligned for pointers. */
static void *tree_alloc(struct tree_memory *memory, size_t bytes)
{
    void *made;

    bytes = (bytes + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
    if (bytes > memory->left) {
        memory->left = bytes > memory->size ? bytes : memory->size;
        memory->next = talloc_zero_size(memory->context, memory->left);
        assert(memory->next != NULL);
    }
    made = memory->next;
    memory->next += bytes;
    memory->left -= bytes;
    return made;
}

/* A node with room for so much text behind it. */
static struct node *node_new(struct tree_reader *reader, enum node_kind kind,
    const yaml_event_t *event, size_t text_bytes)
{
    struct node *node = tree_alloc(&reader->memory, sizeof(*node) + text_bytes);

    node->kind = kind;
    node->source = reader->source;
    node->mark = to_mark(event->start_mark);
    node->width = 1;
    return node;
}

/* Anchors and tags can stand on any node. */
static void refuse_properties(struct tree_reader *reader,
    const struct node *node, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    if (anchor != NULL) {
        refuse(reader, DIAGNOSTIC_ANCHOR, node, "anchors are not allowed",
            "write the value where it is used");
    }
    if (tag != NULL) {
        refuse(reader, DIAGNOSTIC_TAG, node, "tags are not allowed",
            "a value's type comes from the field it stands in");
    }
}

static void check_scalar(
    struct tree_reader *reader, struct node *node, size_t length)
{
    if (length > YAML_SCALAR_BYTES) {
        refuse(reader, DIAGNOSTIC_LIMIT, node, "a value of more than 64 KiB",
            "split it, or write it as {repeat: count, item: value}");
    }
    for (size_t at = 0; at < length;) {
        uint32_t code;

        if (node->text[at] >= ' ' && node->text[at] <= '~') {
            at++;
            continue;
        }
        at += utf8_decode(node->text + at, length - at, &code);
        if (character_is_control(code) && code != '\n' && code != '\t') {
            diagnostics_add(reader->diagnostics, DIAGNOSTIC_CONTROL,
                reader->source, node->mark, node->width,
                "a control character in a value");
            diagnostics_hint(reader->diagnostics,
                "it is 0x%02X; use printable text", (unsigned)code);
            return;
        }
    }
}

static struct node *read_scalar(
    struct tree_reader *reader, const yaml_event_t *event)
{
    size_t length = event->data.scalar.length;
    struct node *node = node_new(reader, NODE_SCALAR, event, length + 1);
    const yaml_mark_t *start = &event->start_mark, *end = &event->end_mark;

    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->text = memcpy(node + 1, event->data.scalar.value, length);
    if (start->line == end->line && end->column > start->column) {
        node->width = end->column - start->column;
    }
    refuse_properties(
        reader, node, event->data.scalar.anchor, event->data.scalar.tag);
    check_scalar(reader, node, length);
    return node;
}

/* Lists have room for 1, 3, 7, 15, ... entries. */
static bool is_full(size_t count)
{
    return (count & (count + 1)) == 0;
}

/* A list that was full in one of twice its room. */
static void *more_room(
    struct tree_reader *reader, const void *list, size_t count, size_t each)
{
    void *made = tree_alloc(&reader->memory, (2 * count + 1) * each);

    if (count > 0) {
        memcpy(made, list, count * each);
    }
    return made;
}

static struct node *read_node(struct tree_reader *reader, yaml_event_t *event);

static struct node *read_sequence(
    struct tree_reader *reader, const yaml_event_t *start)
{
    struct node *node = node_new(reader, NODE_SEQUENCE, start, 0);
    yaml_event_t event;

    refuse_properties(reader, node, start->data.sequence_start.anchor,
        start->data.sequence_start.tag);
    while (next_event(reader, &event)) {
        struct node *item;

        if (event.type == YAML_SEQUENCE_END_EVENT) {
            yaml_event_delete(&event);
            break;
        }
        item = read_node(reader, &event);
        if (item == NULL) {
            continue;
        }
        if (node_is_word(item, "")) {
            refuse(reader, DIAGNOSTIC_EMPTY_VALUE, item,
                "an item of a list has no value", "write '- value'");
            continue;
        }
        if (is_full(node->count)) {
            node->item = more_room(
                reader, node->item, node->count, sizeof(node->item[0]));
        }
        node->item[node->count++] = item;
    }
    return node;
}

/* Whether the key can be used; what is wrong with it otherwise. */
static bool check_key(struct tree_reader *reader, const struct node *key,
    const struct node *mapping)
{
    const struct node *same;

    if (key->kind != NODE_SCALAR || key->text[0] == '\0') {
        refuse(reader, DIAGNOSTIC_BAD_KEY, key, "a key must be a name",
            "put a list or mapping behind the colon");
        return false;
    }
    if (strlen(key->text) > YAML_KEY_BYTES) {
        diagnostics_add(reader->diagnostics, DIAGNOSTIC_LIMIT, reader->source,
            key->mark, key->width, "a key of more than %d bytes",
            YAML_KEY_BYTES);
        diagnostics_hint(reader->diagnostics, "use a shorter name");
        return false;
    }
    if (node_is_word(key, "<<")) {
        refuse(reader, DIAGNOSTIC_TAG, key, "merge keys are not allowed",
            "write the keys out, or share steps with use: file#fragment");
        return false;
    }
    if (plain_word_is_no_text(key->text)) {
        refuse(reader, DIAGNOSTIC_BAD_KEY, key,
            "a key that other readers of YAML do not take for a text",
            "use another name than y, yes, on, n, no, off, true, false, null");
        /* It stays, so that what uses the name is no error as well. */
    }
    same = node_key(mapping, key->text);
    if (same != NULL) {
        diagnostics_add(reader->diagnostics, DIAGNOSTIC_DUPLICATE_KEY,
            reader->source, key->mark, key->width, "duplicate key '%s'",
            key->text);
        diagnostics_add(reader->diagnostics, DIAGNOSTIC_NOTE, reader->source,
            same->mark, same->width, "first defined here");
        if (strcmp(key->text, "expect") == 0) {
            diagnostics_hint(reader->diagnostics,
                "make one of the two; several expectations are a list, expect: "
                "[{..}, {..}]");
        }
        return false;
    }
    return true;
}

/* Why a key may have no value: no blank behind its colon, an expression that
 * was cut into keys, or a block that is not further in. */
static void hint_empty(struct tree_reader *reader, const struct node *key)
{
    const char *colon = key->quoted ? NULL : strchr(key->text, ':');

    if (colon != NULL && colon > key->text && colon[1] != '\0') {
        diagnostics_hint(reader->diagnostics,
            "write '%.*s: %s', with a blank behind the colon",
            (int)(colon - key->text), key->text, colon + 1);
    } else if (strpbrk(key->text, "()") != NULL) {
        diagnostics_hint(
            reader->diagnostics, "write 'key: value'; " YAML_EXPRESSION_HINT);
    } else {
        diagnostics_hint(reader->diagnostics,
            "write '%s: value', or what belongs to it below and further in; "
            "else leave it out",
            key->text);
    }
}

static void add_entry(struct tree_reader *reader, struct node *mapping,
    struct node *key, struct node *value)
{
    if (mapping->count == YAML_KEYS) {
        refuse(reader, DIAGNOSTIC_LIMIT, key, "more than 2000 keys",
            "use several files");
        reader->failed = true;
        return;
    }
    if (!check_key(reader, key, mapping)) {
        return;
    }
    if (node_is_word(value, "")) {
        diagnostics_add(reader->diagnostics, DIAGNOSTIC_EMPTY_VALUE,
            reader->source, key->mark, key->width, "'%s' has no value",
            key->text);
        hint_empty(reader, key);
        return; /* whoever wants the key would only complain again */
    }
    if (is_full(mapping->count)) {
        mapping->entry = more_room(
            reader, mapping->entry, mapping->count, sizeof(mapping->entry[0]));
    }
    mapping->entry[mapping->count++] = (struct entry){key, value};
    if (mapping->mark.line == key->mark.line &&
        mapping->mark.column == key->mark.column) {
        mapping->width = key->width; /* its end is behind what follows it */
    }
}

static struct node *read_mapping(
    struct tree_reader *reader, const yaml_event_t *start)
{
    struct node *node = node_new(reader, NODE_MAPPING, start, 0);
    yaml_event_t event;

    refuse_properties(reader, node, start->data.mapping_start.anchor,
        start->data.mapping_start.tag);
    while (next_event(reader, &event)) {
        struct node *key, *value;

        if (event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            break;
        }
        key = read_node(reader, &event);
        if (!next_event(reader, &event)) {
            break;
        }
        value = read_node(reader, &event);
        if (key != NULL && value != NULL) {
            add_entry(reader, node, key, value);
        }
    }
    return node;
}

static struct node *read_alias(
    struct tree_reader *reader, const yaml_event_t *event)
{
    struct node *node = node_new(reader, NODE_SCALAR, event, 0);

    node->text = "alias";
    refuse(reader, DIAGNOSTIC_ANCHOR, node, "aliases are not allowed",
        "write the value where it is used");
    return node;
}

/* Reads the node that starts with this event, and deletes the event. */
static struct node *read_node(struct tree_reader *reader, yaml_event_t *event)
{
    struct node *node = NULL;

    if (reader->depth == YAML_DEPTH) {
        diagnostics_add(reader->diagnostics, DIAGNOSTIC_LIMIT, reader->source,
            to_mark(event->start_mark), 1, "nested more than %d deep",
            YAML_DEPTH);
        reader->failed = true;
        yaml_event_delete(event);
        return NULL;
    }
    reader->depth++;
    if (event->type == YAML_SCALAR_EVENT) {
        node = read_scalar(reader, event);
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        node = read_sequence(reader, event);
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        node = read_mapping(reader, event);
    } else if (event->type == YAML_ALIAS_EVENT) {
        node = read_alias(reader, event);
    }
    reader->depth--;
    yaml_event_delete(event);
    return node;
}

static struct node *read_document(struct tree_reader *reader)
{
    struct node *root = NULL;
    yaml_event_t event;

    while (next_event(reader, &event)) {
        switch (event.type) {
        case YAML_STREAM_END_EVENT:
            yaml_event_delete(&event);
            return root;
        case YAML_DOCUMENT_END_EVENT:
            /* Nothing behind it is left to libyaml. */
            reader->failed |= yaml_text_refuse_rest(
                reader->source, to_mark(event.end_mark), reader->diagnostics);
            break;
        case YAML_ALIAS_EVENT:
        case YAML_SCALAR_EVENT:
        case YAML_SEQUENCE_START_EVENT:
        case YAML_MAPPING_START_EVENT:
            root = read_node(reader, &event);
            continue;
        case YAML_NO_EVENT:
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_START_EVENT:
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT:
            break;
        }
        yaml_event_delete(&event);
    }
    return root;
}

static size_t block_size(const struct source *source)
{
    size_t bytes = BLOCK_OF_TEXT * source->length;

    bytes = bytes < BLOCK_LEAST ? BLOCK_LEAST : bytes;
    return bytes > BLOCK_MOST ? BLOCK_MOST : bytes;
}

struct node *yaml_tree_read(
    void *context, const struct source *source, struct diagnostics *diagnostics)
{
    struct tree_reader reader = {
        .memory = {.context = context, .size = block_size(source)},
        .source = source,
        .diagnostics = diagnostics};
    struct node *root;
    int ready;

    if (yaml_text_refuse(source, diagnostics)) {
        return NULL;
    }
    ready = yaml_parser_initialize(&reader.parser);
    assert(ready != 0);
    (void)ready;
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(
        &reader.parser, (const unsigned char *)source->text, source->length);
    root = read_document(&reader);
    yaml_parser_delete(&reader.parser);
    return reader.failed ? NULL : root;
}
