/* test_manifest_rules.c - one small change of a valid manifest, and the problem
 * that it makes, at its place. */
#define _POSIX_C_SOURCE 200809L
#include "tests/api/ctrpp/manifest_scene.h"

/* Lines are counted in the rows below. */
static const char base_text[] =
    "<instrumentationManifest>\n"
    "<instrumentation>\n"
    "<counters xmlns='http://schemas.microsoft.com/win/2005/12/counters'"
    " schemaVersion='1.1'>\n"
    "<provider providerGuid='{00000000-0000-0000-0000-000000000001}'"
    " applicationIdentity='a.sys' providerType='kernelMode'>\n"
    "<counterSet guid='{00000000-0000-0000-0000-000000000002}' symbol='Set'\n"
    " uri='S' name='S' description='D'>\n"
    "<structs>\n"
    "<struct name='One' type='ONE'/>\n"
    "</structs>\n"
    "<counter id='1' uri='c1' name='N1' type='perf_counter_rawcount'"
    " description='D1'\n"
    " detailLevel='standard' field='F1'/>\n"
    "<counter id='2' uri='c2' name='N2' type='perf_average_base'"
    " description='D2'\n"
    " detailLevel='standard' field='F2'/>\n"
    "</counterSet>\n"
    "</provider>\n"
    "</counters>\n"
    "</instrumentation>\n"
    "</instrumentationManifest>\n";

static struct rule_row {
    const char *name;
    const char *old, *new;
    const char *want;
} rule_rows[] = {
    {"as_it_is", "'a.sys'", "'a.sys'", ""},

    /* CTR-MAN-01: GUIDs */
    {"guid_in_small_letters", "'{00000000-0000-0000-0000-000000000002}'",
        "'{abcdefab-cdef-ABCD-EFab-cdefABCDEF00}'", ""},
    {"guid_without_braces", "'{00000000-0000-0000-0000-000000000002}'",
        "'00000000-0000-0000-0000-000000000002'", "CTR108@5:19"},
    {"guid_in_other_groups", "'{00000000-0000-0000-0000-000000000002}'",
        "'{000000000-000-0000-0000-000000000002}'", "CTR108@5:19"},
    {"guid_with_another_letter", "'{00000000-0000-0000-0000-000000000002}'",
        "'{00000000-0000-0000-0000-00000000000g}'", "CTR108@5:19"},
    {"guid_with_more_digits", "'{00000000-0000-0000-0000-000000000002}'",
        "'{00000000-0000-0000-0000-0000000000020}'", "CTR108@5:19"},
    {"guid_with_a_blank", "'{00000000-0000-0000-0000-000000000002}'",
        "' {00000000-0000-0000-0000-000000000002}'", "CTR108@5:19"},

    /* CTR-MAN-01: numbers */
    {"number_of_eight_hex_digits", "id='1'", "id='0x0000000f'", ""},
    {"number_with_a_capital_x", "id='1'", "id='0XF'", ""},
    {"number_with_zeros", "id='1'", "id='00007'", ""},
    {"number_of_nine_hex_digits", "id='1'", "id='0x000000001'", "CTR109@10:14"},
    {"number_with_what_follows_the_digits", "id='1'", "id='1:'",
        "CTR109@10:14"},
    {"number_in_hex_with_what_precedes_the_letters", "id='1'", "id='0x@'",
        "CTR109@10:14"},
    {"number_without_hex_digits", "id='1'", "id='0x'", "CTR109@10:14"},
    {"number_with_a_sign", "id='1'", "id='+1'", "CTR109@10:14"},
    {"number_that_is_negative", "id='1'", "id='-1'", "CTR109@10:14"},
    {"number_with_a_blank", "id='1'", "id=' 1'", "CTR109@10:14"},
    {"number_that_is_empty", "id='1'", "id=''", "CTR109@10:14"},
    {"number_of_33_bits", "id='1'", "id='4294967296'", "CTR109@10:14"},
    {"number_far_too_long", "id='1'", "id='18446744073709551617'",
        "CTR109@10:14"},
    {"number_with_hex_letters", "id='1'", "id='a'", "CTR109@10:14"},

    /* CTR-MAN-01: symbols */
    {"symbol_that_is_empty", "uri='c1'", "uri='c1' symbol=''", ""},
    {"symbol_of_underscores", "uri='c1'", "uri='c1' symbol='__9aZ'", ""},
    {"symbol_that_begins_with_a_digit", "uri='c1'", "uri='c1' symbol='9a'",
        "CTR110@10:34"},
    {"symbol_with_a_hyphen", "uri='c1'", "uri='c1' symbol='a-b'",
        "CTR110@10:34"},
    {"symbol_of_other_letters", "uri='c1'", "uri='c1' symbol='\xC3\xA4'",
        "CTR110@10:34"},
    {"field_that_is_empty", "field='F1'", "field=''", "CTR110@11:32"},
    {"struct_type_of_two_words", "type='ONE'", "type='struct one'",
        "CTR110@8:26"},

    /* A23 */
    {"scale_of_minus_ten", "uri='c1'", "uri='c1' defaultScale='-10'", ""},
    {"scale_of_ten", "uri='c1'", "uri='c1' defaultScale='10'", ""},
    {"scale_of_minus_eleven", "uri='c1'", "uri='c1' defaultScale='-11'",
        "CTR113@10:40"},
    {"scale_of_eleven", "uri='c1'", "uri='c1' defaultScale='11'",
        "CTR113@10:40"},
    {"symbol_of_a_set_that_is_empty", "symbol='Set'", "symbol=''",
        "CTR110@5:67"},
    {"scale_in_hex_of_a_capital", "uri='c1'", "uri='c1' defaultScale='0X1'",
        "CTR113@10:40"},
    {"scale_in_hex", "uri='c1'", "uri='c1' defaultScale='0x1'", "CTR113@10:40"},

    /* texts */
    {"text_with_a_line_break", "uri='c1'", "uri='c&#10;1'", "CTR112@10:22"},
    {"text_that_is_empty", "'a.sys'", "''", "CTR112@4:65"},
    {"text_of_other_letters", "uri='c1'", "uri='\xC3\xA4\xE2\x82\xAC'", ""},

    {"text_of_a_string_table", "name='N1'", "name='$(string.Set.Name)'",
        "CTR116@10:32"},
    {"text_with_other_parentheses", "name='N1'", "name='$(N1) $string.'", ""},

    /* what is aggregated */
    {"aggregate_in_a_single_set", "uri='c1'", "uri='c1' aggregate='sum'",
        "CTR213@10:26"},
    {"aggregate_of_nothing_in_a_single_set", "uri='c1'",
        "uri='c1' aggregate='undefined'", ""},
    {"aggregate_in_instances_unknown",
        "name='S' description='D'>\n<structs>\n<struct name='One' "
        "type='ONE'/>\n</structs>\n<counter id='1'",
        "name='S' description='D' instances='many'>\n<structs>\n<struct "
        "name='One' type='ONE'/>\n</structs>\n<counter aggregate='max' "
        "id='1'",
        "CTR111@6:46"},
    {"aggregate_in_a_set_that_aggregates",
        "name='S' description='D'>\n<structs>\n<struct name='One' "
        "type='ONE'/>\n</structs>\n<counter id='1'",
        "name='S' description='D' instances='globalAggregate'>\n<structs>\n"
        "<struct name='One' type='ONE'/>\n</structs>\n<counter "
        "aggregate='max' id='1'",
        ""},

    /* CTR-MAN-02 */
    {"id_twice", "id='2'", "id='0x1'", "CTR201@12:14"},
    {"name_twice", "name='N2'", "name='N1'", "CTR201@12:32"},
    {"name_in_another_case", "name='N2'", "name='n1'", ""},
    {"name_twice_in_two_sets", "</counterSet>",
        "</counterSet><counterSet symbol='Other' uri='S2' name='S2' "
        "guid='{00000000-0000-0000-0000-000000000003}' description='D'>"
        "<structs><struct name='One' type='ONE'/></structs>"
        "<counter id='1' uri='c3' name='N1' type='perf_counter_rawcount' "
        "description='D1' detailLevel='standard' field='F1'/></counterSet>",
        ""},
    {"uri_twice", "uri='c2'", "uri='c1'", "CTR201@12:22"},
    {"symbols_that_are_both_empty", " field='F1'/>\n<counter id='2'",
        " symbol='' field='F1'/>\n<counter symbol='' id='2'", ""},
    {"symbol_twice", " field='F1'/>\n<counter id='2'",
        " symbol='C' field='F1'/>\n<counter symbol='C' id='2'", "CTR201@12:18"},
    {"uri_in_another_case", "uri='c2'", "uri='C1'", ""},
    {"struct_that_is_not_there", "field='F1'", "field='F1' struct='ONE'",
        "CTR206@11:44"},
    {"struct_that_is_there", "field='F1'", "field='F1' struct='One'", ""},
    {"reference_to_nobody", "type='perf_counter_rawcount'",
        "type='perf_average_bulk' baseID='3'", "CTR202@10:69"},

    /* CTR-MAN-03a, CTR-MAN-03c, A18 */
    {"kernel_mode_without_structs",
        "<structs>\n<struct name='One' type='ONE'/>\n</structs>", "",
        "CTR103@5:2"},
    {"structs_without_a_struct", "<struct name='One' type='ONE'/>", "",
        "CTR103@7:2"},
    {"kernel_mode_without_a_field", " field='F1'", "", "CTR104@10:2"},
    {"two_structs_and_none_named", "<struct name='One' type='ONE'/>",
        "<struct name='One' type='ONE'/><struct name='Two' type='TWO'/>",
        "CTR206@10:2 CTR206@12:2"},
    {"user_mode_with_structs", "providerType='kernelMode'", "symbol='P'",
        "CTR207@7:2 CTR207@11:25 CTR207@13:25"},
    {"user_mode_in_words", "'kernelMode'", "'userMode' symbol='P'",
        "CTR207@7:2 CTR207@11:25 CTR207@13:25"},
    {"user_mode_without_a_symbol", "providerType='kernelMode'", "",
        "CTR104@4:2 CTR207@7:2 CTR207@11:25 CTR207@13:25"},
    {"mode_of_the_page", "'kernelMode'", "'kernel'", "CTR111@4:107"}, /* A20 */
    {"structs_behind_a_counter", "</counterSet>",
        "<structs><struct name='Two' type='TWO'/></structs></counterSet>",
        "CTR105@14:2"},
    {"structs_in_the_wrong_order",
        "<structs>\n<struct name='One' type='ONE'/>\n</structs>\n<counter",
        "<counter id='3' uri='c3' name='N3' type='perf_counter_rawcount' "
        "description='D3' detailLevel='standard' field='F3'/>\n"
        "<structs>\n<struct name='One' type='ONE'/></structs>\n<counter",
        "CTR105@8:2"},

    /* CTR-MAN-05, CTR-MAN-06 */
    {"text_in_kernel_mode", "'perf_counter_rawcount'", "'perf_counter_text'",
        "CTR208@10:42"},
    {"composite_in_kernel_mode", "'perf_counter_rawcount'",
        "'perf_counter_composite'", "CTR208@10:42"},
    {"id_63", "id='1'", "id='63'", ""},
    {"id_64", "id='1'", "id='64'", "CTR209@10:14"},
    {"id_65535", "id='1'", "id='65535'", "CTR209@10:14"},
    {"id_65536", "id='1'", "id='65536'", "CTR113@10:14"},

    /* CTR-GEN-05b: a set and two counters have six texts, the last of which
     * has the number resourceBase + 10 */
    {"last_text_is_65535", "applicationIdentity",
        "resourceBase='65525' applicationIdentity", ""},
    {"last_text_is_65536", "applicationIdentity",
        "resourceBase='0xFFF6' applicationIdentity", "CTR113@4:79"},

    /* A19 */
    {"name_with_a_delete", "'N1'", "'N1&#x7F;'", "CTR112@10:32"},
    {"name_with_a_tilde", "'N1'", "'N1~'", ""},
    {"name_with_a_tab", "'N1'", "'N1&#9;'", "CTR112@10:32"},
    {"name_with_a_blank_in_it", "'N1'", "'N 1'", ""},
    {"name_left_out", " name='N1'", "", "CTR104@10:2"},
    {"description_left_out", " description='D1'", "", "CTR215@10:2"},
    {"texts_left_out_and_not_displayed",
        " name='N1' type='perf_counter_rawcount' description='D1'\n "
        "detailLevel='standard' field='F1'/>",
        " type='perf_counter_rawcount'\n detailLevel='standard' field='F1'>"
        "<counterAttributes><counterAttribute name='noDisplay'/>"
        "</counterAttributes></counter>",
        ""},

    /* what must be there, and what must not */
    {"schema_left_out", " schemaVersion='1.1'", "", "CTR104@3:2"},
    {"schema_unknown", "'1.1'", "'1.0'", "CTR111@3:84"},
    {"instances_unknown", "name='S'", "name='S' instances='many'",
        "CTR111@6:30"},
    {"number_of_a_text_in_1_1", "name='S'", "name='S' nameID='2'",
        "CTR207@6:19"},
    {"attribute_unknown", "name='S'", "name='S' nam='2'", "CTR102@6:19"},
    {"attribute_of_a_language", "name='S'", "name='S' xml:lang='en'", ""},
    {"attribute_misspelt", "description='D1'", "Description='D1'",
        "CTR102@10:65"},
    {"attribute_misspelt_that_has_to_be_there", "detailLevel", "detaillevel",
        "CTR102@11:2"},
    {"attribute_misspelt_that_says_the_mode", "providerType", "providertype",
        "CTR102@4:93"},
    {"attribute_misspelt_that_is_a_reference",
        "'perf_counter_rawcount' description='D1'",
        "'perf_average_bulk' baseId='2' description='D1'", "CTR102@10:61"},
    {"element_misspelt",
        "<structs>\n<struct name='One' type='ONE'/>\n</structs>",
        "<Structs>\n<struct name='One' type='ONE'/>\n</Structs>", "CTR101@7:2"},
    {"element_unknown", "</counterSet>", "<countr/></counterSet>",
        "CTR101@14:2"},
    {"element_of_another_namespace", "</counterSet>",
        "<counter xmlns='urn:x'/></counterSet>", "CTR101@14:2"},
    {"provider_twice", "</counters>",
        "<provider providerGuid='1' applicationIdentity='b.sys' "
        "providerType='kernelMode' callback='no'/></counters>",
        "CTR105@16:2 CTR115@16:2 CTR108@16:25 CTR111@16:92"},
    {"counters_twice", "</instrumentation>",
        "<counters xmlns='http://schemas.microsoft.com/win/2005/12/counters' "
        "schemaVersion='1.1' other=''/></instrumentation>",
        "CTR105@17:2 CTR103@17:2 CTR102@17:89"},
    {"counters_in_the_root", "</instrumentation>\n",
        "</instrumentation>\n<counters "
        "xmlns='http://schemas.microsoft.com/win/2005/12/counters' "
        "schemaVersion='1'/>\n",
        "CTR101@18:2 CTR103@18:2 CTR111@18:84"},
    {"events_beside_counters", "<instrumentation>",
        "<instrumentation><events/>", "CTR114@2:19"},
    {"text_in_a_set", "</counterSet>", "x</counterSet>", "CTR107@14:1"},
    {"text_in_a_struct", "type='ONE'/>", "type='ONE'>x</struct>",
        "CTR114@8:31"},
    {"text_in_a_cdata_section", "</counterSet>", "<![CDATA[x]]></counterSet>",
        "CTR107@14:1"},
    {"comments_anywhere", "<struct name", "<!-- x > ' -->\n<struct name", ""},
    {"instructions_anywhere", "<struct name", "<?x > '?>\n<struct name", ""},
    {"counterset_without_counters",
        "<counter id='1' uri='c1' name='N1' type='perf_counter_rawcount'"
        " description='D1'\n"
        " detailLevel='standard' field='F1'/>\n"
        "<counter id='2' uri='c2' name='N2' type='perf_average_base'"
        " description='D2'\n"
        " detailLevel='standard' field='F2'/>\n",
        "", "CTR103@5:2 CTR210@8:2"},
    {"attributes_six", "field='F1'/>",
        "field='F1'><counterAttributes>"
        "<counterAttribute name='reference'/>"
        "<counterAttribute name='noDisplay'/>"
        "<counterAttribute name='noDigitGrouping'/>"
        "<counterAttribute name='displayAsHex'/>"
        "<counterAttribute name='displayAsReal'/>"
        "<counterAttribute name='reference'/>"
        "</counterAttributes></counter>",
        "CTR105@11:249 CTR201@11:272"},
    {"attribute_of_two_counters",
        "field='F1'/>\n"
        "<counter id='2' uri='c2' name='N2' type='perf_average_base' "
        "description='D2'\n detailLevel='standard' field='F2'/>",
        "field='F1'><counterAttributes>"
        "<counterAttribute name='reference'/></counterAttributes></counter>\n"
        "<counter id='2' uri='c2' name='N2' type='perf_average_base' "
        "description='D2'\n detailLevel='standard' field='F2'>"
        "<counterAttributes>"
        "<counterAttribute name='reference'/></counterAttributes></counter>",
        ""},
    {"attributes_twice", "field='F1'/>",
        "field='F1'><counterAttributes><counterAttribute name='reference'/>"
        "</counterAttributes>\n<counterAttributes>"
        "<counterAttribute name='reference'/><counterAttribute name='no'/>"
        "</counterAttributes></counter>",
        "CTR105@12:2 CTR201@12:44 CTR111@12:80"},
    {"attributes_five", "field='F1'/>",
        "field='F1'><counterAttributes>"
        "<counterAttribute name='reference'/>"
        "<counterAttribute name='noDisplay'/>"
        "<counterAttribute name='noDigitGrouping'/>"
        "<counterAttribute name='displayAsHex'/>"
        "<counterAttribute name='displayAsReal'/>"
        "</counterAttributes></counter>",
        ""},
};

static void rule_row(void **state)
{
    const struct rule_row *row = *state;
    struct manifest_scene scene;
    char *text = text_with(NULL, base_text, row->old, row->new);

    scene_read(&scene, text, strlen(text));
    assert_string_equal(scene_problems(&scene), row->want);
    for (size_t i = 0; i < scene.problems->count; i++) {
        assert_non_null(scene.problems->item[i].message);
    }
    scene_release(&scene);
    talloc_free(text);
}

/* All of them in one pass, in the order of their places; each says what to do
 * instead. */
static void all_in_one_pass(void **state)
{
    struct manifest_scene scene;
    void *memory = talloc_new(NULL);
    char *text = talloc_strdup(memory, base_text);

    (void)state;
    text = text_with(memory, text, "field='F2'", "field='2'");
    text = text_with(memory, text, "'1.1'", "'1.2'");
    text = text_with(memory, text, "id='2'", "id='1'");
    text = text_with(memory, text, "'a.sys'", "''");
    text = text_with(memory, text, "type='ONE'", "typ='ONE'");
    scene_read(&scene, text, strlen(text));
    assert_string_equal(scene_problems(&scene),
        "CTR111@3:84 CTR112@4:65 CTR102@8:20 CTR201@12:14 CTR110@13:32");
    assert_int_equal(scene.problems->errors, 5);
    for (size_t i = 0; i < scene.problems->count; i++) {
        assert_non_null(scene.problems->item[i].hint);
    }
    scene_release(&scene);
    talloc_free(memory);
}

/* A message shows the beginning of a long value, in whole characters: 80 bytes
 * end within the 27th of these. */
static void long_value_is_cut_between_characters(void **state)
{
    static const char character[] = "\xE6\xBC\xA2";
    struct manifest_scene scene;
    void *memory = talloc_new(NULL);
    char *name = talloc_strdup(memory, "name='");
    char *shown = talloc_strdup(memory, "");
    char *text;

    (void)state;
    for (int i = 0; i < 60; i++) {
        name = talloc_strdup_append(name, character);
        shown = i < 26 ? talloc_strdup_append(shown, character) : shown;
    }
    name = talloc_strdup_append(name, "'");
    text = text_with(memory, base_text, "name='N1'", name);
    text = text_with(memory, text, "name='N2'", name);
    scene_read(&scene, text, strlen(text));
    assert_string_equal(scene_problems(&scene), "CTR201@12:32");
    assert_string_equal(scene.problems->item[0].message,
        talloc_asprintf(memory,
            "two counters of the counterSet have the same name: '%s...', also "
            "at 10:32",
            shown));
    scene_release(&scene);
    talloc_free(memory);
}

TEST_FILE(test_manifest_rules)
{
    TEST_ADD_ROWS(list, rule_row, rule_rows);
    test_add(list, "all_in_one_pass", all_in_one_pass, NULL);
    test_add(list, "long_value_is_cut_between_characters",
        long_value_is_cut_between_characters, NULL);
}
