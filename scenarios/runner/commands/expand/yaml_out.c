/* yaml_out.c - flow style; a double-quoted scalar is a string of JSON. */
#include "scenarios/runner/commands/expand/yaml_out.h"

#include <string.h>

#include "scenarios/runner/text/json_out.h"

/* Whether a plain scalar, also in flow style, is read as this text. */
static bool is_plain(const char *text)
{
    size_t length = strlen(text);

    if (length == 0 || strpbrk(text, ",[]{}\n\t\r") != NULL ||
        strchr("-?:#&*!|>'\"%@` ", text[0]) != NULL ||
        strstr(text, ": ") != NULL || strstr(text, " #") != NULL) {
        /* A number, or a word that begins with it. */
        return text[0] == '-' && length > 1 && text[1] >= '0' && text[1] <= '9';
    }
    return text[length - 1] != ':' && text[length - 1] != ' ';
}

void yaml_out_text(const char *text, FILE *out)
{
    if (is_plain(text)) {
        fputs(text, out);
    } else {
        json_out_text(text, out);
    }
}

static void scalar(const struct yaml_out *yaml, const struct node *node)
{
    if (node->quoted) {
        json_out_text(node->text, yaml->out);
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
        scalar(yaml, node);
        return;
    }
    fputc(node->kind == NODE_SEQUENCE ? '[' : '{', yaml->out);
    for (size_t i = 0; i < node->count; i++) {
        fputs(i == 0 ? "" : ", ", yaml->out);
        if (node->kind == NODE_SEQUENCE) {
            yaml_out_flow(yaml, node->item[i]);
        } else {
            fprintf(yaml->out, "%s: ", node->entry[i].key->text);
            yaml_out_flow(yaml, node->entry[i].value);
        }
    }
    fputc(node->kind == NODE_SEQUENCE ? ']' : '}', yaml->out);
}
