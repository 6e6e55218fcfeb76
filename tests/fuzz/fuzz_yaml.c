/* fuzz_yaml.c - any bytes as a file: a tree or errors, each at a place that the
 * file has, and all of them can be printed. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/yaml/yaml_tree.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/text_input.h"

static void check_tree(const struct source *source, const struct node *node)
{
    assert(node->mark.line >= 1 && node->mark.line <= source->line_count);
    assert(node->mark.column >= 1 && node->width >= 1);
    for (size_t i = 0; i < node->count; i++) {
        if (node->kind == NODE_MAPPING) {
            check_tree(source, node->entry[i].key);
            check_tree(source, node->entry[i].value);
        } else {
            check_tree(source, node->item[i]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text_input input;
    const struct node *root;

    text_input_init(&input, data, size);
    root = yaml_tree_read(input.memory, input.source, input.diagnostics);
    if (root != NULL) {
        check_tree(input.source, root);
        talloc_free(node_show(input.memory, root));
    }
    text_input_print(&input);
    text_input_release(&input);
    return 0;
}
