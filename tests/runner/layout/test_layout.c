/* test_layout.c - how texts are laid out (docs/scenarios.md). Each row's second
 * text is also laid out as itself. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/layout/layout.h"

#include "tests/runner/text_file.h"

struct fmt_row {
    const char *name;
    const char *before;
    const char *after;
};

static struct fmt_row indent_rows[] = {
    {"laid_out_text_stays", "a: 1\nb:\n  - c: [1, 2]\n    d: {e: f}\n",
        "a: 1\nb:\n  - c: [1, 2]\n    d: {e: f}\n"},
    {"mapping_is_indented_by_two", "a:\n    b:\n        c: 1\n    d: 2\n",
        "a:\n  b:\n    c: 1\n  d: 2\n"},
    {"list_is_indented_below_its_key", "a:\n- b: 1\n  c: 2\n- d\ne: 3\n",
        "a:\n  - b: 1\n    c: 2\n  - d\ne: 3\n"},
    {"list_in_a_list_below_its_key", "a:\n- b:\n  - c\n  - d\n  e: 1\n",
        "a:\n  - b:\n      - c\n      - d\n    e: 1\n"},
    {"item_begins_one_blank_behind_its_dash", "-    a: 1\n     b: 2\n-  c\n",
        "- a: 1\n  b: 2\n- c\n"},
    {"list_on_the_line_of_a_dash", "-   -   a\n    -   b\n", "- - a\n  - b\n"},
    {"whole_file_is_moved_to_the_left", "   a: 1\n   b:\n    c: 2\n",
        "a: 1\nb:\n  c: 2\n"},
    {"item_below_its_dash", "-\n     a: 1\n     b: 2\n", "-\n  a: 1\n  b: 2\n"},
    {"value_on_a_line_of_its_own", "a:\n      b\n", "a:\n  b\n"},
    {"braces_on_a_line_of_their_own", "a:\n      {b: 1,\n       c: 2}\n",
        "a:\n  {b: 1,\n   c: 2}\n"},
    {"key_with_a_sign", "?   a\n:   - b\n    - c\n", "? a\n: - b\n  - c\n"},
    {"deep_nesting",
        "a:\n - b:\n    - c:\n       - d:\n          - e: 1\n"
        "            f: 2\n",
        "a:\n  - b:\n      - c:\n          - d:\n              - e: 1\n"
        "                f: 2\n"},
    {"marker_of_the_document_stays", "---\n  a: 1\n  b: 2\n...\n",
        "---\na: 1\nb: 2\n...\n"},
    {"columns_of_a_block_are_the_authors", "a:     1\nlonger: 2\n",
        "a:     1\nlonger: 2\n"},
    {"no_blank_before_a_colon", "a : 1\n\"b\"  : 2\n", "a: 1\n\"b\": 2\n"},
};

static struct fmt_row comment_rows[] = {
    {"comment_goes_with_what_follows",
        "a:\n      # one\n    - b\n   # two\n"
        "    - c\n",
        "a:\n  # one\n  - b\n  # two\n  - c\n"},
    {"comment_of_a_block_that_ends_stays_in_it",
        "a:\n    - b\n    # of a\nc: 1\n", "a:\n  - b\n  # of a\nc: 1\n"},
    {"comment_between_two_levels_is_of_the_outer",
        "a:\n    - b:\n          c: 1\n      # here\nd: 1\n",
        "a:\n  - b:\n      c: 1\n    # here\nd: 1\n"},
    {"comment_at_the_next_key_is_of_that", "a:\n- b\n# of c\nc: 1\n",
        "a:\n  - b\n# of c\nc: 1\n"},
    {"comments_of_the_file", "  # first\n\n# second\na: 1\n  # last\n",
        "# first\n\n# second\na: 1\n# last\n"},
    {"comment_before_a_value_of_its_own_line", "a:\n# why\n    b\n",
        "a:\n  # why\n  b\n"},
    {"comment_behind_keeps_its_column", "a: 1    # one\nbcd: 2  # two\n",
        "a: 1    # one\nbcd: 2  # two\n"},
    {"comment_behind_has_a_blank", "a: [b]#c\nd: \"e\"#f\n",
        "a: [b] #c\nd: \"e\" #f\n"},
    {"comment_behind_a_key", "a:   # why\n    b: 1\n", "a:   # why\n  b: 1\n"},
    {"comment_behind_a_dash", "-  # why\n   a: 1\n", "-  # why\n  a: 1\n"},
    {"tab_in_a_comment", "a: 1\t#\tb\t\n", "a: 1 #  b\n"},
    {"comment_is_no_layout", "a: 1 # {b:c , d ,}\n# x  ,  y\n",
        "a: 1 # {b:c , d ,}\n# x  ,  y\n"},
    {"file_that_ends_in_a_comment", "a: 1\n# end", "a: 1\n# end\n"},
    {"comment_behind_the_end", "a: 1 # end", "a: 1 # end\n"},
};

static struct fmt_row flow_rows[] = {
    {"one_blank_behind_commas_and_colons", "a: {b: 1,c:   2,   d:  [3,4]}\n",
        "a: {b: 1, c: 2, d: [3, 4]}\n"},
    {"none_inside_of_brackets", "a: [ b, { c: 1 }, [ ], { } ]\n",
        "a: [b, {c: 1}, [], {}]\n"},
    {"none_before_commas_and_colons", "a: {b : 1 , c : 2 }\n",
        "a: {b: 1, c: 2}\n"},
    {"colon_at_quotes_and_brackets", "a: {\"b\":1, 'c':2, \"d\":[3], e: f:g}\n",
        "a: {\"b\": 1, 'c': 2, \"d\": [3], e: f:g}\n"},
    {"trailing_commas_go", "a: [b, [c,], {d: 1, }, ]\n",
        "a: [b, [c], {d: 1}]\n"},
    {"trailing_comma_before_a_line_end", "a: [\n  b,\n  c ,\n]\n",
        "a: [\n  b,\n  c\n]\n"},
    {"trailing_comma_before_a_comment", "a: [\n  b, # one\n  c,# two\n]\n",
        "a: [\n  b, # one\n  c # two\n]\n"},
    {"trailing_comma_of_its_own_line", "a: [\n  b\n  ,\n]\n", "a: [\n  b\n]\n"},
    {"trailing_comma_of_its_own_line_with_a_comment", "a: [\n  b\n  , # c\n]\n",
        "a: [\n  b\n  # c\n]\n"},
    {"comma_before_the_next_item_stays", "a: [\n  b\n  , c\n]\n",
        "a: [\n  b\n  , c\n]\n"},
    {"lines_move_with_the_first", "-   a: {b: 1,\n        c: 2}\n",
        "- a: {b: 1,\n      c: 2}\n"},
    {"bracket_may_stand_at_its_key", "a: {\n    b: [\n      1\n    ]\n}\n",
        "a: {\n    b: [\n      1\n    ]\n}\n"},
    {"lines_too_far_left_move_in", "a:\n  b: {\nc: 1,\n d: 2\n}\n",
        "a:\n  b: {\n    c: 1,\n     d: 2\n    }\n"},
    {"comments_inside_move_too",
        "a:\n    b: [ # x\n      # y\n      c,\n\n      d # z\n      # end\n"
        "    ]\n",
        "a:\n  b: [ # x\n    # y\n    c,\n\n    d # z\n    # end\n  ]\n"},
    {"tab_as_indentation", "a: {\n\tb: 1,\n\t\tc:\t2\n}\n",
        "a: {\n  b: 1,\n    c: 2\n}\n"},
    {"quotes_are_not_touched", "a: [\"x ,y\",'{ z:1 ,}',  \"\\\" ,]\"]\n",
        "a: [\"x ,y\", '{ z:1 ,}', \"\\\" ,]\"]\n"},
    {"key_in_quotes_with_a_colon", "{\"a: b\" :1, 'c, d':  2}\n",
        "{\"a: b\": 1, 'c, d': 2}\n"},
    {"plain_text_with_signs", "a: [b#c, d:e, f  g, $(x + 1)]\n",
        "a: [b#c, d:e, f  g, $(x + 1)]\n"},
    {"hash_in_plain_text", "a: b#c  # d\ne:  f # g\n",
        "a: b#c  # d\ne:  f # g\n"},
    {"other_scripts",
        "\xC3\xA4: {\xE6\xBC\xA2 : 1 , b: \"\xE2\x82\xAC ,\" ,}\n"
        "c:\n    \xC3\xA9: [\xC3\xA9,\n        \xC3\xA9]\n",
        "\xC3\xA4: {\xE6\xBC\xA2: 1, b: \"\xE2\x82\xAC ,\"}\n"
        "c:\n  \xC3\xA9: [\xC3\xA9,\n      \xC3\xA9]\n"},
    {"pair_in_a_list", "a: [b : 1 , c:  2]\n", "a: [b: 1, c: 2]\n"},
    {"rows_of_a_table_keep_their_columns",
        "a:\n   one:   {b: 1,   c:  2 }\n   three: {b: 100,c: 20}\n",
        "a:\n  one:   {b: 1,   c:  2}\n  three: {b: 100, c: 20}\n"},
    {"rows_with_other_keys_are_no_table",
        "a:\n  - {b: 1,   c:  2}\n  - {b: 1,   d:  2}\n",
        "a:\n  - {b: 1, c: 2}\n  - {b: 1, d: 2}\n"},
    {"rows_that_are_apart_are_no_table",
        "a:\n  - {b: 1,   c:  2}\n\n  - {b: 1,   c:  2}\n",
        "a:\n  - {b: 1, c: 2}\n\n  - {b: 1, c: 2}\n"},
    {"root_in_braces", "  {a: 1,\n   b: 2}\n", "{a: 1,\n b: 2}\n"},
};

static struct fmt_row scalar_rows[] = {
    {"plain_text_of_several_lines",
        "a:\n    b: c\n        d\n\n      e\nf: 1\n",
        "a:\n  b: c\n      d\n\n    e\nf: 1\n"},
    {"plain_text_too_far_left", "a:\n      b: c\n       d\n",
        "a:\n  b: c\n   d\n"},
    {"bracket_in_plain_text_is_text", "a:\n      b\n   ]c\n",
        "a:\n  b\n  ]c\n"},
    {"quoted_text_of_several_lines",
        "a:\n    b: \"c  \n\n\n     d\n  e\"\n    f: 'g\n       h'\n",
        "a:\n  b: \"c\n\n\n       d\n    e\"\n  f: 'g\n     h'\n"},
    {"escaped_blank_at_a_line_end_stays",
        "a: \"b\\  \n  c\\\\  \n  d\\\n  e\"\n",
        "a: \"b\\ \n  c\\\\\n  d\\\n  e\"\n"},
    {"blanks_in_quotes_stay", "a: \"b  \tc \"\nd: ' e'\n",
        "a: \"b  \tc \"\nd: ' e'\n"},
    {"block_text_moves_as_it_is",
        "a:\n    b: |\n        c  ,d\n          e\t \n\n\n        # f\n"
        "    g: 1\n",
        "a:\n  b: |\n      c  ,d\n        e\t \n\n\n      # f\n  g: 1\n"},
    {"block_text_with_its_own_column",
        "a:\n    b: |2\n        c\n      d\n    e: 1\n",
        "a:\n  b: |2\n      c\n    d\n  e: 1\n"},
    {"block_text_in_an_unindented_list", "a:\n- |2-\n    b\n   c\n- d\n",
        "a:\n  - |2-\n      b\n     c\n  - d\n"},
    {"comment_behind_the_head_of_a_block", "a: |  #\tb \n  c\nd: >-# e\n  f\n",
        "a: |  #  b\n  c\nd: >- # e\n  f\n"},
    {"empty_lines_behind_a_block_are_layout", "a: |\n  b\n  \n\n\n\nc: 1\n",
        "a: |\n  b\n\nc: 1\n"},
    {"empty_lines_that_a_block_keeps", "a: |+\n  b\n \n\n\n# c\n\n\nd: 1\n",
        "a: |+\n  b\n\n\n\n# c\n\nd: 1\n"},
    {"empty_lines_that_the_last_block_keeps", "a: |+\n  b\n  \n\n",
        "a: |+\n  b\n\n\n"},
    {"line_of_blanks_in_a_block_is_text", "a: |\n    b\n      \n    c\n",
        "a: |\n    b\n      \n    c\n"},
    {"line_of_blanks_at_the_end_of_a_block_is_text",
        "a: |\n  b\n   \n\n\nc: 1\n", "a: |\n  b\n   \n\nc: 1\n"},
    {"block_without_text", "a: |\n\n\nb: |-\nc: 1\n", "a: |\n\nb: |-\nc: 1\n"},
    {"block_at_the_end_without_line_end", "a: |\n  b", "a: |\n  b"},
    {"stripped_block_at_the_end_without_line_end", "a: |-\n  b",
        "a: |-\n  b\n"},
    {"comment_after_a_block",
        "a:\n      - |\n       text\n      # c\n      - d\n",
        "a:\n  - |\n   text\n  # c\n  - d\n"},
    {"dashes_in_a_block_are_text", "a: >\n    - b:   c ,\n     -  d\ne: 1\n",
        "a: >\n    - b:   c ,\n     -  d\ne: 1\n"},
};

static struct fmt_row line_rows[] = {
    {"no_blanks_at_line_ends", "a: 1  \nb: \t\n  c: 2 \n",
        "a: 1\nb:\n  c: 2\n"},
    {"lines_end_in_lf", "a: 1\r\nb: \"c\r\n  d\"\r\ne: |\r\n  f\r\n",
        "a: 1\nb: \"c\n  d\"\ne: |\n  f\n"},
    {"line_end_is_added", "a: 1", "a: 1\n"},
    {"lines_at_the_end_go", "a: 1\n\n  \n\n", "a: 1\n"},
    {"lines_at_the_beginning_go", "\n  \n\na: 1\n", "a: 1\n"},
    {"one_empty_line_at_a_time", "a:\n\n\n  b: 1\n  \n \n\n  c: 2\n",
        "a:\n\n  b: 1\n\n  c: 2\n"},
    {"one_empty_line_between_comments", "# a\n\n\n\n# b\n\n\na: 1\n",
        "# a\n\n# b\n\na: 1\n"},
    {"tab_behind_a_colon", "a:\t1\nb: {c:\t2,\td: 3}\n",
        "a: 1\nb: {c: 2, d: 3}\n"},
    {"tab_in_plain_text_stays", "a: b\tc\n", "a: b\tc\n"},
};

/* Checks by itself that comments and meaning are kept; NULL when not. */
static const struct source *lay_out(struct text_file *file)
{
    const struct source *made =
        layout_source(file->memory, file->source, text_file_tree(file));

    assert_non_null(made);
    return made;
}

static void fmt_row(void **state)
{
    const struct fmt_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->before);
    assert_string_equal(lay_out(&file)->text, row->after);
    text_file_release(&file);
    text_file_init(&file, row->after);
    assert_string_equal(lay_out(&file)->text, row->after);
    text_file_release(&file);
}

TEST_FILE(test_layout)
{
    TEST_ADD_ROWS(list, fmt_row, indent_rows);
    TEST_ADD_ROWS(list, fmt_row, comment_rows);
    TEST_ADD_ROWS(list, fmt_row, flow_rows);
    TEST_ADD_ROWS(list, fmt_row, scalar_rows);
    TEST_ADD_ROWS(list, fmt_row, line_rows);
}
