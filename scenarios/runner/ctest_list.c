/* ctest_list.c - bracket arguments, which take every id and path. */
#include "scenarios/runner/ctest_list.h"

#include <stdlib.h>
#include <talloc.h>

static void print_tags(const struct scenario *scenario, FILE *out)
{
    fprintf(out, "set_tests_properties(\"${name}\" PROPERTIES TIMEOUT 60 "
                 "LABELS \"scenario");
    for (size_t i = 0; i < scenario->tag_count; i++) {
        fprintf(out, ";%s", scenario->tag[i]);
    }
    fprintf(out, "\")\n");
}

void ctest_list(const struct suite *suite, FILE *out)
{
    for (size_t i = 0; i < suite->instances->count; i++) {
        const struct instance *instance = &suite->instances->item[i];

        fprintf(out, "string(CONCAT name \"${NTPMU_PREFIX}\" [==[%s]==])\n",
            instance->id);
        fprintf(out,
            "add_test(\"${name}\" \"${NTPMU_PROGRAM}\" run [==[%s]==] --id "
            "[==[%s]==])\n",
            instance->scenario->source->path, instance->id);
        print_tags(instance->scenario, out);
    }
    for (size_t i = 0; i < suite->broken_count; i++) {
        fprintf(out,
            "string(CONCAT name \"${NTPMU_PREFIX}invalid \" "
            "[==[%s]==])\n",
            suite->broken[i]);
        fprintf(out,
            "add_test(\"${name}\" \"${NTPMU_PROGRAM}\" validate "
            "[==[%s]==])\n",
            suite->broken[i]);
    }
}
