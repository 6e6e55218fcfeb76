/* generate_symbols.c - names and GUIDs of the counter sets, and the ids of
 * their counters (CTR-CLI-02; GUIDs end in Guid, A21; the rest is CTR-GEN-05b
 * [C]). For user mode as for kernel mode. */
#include <inttypes.h>
#include <talloc.h>

#include "api/ctrpp/generate.h"
#include "api/ctrpp/guid_text.h"
#include "api/ctrpp/output.h"
#include "api/ctrpp/set_names.h"

static void add_guid(struct output *output, const char *prefix,
    const char *symbol, const struct manifest_guid *guid)
{
    char *name = guid_name_of(NULL, prefix, symbol);

    output_add(output, "\n/* ");
    guid_add(output, guid);
    output_add(output, " */\nstatic const GUID %s = ", name);
    guid_add_initializer(output, guid);
    output_add(output, ";\n");
    talloc_free(name);
}

static void add_name(
    struct output *output, const char *prefix, const struct manifest_set *set)
{
    char *name = text_name_of(NULL, prefix, set->symbol);

    output_add(output, "#define %s ", name);
    output_add_wide(output, set->name);
    output_add(output, "\n");
    talloc_free(name);
}

static void add_counters(struct output *output, const struct manifest_set *set)
{
    for (size_t i = 0; i < set->counter_count; i++) {
        const struct manifest_counter *counter = &set->counter[i];

        if (counter->symbol != NULL && counter->symbol[0] != '\0') {
            output_add(output, "#define %s %" PRIu32 "\n", counter->symbol,
                counter->id);
        }
    }
}

char *ctrpp_symbols(void *context, const struct manifest *manifest,
    const struct ctrpp_settings *settings)
{
    struct output output = output_new(context);
    const char *prefix = settings->prefix;

    output_add_origin(&output, settings->source);
    guid_add_guard(&output, &manifest->guid, prefix, "SYMBOLS");
    output_add(&output, "#include <guiddef.h>\n");
    if (manifest->symbol != NULL && manifest->symbol[0] != '\0') {
        add_guid(&output, prefix, manifest->symbol, &manifest->guid);
    }
    for (size_t i = 0; i < manifest->set_count; i++) {
        const struct manifest_set *set = &manifest->set[i];

        add_guid(&output, prefix, set->symbol, &set->guid);
        add_name(&output, prefix, set);
        add_counters(&output, set);
    }
    output_add(&output, "\n#endif\n");
    return output.text;
}
