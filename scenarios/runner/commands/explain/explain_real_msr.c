/* explain_real_msr.c - explains registers that parts have and the model has
 * not: whose they are, and how a scenario gives them. */
#include <talloc.h>

#include "scenarios/runner/commands/explain/explain.h"
#include "sim/base/bits.h"
#include "sim/machine/real_msr.h"

const char *name_real_msr(const struct explain *explain, size_t n)
{
    struct real_msr_place place;
    char name[REAL_MSR_NAME_BYTES];

    return real_msr_nth(n, &place, name) ? talloc_strdup(explain->context, name)
                                         : NULL;
}

static struct real_msr_place place_of(size_t n)
{
    struct real_msr_place place = {.address = 0};
    char name[REAL_MSR_NAME_BYTES];

    real_msr_nth(n, &place, name);
    return place;
}

bool number_of_real_msr(size_t n, uint64_t number)
{
    return place_of(n).address == number;
}

/* The models, by what they are like; the first stands for all that are like no
 * part of its maker's. */
static const char *parts_in_words(const struct explain *explain, uint64_t parts)
{
    char *list = talloc_strdup(explain->context, "");

    for (enum model model = 0; model < MODEL_COUNT; model++) {
        if (bit_is_set(parts, model)) {
            list = explain_append(list, model == MODEL_NONE
                                            ? "Intel's generic models"
                                            : pmu_models[model].name);
        }
    }
    return list;
}

const char *line_real_msr(const struct explain *explain, size_t n)
{
    struct real_msr_place place = place_of(n);

    return talloc_asprintf(explain->context, "0x%X, %s",
        (unsigned)place.address, parts_in_words(explain, place.parts));
}

void show_real_msr(const struct explain *explain, size_t n)
{
    struct real_msr_place place = place_of(n);

    explain_field(explain, "address", "0x%X", (unsigned)place.address);
    explain_field(explain, "of", "%s", parts_in_words(explain, place.parts));
    explain_field(explain, "is",
        "there on these, and not modelled: an access ends the run as an ERROR, "
        "unless the scenario gives it");
    explain_field(explain, "written", "machine: {msrs: {0x%X: 0x0}}",
        (unsigned)place.address);
}
