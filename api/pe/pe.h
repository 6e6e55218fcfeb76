/* pe.h - a driver's image: an x64 PE file that was checked whole, described.
 * Knows nothing of mapping memory, of the kernel's routines or of files: the
 * caller has the bytes. Source: Microsoft's "PE Format" document. An rva is an
 * offset from the image's base, in bytes. */
#ifndef API_PE_PE_H
#define API_PE_PE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/pe/pe_problems.h"
#include "api/pe/symbols.h"

enum {
    PE_PAGE = 4096, /* bytes; sections share no page */
    PE_IMAGE_MAX = 64 << 20,
    PE_SECTIONS_MAX = 96,
    PE_IMPORTS_MAX = 4096,
    PE_NAME_MAX = 4096,  /* characters of a symbol, image or routine */
    PE_NUMBER_BYTES = 8, /* of "#65535" */
};

struct pe_section {
    char name[9]; /* of the header; other than text becomes '?' */
    uint32_t rva;
    uint32_t size;     /* bytes in memory */
    uint32_t raw;      /* offset in the file */
    uint32_t raw_size; /* bytes that come from the file; the rest is zero */
    bool readable, writable, executable;
    bool discardable; /* not needed after DriverEntry */
    bool pageable;    /* its name begins with PAGE */
};

/* Both names are the bytes' own, printable and without blanks. What is imported
 * by its ordinal is called by that, "#12". */
struct pe_import {
    const char *image, *name;
    uint32_t slot_rva; /* of the 8 bytes that get the address */
    bool by_ordinal;
    uint16_t ordinal;
    char number[PE_NUMBER_BYTES]; /* the name of one by ordinal */
};

struct pe_export {
    const char *name; /* NULL: none; the same once more for each name */
    uint32_t ordinal, rva;
    bool forwarded; /* to another image's: no code or data is there */
};

struct pe_range {
    uint32_t begin, end;
};

struct pe {
    const uint8_t *bytes; /* the caller's; they outlive this */
    size_t size;
    uint64_t preferred_base;
    uint32_t image_size, headers_size, entry_rva, checksum;
    uint8_t linker;             /* major version of what linked it */
    struct pe_section *section; /* ascending, without gaps */
    size_t section_count;
    struct pe_import *import; /* in the file's order */
    size_t import_count;
    uint32_t *relocation; /* rvas of 64-bit addresses (DIR64) */
    size_t relocation_count;
    struct image_function *function; /* ascending, without overlap */
    size_t function_count;
    uint32_t function_rva; /* where that table lies */
    uint32_t *export_rva;  /* of code, with a name or without */
    size_t export_count;
    struct pe_export *exported; /* in order of ordinals, then of names */
    size_t exported_count;
    /* What the file's own tables occupy, ascending and disjoint: never code,
     * not even in a section of code. */
    struct pe_range *data;
    size_t data_count;
    uint32_t cookie_rva; /* of the /GS cookie, 8 bytes; 0: none */
    /* The slots of Control Flow Guard, 8 bytes each; 0: none. The routine for
     * the first returns, the one for the second jumps to RAX. */
    uint32_t guard_check_rva, guard_dispatch_rva;
    bool has_load_config;
    bool force_integrity; /* its header says that it must be signed */
    bool guarded; /* its header says that it has Control Flow Guard's data */
    uint64_t guarded_functions;          /* how many that data says it lists */
    uint32_t symbol_table, symbol_count; /* file offset; 0: none */
    struct symbols symbols;              /* of pe_symbols() */
    bool named;                          /* that has made them */
};

/* Is true: ends the process where an image that was read is none. Looks at the
 * sections, and not at what the tables list. */
bool pe_check(const struct pe *pe);

/* Checks the bytes and describes them. Returns true, without problems, and the
 * caller releases `pe`; or false, with an empty `pe`, and the caller releases
 * `problems`, of which there is one at least. Unwind codes, resources and debug
 * information are not looked into. */
bool pe_read(struct pe *pe, const uint8_t *bytes, size_t size,
    struct pe_problems *problems);

void pe_release(struct pe *pe);

/* The names of its functions, which the first call makes. They live as long as
 * the image does. */
const struct symbols *pe_symbols(struct pe *pe);

/* Makes the image as it is at `base`: copies headers and sections to `image`,
 * which is `image_size` zeroed bytes, and relocates them. Imports, cookie and
 * guard slots are left as in the file. */
void pe_place(const struct pe *pe, uint8_t *image, uint64_t base);

/* The section that the `size` bytes at `rva` lie in, up to the end of its last
 * page; NULL when there is none. */
const struct pe_section *pe_section_at(
    const struct pe *pe, uint64_t rva, uint64_t size);

/* What the image exports by that name or ordinal; NULL: nothing. */
const struct pe_export *pe_export_of(
    const struct pe *pe, const struct pe_import *import);

struct image_function {
    uint32_t begin, end, unwind;
};

#endif
