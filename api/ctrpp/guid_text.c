/* guid_text.c - GUIDs in generated C. */
#include "api/ctrpp/guid_text.h"

#include <inttypes.h>
#include <talloc.h>

static void add_digits(
    struct output *output, const struct manifest_guid *guid, char separator)
{
    output_add(output, "%08" PRIX32 "%c%04" PRIX16 "%c%04" PRIX16 "%c",
        guid->data1, separator, guid->data2, separator, guid->data3, separator);
    for (size_t i = 0; i < sizeof(guid->data4); i++) {
        if (i == 2) {
            output_add(output, "%c", separator);
        }
        output_add(output, "%02" PRIX8, guid->data4[i]);
    }
}

void guid_add(struct output *output, const struct manifest_guid *guid)
{
    output_add(output, "{");
    add_digits(output, guid, '-');
    output_add(output, "}");
}

void guid_add_initializer(
    struct output *output, const struct manifest_guid *guid)
{
    output_add(output,
        "{0x%08" PRIX32 ", 0x%04" PRIX16 ", 0x%04" PRIX16 ",\n"
        "    {",
        guid->data1, guid->data2, guid->data3);
    for (size_t i = 0; i < sizeof(guid->data4); i++) {
        output_add(output, "%s0x%02" PRIX8, i == 0 ? "" : ", ", guid->data4[i]);
    }
    output_add(output, "}}");
}

char *guid_guard_of(void *context, const struct manifest_guid *guid,
    const char *prefix, const char *kind)
{
    struct output output = output_new(context);

    output_add(&output, "CTRPP_%s_", kind);
    add_digits(&output, guid, '_');
    if (prefix[0] != '\0') {
        output_add(&output, "_%s", prefix);
    }
    return output.text;
}

void guid_add_guard(struct output *output, const struct manifest_guid *guid,
    const char *prefix, const char *kind)
{
    char *guard = guid_guard_of(NULL, guid, prefix, kind);

    output_add(output, "#ifndef %s\n#define %s\n\n", guard, guard);
    talloc_free(guard);
}
