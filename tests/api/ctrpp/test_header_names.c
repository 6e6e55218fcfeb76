/* test_header_names.c - names that the generated headers cannot have: each at
 * the symbol that it is of, all in one pass. */
#define _POSIX_C_SOURCE 200809L
#include "tests/api/ctrpp/manifest_scene.h"

#include "api/ctrpp/header_names.h"

/* Two countersets with a counter each; lines are counted in the rows below. */
static const char base_text[] =
    "<instrumentationManifest>\n"
    "<instrumentation>\n"
    "<counters xmlns='http://schemas.microsoft.com/win/2005/12/counters'"
    " schemaVersion='1.1'>\n"
    "<provider providerGuid='{00000000-0000-0000-0000-0000000000AB}'\n"
    " symbol='Prov'\n"
    " applicationIdentity='a.sys' providerType='kernelMode'>\n"
    "<counterSet guid='{00000000-0000-0000-0000-000000000002}'\n"
    " symbol='First'\n"
    " uri='S' name='S' description='D'>\n"
    "<structs><struct\n"
    " name='One'\n"
    " type='ONE'/></structs>\n"
    "<counter id='1' uri='c1' name='N1' type='perf_counter_rawcount'\n"
    " symbol='C1'\n"
    " detailLevel='standard' description='D'\n"
    " field='F1'/>\n"
    "</counterSet>\n"
    "<counterSet guid='{00000000-0000-0000-0000-000000000003}'\n"
    " symbol='Second'\n"
    " uri='T' name='T' description='D'>\n"
    "<structs><struct name='Two'\n"
    " type='TWO'/></structs>\n"
    "<counter id='1' uri='d1' name='N1' type='perf_counter_rawcount'\n"
    " symbol='D1'\n"
    " detailLevel='standard' description='D'\n"
    " field='G1'/>\n"
    "</counterSet>\n"
    "</provider>\n"
    "</counters>\n"
    "</instrumentation>\n"
    "</instrumentationManifest>\n";

static struct name_row {
    const char *name;
    const char *old, *new;
    const char *old_too, *new_too; /* NULL: one change */
    const char *prefix;
    const char *code;    /* what is wrong for -o alone */
    const char *symbols; /* and with -ch */
} name_rows[] = {
    {"as_it_is", "'a.sys'", "'a.sys'", NULL, NULL, "", "", ""},
    {"as_it_is_with_a_prefix", "'a.sys'", "'a.sys'", NULL, NULL, "P_", "", ""},

    /* CTR-GEN-01: the handle is prefix and symbol, a function has a verb */
    {"handle_is_a_function", "'Second'", "'RegisterFirst'", NULL, NULL, "",
        "CTR212@19:10", "CTR212@19:10"},
    {"handle_is_a_function_with_a_prefix", "'Second'", "'UnregisterFirst'",
        NULL, NULL, "P", "CTR212@19:10", "CTR212@19:10"},
    {"handle_is_a_function_of_the_next", "'First'", "'CreateSecond'", NULL,
        NULL, "", "CTR212@19:10", "CTR212@19:10"},
    {"handle_is_init", "'Second'", "'InitRegistrationInformationFirst'", NULL,
        NULL, "", "CTR212@19:10", "CTR212@19:10"},
    {"handle_is_close", "'Second'", "'CloseFirst'", NULL, NULL, "",
        "CTR212@19:10", "CTR212@19:10"},
    {"handle_is_add", "'Second'", "'AddFirst'", NULL, NULL, "", "CTR212@19:10",
        "CTR212@19:10"},
    {"handle_begins_as_a_function", "'Second'", "'RegisterFirst_'", NULL, NULL,
        "", "", ""},
    {"handle_of_other_letters", "'Second'", "'registerFirst'", NULL, NULL, "",
        "", ""},

    /* words */
    {"symbol_of_c", "'First'", "'int'", NULL, NULL, "", "CTR212@8:10",
        "CTR212@8:10"},
    {"symbol_of_c_with_a_prefix", "'First'", "'int'", NULL, NULL, "P", "", ""},
    {"symbol_of_cpp", "'First'", "'class'", NULL, NULL, "", "CTR212@8:10",
        "CTR212@8:10"},
    {"symbol_and_prefix_of_c", "'First'", "'t'", NULL, NULL, "in",
        "CTR212@8:10", "CTR212@8:10"},
    {"symbol_that_is_a_macro", "'First'", "'FORCEINLINE'", NULL, NULL, "",
        "CTR212@8:10", "CTR212@8:10"},
    {"symbol_that_is_a_type_of_windows", "'First'", "'PCW_DATA'", NULL, NULL,
        "", "CTR212@8:10", "CTR212@8:10"},
    {"symbol_of_a_member", "'First'", "'Information'", NULL, NULL, "", "", ""},
    {"function_of_pcw", "'First'", "'Instance'", NULL, NULL, "Pcw",
        "CTR212@8:10 CTR212@8:10 CTR212@8:10",
        "CTR212@8:10 CTR212@8:10 CTR212@8:10"},
    {"handle_of_pcw", "'First'", "'PcwRegister'", NULL, NULL, "", "CTR212@8:10",
        "CTR212@8:10"},
    {"handle_that_is_the_guard", "'First'",
        "'CTRPP_HEADER_00000000_0000_0000_0000_0000000000AB'", NULL, NULL, "",
        "CTR212@8:10", "CTR212@8:10"},
    {"type_of_c", "'ONE'", "'struct'", NULL, NULL, "", "CTR212@12:8",
        "CTR212@12:8"},
    {"type_of_cpp", "'ONE'", "'template'", NULL, NULL, "", "", ""},
    {"type_of_windows", "'ONE'", "'UNICODE_STRING'", NULL, NULL, "", "", ""},
    {"type_that_is_a_macro", "'ONE'", "'NULL'", NULL, NULL, "", "CTR212@12:8",
        "CTR212@12:8"},
    {"field_of_c", "'F1'", "'default'", NULL, NULL, "", "CTR212@16:9",
        "CTR212@16:9"},
    {"field_of_cpp", "'F1'", "'new'", NULL, NULL, "", "", ""},
    {"field_that_is_a_macro_with_parameters", "'F1'", "'max'", NULL, NULL, "",
        "", ""},

    /* types */
    {"handle_is_a_type", "'First'", "'ONE'", NULL, NULL, "", "CTR212@8:10",
        "CTR212@8:10"},
    {"handle_is_a_type_of_another", "'First'", "'TWO'", NULL, NULL, "",
        "CTR212@8:10", "CTR212@8:10"},
    {"handle_is_a_type_with_a_prefix", "'First'", "'ONE'", NULL, NULL, "P", "",
        ""},
    {"function_is_a_type", "'TWO'", "'AddFirst'", NULL, NULL, "", "CTR212@8:10",
        "CTR212@8:10"},
    {"type_of_both", "'TWO'", "'ONE'", NULL, NULL, "", "", ""},
    {"handle_is_a_field", "'First'", "'F1'", NULL, NULL, "", "", ""},
    {"handle_is_a_parameter", "'First'", "'One'", NULL, NULL, "", "", ""},

    /* CTR-CLI-02: with -ch */
    {"provider_as_a_set", "'Prov'", "'First'", NULL, NULL, "", "",
        "CTR212@8:10"},
    {"provider_as_a_set_with_a_prefix", "'Prov'", "'First'", NULL, NULL, "P",
        "", "CTR212@8:10"},
    {"provider_without_a_symbol", "'Prov'", "''", NULL, NULL, "", "", ""},
    {"guid_is_a_handle", "'Second'", "'FirstGuid'", NULL, NULL, "", "",
        "CTR214@19:10"},
    {"name_is_a_handle", "'Second'", "'FirstName'", NULL, NULL, "", "",
        "CTR214@19:10"},
    {"guid_is_a_type", "'TWO'", "'FirstGuid'", NULL, NULL, "", "",
        "CTR214@8:10"},
    {"id_is_a_name", "'C1'", "'FirstName'", NULL, NULL, "", "", "CTR212@14:10"},
    {"id_is_a_name_of_a_prefix", "'C1'", "'PFirstName'", NULL, NULL, "P", "",
        "CTR212@14:10"},
    {"id_is_no_name_of_a_prefix", "'C1'", "'FirstName'", NULL, NULL, "P", "",
        ""},
    {"id_is_a_guid", "'C1'", "'ProvGuid'", NULL, NULL, "", "", "CTR212@14:10"},
    {"id_is_a_handle", "'C1'", "'First'", NULL, NULL, "", "", "CTR214@14:10"},
    {"id_is_a_function", "'C1'", "'CloseSecond'", NULL, NULL, "", "",
        "CTR214@19:10"},
    {"id_is_a_type", "'C1'", "'TWO'", NULL, NULL, "", "", "CTR214@14:10"},
    {"id_is_a_field", "'C1'", "'G1'", NULL, NULL, "", "", "CTR214@14:10"},
    {"id_is_a_parameter", "'C1'", "'Buffer'", NULL, NULL, "", "",
        "CTR214@14:10"},
    {"id_is_a_parameter_that_is_no_member", "'C1'", "'NameText'", NULL, NULL,
        "", "", "CTR214@14:10"},
    {"guid_of_the_provider_is_a_handle", "'Second'", "'ProvGuid'", NULL, NULL,
        "", "", "CTR214@19:10"},
    {"id_is_a_structure", "'C1'", "'Two'", NULL, NULL, "", "", "CTR214@14:10"},
    {"id_is_a_member", "'C1'", "'Version'", NULL, NULL, "", "", "CTR214@14:10"},
    {"id_is_a_word", "'C1'", "'static'", NULL, NULL, "P", "", "CTR212@14:10"},
    {"id_is_empty", "'C1'", "''", NULL, NULL, "", "", ""},
    {"id_is_the_guard", "'C1'",
        "'CTRPP_SYMBOLS_00000000_0000_0000_0000_0000000000AB_P'", NULL, NULL,
        "P", "", "CTR212@14:10"},

    /* all of them */
    {"two_at_once", "'First'", "'TWO'", "'Second'", "'CloseTWO'", "",
        "CTR212@8:10 CTR212@19:10", "CTR212@8:10 CTR212@19:10"},
    {"of_one_and_of_the_other", "'First'", "'goto'", "'D1'", "'F1'", "",
        "CTR212@8:10", "CTR212@8:10 CTR214@24:10"},
};

static void check_names(struct manifest_scene *scene, const char *prefix,
    bool symbols, const char *want)
{
    const struct ctrpp_settings settings = {
        .prefix = prefix, .source = "name.man", .symbols = symbols};

    scene->problems = manifest_problems_new(scene->memory);
    header_names_check(scene->manifest, &settings, scene->problems);
    assert_string_equal(scene_problems(scene), want);
    for (size_t i = 0; i < scene->problems->count; i++) {
        assert_non_null(scene->problems->item[i].hint);
    }
}

static void name_row(void **state)
{
    const struct name_row *row = *state;
    struct manifest_scene scene;
    void *memory = talloc_new(NULL);
    char *text = text_with(memory, base_text, row->old, row->new);

    if (row->old_too != NULL) {
        text = text_with(memory, text, row->old_too, row->new_too);
    }
    scene_read(&scene, text, strlen(text));
    assert_string_equal(scene_problems(&scene), "");
    check_names(&scene, row->prefix, false, row->code);
    check_names(&scene, row->prefix, true, row->symbols);
    scene_release(&scene);
    talloc_free(memory);
}

static struct message_row {
    const char *name;
    const char *old, *new;
    const char *prefix;
    const char *message, *hint;
} message_rows[] = {
    {"of_another_set", "'Second'", "'AddFirst'", "",
        "the handle is called 'AddFirst', as is a function at 8:10",
        "choose another symbol"},
    {"of_a_type", "'First'", "'ONE'", "",
        "the handle is called 'ONE', as is the type at 12:8",
        "choose another symbol, or a -prefix"},
    {"of_a_type_and_a_prefix", "'First'", "'NE'", "O",
        "the handle is called 'ONE', as is the type at 12:8",
        "choose another symbol, or another -prefix"},
    {"of_c", "'First'", "'while'", "",
        "the handle is called 'while', which is a word of C",
        "choose another symbol, or a -prefix"},
    {"of_an_id", "'C1'", "'F1'", "P",
        "the id is called 'F1', as is the field at 16:9",
        "choose another symbol"},
    {"of_a_field", "'F1'", "'if'", "P",
        "the field is called 'if', which is a word of C",
        "give it another name, here and where the driver defines it"},
};

static void message_row(void **state)
{
    const struct message_row *row = *state;
    const struct ctrpp_settings settings = {
        .prefix = row->prefix, .source = "name.man", .symbols = true};
    struct manifest_scene scene;
    char *text = text_with(NULL, base_text, row->old, row->new);

    scene_read(&scene, text, strlen(text));
    assert_non_null(scene.manifest);
    header_names_check(scene.manifest, &settings, scene.problems);
    assert_int_equal(scene.problems->count, 1);
    assert_string_equal(scene.problems->item[0].message, row->message);
    assert_string_equal(scene.problems->item[0].hint, row->hint);
    scene_release(&scene);
    talloc_free(text);
}

TEST_FILE(test_header_names)
{
    TEST_ADD_ROWS(list, name_row, name_rows);
    TEST_ADD_ROWS(list, message_row, message_rows);
}
