/* yaml_out.c - values written as YAML on one line: what needs quotes is known
 * by libyaml's parser, and put into them by its emitter. Brackets and all else
 * is written by hand: the emitter has no comments, and it would put quotes
 * around $(a == '?') and other texts that readers take as they are, and what is
 * in quotes is no expression. */
#include "scenarios/runner/yaml/yaml_out.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>
#include <yaml.h>

#include "api/text/character.h"
#include "api/text/utf8.h"

/* Reads the next event; `text` is that of the plain scalar that it has to be,
 * NULL where it may be any. */
static bool next_is(yaml_parser_t *parser, const char *text)
{
    yaml_event_t event;
    bool right;

    if (yaml_parser_parse(parser, &event) == 0) {
        return false;
    }
    right =
        text == NULL ||
        (event.type == YAML_SCALAR_EVENT &&
            event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
            event.data.scalar.anchor == NULL && event.data.scalar.tag == NULL &&
            strcmp((const char *)event.data.scalar.value, text) == 0);
    yaml_event_delete(&event);
    return right;
}

/* Whether the text, as it is, is read as itself in block and in flow style; a
 * tab, which cannot be told from blanks, is shown as an escape. */
static bool is_plain(const char *text)
{
    /* A stream, a document and a mapping begin, and then there are: */
    const char *const wanted[] = {NULL, NULL, NULL, "a", text, "b", NULL, text};
    char *file = talloc_asprintf(NULL, "a: %s\nb: [%s]\n", text, text);
    yaml_parser_t parser;
    int ready = yaml_parser_initialize(&parser);
    bool plain = text[0] != '\0' && strchr(text, '\t') == NULL;

    assert(file != NULL && ready != 0);
    (void)ready;
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(
        &parser, (const unsigned char *)file, strlen(file));
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]) && plain; i++) {
        plain = next_is(&parser, wanted[i]);
    }
    yaml_parser_delete(&parser);
    talloc_free(file);
    return plain;
}

/* Only want of memory makes an event fail. */
static void emit(yaml_emitter_t *emitter, yaml_event_t *event, int made)
{
    int emitted = made != 0 ? yaml_emitter_emit(emitter, event) : 0;

    assert(emitted != 0);
    (void)emitted;
}

/* A document of one scalar, which the emitter ends with a line's end. */
static void emit_quoted(yaml_emitter_t *emitter, const char *text)
{
    yaml_event_t event;

    emit(emitter, &event,
        yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(emitter, &event,
        yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
    emit(emitter, &event,
        yaml_scalar_event_initialize(&event, NULL, NULL,
            (const yaml_char_t *)text, (int)strlen(text), 1, 1,
            YAML_DOUBLE_QUOTED_SCALAR_STYLE));
    emit(emitter, &event, yaml_document_end_event_initialize(&event, 1));
    emit(emitter, &event, yaml_stream_end_event_initialize(&event));
}

/* What the emitter has to say, but for the end of the line. Whether it could be
 * written is known to the file. */
static int take(void *data, unsigned char *bytes, size_t size)
{
    size_t line = size > 0 && bytes[size - 1] == '\n' ? size - 1 : size;

    fwrite(bytes, 1, line, (FILE *)data);
    return 1;
}

/* Those are escaped where nothing beyond ASCII is written as it is. */
static bool has_hidden(const char *text)
{
    size_t left = strlen(text), length;
    bool hidden = false;

    for (; left > 0 && !hidden; text += length, left -= length) {
        uint32_t code;

        length = utf8_decode(text, left, &code);
        hidden = character_is_hidden(code);
    }
    return hidden;
}

static void write_quoted(const char *text, FILE *out)
{
    yaml_emitter_t emitter;
    int ready = yaml_emitter_initialize(&emitter);

    assert(ready != 0);
    (void)ready;
    yaml_emitter_set_output(&emitter, take, out);
    yaml_emitter_set_unicode(&emitter, !has_hidden(text));
    yaml_emitter_set_width(&emitter, -1);
    emit_quoted(&emitter, text);
    yaml_emitter_delete(&emitter);
}

static char *repaired(const char *text)
{
    size_t size = strlen(text);
    char *right =
        talloc_array(NULL, char, (unsigned)(size * UTF8_REPAIRED_BYTES) + 1);

    assert(right != NULL);
    utf8_repair(text, size, right);
    return right;
}

void yaml_out_text(const char *text, FILE *out)
{
    char *right = repaired(text);

    if (is_plain(right)) {
        fputs(right, out);
    } else {
        write_quoted(right, out);
    }
    talloc_free(right);
}

void yaml_out_quoted(const char *text, FILE *out)
{
    char *right = repaired(text);

    write_quoted(right, out);
    talloc_free(right);
}

static void write_scalar(const struct yaml_out *yaml, const struct node *node)
{
    if (node->quoted) {
        yaml_out_quoted(node->text, yaml->out);
    } else {
        yaml_out_text(
            yaml->plain == NULL ? node->text : yaml->plain(yaml->context, node),
            yaml->out);
    }
}

void yaml_out_flow(const struct yaml_out *yaml, const struct node *node)
{
    if (yaml->visit != NULL) {
        yaml->visit(yaml->context, node);
    }
    if (node->kind == NODE_SCALAR) {
        write_scalar(yaml, node);
        return;
    }
    fputc(node->kind == NODE_SEQUENCE ? '[' : '{', yaml->out);
    for (size_t i = 0; i < node->count; i++) {
        fputs(i == 0 ? "" : ", ", yaml->out);
        if (node->kind == NODE_SEQUENCE) {
            yaml_out_flow(yaml, node->item[i]);
        } else {
            yaml_out_text(node->entry[i].key->text, yaml->out);
            fputs(": ", yaml->out);
            yaml_out_flow(yaml, node->entry[i].value);
        }
    }
    fputc(node->kind == NODE_SEQUENCE ? ']' : '}', yaml->out);
}
