/* guid_text.c - GUIDs as text: in braces, as initializers of C, and as names of
 * include guards. */
#include "api/ctrpp/guid_text.h"

#include <inttypes.h>
#include <talloc.h>

static void add_digits(
    struct code_out *output, const struct manifest_guid *guid, char separator)
{
    code_out_add(output, "%08" PRIX32 "%c%04" PRIX16 "%c%04" PRIX16 "%c",
        guid->data1, separator, guid->data2, separator, guid->data3, separator);
    for (size_t i = 0; i < sizeof(guid->data4); i++) {
        if (i == 2) {
            code_out_add(output, "%c", separator);
        }
        code_out_add(output, "%02" PRIX8, guid->data4[i]);
    }
}

void guid_add(struct code_out *output, const struct manifest_guid *guid)
{
    code_out_add(output, "{");
    add_digits(output, guid, '-');
    code_out_add(output, "}");
}

void guid_add_initializer(
    struct code_out *output, const struct manifest_guid *guid)
{
    code_out_add(output,
        "{0x%08" PRIX32 ", 0x%04" PRIX16 ", 0x%04" PRIX16 ",\n"
        "    {",
        guid->data1, guid->data2, guid->data3);
    for (size_t i = 0; i < sizeof(guid->data4); i++) {
        code_out_add(
            output, "%s0x%02" PRIX8, i == 0 ? "" : ", ", guid->data4[i]);
    }
    code_out_add(output, "}}");
}

char *guid_guard_of(void *context, const struct manifest_guid *guid,
    const char *prefix, const char *kind)
{
    struct code_out output = code_out_new(context);

    code_out_add(&output, "CTRPP_%s_", kind);
    add_digits(&output, guid, '_');
    if (prefix[0] != '\0') {
        code_out_add(&output, "_%s", prefix);
    }
    return output.text;
}

void guid_add_guard(struct code_out *output, const struct manifest_guid *guid,
    const char *prefix, const char *kind)
{
    char *guard = guid_guard_of(NULL, guid, prefix, kind);

    code_out_add(output, "#ifndef %s\n#define %s\n\n", guard, guard);
    talloc_free(guard);
}
