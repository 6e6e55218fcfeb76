/* writer_names.c - names in an instance that is written out: variables of
 * fragments, which live in frames of their own, as variables of one scenario.
 */
#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands/expand/writer.h"
#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/statics.h"
#include "scenarios/runner/scenario/step.h"

static const struct renamed *find(const struct writer *writer, unsigned frame,
    const char *name, size_t length)
{
    for (size_t i = 0; i < writer->renamed_count; i++) {
        const struct renamed *renamed = &writer->renamed[i];

        if (renamed->frame == frame && strlen(renamed->name) == length &&
            memcmp(renamed->name, name, length) == 0) {
            return renamed;
        }
    }
    return NULL;
}

const char *writer_name(
    const struct writer *writer, unsigned frame, const char *name)
{
    const struct renamed *renamed = find(writer, frame, name, strlen(name));

    return renamed == NULL ? name : renamed->to;
}

static bool is_actor(
    const struct writer *writer, const char *name, size_t length)
{
    for (size_t i = 0; i < writer->scenario->actor_count; i++) {
        const char *actor = writer->scenario->actor[i].driver.name;

        if (strlen(actor) == length && memcmp(actor, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Letters and digits of one name of a path. */
static size_t name_length(const char *text)
{
    size_t length = 0;

    while (isalnum((unsigned char)text[length]) || text[length] == '_') {
        length++;
    }
    return length;
}

/* A name and its members. */
static size_t path_length(const char *text)
{
    size_t length = name_length(text);

    while (text[length] == '.') {
        length += 1 + name_length(text + length + 1);
    }
    return length;
}

/* Adds the value of a path whose first name is a parameter, a column of cases
 * or an axis: the instance that is written has none of them. Returns its
 * length, 0 when it is something else. A list, which no expression can have
 * written out, keeps its name. */
static size_t add_static(
    const struct writer *writer, const char *text, char **made)
{
    const struct statics *statics =
        writer->scenario->frame[writer->frame].statics;
    const char *name = talloc_strndup(writer->context, text, name_length(text));
    size_t length = path_length(text);
    const char *path = talloc_strndup(writer->context, text, length);
    struct expression_value value;
    struct expression_problem problem;

    if (statics_find(statics, name) == NULL ||
        !statics_value(writer->context, statics, path, &value, &problem)) {
        return 0;
    }
    switch (value.kind) {
    case EXPRESSION_NUMBER:
    case EXPRESSION_BOOL:
        *made = talloc_asprintf_append_buffer(*made,
            value.number < 0 ? "(%s)" : "%s",
            constant_show(writer->context, &value));
        return length;
    case EXPRESSION_TEXT:
        *made = talloc_asprintf_append_buffer(*made, "'%s'", value.text);
        return length;
    case EXPRESSION_LIST:
        break;
    }
    return 0;
}

/* Adds one path, name or number of an expression. Returns its length. */
static size_t rename_path(
    const struct writer *writer, const char *text, char **made)
{
    size_t first = name_length(text);
    const struct renamed *renamed = find(writer, writer->frame, text, first);
    size_t actor = renamed == NULL ? add_static(writer, text, made) : 0;

    if (actor > 0) {
        return actor;
    }
    if (renamed == NULL && text[first] == '.' &&
        is_actor(writer, text, first)) {
        actor = first + 1;
        first = name_length(text + actor);
        renamed = find(writer, writer->frame, text + actor, first);
    }
    *made = talloc_asprintf_append_buffer(*made, "%.*s", (int)actor, text);
    if (renamed != NULL) {
        *made = talloc_strdup_append_buffer(*made, renamed->to);
    } else {
        *made = talloc_asprintf_append_buffer(
            *made, "%.*s", (int)first, text + actor);
    }
    first += actor;
    while (text[first] == '.') { /* members, which keep their names */
        size_t member = 1 + name_length(text + first + 1);

        *made = talloc_asprintf_append_buffer(
            *made, "%.*s", (int)member, text + first);
        first += member;
    }
    return first;
}

static char *rename_expression(const struct writer *writer, const char *text)
{
    char *made = talloc_strdup(writer->context, "");

    while (*text != '\0') {
        size_t length = name_length(text);

        if (length > 0) {
            text += rename_path(writer, text, &made);
            continue;
        }
        length = text[0] == '\'' ? strcspn(text + 1, "'") + 2 : 1;
        made = talloc_asprintf_append_buffer(made, "%.*s", (int)length, text);
        text += strnlen(text, length);
    }
    return made;
}

const char *writer_expression(
    const struct writer *writer, const struct node *node)
{
    char *inside = expression_of_node(writer->context, node);

    return inside == NULL ? rename_expression(writer, node->text + 1)
                          : talloc_asprintf(writer->context, "(%s)",
                                rename_expression(writer, inside));
}

const char *writer_rename(const struct writer *writer, const struct node *node)
{
    const char *made;

    if (!node_is_computed(node)) {
        return node->text;
    }
    made = writer_expression(writer, node);
    return talloc_asprintf(writer->context, "$%s", made);
}

static void add_name(
    struct writer *writer, unsigned frame, const char *name, const char *to)
{
    writer->renamed = talloc_realloc(writer->context, writer->renamed,
        struct renamed, (unsigned)writer->renamed_count + 1);
    assert(writer->renamed != NULL);
    writer->renamed[writer->renamed_count++] =
        (struct renamed){frame, name, to};
}

static bool is_taken(const struct writer *writer, const char *name)
{
    const struct variables *variables = writer->scenario->variables;
    bool taken = false;

    for (size_t i = 0; i < variables->count; i++) {
        taken |= strcmp(variables->item[i].name, name) == 0;
    }
    for (size_t i = 0; i < writer->renamed_count; i++) {
        taken |= strcmp(writer->renamed[i].to, name) == 0;
    }
    return taken;
}

/* The name with the step's number behind it. */
static const char *own_name(
    const struct writer *writer, const char *name, const char *number)
{
    char *made = talloc_asprintf(writer->context, "%s_%s", name, number);

    for (char *at = made; *at != '\0'; at++) {
        *at = *at == '.' ? '_' : *at;
    }
    while (is_taken(writer, made)) {
        made = talloc_strdup_append_buffer(made, "_");
    }
    return made;
}

void writer_enter_use(struct writer *writer, const struct step *use)
{
    const struct variables *variables = writer->scenario->variables;
    unsigned frame = use->inner->steps.item[0].frame;

    for (size_t i = 0; i < use->given_count; i++) {
        const struct given_value *given = &use->given[i];

        add_name(writer, frame, variables->item[given->variable].name,
            writer_expression(writer, given->value));
    }
    for (size_t i = 0; i < use->save_count; i++) {
        const char *inner = variables->item[use->save[i].parameter].name;
        const char *outer = variables->item[use->save[i].variable].name;
        const char *to = writer_name(writer, use->frame, outer);
        const struct renamed *before =
            find(writer, frame, inner, strlen(inner));

        if (before == NULL) {
            add_name(writer, frame, inner, to);
        } else { /* saved under two names: they are one here */
            add_name(writer, use->frame, outer, before->to);
        }
    }
    for (size_t i = 0; i < variables->count; i++) {
        const struct variable *variable = &variables->item[i];

        if (variable->frame == frame && !variable->parameter &&
            find(writer, frame, variable->name, strlen(variable->name)) ==
                NULL) {
            add_name(writer, frame, variable->name,
                own_name(writer, variable->name, use->number));
        }
    }
}

bool writer_has_name(const char *text, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = text; (at = strstr(at, name)) != NULL; at++) {
        bool begins = at == text ||
                      (isalnum((unsigned char)at[-1]) == 0 && at[-1] != '_');

        if (begins && name_length(at) == length) {
            return true;
        }
    }
    return false;
}

static bool reads(const struct node *node, const char *name)
{
    if (node->kind == NODE_SCALAR) {
        return node_is_computed(node) && writer_has_name(node->text + 1, name);
    }
    for (size_t i = 0; i < node->count; i++) {
        if (reads(node->kind == NODE_SEQUENCE ? node->item[i]
                                              : node->entry[i].value,
                name)) {
            return true;
        }
    }
    return false;
}

/* Branches of the others have variables of that name, too. */
static bool is_of(const struct variable *variable, const char *actor)
{
    return variable->actor == NULL || actor == NULL ||
           strcmp(variable->actor, actor) == 0;
}

/* Every variable that a fragment gives counts as used where it is read, so its
 * steps are looked at; those of all frames that have become this variable. */
bool writer_is_used(const struct writer *writer, unsigned frame,
    const char *name, const char *actor)
{
    const struct variables *variables = writer->scenario->variables;
    const char *to = writer_name(writer, frame, name);

    for (size_t i = 0; i < variables->count; i++) {
        const struct variable *variable = &variables->item[i];
        const struct node *steps =
            writer->scenario->frame[variable->frame].steps;

        if (strcmp(writer_name(writer, variable->frame, variable->name), to) ==
                0 &&
            is_of(variable, actor) &&
            (variable->frame == 0 ? variable->used
                                  : reads(steps, variable->name))) {
            return true;
        }
    }
    return false;
}
