/* test_manifest_xml.c - files that are no XML, or XML that is made to harm:
 * each is refused in words of ours, nothing but the text is read. */
#define _POSIX_C_SOURCE 200809L
#include "tests/api/ctrpp/manifest_scene.h"

/* `size` 0: that of the text. */
static struct xml_row {
    const char *name, *text;
    size_t size;
    const char *want, *message;
} xml_rows[] = {
    {"nothing", "", 0, "CTR001@1:1", "the file is empty"},
    {"only_blanks", " \n ", 0, "CTR001@2:2", "the file is empty"},
    {"no_xml", "counters: 1\n", 0, "CTR001@1:1", "the file is empty"},
    {"not_ended", "<a>\n<b>\n", 0, "CTR001@3:1", "ends before its elements"},
    {"tag_without_its_end", "<a>\n<b c='1'", 0, "CTR001@2:9", "ends before"},
    {"tag_without_anything", "<", 0, "CTR001@1:2", "ends before its"},
    {"tag_begun_at_the_end", "<a>\n<b/>\n</", 0, "CTR001@3:3",
        "the file ends before its elements do"},
    {"tag_begun_before_blanks", "<a>\n<\n", 0, "CTR001@2:2",
        "the file ends before its elements do"},
    {"smaller_that_begins_nothing", "<a>\n< b</a>", 0, "CTR001@2:2",
        "a name is missing"},
    {"tag_with_a_slash_within", "<a /b></a>", 0, "CTR001@1:4", "a name is"},
    {"ended_by_another", "<a>\n<b></a>\n", 0, "CTR001@2:4", "an element ends"},
    {"behind_the_root", "<a/>\n<b/>", 0, "CTR001@2:1", "behind the last"},
    {"attribute_twice", "<a b='1' b='2'/>", 0, "CTR001@1:10", "twice: 'b'"},
    {"attribute_twice_far_from_the_end", "<a>\n<b c='1'\nd='2' c='3'\ne='4'>",
        0, "CTR001@3:7", "twice: 'c'"},
    {"attribute_twice_in_a_namespace",
        "<a xmlns:x='u' xmlns:y='u' x:bc='1' d='' y:bc='2' e=''/>", 0,
        "CTR001@1:42", "twice: 'y:bc'"},
    {"attribute_without_quotes", "<a b=1/>", 0, "CTR001@1:6", "without quotes"},
    {"attribute_without_a_value", "<a b/>", 0, "CTR001@1:4", "a value: 'b'"},
    {"attribute_without_a_value_before_another", "<a b='1' cd e='2'/>", 0,
        "CTR001@1:10", "without a value: 'cd'"},
    {"attribute_not_closed", "<a b='1/>\n", 0, "CTR001@1:6",
        "quotes are not closed: 'b'"},
    {"attribute_not_closed_before_another", "<a b='1 c='2'/>\n", 0,
        "CTR001@1:6", "quotes are not closed: 'b'"},
    {"attribute_not_closed_on_its_line", "<a b='1\n  cd='2' e='3'/>\n", 0,
        "CTR001@1:6", "quotes are not closed: 'b'"},
    {"attribute_not_closed_in_its_tag", "<a b='1'>\n<c d='1/>\n<e f='2'/></a>",
        0, "CTR001@2:6", "quotes are not closed: 'd'"},
    {"attributes_without_a_blank", "<a b='1'c='2'/>", 0, "CTR001@1:9",
        "a blank is missing"},
    {"declaration_without_a_blank",
        "<?xml version='1.0'encoding='UTF-8'?>\n<a/>", 0, "CTR001@1:20",
        "a blank is missing"},
    {"smaller_in_a_value", "<a b='<'/>", 0, "CTR001@1:7", "a < in the value"},
    {"prefix_of_nothing", "<x:a/>", 0, "CTR001@1:2", "no namespace: 'x'"},
    {"prefix_of_nothing_before_an_attribute",
        "<a>\n<b c='1' xy:d='2' e='3'/></a>", 0, "CTR001@2:10",
        "no namespace: 'xy'"},
    {"prefix_of_nothing_behind_a_name_that_begins_so", "<a xy='1' x:b='2'/>", 0,
        "CTR001@1:11", "no namespace: 'x'"},
    {"prefix_of_nothing_is_that_of_the_element_too",
        "<x:a xmlns:x='u'><x:b y:x='1' x:y='2'/></x:a>", 0, "CTR001@1:23",
        "no namespace: 'y'"},
    {"declaration_too_late", " <?xml version='1.0'?><a/>", 0, "CTR001@1:7",
        "not at the file's start"},
    {"version_of_another_xml", "<?xml version='2.0'?><a/>", 0, "CTR001@1:20",
        "a version of XML"},
    {"comment_not_ended", "<a><!-- -></a>", 0, "CTR001@1:15", "a comment"},
    {"greater_that_begins_a_comment", "<a><!--><!DOCTYPE a>--></a>", 0,
        "CTR101@1:2", "the root is a"},
    {"ampersand_alone", "<a b='x & y'/>", 0, "CTR001@1:9",
        "an ampersand that begins no entity"},
    {"ampersand_alone_in_a_text", "<a>x & y</a>", 0, "CTR001@1:6",
        "an ampersand that begins no entity"},
    {"entity_unknown", "<a b='\xC3\xA4 &nbsp;'/>", 0, "CTR001@1:9",
        "an entity that XML"},
    {"number_of_no_character", "<a b='&#1;'/>", 0, "CTR001@1:11",
        "a character"},
    {"control_character", "<a b='\x01'/>", 0, "CTR001@1:7", "a character"},

    {"nul", "<a b='x\0y'/>", 12, "CTR003@1:8", "a NUL"},
    {"bad_utf8", "<a b='\xC3\xA4\xFF'/>", 0, "CTR003@1:8", "0xFF"},
    {"utf8_too_long_a_form", "<a b='\xC0\xAF'/>", 0, "CTR003@1:7", "0xC0"},
    {"surrogate_in_utf8", "<a b='\xED\xA0\x80'/>", 0, "CTR003@1:7", "0xED"},
    {"half_a_pair", "\xFF\xFE<\0a\0\x00\xD8/\0>\0", 12, "CTR003@1:3",
        "surrogates"},
    {"half_a_unit", "\xFE\xFF\0<\0a\0/\0>\0", 11, "CTR003@1:5",
        "ends within a character"},
    {"nul_in_utf16", "\xFE\xFF\0<\0a\0\0\0>", 10, "CTR003@1:3", "a NUL"},
    {"utf16_without_a_mark", "<\0a\0/\0>\0", 8, "CTR003@1:2", "a NUL"},
    {"utf16_in_words_alone", "<?xml version='1.0' encoding='UTF-16'?><a/>", 0,
        "CTR003@1:1", "no byte order mark"},
    {"ascii_that_is_none",
        "<?xml version='1.0' encoding='US-ASCII'?>\n<a b='\xC3\xA4\xE9'/>", 0,
        "CTR003@2:7", "0xC3 there is no US-ASCII"},
    {"ascii_that_is_utf8",
        "<?xml version='1.0' encoding='us-ascii'?><!-- \xC3\xA4 -->", 0,
        "CTR005@1:31 CTR001@1:52", "'us-ascii', but the file is utf-8"},
    {"ascii_by_an_old_mark",
        "\xEF\xBB\xBF<?xml version='1.0' encoding='ascii'?><a b='\xE9'/>", 0,
        "CTR003@1:45", "0xE9 there is no UTF-8"},
    {"mark_and_another_name",
        "\xEF\xBB\xBF<?xml version='1.0' encoding='ISO-8859-1'?>", 0,
        "CTR005@1:31 CTR001@1:44",
        "'ISO-8859-1', but the file is utf-8 by its byte order mark"},
    {"mark_and_its_name", "\xEF\xBB\xBF<?xml version='1.0' encoding='UTF8'?>",
        0, "CTR001@1:38", "the file"},
    {"encoding_in_another_spelling",
        "<?xml version='1.0' encodinG='EBCDIC-US'?><a/>", 0, "CTR001@1:21",
        "declaration that does not end"},
    {"encoding_of_the_host", "<?xml version='1.0' encoding='EBCDIC-US'?><a/>",
        0, "CTR003@1:1", "'EBCDIC-US' is not read"},

    {"entities_that_grow",
        "<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;&b;&b;'>"
        "<!ENTITY d '&c;&c;&c;&c;'>]><a>&d;</a>",
        0, "CTR004@1:1", "a document type"},
    {"entity_of_a_file",
        "<?xml version='1.0'?>\n"
        "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>\n<a>&b;</a>",
        0, "CTR004@2:1", "a document type"},
    {"document_type_of_a_file", "<!DOCTYPE a SYSTEM 'http://localhost/a.dtd'>",
        0, "CTR004@1:1", "a document type"},
    {"parameter_entity_of_a_file",
        "<!DOCTYPE a [<!ENTITY % b SYSTEM 'file:///etc/passwd'> %b;]><a/>", 0,
        "CTR004@1:1", "a document type"},
    {"document_type_within", "<a>\n<!DOCTYPE a></a>", 0, "CTR004@2:1",
        "a document type"},
    {"inclusion_is_an_element_as_others",
        "<instrumentationManifest xmlns:xi='http://www.w3.org/2001/XInclude'>"
        "<xi:include href='/etc/passwd' parse='text'/>"
        "</instrumentationManifest>",
        0, "CTR103@1:2 CTR114@1:70", "has no instrumentation"},
};

static void xml_row(void **state)
{
    const struct xml_row *row = *state;
    struct manifest_scene scene;

    scene_read(
        &scene, row->text, row->size == 0 ? strlen(row->text) : row->size);
    assert_string_equal(scene_problems(&scene), row->want);
    assert_non_null(strstr(scene.problems->item[0].message, row->message));
    assert_non_null(scene.problems->item[0].hint);
    scene_release(&scene);
}

static char *repeated(const char *text, size_t count)
{
    size_t length = strlen(text);
    char *all = malloc(count * length + 1);

    assert_non_null(all);
    for (size_t i = 0; i < count; i++) {
        memcpy(all + i * length, text, length);
    }
    all[count * length] = '\0';
    return all;
}

/* before, then `part` so many times, then after: the problems of that. */
static struct limit_row {
    const char *name, *before, *part;
    size_t count;
    const char *after, *want;
} limit_rows[] = {
    {"depth_32_is_read", "", "<a>", 32, "", "CTR001@1:97"},
    {"depth_33_is_not", "", "<a>", 33, "", "CTR002@1:97"},
    {"depth_of_a_megabyte", "", "<a>", 350000, "", "CTR002@1:97"},
    {"attributes_65", "<a", " b='1'", 65, "/>", "CTR002@1:1"},
    {"attributes_of_a_megabyte", "<a", " b='1'", 170000, "/>", "CTR002@1:1"},
    {"elements_131073", "<a>", "<b/>", 131073, "</a>", "CTR002@1:524288"},
    {"bytes_beyond_the_limit", "<a>", " ", 4194304, "</a>", "CTR002@1:1"},
    {"bytes_at_the_limit", "<a>", " ", 4194304 - 7, "</a>", "CTR101@1:2"},
    {"line_66001", "", "\n", 66000, "<a b='<'/>", "CTR001@66001:7"},
    {"line_66001_of_an_attribute", "<instrumentationManifest>", "\n", 66000,
        "<instrumentation a='1'/></instrumentationManifest>",
        "CTR103@66001:2 CTR114@66001:18"},
    {"column_100001", "<a b='", "\xC3\xA4", 99994, "<'/>", "CTR001@1:100001"},
    {"name_of_a_megabyte", "<", "a", 1000000, "/>", "CTR001@1:2"},
    {"value_of_a_block", "<instrumentationManifest b='", "c", 32768,
        "'><instrumentation/></instrumentationManifest>",
        "CTR114@1:26 CTR103@1:32800"},
    {"value_of_a_megabyte", "<instrumentationManifest b='", "c", 1000000,
        "'><instrumentation/></instrumentationManifest>",
        "CTR114@1:26 CTR103@1:1000032"},
    {"quotes_that_do_not_end", "<a>", "<b c='", 100000, "", "CTR002@1:4"},
    {"comments_that_do_not_end", "<a>", "<!-- ", 100000, "", "CTR001@1:11"},
};

static void limit_row(void **state)
{
    const struct limit_row *row = *state;
    struct manifest_scene scene;
    char *part = repeated(row->part, row->count);
    char *text = talloc_asprintf(NULL, "%s%s%s", row->before, part, row->after);

    scene_read(&scene, text, strlen(text));
    assert_string_equal(scene_problems(&scene), row->want);
    scene_release(&scene);
    talloc_free(text);
    free(part);
}

static const char set_begin[] =
    "<instrumentationManifest><instrumentation>"
    "<counters xmlns='http://schemas.microsoft.com/win/2005/12/counters'"
    " schemaVersion='1.1'>"
    "<provider providerGuid='{00000000-0000-0000-0000-000000000001}'"
    " applicationIdentity='a.sys' providerType='kernelMode'>"
    "<counterSet guid='{00000000-0000-0000-0000-000000000002}' symbol='Set'"
    " uri='S' name='S' description='";

static const char set_end[] = "</counterSet></provider></counters>"
                              "</instrumentation></instrumentationManifest>";

/* The problems of a set with so many parts: how many there are of a kind, how
 * many errors in all, and how many more than are listed. */
static struct many_row {
    const char *name, *before, *part;
    size_t count;
    const char *after;
    enum manifest_problem_code code;
    size_t want, want_errors, want_dropped;
} many_rows[] = {
    {"text_of_4096", "", "\xC3\xA4", 4096,
        "'><structs><struct name='A' type='A'/></structs><counter id='1' "
        "uri='1' name='1' type='perf_counter_rawcount' "
        "description='1' detailLevel='standard' field='F'/>",
        MANIFEST_PROBLEM_BAD_TEXT, 0, 0, 0},
    {"text_of_4097", "", "\xC3\xA4", 4097,
        "'><structs><struct name='A' type='A'/></structs><counter id='1' "
        "uri='1' name='1' type='perf_counter_rawcount' "
        "description='1' detailLevel='standard' field='F'/>",
        MANIFEST_PROBLEM_BAD_TEXT, 1, 1, 0},
    /* two attributes of each struct, six of a counter, and what stands there
     * more often than it may; 65536 counters have more texts than numbers */
    {"structs_256", "D'><structs>", "<struct/>", 256, "</structs><counter/>",
        MANIFEST_PROBLEM_REPEATED_ELEMENT, 0, 519, 0},
    {"structs_257", "D'><structs>", "<struct/>", 257, "</structs><counter/>",
        MANIFEST_PROBLEM_REPEATED_ELEMENT, 1, 520, 0},
    {"counters_65537", "D'><structs><struct name='A' type='A'/></structs>",
        "<counter/>", 65537, "", MANIFEST_PROBLEM_REPEATED_ELEMENT, 1, 393218,
        448754},
};

static void many_row(void **state)
{
    const struct many_row *row = *state;
    struct manifest_scene scene;
    char *part = repeated(row->part, row->count);
    char *text = talloc_asprintf(
        NULL, "%s%s%s%s%s", set_begin, row->before, part, row->after, set_end);
    size_t count = 0;

    scene_read(&scene, text, strlen(text));
    for (size_t i = 0; i < scene.problems->count; i++) {
        count += scene.problems->item[i].code == row->code;
    }
    assert_int_equal(count, row->want);
    assert_int_equal(scene.problems->errors, row->want_errors);
    assert_int_equal(scene.problems->dropped, row->want_dropped);
    scene_release(&scene);
    talloc_free(text);
    free(part);
}

TEST_FILE(test_manifest_xml)
{
    TEST_ADD_ROWS(list, xml_row, xml_rows);
    TEST_ADD_ROWS(list, limit_row, limit_rows);
    TEST_ADD_ROWS(list, many_row, many_rows);
}
