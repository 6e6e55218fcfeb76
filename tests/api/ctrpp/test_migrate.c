/* test_migrate.c - a manifest of schema 1.1 comes out in 2.0, and all else that
 * it says stays byte by byte (CTR-CLI-05). */
#include "tests/rows.h"

#include <string.h>
#include <talloc.h>

#include "api/ctrpp/generate.h"

#define SPACE "http://schemas.microsoft.com/win/2005/12/counters"
#define BEGIN                                                                  \
    "<?xml version=\"1.0\"?>\n<!-- <counters schemaVersion=\"1.1\"> -->\n"     \
    "<instrumentationManifest>\n<instrumentation>\n"
#define END "</instrumentation>\n</instrumentationManifest>\n"

static struct manifest_counter counters[] = {
    {.id = 1, .name = "Reads", .description = "How many."},
    {.id = 2}, /* without texts, but with numbers of its own */
    {.id = 3, .name = "Writes"},
};

static struct manifest_set sets[] = {
    {.symbol = "A",
        .name = "One",
        .description = "First.",
        .counter = counters,
        .counter_count = 3},
    {.symbol = "B", .name = "Two", .description = "Second."},
};

/* What is before and behind the provider's first two sets is that of each row;
 * resourceBase is 100 in all. */
static struct row {
    const char *name;
    enum manifest_schema schema;
    size_t sets;
    const char *text, *want;
} rows[] = {
    {"schema_and_base_and_numbers", MANIFEST_SCHEMA_1_1, 2,
        BEGIN "<counters xmlns=\"" SPACE "\" schemaVersion=\"1.1\">\n"
              "<provider resourceBase=\"100\" symbol=\"P\">\n"
              "<counterSet name=\"One\" description=\"First.\" guid=\"g\">\n"
              "<counter id=\"1\" name=\"Reads\" description=\"How many.\"/>\n"
              "<counter id=\"2\"><counterAttributes><counterAttribute "
              "name=\"noDisplay\"/></counterAttributes></counter>\n"
              "<counter id=\"3\" name=\"Writes\"></counter>\n"
              "</counterSet>\n"
              "<counterSet name=\"Two\" description=\"Second.\"/>\n"
              "</provider>\n</counters>\n" END,
        BEGIN
        "<counters xmlns=\"" SPACE "\" schemaVersion=\"2.0\">\n"
        "<provider symbol=\"P\">\n"
        "<counterSet name=\"One\" nameID=\"100\" description=\"First.\" "
        "descriptionID=\"102\" guid=\"g\">\n"
        "<counter id=\"1\" name=\"Reads\" nameID=\"104\" description=\"How "
        "many.\" descriptionID=\"106\"/>\n"
        "<counter id=\"2\"><counterAttributes><counterAttribute "
        "name=\"noDisplay\"/></counterAttributes></counter>\n"
        "<counter id=\"3\" name=\"Writes\" nameID=\"112\"></counter>\n"
        "</counterSet>\n"
        "<counterSet name=\"Two\" nameID=\"116\" description=\"Second.\" "
        "descriptionID=\"118\"/>\n"
        "</provider>\n</counters>\n" END},
    {"blanks_and_quotes_and_order_stay", MANIFEST_SCHEMA_1_1, 1,
        BEGIN "<c:counters\n    schemaVersion = '1.1'\n>\n"
              "<c:provider\r\n\tresourceBase\n=\n'100' >\n"
              "<!-- <counterSet name=''> --><?pi <counterSet name=''>?>\n"
              "<c:counterSet\n\tdescription='a > b \"'\n\tx:name='no'\n"
              "\tname='One'>\n"
              "<structs><struct name=\"S\" description=\"-\"/></structs>\n"
              "<c:counter   name='&quot;&gt;'   />\n"
              "<c:counter/><c:counter name=\"a'b\"/>\n"
              "</c:counterSet></c:provider></c:counters>" END "<!-- end -->",
        BEGIN
        "<c:counters\n    schemaVersion = '2.0'\n>\n"
        "<c:provider >\n"
        "<!-- <counterSet name=''> --><?pi <counterSet name=''>?>\n"
        "<c:counterSet\n\tdescription='a > b \"'\n\tdescriptionID=\"102\"\n"
        "\tx:name='no'\n"
        "\tname='One'\n\tnameID=\"100\">\n"
        "<structs><struct name=\"S\" description=\"-\"/></structs>\n"
        "<c:counter   name='&quot;&gt;'   nameID=\"104\"   />\n"
        "<c:counter/><c:counter name=\"a'b\" nameID=\"112\"/>\n"
        "</c:counterSet></c:provider></c:counters>" END "<!-- end -->"},
    {"others_of_the_same_names_stay", MANIFEST_SCHEMA_1_1, 0,
        BEGIN
        "<events><provider resourceBase=\"1\" name=\"p\"><counterSet "
        "name=\"x\"/></provider></events>\n"
        "<counters schemaVersion=\"1.1\"><other name=\"y\"/>"
        "<provider/><other><counterSet name=\"z\"/></other></counters>" END,
        BEGIN
        "<events><provider resourceBase=\"1\" name=\"p\"><counterSet "
        "name=\"x\"/></provider></events>\n"
        "<counters schemaVersion=\"2.0\"><other name=\"y\"/>"
        "<provider/><other><counterSet name=\"z\"/></other></counters>" END},
    {"2_0_stays_as_it_is", MANIFEST_SCHEMA_2_0, 0,
        "\xEF\xBB\xBF" BEGIN "<counters schemaVersion=\"2.0\"><provider "
        "name=\"Z\xC3\xA4hler\"/>\r\n</counters>" END "\n\n",
        "\xEF\xBB\xBF" BEGIN "<counters schemaVersion=\"2.0\"><provider "
        "name=\"Z\xC3\xA4hler\"/>\r\n</counters>" END "\n\n"},
};

static struct manifest manifest_of(const struct row *row)
{
    return (struct manifest){.schema = row->schema,
        .resource_base = 100,
        .set = sets,
        .set_count = row->sets};
}

static void migrated_row(void **state)
{
    const struct row *row = *state;
    const struct manifest manifest = manifest_of(row);
    char *text = ctrpp_migrated(NULL, &manifest, row->text, strlen(row->text));

    assert_string_equal(text, row->want);
    talloc_free(text);
}

TEST_FILE(test_migrate)
{
    TEST_ADD_ROWS(list, migrated_row, rows);
}
