/* test_layout_files.c - the layout of whole files: all those of the repository,
 * and the suite's written in other layouts, made with a seed. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/layout/layout.h"
#include "scenarios/runner/yaml/yaml_paths.h"
#include "tests/runner/text_file.h"

static struct directory_row {
    const char *name;
    const char *path;
    size_t least; /* files that can be read */
} directory_rows[] = {
    {"scenarios", REPOSITORY "/scenarios", 200},
    {"failing", REPOSITORY "/tests/failing", 20},
    {"bad", REPOSITORY "/tests/bad", 15},
};

/* A file that was read; root NULL: not YAML for us. */
struct read_file {
    const struct source *source;
    const struct node *root;
};

static struct read_file read_text(void *memory, const struct source *source)
{
    struct diagnostics *diagnostics = diagnostics_new(memory);
    const struct node *root = yaml_tree_read(memory, source, diagnostics);

    return (struct read_file){
        source, diagnostics_errors(diagnostics) == 0 ? root : NULL};
}

static struct read_file read_path(void *memory, const char *path)
{
    const char *problem = NULL;
    struct source *source =
        source_from_file(memory, path, YAML_FILE_BYTES, &problem);

    assert_non_null(source);
    return read_text(memory, source);
}

static const char *lay_out(void *memory, struct read_file file)
{
    const struct source *made = layout_source(memory, file.source, file.root);

    assert_non_null(made);
    return made->text;
}

static void files_mean_the_same_and_stay(void **state)
{
    const struct directory_row *row = *state;
    void *memory = talloc_new(NULL);
    struct diagnostics *diagnostics = diagnostics_new(memory);
    struct yaml_paths *paths = yaml_paths_below(memory, row->path, diagnostics);
    size_t read = 0;

    for (size_t i = 0; i < paths->count; i++) {
        struct read_file file = read_path(memory, paths->item[i]);
        struct read_file again;
        const char *text;

        if (file.root == NULL) {
            continue;
        }
        text = lay_out(memory, file);
        again = read_text(
            memory, source_from_text(memory, "once", text, strlen(text)));
        assert_non_null(again.root);
        assert_string_equal(
            node_show(memory, again.root), node_show(memory, file.root));
        assert_string_equal(lay_out(memory, again), text);
        read++;
    }
    assert_true(read >= row->least);
    talloc_free(memory);
}

/* xorshift32 */
static uint32_t random_below(uint32_t *seed, uint32_t limit)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed % limit;
}

/* Columns of the levels of one file: 2 to 6 further in each. */
struct columns {
    int of[40];
};

static struct columns columns_new(uint32_t *seed)
{
    struct columns columns = {{(int)random_below(seed, 4)}};

    for (size_t i = 1; i < sizeof(columns.of) / sizeof(columns.of[0]); i++) {
        columns.of[i] = columns.of[i - 1] + 2 + (int)random_below(seed, 5);
    }
    return columns;
}

/* A line that was laid out, with other columns, and blanks at its end. */
static char *reindent(void *memory, const struct columns *columns,
    const char *line, size_t length, uint32_t *seed)
{
    size_t lead = strspn(line, " ");
    size_t level = lead / 2;
    char *text = talloc_strdup(memory, "");

    if (lead < length) {
        text = talloc_asprintf_append(text, "%*s", columns->of[level], "");
    }
    for (; lead + 1 < length && memcmp(line + lead, "- ", 2) == 0; lead += 2) {
        int gap = columns->of[level + 1] - columns->of[level] - 1;

        text = talloc_asprintf_append(text, "-%*s", gap, "");
        level++;
    }
    return talloc_asprintf_append(text, "%.*s%*s", (int)(length - lead),
        line + lead, (int)random_below(seed, 3), "");
}

/* A line with other blanks in its brackets, and commas before their ends. */
static char *respace(void *memory, const char *line, uint32_t *seed)
{
    char *text = talloc_strdup(memory, "");
    bool flow = false;

    if (strpbrk(line, "\"'#") != NULL) {
        return talloc_strdup(memory, line);
    }
    for (const char *at = line; *at != '\0'; at++) {
        uint32_t dice = random_below(seed, 4);
        bool empty = at > line && strchr("[{", at[-1]) != NULL;

        flow |= strchr("[{", *at) != NULL;
        if (flow && strchr("]}", *at) != NULL && dice < 2) {
            text = talloc_strdup_append(text, dice == 0 || empty ? " " : " , ");
        }
        text = talloc_asprintf_append(
            text, "%s%c", flow && *at == ',' && dice == 0 ? " " : "", *at);
        if (flow && strchr("[{", *at) != NULL && dice == 2) {
            text = talloc_strdup_append(text, "  ");
        }
    }
    return text;
}

static char *disturb(void *memory, const char *text, uint32_t *seed)
{
    struct columns columns = columns_new(seed);
    char *disturbed = talloc_strdup(memory, "");

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        char *line = reindent(memory, &columns, text, length, seed);
        const char *end = length == 0 && random_below(seed, 2) == 0 ? " \n\n"
                          : random_below(seed, 2) == 0              ? "\r\n"
                                                                    : "\n";

        disturbed = talloc_asprintf_append(
            disturbed, "%s%s", respace(memory, line, seed), end);
        text += length + 1;
    }
    return disturbed;
}

static void disturbed_files_are_laid_out_back(void **state)
{
    void *memory = talloc_new(NULL);
    struct yaml_paths *paths = yaml_paths_below(
        memory, REPOSITORY "/scenarios", diagnostics_new(memory));
    uint32_t seed = 20240229;
    size_t used = 0;

    (void)state;
    for (size_t i = 0; i < paths->count; i++) {
        void *round = talloc_new(memory);
        struct read_file file = read_path(round, paths->item[i]);
        const char *want = lay_out(round, file);
        char *text = disturb(round, want, &seed);
        struct read_file other = read_text(
            round, source_from_text(round, "disturbed", text, strlen(text)));

        /* A title may have brackets; then it was changed. And the dice may
         * leave a file of two lines as it was. */
        if (strcmp(text, want) != 0 && other.root != NULL &&
            node_equal(other.root, file.root)) {
            assert_string_equal(lay_out(round, other), want);
            used++;
        }
        talloc_free(round);
    }
    assert_true(used > paths->count * 9 / 10);
    talloc_free(memory);
}

TEST_FILE(test_layout_files)
{
    TEST_ADD_ROWS(list, files_mean_the_same_and_stay, directory_rows);
    test_add(list, "disturbed_files_are_laid_out_back",
        disturbed_files_are_laid_out_back, NULL);
}
