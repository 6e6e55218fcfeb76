/* read_lost.c - a part that cannot be read, for an error that was reported:
 * what it names, sets or describes is no news. */
#include "scenarios/runner/scenario/read_lost.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/form.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

/* In $name or $( ); members of structures and functions are no variables. */
static void use_names(struct reader *reader, const char *text)
{
    char *copy = talloc_strdup(reader->scenario, text);

    for (char *at = copy; *at != '\0';) {
        size_t length = strspn(at, LETTERS_NAME);
        char after = at[length];
        struct variable *variable;
        struct callback_name *callback;

        if (length == 0) {
            at++;
            continue;
        }
        at[length] = '\0';
        variable = scope_variable(&reader->scope, at);
        callback = scope_callback(&reader->scope, at);
        if (variable != NULL) {
            variable->used = true;
        }
        if (callback != NULL) {
            callback->used = true;
        }
        at += length + (after != '\0');
    }
    talloc_free(copy);
}

static void use_all(struct reader *reader, const struct node *node)
{
    if (node_is_computed(node)) {
        use_names(reader, node->text);
    }
    for (size_t i = 0; node->kind == NODE_SEQUENCE && i < node->count; i++) {
        use_all(reader, node->item[i]);
    }
    for (size_t i = 0; node->kind == NODE_MAPPING && i < node->count; i++) {
        use_all(reader, node->entry[i].value);
    }
}

void read_lost(struct reader *reader, const struct node *node)
{
    use_all(reader, node);
    read_lost_manifests(reader);
}

void read_lost_manifests(struct reader *reader)
{
    for (size_t i = 0; i < reader->scenario->manifests.count; i++) {
        reader->scenario->manifests.item[i].used = true;
    }
}

void read_lost_name(struct reader *reader, const struct node *name)
{
    struct variable *variable = scope_define(&reader->scope, name, NT_ULONG64);

    if (variable != NULL) {
        variable->lost = true;
        variable->used = true;
    }
}

void read_lost_step(struct reader *reader, const struct node *node)
{
    struct scenario *scenario = reader->scenario;
    const struct node *save =
        node->kind == NODE_MAPPING ? node_get(node, "save") : NULL;
    const struct node *as =
        node->kind == NODE_MAPPING ? node_get(node, "as") : NULL;

    read_lost(reader, node);
    for (size_t i = 0; i < scenario->actor_count; i++) {
        scenario->actor[i].used |=
            as == NULL || node_is_word(as, scenario->actor[i].driver.name);
    }
    for (size_t i = 0;
         save != NULL && save->kind == NODE_MAPPING && i < save->count; i++) {
        read_lost_name(reader, save->entry[i].key);
    }
}
