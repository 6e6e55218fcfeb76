/* sizes.c - a field has as many bytes as its counter's type demands, and a
 * descriptor can say where it lies. */
#include "api/ctrpp/sizes.h"

#include <inttypes.h>

/* Begins what the compiler says: whose field it is. */
static void add_subject(struct output *output, const struct manifest_set *set,
    const struct manifest_counter *counter)
{
    output_add(output, "        \"counter %" PRIu32, counter->id);
    if (counter->name != NULL) {
        output_add(output, " (");
        output_add_message(output, counter->name);
        output_add(output, ")");
    }
    output_add(output, " of %s: field %s of %s ", set->symbol, counter->field,
        set->structure[counter->structure].type);
}

static void add_size_check(struct output *output,
    const struct manifest_set *set, const struct manifest_counter *counter)
{
    const struct counter_type_row *row = &counter_type_rows[counter->type];

    if (row->bytes == 0) {
        return; /* CTR-MAN-05: no fixed size */
    }
    output_add(output, "    CTRPP_STATIC_ASSERT(sizeof(((%s *)0)->%s) == %u,\n",
        set->structure[counter->structure].type, counter->field, row->bytes);
    add_subject(output, set, counter);
    output_add(
        output, "has not the %u bytes of %s\");\n", row->bytes, row->word);
}

/* PCW-TYPE-03: Offset has 16 bits, which compilers cut it to. */
static void add_offset_check(struct output *output,
    const struct manifest_set *set, const struct manifest_counter *counter)
{
    output_add(output, "    CTRPP_STATIC_ASSERT(offsetof(%s, %s) <= 65535,\n",
        set->structure[counter->structure].type, counter->field);
    add_subject(output, set, counter);
    output_add(output, "lies beyond byte 65535\");\n");
}

void sizes_add(struct output *output, const struct manifest_set *set)
{
    output_add(output, "#if CTRPP_VERIFY_COUNTER_SIZES\n");
    for (size_t i = 0; i < set->counter_count; i++) {
        add_size_check(output, set, &set->counter[i]);
        add_offset_check(output, set, &set->counter[i]);
    }
    output_add(output, "#endif\n");
}
