/* generate_symbols.c - generates the header of symbols (-ch): names and GUIDs
 * of the counter sets, and the ids of their counters (CTR-CLI-02; GUIDs end in
 * Guid, A21; the rest is CTR-GEN-05b [C]). For user mode as for kernel mode. */
#include <inttypes.h>
#include <talloc.h>

#include "api/ctrpp/code_out.h"
#include "api/ctrpp/generate.h"
#include "api/ctrpp/guid_text.h"
#include "api/ctrpp/set_names.h"

static void add_guid(struct code_out *output, const char *prefix,
    const char *symbol, const struct manifest_guid *guid)
{
    char *name = guid_name_of(NULL, prefix, symbol);

    code_out_add(output, "\n/* ");
    guid_add(output, guid);
    code_out_add(output, " */\nstatic const GUID %s = ", name);
    guid_add_initializer(output, guid);
    code_out_add(output, ";\n");
    talloc_free(name);
}

static void add_name(
    struct code_out *output, const char *prefix, const struct manifest_set *set)
{
    char *name = text_name_of(NULL, prefix, set->symbol);

    code_out_add(output, "#define %s ", name);
    code_out_add_wide(output, set->name);
    code_out_add(output, "\n");
    talloc_free(name);
}

static void add_counters(
    struct code_out *output, const struct manifest_set *set)
{
    for (size_t i = 0; i < set->counter_count; i++) {
        const struct manifest_counter *counter = &set->counter[i];

        if (counter->symbol != NULL && counter->symbol[0] != '\0') {
            code_out_add(output, "#define %s %" PRIu32 "\n", counter->symbol,
                counter->id);
        }
    }
}

char *ctrpp_symbols(void *context, const struct manifest *manifest,
    const struct ctrpp_settings *settings)
{
    struct code_out output = code_out_new(context);
    const char *prefix = settings->prefix;

    code_out_add_origin(&output, settings->source);
    guid_add_guard(&output, &manifest->guid, prefix, "SYMBOLS");
    code_out_add(&output, "#include <guiddef.h>\n");
    if (manifest->symbol != NULL && manifest->symbol[0] != '\0') {
        add_guid(&output, prefix, manifest->symbol, &manifest->guid);
    }
    for (size_t i = 0; i < manifest->set_count; i++) {
        const struct manifest_set *set = &manifest->set[i];

        add_guid(&output, prefix, set->symbol, &set->guid);
        add_name(&output, prefix, set);
        add_counters(&output, set);
    }
    code_out_add(&output, "\n#endif\n");
    return output.text;
}
