/* sizes.c - a field has as many bytes as its counter's type demands. */
#include "api/ctrpp/sizes.h"

#include <inttypes.h>

static void add_check(struct output *output, const struct manifest_set *set,
    const struct manifest_counter *counter)
{
    const struct counter_type_row *row = &counter_type_rows[counter->type];

    if (row->bytes == 0) {
        return; /* CTR-MAN-05: no fixed size */
    }
    output_add(output,
        "    CTRPP_STATIC_ASSERT(sizeof(((%s *)0)->%s) == %u,\n"
        "        \"counter %" PRIu32,
        set->structure[counter->structure].type, counter->field, row->bytes,
        counter->id);
    if (counter->name != NULL) {
        output_add(output, " (");
        output_add_message(output, counter->name);
        output_add(output, ")");
    }
    output_add(output,
        " of %s: field %s of %s has not the %u bytes of %s\");\n", set->symbol,
        counter->field, set->structure[counter->structure].type, row->bytes,
        row->word);
}

void sizes_add(struct output *output, const struct manifest_set *set)
{
    output_add(output, "#if CTRPP_VERIFY_COUNTER_SIZES\n");
    for (size_t i = 0; i < set->counter_count; i++) {
        add_check(output, set, &set->counter[i]);
    }
    output_add(output, "#endif\n");
}
