/* pe_reader.h - what the parts of pe_read share: bounds-checked access to the
 * file, the list of problems, and the parts themselves. */
#ifndef API_PE_PE_READER_H
#define API_PE_PE_READER_H

#include "api/pe/pe.h"

enum pe_directory_index {
    PE_DIRECTORY_EXPORT = 0,
    PE_DIRECTORY_IMPORT = 1,
    PE_DIRECTORY_EXCEPTION = 3,
    PE_DIRECTORY_SECURITY = 4, /* the only one with a file offset */
    PE_DIRECTORY_RELOCATION = 5,
    PE_DIRECTORY_DEBUG = 6,
    PE_DIRECTORY_TLS = 9,
    PE_DIRECTORY_LOAD_CONFIG = 10,
    PE_DIRECTORY_DELAY_IMPORT = 13,
    PE_DIRECTORY_CLR = 14,
    PE_DIRECTORIES = 16,
};

struct pe_directory {
    uint32_t rva, size;
    uint32_t offset; /* in the file, of this entry */
};

struct pe_reader {
    struct pe *pe;
    struct pe_problems *problems;
    struct pe_directory directory[PE_DIRECTORIES];        /* rva 0: none */
    uint32_t file_header, optional_header, section_table; /* file offsets */
    uint32_t section_alignment, file_alignment;
    bool layout_known; /* headers are whole, alignments and sizes right */
    uint16_t section_count;
    uint16_t characteristics, dll_characteristics;
    bool kmdf_entry; /* a symbol has that name */
    size_t data_capacity, import_capacity, relocation_capacity, export_capacity;
    size_t exported_capacity;
    size_t import_slots; /* seen, also those that were refused */
};

/* Is true: ends the process where what was read so far does not fit together.
 */
bool pe_reader_check(const struct pe_reader *reader);

/* Little-endian numbers at an address that was checked. */
static inline uint16_t pe_u16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t pe_u32(const uint8_t *at)
{
    return pe_u16(at) | (uint32_t)pe_u16(at + 2) << 16;
}

static inline uint64_t pe_u64(const uint8_t *at)
{
    return pe_u32(at) | (uint64_t)pe_u32(at + 4) << 32;
}

/* The `size` bytes at `offset` of the file; NULL when they are not all there.
 * No other function turns a number of the file into an address. */
const uint8_t *pe_at_offset(
    const struct pe *pe, uint64_t offset, uint64_t size);

/* The bytes of the file that are mapped at `rva`; NULL when they are not all
 * there, in one section. */
const uint8_t *pe_at_rva(const struct pe *pe, uint64_t rva, uint64_t size);

/* The name at `rva`: at most PE_NAME_MAX printable ASCII characters and their
 * NUL, in one section; else NULL. */
const char *pe_name_at_rva(const struct pe *pe, uint64_t rva);

/* Where in the file an address from the functions above lies. */
uint32_t pe_offset_of(const struct pe *pe, const void *at);

/* Whether the `size` bytes at `rva` lie in a section of code. */
bool pe_is_code(const struct pe *pe, uint64_t rva, uint64_t size);

/* The rva past the last page of a section. */
uint32_t pe_section_end(const struct pe_section *section);

/* Adds a problem with what stands at `offset` of the file. */
__attribute__((format(printf, 3, 4))) void pe_wrong(
    struct pe_reader *reader, uint32_t offset, const char *format, ...);

/* Room for one more item of `size` bytes in a list that grows by doubling. */
void *pe_grow(void *list, size_t count, size_t *capacity, size_t size);

/* Notes that a table occupies these bytes, which lie in the image. */
void pe_add_data(struct pe_reader *reader, uint32_t rva, uint32_t size);

/* The parts of pe_read, in the order in which they run. The second returns
 * whether the rest makes sense; each adds the problems that it finds. */
void pe_read_headers(struct pe_reader *reader);
bool pe_read_sections(struct pe_reader *reader);
void pe_read_directories(struct pe_reader *reader);
void pe_read_functions(struct pe_reader *reader);
void pe_read_imports(struct pe_reader *reader);
void pe_read_exports(struct pe_reader *reader);
void pe_read_load_config(struct pe_reader *reader);
void pe_read_relocations(struct pe_reader *reader);
void pe_sort_data(struct pe_reader *reader);
void pe_check_symbols(struct pe_reader *reader);

/* The function of KMDF's library that its drivers begin with. */
extern const char pe_kmdf_entry[];

#endif
