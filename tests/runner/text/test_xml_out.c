/* test_xml_out.c - attributes and CDATA (XML 1.0, 2.2, 2.7, 3.3.3). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/text/xml_out.h"
#include "tests/runner/text_file.h"

static struct row {
    const char *name;
    const char *text;
    const char *want_attribute; /* between its quotes */
    const char *want_cdata;     /* with all brackets */
} rows[] = {
    {"empty", "", "", "<![CDATA[]]>"},
    {"markup", "<a & b>", "&lt;a &amp; b&gt;", "<![CDATA[<a & b>]]>"},
    {"quotes", "\"a\" 'b'", "&quot;a&quot; 'b'", "<![CDATA[\"a\" 'b']]>"},
    {"white_space", "a\tb\nc\rd", "a&#9;b&#10;c&#13;d",
        "<![CDATA[a\tb\nc\rd]]>"},
    {"control_characters_are_dropped",
        "a\x01\x08\x0B\x0C\x1F"
        "b",
        "ab", "<![CDATA[ab]]>"},
    {"no_characters_are_dropped",
        "a\xEF\xBF\xBE\xEF\xBF\xBF"
        "b",
        "ab", "<![CDATA[ab]]>"},
    {"delete_is_allowed", "a\x7F", "a\x7F", "<![CDATA[a\x7F]]>"},
    {"characters_of_more_bytes", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80",
        "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80",
        "<![CDATA[\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80]]>"},
    {"invalid_utf8_is_replaced", "a\xFF\xC3z", "a\xEF\xBF\xBD\xEF\xBF\xBDz",
        "<![CDATA[a\xEF\xBF\xBD\xEF\xBF\xBDz]]>"},
    {"surrogates_are_replaced", "\xED\xA0\x80",
        "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD",
        "<![CDATA[\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD]]>"},
    {"end_is_split", "a]]>b", "a]]&gt;b", "<![CDATA[a]]]]><![CDATA[>b]]>"},
    {"end_behind_another_bracket_is_split", "]]]>", "]]]&gt;",
        "<![CDATA[]]]]]><![CDATA[>]]>"},
    {"two_ends_are_split", "]]>]]>", "]]&gt;]]&gt;",
        "<![CDATA[]]]]><![CDATA[>]]]]><![CDATA[>]]>"},
    {"end_that_dropping_makes_is_split", "]\x01]\x02>", "]]&gt;",
        "<![CDATA[]]]]><![CDATA[>]]>"},
    {"brackets_at_the_end", "a]]", "a]]", "<![CDATA[a]]]]>"},
    {"one_bracket_is_no_end", "]> ]a]>", "]&gt; ]a]&gt;",
        "<![CDATA[]> ]a]>]]>"},
};

/* An element with the text as an attribute, and in it. */
static void print_element(const void *argument, FILE *out)
{
    struct xml_out *xml = xml_out_new();

    xml_out_element(xml, "outer");
    xml_out_element(xml, "inner");
    xml_out_attribute(xml, "name", argument);
    xml_out_number(xml, "number", 7);
    xml_out_cdata(xml, argument);
    xml_out_element_end(xml);
    xml_out_element_end(xml);
    xml_out_end(xml, out);
}

static void row(void **state)
{
    const struct row *row = *state;
    void *memory = talloc_new(NULL);

    assert_string_equal(text_of(memory, print_element, row->text),
        talloc_asprintf(memory,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<outer>\n"
            "  <inner name=\"%s\" number=\"7\">%s</inner>\n</outer>\n",
            row->want_attribute, row->want_cdata));
    talloc_free(memory);
}

TEST_FILE(test_xml_out)
{
    TEST_ADD_ROWS(list, row, rows);
}
