/* generate.h - what ntpmu ctrpp writes from a manifest (facts.md 6.3). Each
 * text is a child of `context`, in UTF-8, and depends on its arguments alone.
 */
#ifndef API_CTRPP_GENERATE_H
#define API_CTRPP_GENERATE_H

#include "api/ctrpp/manifest.h"

struct ctrpp_settings {
    const char *prefix; /* of generated names (CTR-CLI-03); "": none */
    const char *source; /* the manifest's file name, for comments */
    bool backcompat;    /* for kernels without Pcw routines (CTR-CLI-07) */
    bool symbols;       /* -ch is asked for, too (CTR-CLI-02) */
};

/* The header of a kernel-mode provider: registration, and the wrappers of
 * PcwCreateInstance, PcwCloseInstance and PcwAddInstance for each counter set
 * (-o, CTR-GEN-01). The manifest is one of kernel mode. */
char *ctrpp_header(void *context, const struct manifest *manifest,
    const struct ctrpp_settings *settings);

/* The string table (-rc, CTR-GEN-05a, CTR-GEN-05b [C]). */
char *ctrpp_resources(void *context, const struct manifest *manifest,
    const struct ctrpp_settings *settings);

/* Names and GUIDs of the counter sets, ids of their counters (-ch,
 * CTR-CLI-02). */
char *ctrpp_symbols(void *context, const struct manifest *manifest,
    const struct ctrpp_settings *settings);

/* The same manifest in schema 2.0 (-migrate, CTR-CLI-05), with all that it says
 * besides, comments too. `text` is what `manifest` was read from, in UTF-8 and
 * with a NUL behind it. */
char *ctrpp_migrated(void *context, const struct manifest *manifest,
    const char *text, size_t size);

#endif
