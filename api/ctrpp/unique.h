/* unique.h - values that may stand in a manifest once (CTR-MAN-02). */
#ifndef API_CTRPP_UNIQUE_H
#define API_CTRPP_UNIQUE_H

#include "api/ctrpp/problems.h"

enum unique_kind {
#define UNIQUE(name, ...) UNIQUE_##name,
#include "api/ctrpp/unique.def"
    UNIQUE_COUNT
};

struct unique;

/* An empty collection, child of `context`. */
struct unique *unique_new(void *context);

/* Adds a value, of those with the same number `scope`. `key` is compared byte
 * by byte. `text` is what the value stands for: equal ones may have the same
 * key; NULL: none may. Both live as long as the collection. */
void unique_add(struct unique *unique, enum unique_kind kind, size_t scope,
    const char *key, const char *text, struct manifest_place place);

/* Adds a problem for each that has been there before in the text. */
void unique_check(struct unique *unique, struct manifest_problems *problems);

#endif
