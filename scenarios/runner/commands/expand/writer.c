/* writer.c - values of an instance that is written out, each with a comment
 * that says where it comes from. */
#include "scenarios/runner/commands/expand/writer.h"

#include <string.h>
#include <talloc.h>

#include "api/text/utf8.h"
#include "scenarios/runner/language/statics.h"

void writer_note_origin(
    struct writer *writer, const char *value, const struct node *from)
{
    char *one = talloc_asprintf(writer->context, "%s from %s:%zu", value,
        from->source->path, from->mark.line);

    if (strstr(writer->origins, one) == NULL) {
        writer->origins = talloc_asprintf_append_buffer(writer->origins, "%s%s",
            writer->origins[0] == '\0' ? "" : ", ", one);
    }
    talloc_free(one);
}

void writer_end_line(struct writer *writer)
{
    if (writer->origins[0] != '\0') {
        fprintf(writer->out, " # %s", writer->origins);
        writer->origins[0] = '\0';
        writer->origins = talloc_strdup(writer->context, "");
    }
    fputc('\n', writer->out);
}

/* Whether $( ) stands where the value is. */
static bool is_computed(const struct node *node)
{
    size_t length;
    const char *line = source_line(node->source, node->mark.line, &length);
    size_t at = utf8_bytes(line, length, node->mark.column - 1);

    return length - at > 2 && line[at] == '$' && line[at + 1] == '(';
}

static void visit(void *context, const struct node *node)
{
    struct writer *writer = context;

    if (node->from == NULL) {
        if (node->kind == NODE_SCALAR && !node_is_computed(node) &&
            is_computed(node)) {
            writer_note_origin(writer, node->text, node);
        }
        return;
    }
    writer_note_origin(writer,
        node->kind == NODE_SCALAR     ? node->text
        : node->kind == NODE_SEQUENCE ? "the list"
                                      : "the mapping",
        node->from);
}

static const char *plain(void *context, const struct node *node)
{
    return writer_rename(context, node);
}

void writer_flow(struct writer *writer, const struct node *node)
{
    const struct yaml_out yaml = {writer->out, plain, visit, writer};

    yaml_out_flow(&yaml, node);
}
