/* suite_digest.c - FNV-1a over the texts that a suite was read from, and over
 * the ids of its instances. */
#include "scenarios/runner/parts/suite_digest.h"

#include "api/text/fnv.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/suite.h"

static uint64_t mix(uint64_t digest, uint64_t with)
{
    for (unsigned i = 0; i < 64; i += 8) {
        digest = fnv1a_byte(digest, (uint8_t)(with >> i));
    }
    return digest;
}

uint64_t suite_digest(const struct suite *suite)
{
    uint64_t digest = FNV1A_EMPTY;
    uint64_t taken = 0;

    /* A sum: whichever thread comes to one of them first has read it. */
    for (size_t i = 0; i < suite->library->file_count; i++) {
        const struct source *source = library_file_source(suite->library, i);

        taken += source == NULL ? 0 : fnv1a_bytes(source->text, source->length);
    }
    for (size_t i = 0; i < suite->instances->count; i++) {
        digest = mix(digest, fnv1a(suite->instances->item[i].id));
    }
    return mix(digest, taken);
}
