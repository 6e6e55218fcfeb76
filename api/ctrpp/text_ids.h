/* text_ids.h - the numbers of a manifest's texts in the string table: those
 * that it gives (2.0), or resourceBase + 2n for text n (1.1), where each
 * counter set and each counter in the manifest's order has two texts
 * [C].
 */
#ifndef API_CTRPP_TEXT_IDS_H
#define API_CTRPP_TEXT_IDS_H

#include "api/ctrpp/manifest.h"

struct numbered_text {
    const char *text; /* NULL: there is none, or it has no number, which only
                         what is never shown may lack */
    uint32_t id;
};

/* Of each set, followed by its counters, the name and then the description. */
struct numbered_texts {
    struct numbered_text *item;
    size_t count;
};

/* A child of `context`. */
struct numbered_texts *numbered_texts_of(
    void *context, const struct manifest *manifest);

#endif
