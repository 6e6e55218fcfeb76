/* test_layout_random.c - texts put together from pieces with a seed: whatever
 * of them is YAML is laid out, and means the same. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/layout/layout.h"
#include "tests/runner/text_file.h"

enum { TEXTS = 60000, LEAST = 2000, PIECES = 14 };

static const char *const pieces[] = {"a", "b: ", "- ", "-   ", "? ", ": ", ":",
    ", ", ",", "[", "]", "{", "}", "#c", " # c ,", "\n", "\n", "\n", "\n  ",
    "\n    ", "\n ", "\n   ", "\n      ", "|\n", "|+\n", ">-\n", "|2\n", "\"",
    "'", "\\", " ", "  ", "\t", "x: {a: 1, b: 2}\n", "- {a: 1,  b: 2}\n",
    "c:\n", "d: |\n   e\n", "\"f g\"", "'h'", "\xC3\xA9", "  \n", "\n\n\n",
    "k: |+\n  x\n\n", "plain text", "- - ", "\r\n"};

/* xorshift32 */
static uint32_t random_below(uint32_t *seed, uint32_t limit)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed % limit;
}

static char *make_text(void *memory, uint32_t *seed)
{
    char *text =
        talloc_strdup(memory, random_below(seed, 4) == 0 ? "" : "ntpmu:\n ");

    for (uint32_t left = 1 + random_below(seed, PIECES); left > 0; left--) {
        text = talloc_strdup_append(text,
            pieces[random_below(seed, sizeof(pieces) / sizeof(pieces[0]))]);
    }
    return text;
}

static const struct source *lay_out(
    struct text_file *file, const struct source *source, const char **tree)
{
    const struct node *root =
        yaml_tree_read(file->memory, source, file->diagnostics);

    if (root == NULL || root->kind != NODE_MAPPING ||
        diagnostics_errors(file->diagnostics) > 0) {
        return NULL;
    }
    *tree = node_show(file->memory, root);
    source = layout_source(file->memory, source, root);
    assert_non_null(source);
    return source;
}

static void what_is_yaml_is_laid_out(void **state)
{
    uint32_t seed = 31415926;
    size_t count = 0;

    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        void *memory = talloc_new(NULL);
        const struct source *once, *twice;
        const char *tree, *tree_once;
        struct text_file file;

        text_file_init(&file, make_text(memory, &seed));
        once = lay_out(&file, file.source, &tree);
        if (once != NULL) {
            twice = lay_out(&file, once, &tree_once);
            assert_non_null(twice);
            assert_string_equal(tree_once, tree);
            assert_string_equal(twice->text, once->text);
            count++;
        }
        text_file_release(&file);
        talloc_free(memory);
    }
    assert_true(count >= LEAST);
}

TEST_FILE(test_layout_random)
{
    test_add(list, "what_is_yaml_is_laid_out", what_is_yaml_is_laid_out, NULL);
}
