/* writer_steps.c - steps of an instance that is written out, in block style:
 * `use` and `each` as their steps, what this instance does not have left out.
 */
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands/expand/writer.h"
#include "scenarios/runner/scenario/step.h"

/* The beginning of a step's line: "- " before its first key. */
struct cursor {
    struct writer *writer;
    int indent;
    bool begun;
};

static void begin_key(struct cursor *cursor, const char *key)
{
    fprintf(cursor->writer->out, "%*s%s%s:", cursor->indent, "",
        cursor->begun ? "  " : "- ", key);
    cursor->begun = true;
}

static void write_flow_key(
    struct cursor *cursor, const char *key, const struct node *value)
{
    begin_key(cursor, key);
    fputc(' ', cursor->writer->out);
    writer_flow(cursor->writer, value);
    writer_end_line(cursor->writer);
}

static void write_text_key(
    struct cursor *cursor, const char *key, const char *value)
{
    begin_key(cursor, key);
    fprintf(cursor->writer->out, " %s\n", value);
}

/* A mapping or list with each entry on a line of its own. */
static void write_block_key(
    struct cursor *cursor, const char *key, const struct node *value)
{
    struct writer *writer = cursor->writer;

    if (value->kind == NODE_SCALAR || value->count == 0) {
        write_flow_key(cursor, key, value);
        return;
    }
    begin_key(cursor, key);
    fputc('\n', writer->out);
    for (size_t i = 0; i < value->count; i++) {
        bool list = value->kind == NODE_SEQUENCE;

        fprintf(writer->out, "%*s%s%s ", cursor->indent + 4, "",
            list ? "-" : value->entry[i].key->text, list ? "" : ":");
        writer_flow(writer, list ? value->item[i] : value->entry[i].value);
        writer_end_line(writer);
    }
}

static void write_saves(
    struct cursor *cursor, const struct step *step, const struct node *saves)
{
    struct writer *writer = cursor->writer;
    const char *actor = writer->scenario->actor[step->actor].driver.name;
    bool any = false;

    for (size_t i = 0; i < saves->count; i++) {
        const char *name = saves->entry[i].key->text;

        if (!writer_is_used(writer, step->frame, name, actor)) {
            continue;
        }
        if (!any) {
            begin_key(cursor, "save");
            fputs(" {", writer->out);
        }
        fprintf(writer->out, "%s%s: ", any ? ", " : "",
            writer_name(writer, step->frame, name));
        writer_flow(writer, saves->entry[i].value);
        any = true;
    }
    if (any) {
        fputc('}', writer->out);
        writer_end_line(writer);
    }
}

bool writer_has_steps(const struct step_list *steps)
{
    bool any = false;

    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->item[i];

        if (step_is_inline(step)) {
            any |= node_get(step->node, "expect") != NULL ||
                   writer_has_steps(&step->inner->steps);
        } else {
            any |= !step->skipped;
        }
    }
    return any;
}

/* One that has nothing left has an empty list, and what is left out behind. */
static void write_branches(struct cursor *cursor, const struct step *step)
{
    struct writer *writer = cursor->writer;
    const struct step_kind *kind = step->kind;
    const char *as = writer->as;
    const char *when = writer->when;

    begin_key(
        cursor, kind->code->long_as == NULL ? kind->key : kind->code->long_as);
    fputc('\n', writer->out);
    writer->as = NULL;
    writer->when = NULL; /* the step has it */
    for (size_t i = 0; i < step->inner_count; i++) {
        const struct branch *branch = &step->inner[i];

        fprintf(writer->out, "%*s%s:%s\n", cursor->indent + 4, "",
            writer->scenario->actor[branch->actor].driver.name,
            writer_has_steps(&branch->steps) ? "" : " []");
        writer_steps(writer, &branch->steps, cursor->indent + 6);
    }
    writer->as = as;
    writer->when = when;
}

/* The step's own condition and that of the uses around it; NULL: none. */
static const char *whole_condition(
    const struct writer *writer, const struct step *step)
{
    const char *own =
        step->when == NULL ? NULL : writer_expression(writer, step->when);

    if (own == NULL || writer->when == NULL) {
        return own != NULL ? own : writer->when;
    }
    /* A reader sees what holds outside of it by the same beginning. */
    if (strstr(writer->when, ") and (") != NULL) {
        return talloc_asprintf(writer->context, "%.*s and %s)",
            (int)strlen(writer->when) - 1, writer->when, own);
    }
    return talloc_asprintf(writer->context, "(%s and %s)", writer->when, own);
}

/* A key that what the kind is short for has not. */
static bool is_written_out(const struct step *step, const char *key)
{
    const struct step_key *own = step_kind_key(step->kind, key);

    return own != NULL && own->required && step->kind->code->long_as != NULL;
}

static void write_key(
    struct cursor *cursor, const struct step *step, const struct entry *entry)
{
    const char *key = entry->key->text;

    if (strcmp(key, "when") == 0 || is_written_out(step, key)) {
        return; /* written already */
    }
    if (step->inner_count > 0 && entry->key == step->key) {
        write_branches(cursor, step);
    } else if (strcmp(key, "save") == 0) {
        write_saves(cursor, step, entry->value);
    } else if (strcmp(key, "args") == 0 ||
               (strcmp(key, "expect") == 0 &&
                   entry->value->kind == NODE_SEQUENCE)) {
        write_block_key(cursor, key, entry->value);
    } else {
        write_flow_key(cursor, key, entry->value);
    }
}

static void write_head(struct cursor *cursor, const struct step *step)
{
    const struct writer *writer = cursor->writer;
    const char *when = whole_condition(writer, step);

    if (when != NULL) {
        write_text_key(
            cursor, "when", talloc_asprintf(writer->context, "$%s", when));
    }
    if (writer->as != NULL && node_get(step->node, "as") == NULL &&
        step->kind->whose != WHOSE_BRANCHES) {
        write_text_key(cursor, "as", writer->as);
    }
}

static void write_step(
    struct writer *writer, const struct step *step, int indent)
{
    struct cursor cursor = {writer, indent, false};

    write_head(&cursor, step);
    for (size_t i = 0; i < step->node->count; i++) {
        write_key(&cursor, step, &step->node->entry[i]);
    }
}

/* What is expected of a use is asked behind its steps. */
static void write_use_expect(
    struct writer *writer, const struct step *step, int indent)
{
    const struct node *as = node_get(step->node, "as");
    struct cursor cursor = {writer, indent, false};

    if (node_get(step->node, "expect") == NULL) {
        return;
    }
    write_head(&cursor, step);
    if (as != NULL) {
        write_flow_key(&cursor, "as", as);
    }
    write_block_key(&cursor, "expect", node_get(step->node, "expect"));
}

static void write_use(
    struct writer *writer, const struct step *step, int indent)
{
    const struct node *as = node_get(step->node, "as");
    const struct writer outer = *writer;

    fprintf(writer->out, "%*s# use: %s\n", indent, "",
        node_get(step->node, "use")->text);
    writer_enter_use(writer, step);
    writer->when = whole_condition(writer, step);
    writer->as = as != NULL ? as->text : writer->as;
    writer->frame = step->inner->steps.item[0].frame;
    writer_steps(writer, &step->inner->steps, indent);
    writer->when = outer.when;
    writer->as = outer.as;
    writer->frame = outer.frame;
    write_use_expect(writer, step, indent);
    fprintf(writer->out, "%*s# end of %s\n", indent, "",
        node_get(step->node, "use")->text);
}

void writer_steps(
    struct writer *writer, const struct step_list *steps, int indent)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->item[i];

        if (step->skipped) {
            fprintf(writer->out, "%*s# step %s is left out here: %s:%zu\n",
                indent, "", step->number, step->node->source->path,
                step->node->mark.line);
        } else if (step_is_inline(step)) {
            write_use(writer, step, indent);
        } else {
            write_step(writer, step, indent);
        }
    }
}
