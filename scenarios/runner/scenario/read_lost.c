/* read_lost.c - a step that cannot be read, for an error that was reported:
 * what it would have saved is no news. */
#include "scenarios/runner/scenario/read_lost.h"

#include "scenarios/runner/scenario/reader.h"

void read_lost_name(struct reader *reader, const struct node *name)
{
    struct variable *variable = scope_define(&reader->scope, name, NT_ULONG64);

    if (variable != NULL) {
        variable->lost = true;
    }
}

void read_lost_step(struct reader *reader, const struct node *node)
{
    const struct node *save =
        node->kind == NODE_MAPPING ? node_get(node, "save") : NULL;

    for (size_t i = 0;
         save != NULL && save->kind == NODE_MAPPING && i < save->count; i++) {
        read_lost_name(reader, save->entry[i].key);
    }
}
