/* counter_type.c - the types of performance counters: the rows of
 * counter_types.def. */
#include "api/nt/counter_type.h"

#include <string.h>

const struct counter_type_row counter_type_rows[COUNTER_TYPE_COUNT] = {
#define COUNTER_TYPE(name, word, bytes, needs, needed, shown)                  \
    [COUNTER_TYPE_##name] = {word, bytes, COUNTER_NEEDS_##needs,               \
        COUNTER_TYPE_##needed, COUNTER_SHOWN_##shown},
#include "api/nt/counter_types.def"
};

bool counter_type_find(const char *word, enum counter_type *type)
{
    for (size_t i = 0; i < COUNTER_TYPE_COUNT; i++) {
        if (strcmp(counter_type_rows[i].word, word) == 0) {
            *type = (enum counter_type)i;
            return true;
        }
    }
    return false;
}
