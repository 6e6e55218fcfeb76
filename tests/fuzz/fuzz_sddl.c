/* fuzz_sddl.c - any text as the descriptor of a device: it is gone through
 * once, from term to term, and nothing behind it is read. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/driver_support/sddl.h"
#include "tests/fuzz/fuzz.h"

enum { SHORTEST_TERM = 12 }; /* (A;;GA;;;SY) */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t units = size / sizeof(uint16_t), terms = 0;
    uint16_t *text = malloc(units * sizeof(uint16_t) + 1);
    struct sddl_term term;
    struct sddl sddl;

    assert(text != NULL);
    memcpy(text, data, units * sizeof(uint16_t));
    sddl = sddl_begin(text, units);
    while (sddl_next(&sddl, &term)) {
        terms++;
        assert(term.sid < SDDL_SIDS);
        assert(sddl.at + sddl.units == text + units);
    }
    assert(sddl.wrong || sddl.units == 0);
    assert(terms <= units / SHORTEST_TERM);
    assert(!sddl_next(&sddl, &term));
    free(text);
    return 0;
}
