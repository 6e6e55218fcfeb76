/* test_statics.c - what an instance's names stand for in expressions, and
 * which expressions those names decide. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/resolve.h"
#include "scenarios/runner/language/statics.h"
#include "tests/runner/text_file.h"

/* Each key of the text is a name; os and arch are WIN8 and x86. */
#define NAMES                                                                  \
    "count: 5\nminus: -3\nhex: 0x1F\nflag: true\nword: abc\nquoted: \"16\"\n"  \
    "status: STATUS_UNSUCCESSFUL\nlevel: DISPATCH_LEVEL\nlist: [7, [8, 9]]\n"  \
    "item: {Group: 2, Inner: {Index: 4}}\nempty: []\nversion: WIN11\n"

struct names {
    struct text_file file;
    struct statics statics;
    struct static_name name[16];
    struct static_value value[16];
};

static void init(struct names *names)
{
    const struct node *root;

    memset(names, 0, sizeof(*names));
    text_file_init(&names->file, NAMES);
    root = text_file_tree(&names->file);
    for (size_t i = 0; i < root->count; i++) {
        names->name[i] = (struct static_name){
            .name = root->entry[i].key->text, .defined = root->entry[i].key};
        names->value[i] =
            (struct static_value){&names->name[i], root->entry[i].value};
    }
    names->statics = (struct statics){
        .item = names->value,
        .count = root->count,
        .os = OS_WIN8,
        .arch = ARCH_X86,
    };
}

static void release(struct names *names)
{
    text_file_release(&names->file);
}

/* A path, and its value or what is said; "?": no name of the instance. */
static struct path_row {
    const char *name, *path, *want;
} path_rows[] = {
    {"number", "count", "5"},
    {"negative_number", "minus", "-3"},
    {"hexadecimal_number", "hex", "31"},
    {"truth", "flag", "true"},
    {"text", "word", "'abc'"},
    {"text_in_quotes", "quoted", "'16'"},
    {"status", "status", "STATUS_UNSUCCESSFUL"},
    {"level_is_the_architecture_s", "level", "2"},
    {"list", "list", "a list of 2"},
    {"empty_list", "empty", "a list of 0"},
    {"element", "list.0", "7"},
    {"element_of_an_element", "list.1.1", "9"},
    {"member", "item.Group", "2"},
    {"member_of_a_member", "item.Inner.Index", "4"},
    {"version_that_is_a_value", "version", "WIN11"},
    {"version_of_the_instance", "os", "WIN8"},
    {"architecture_of_the_instance", "arch", "x86"},
    {"constant", "STATUS_SUCCESS", "STATUS_SUCCESS"},
    {"constant_of_the_architecture", "CLOCK_LEVEL", "28"},
    {"structure", "item", "a structure has no value, its members have"},
    {"element_behind_the_end", "list.2", "list has no part '2'"},
    {"element_of_an_empty_list", "empty.0", "empty has no part '0'"},
    {"member_of_a_number", "count.x", "count has no part 'x'"},
    {"element_by_a_padded_number", "list.00", "list has no part '00'"},
    {"member_that_there_is_not", "item.Number", "item has no part 'Number'"},
    {"unknown_name", "other", "?"},
    {"beginning_of_a_name", "coun", "?"},
    {"name_and_more", "count1", "?"},
};

static void path_row(void **state)
{
    const struct path_row *row = *state;
    struct expression_problem problem = {0};
    struct expression_value value;
    struct names names;
    bool found;

    init(&names);
    found = statics_value(
        names.file.memory, &names.statics, row->path, &value, &problem);
    if (!found) {
        assert_string_equal(
            problem.message == NULL ? "?" : problem.message, row->want);
    } else {
        assert_true(value.known);
        assert_string_equal(
            constant_show(names.file.memory, &value), row->want);
    }
    release(&names);
}

/* Whether the names decide an expression. */
static struct enough_row {
    const char *name, *expression;
    bool want;
} enough_rows[] = {
    {"number", "1 + 1", true},
    {"name", "count + 1", true},
    {"part_of_a_name", "item.Inner.Index == 1", true},
    {"version", "os == WIN8 and arch != x64", true},
    {"constant", "status == STATUS_SUCCESS", true},
    {"words", "not true or false and flag", true},
    {"function", "len(list) + bit (2)", true},
    {"text", "word == 'other name'", true},
    {"variable", "st == STATUS_SUCCESS", false},
    {"part_of_a_variable", "x.count == 1", false},
    {"variable_behind_a_name", "count == n", false},
    {"variable_behind_a_text", "'a' + n", false},
    {"variable_with_a_function_s_name", "len + 1", false},
    {"variable_with_a_beginning_in_common", "counts", false},
    {"variable_of_an_actor", "drvA.st == 0", false},
    {"text_that_is_open", "'abc", true},
};

static void enough_row(void **state)
{
    const struct enough_row *row = *state;
    struct names names;

    init(&names);
    assert_int_equal(
        statics_are_enough(&names.statics, row->expression), row->want);
    release(&names);
}

static void name_that_was_found_is_used(void **state)
{
    struct names names;

    (void)state;
    init(&names);
    assert_false(names.name[0].used);
    assert_non_null(statics_find(&names.statics, "count"));
    assert_true(names.name[0].used);
    assert_false(names.name[1].used);
    assert_null(statics_find(&names.statics, "cou"));
    release(&names);
}

/* A tree, and the same as the instance has it. */
static struct resolve_row {
    const char *name, *text, *want;
    const char *want_errors;
} resolve_rows[] = {
    {"what_has_no_names", "{a: 1, b: [x, \"$count\"]}",
        "{a: 1, b: [x, \"$count\"]}", ""},
    {"name", "{a: $count, b: [$word, $item]}",
        "{a: 5, b: [abc, {Group: 2, Inner: {Index: 4}}]}", ""},
    {"text_stays_a_text", "{a: $quoted}", "{a: \"16\"}", ""},
    {"expression", "{a: $(count * 2), b: $(count == 5), c: $('cpu' + count)}",
        "{a: 10, b: true, c: \"cpu5\"}", ""},
    {"negative_number", "{a: $(minus - 1), b: $minus}", "{a: -4, b: -3}", ""},
    {"version", "{a: $os, b: $(arch)}", "{a: WIN8, b: x86}", ""},
    {"status_by_name", "{a: $(status)}", "{a: STATUS_UNSUCCESSFUL}", ""},
    {"what_runs_stays", "{a: $h, b: $(count + n), c: $(x.0)}",
        "{a: $h, b: $(count + n), c: $(x.0)}", ""},
    {"rest_of_a_step_that_is_not_there", "{when: $(count > 5), call: $(1 / 0)}",
        "{when: false, call: $(1 / 0)}", ""},
    {"rest_of_a_step_that_is_there", "{when: $(count > 4), call: $word}",
        "{when: true, call: abc}", ""},
    {"rest_of_a_step_that_may_be_there", "{when: $(n > 4), call: $word}",
        "{when: $(n > 4), call: abc}", ""},
    {"expression_without_a_value", "{a: $(count / 0)}", "{a: $(count / 0)}",
        "t.yaml:1:13: error[NTP0216]: division by zero\n"},
    {"list_as_a_value", "{a: $(list)}", "{a: $(list)}",
        "t.yaml:1:5: error[NTP0216]: a list is no value of an expression\n"},
};

static void resolve_row(void **state)
{
    const struct resolve_row *row = *state;
    struct names names;
    struct text_file file;
    struct resolver resolver;
    const struct node *tree, *made;

    init(&names);
    text_file_init(&file, row->text);
    tree = text_file_tree(&file);
    resolver = (struct resolver){.context = file.memory,
        .statics = &names.statics,
        .schema = {file.diagnostics}};
    made = resolve(&resolver, tree);
    assert_string_equal(node_show(file.memory, made), row->want);
    text_file_assert_errors(&file, row->want_errors);
    if (strcmp(row->text, row->want) == 0) {
        assert_ptr_equal(made, tree); /* nothing was copied */
    }
    text_file_release(&file);
    release(&names);
}

/* The use has the place, and knows where the value is written. */
static void value_knows_where_it_is_from(void **state)
{
    struct names names;
    struct text_file file;
    struct resolver resolver;
    const struct node *made;

    (void)state;
    init(&names);
    text_file_init(&file, "[1, $count]");
    resolver = (struct resolver){.context = file.memory,
        .statics = &names.statics,
        .schema = {file.diagnostics}};
    made = resolve(&resolver, text_file_tree(&file))->item[1];
    assert_string_equal(made->text, "5");
    assert_ptr_equal(made->source, file.source);
    assert_int_equal(made->mark.column, 5);
    assert_int_equal(made->width, 6);
    assert_ptr_equal(made->from, names.value[0].value);
    text_file_release(&file);
    release(&names);
}

TEST_FILE(test_statics)
{
    TEST_ADD_GROUP(list, "path", path_row, path_rows);
    TEST_ADD_GROUP(list, "enough", enough_row, enough_rows);
    test_add(
        list, "name_that_was_found_is_used", name_that_was_found_is_used, NULL);
    TEST_ADD_GROUP(list, "resolve", resolve_row, resolve_rows);
    test_add(list, "value_knows_where_it_is_from", value_knows_where_it_is_from,
        NULL);
}
