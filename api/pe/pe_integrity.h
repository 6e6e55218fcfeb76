/* pe_integrity.h - what of an image memory integrity and compilers' guards want
 * otherwise, seen in its file. Sources: Driver Verifier's page
 * code-integrity-checking; pages /GS and /guard of the compiler. */
#ifndef API_PE_PE_INTEGRITY_H
#define API_PE_PE_INTEGRITY_H

#include <stddef.h>

#include "api/pe/pe.h"

enum pe_integrity {
    PE_WRITE_EXECUTE, /* a section is writable and executable */
    PE_IMPORT_TABLE,  /* import slots lie in an executable section */
    PE_COOKIE,        /* there is no security cookie that a loader could set */
    PE_CONTROL_FLOW,  /* there is no data of Control Flow Guard */
};

enum { PE_FINDINGS_MAX = 2 * PE_SECTIONS_MAX + 2 };

struct pe_finding {
    enum pe_integrity kind;
    const struct pe_section *section; /* of the first two; else NULL */
    const char *why;                  /* in words; of the others */
};

/* All findings, in the order of their kinds and of sections. Returns how many.
 */
size_t pe_integrity(
    const struct pe *pe, struct pe_finding finding[PE_FINDINGS_MAX]);

#endif
