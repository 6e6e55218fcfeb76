/* subject.h - contexts of subjects: on whose behalf a thread runs, captured for
 * SeAccessCheck. Knows of a context only where it lies and who was captured. */
#ifndef API_SE_SUBJECT_H
#define API_SE_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/se/token.h"
#include "sim/base/record_pool.h"

struct subject {
    struct subject *next; /* captured before, or given back before */
    uint64_t address;     /* of the SECURITY_SUBJECT_CONTEXT */
    enum user user;
    uint32_t locks;
    const struct driver *driver; /* who has to release it */
    uint64_t place;
    uint32_t step;
    bool reported; /* as left behind */
};

struct subjects {
    struct subject *first;
    struct record_pool pool;
    struct token token[USER_COUNT]; /* address 0: nobody has asked yet */
};

/* Captured and not released: when a driver ends, the warning
 * leak.subject_context. */
extern const struct leak_source subject_leaks;

#endif
