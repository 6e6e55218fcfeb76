/* sddl.h - security descriptors of devices as text: "D:P" and terms like
 * "(A;;GA;;;SY)" (IO-10b). Knows nothing of lists in memory, and calls nobody.
 */
#ifndef API_DRIVER_SUPPORT_SDDL_H
#define API_DRIVER_SUPPORT_SDDL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sddl_sid {
#define SDDL_SID(letters, member) SDDL_##letters,
#include "api/driver_support/sddl_sids.def"
    SDDL_UD, /* user-mode drivers */
    SDDL_SIDS
};

/* A text that is gone through term by term. */
struct sddl {
    const uint16_t *at; /* what is left of it */
    size_t units;
    bool wrong; /* it is none */
};

/* Who is allowed what. */
struct sddl_term {
    uint32_t access;
    enum sddl_sid sid;
};

struct sddl sddl_begin(const uint16_t *text, size_t units);

/* The next term. False: there is none left, or the text is wrong. */
bool sddl_next(struct sddl *sddl, struct sddl_term *term);

#endif
