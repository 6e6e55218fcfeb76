/* test_symbols.c - the header of -ch: names and GUIDs of the counter sets, ids
 * of their counters. */
#include "tests/rows.h"

#include <string.h>
#include <talloc.h>

#include "tests/api/ctrpp/scenes.h"

static void assert_symbols(
    const struct manifest *manifest, const char *prefix, const char *want)
{
    const struct ctrpp_settings settings = {
        .prefix = prefix, .source = "name.man"};
    char *text = ctrpp_symbols(NULL, manifest, &settings);

    assert_string_equal(text, want);
    talloc_free(text);
}

/* CTR-CLI-02, A21; CTR-CLI-03 has the prefix for variables, which a counter's
 * symbol is none of. */
static void names_guids_and_ids(void **state)
{
    void *context = talloc_new(NULL);
    const struct scene *scene = scene_find(context, "one_struct");

    (void)state;
    assert_symbols(&scene->manifest, scene->prefix,
        "/* Made by ntpmu ctrpp of \"name.man\". DO NOT EDIT:\n"
        " * change that file, and make this one anew. */\n"
        "#ifndef CTRPP_SYMBOLS_5AF80A04_2B1C_4D3E_8F01_00A0C9112200_Kcs\n"
        "#define CTRPP_SYMBOLS_5AF80A04_2B1C_4D3E_8F01_00A0C9112200_Kcs\n"
        "\n"
        "#include <guiddef.h>\n"
        "\n"
        "/* {5AF80A04-2B1C-4D3E-8F01-00A0C9112201} */\n"
        "static const GUID KcsGeometricWaveGuid = {0x5AF80A04, 0x2B1C, "
        "0x4D3E,\n"
        "    {0x8F, 0x01, 0x00, 0xA0, 0xC9, 0x11, 0x22, 0x01}};\n"
        "#define KcsGeometricWaveName L\"Geometric Waves\"\n"
        "#define KCS_TRIANGLE 1\n"
        "#define KCS_SQUARE 7\n"
        "\n"
        "#endif\n");
    talloc_free(context);
}

static void a_provider_with_a_symbol_has_its_guid_there(void **state)
{
    const struct manifest manifest = {
        .symbol = "Provider", .guid = {1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 255}}};

    (void)state;
    assert_symbols(&manifest, "",
        "/* Made by ntpmu ctrpp of \"name.man\". DO NOT EDIT:\n"
        " * change that file, and make this one anew. */\n"
        "#ifndef CTRPP_SYMBOLS_00000001_0002_0003_0405_060708090AFF\n"
        "#define CTRPP_SYMBOLS_00000001_0002_0003_0405_060708090AFF\n"
        "\n"
        "#include <guiddef.h>\n"
        "\n"
        "/* {00000001-0002-0003-0405-060708090AFF} */\n"
        "static const GUID ProviderGuid = {0x00000001, 0x0002, 0x0003,\n"
        "    {0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0xFF}};\n"
        "\n"
        "#endif\n");
}

/* A symbol of one letter is one; an empty one is none. */
static void symbols_of_counters_may_be_short_or_empty(void **state)
{
    struct manifest_counter counters[] = {
        {.id = 2, .symbol = "S"}, {.id = 3, .symbol = ""}, {.id = 4}};
    struct manifest_set set = {
        .symbol = "A", .name = "One", .counter = counters, .counter_count = 3};
    const struct manifest manifest = {.set = &set, .set_count = 1};
    const struct ctrpp_settings settings = {.prefix = "", .source = "name.man"};
    char *text = ctrpp_symbols(NULL, &manifest, &settings);

    (void)state;
    assert_non_null(
        strstr(text, "#define AName L\"One\"\n#define S 2\n\n#endif\n"));
    talloc_free(text);
}

TEST_FILE(test_symbols)
{
    test_add(list, "names_guids_and_ids", names_guids_and_ids, NULL);
    test_add(list, "a_provider_with_a_symbol_has_its_guid_there",
        a_provider_with_a_symbol_has_its_guid_there, NULL);
    test_add(list, "symbols_of_counters_may_be_short_or_empty",
        symbols_of_counters_may_be_short_or_empty, NULL);
}
