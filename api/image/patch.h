/* patch.h - the places of an image where an instruction stands that the host
 * would execute without telling us, and their same-length replacement.
 * Knows nothing of PE headers, protections or signals. */
#ifndef API_IMAGE_PATCH_H
#define API_IMAGE_PATCH_H

#include "api/image/instruction.h"

/* Addresses are relative to the image's base (RVA), `end` excluded. */
struct patch_range {
    uint32_t begin, end;
};

/* Whatever the file says may stand here: what lies outside of the image, or is
 * not code, is left out. */
struct patch_input {
    const uint8_t *image; /* as it will be mapped, after relocation */
    uint32_t image_size;
    const struct patch_range *code; /* executable sections */
    size_t code_count;
    const struct patch_range *data; /* inside of them, never touched */
    size_t data_count;
    const struct patch_range *function; /* .pdata, begin ascending */
    size_t function_count;
    const uint32_t *start; /* exports and the entry */
    size_t start_count;
    bool with_may_trap; /* also what traps on some hosts only: RDPMC */
};

struct patch_site {
    uint32_t rva;
    enum instruction_kind kind;
    uint8_t length;
    uint8_t bytes[INSTRUCTION_MAX_BYTES]; /* the original ones */
};

struct patch_counts {
    uint32_t functions;       /* of .pdata, decoded */
    uint32_t function_bytes;  /* of decoded instructions in them */
    uint32_t function_errors; /* places in them that are no instruction */
    uint32_t gap_bytes;       /* the same between them */
    uint32_t gap_errors;
    /* Would-be sites that were left alone: what follows them does not decode up
     * to a return or jump, so they may be data. */
    uint32_t doubtful;
    uint32_t sites[INSTRUCTION_KINDS];
};

struct patch {
    struct patch_site *site; /* rva ascending, never overlapping */
    size_t count;
    struct patch_counts counts;
};

/* Is true: ends the process where sites, in order and counted, are not what
 * such an image can have. */
bool patch_check(const struct patch *patch, uint32_t image_size);

/* Finds the sites and changes nothing. Returns false when there is no memory,
 * or the image has more than the 2 GiB that one may have; *out then needs no
 * release. */
bool patch_scan(struct patch *out, const struct patch_input *input);

void patch_release(struct patch *patch);

/* Puts the sites that patch_scan() has found in order, and counts them. */
void patch_sort(struct patch *patch);

/* Writes INT n, or INT3 where there is one byte only, and NOPs behind it over
 * each site of the image that was scanned. */
void patch_apply(const struct patch *patch, uint8_t *image);

/* The site that begins at `rva`, or NULL. An INT3 that is found at no site is
 * the driver's own. */
const struct patch_site *patch_find(const struct patch *patch, uint32_t rva);

#endif
