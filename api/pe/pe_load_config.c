/* pe_load_config.c - the load configuration of an image: addresses that the
 * loader fills in. Its fields are absolute addresses at the preferred base. */
#include "api/pe/pe_reader.h"

#include <assert.h>

/* Offsets in IMAGE_LOAD_CONFIG_DIRECTORY64. */
enum {
    FIELD_COOKIE = 0x58,
    FIELD_GUARD_CHECK = 0x70,
    FIELD_GUARD_DISPATCH = 0x78,
    FIELD_GUARD_TABLE = 0x80,
    FIELD_GUARD_COUNT = 0x88,
    FIELD_CHPE_METADATA = 0xC8,
    FIELD_SIZE = 8,
};

enum { CHARACTERISTICS_GUARD_CF = 0x4000 };

/* The table ends where its own first field says; older compilers make shorter
 * ones, whose missing fields are 0. */
static uint64_t read_field(struct pe_reader *reader, uint32_t field)
{
    const struct pe_directory *entry =
        &reader->directory[PE_DIRECTORY_LOAD_CONFIG];
    const uint8_t *size = pe_at_rva(reader->pe, entry->rva, 4);
    const uint8_t *at =
        pe_at_rva(reader->pe, entry->rva + (uint64_t)field, FIELD_SIZE);

    if (size == NULL || at == NULL || pe_u32(size) < field + FIELD_SIZE) {
        return 0;
    }
    return pe_u64(at);
}

/* The rva of the 8 bytes that a field points to; 0 when it is 0 or wrong. */
static uint32_t read_slot(
    struct pe_reader *reader, uint32_t field, const char *what)
{
    uint32_t table = reader->directory[PE_DIRECTORY_LOAD_CONFIG].rva;
    uint64_t address = read_field(reader, field);
    uint64_t rva = address - reader->pe->preferred_base;

    assert(pe_at_rva(reader->pe, table, 4) != NULL);
    if (address == 0) {
        return 0;
    }
    if (pe_section_at(reader->pe, rva, 8) == NULL) {
        pe_wrong(reader,
            pe_offset_of(reader->pe, pe_at_rva(reader->pe, table, 1)) + field,
            "the load configuration has the %s at 0x%llx, which is in no "
            "section",
            what, (unsigned long long)address);
        return 0;
    }
    return (uint32_t)rva;
}

void pe_read_load_config(struct pe_reader *reader)
{
    const struct pe_directory *entry =
        &reader->directory[PE_DIRECTORY_LOAD_CONFIG];
    struct pe *pe = reader->pe;

    pe->guarded = (reader->dll_characteristics & CHARACTERISTICS_GUARD_CF) != 0;
    if (entry->rva == 0) {
        return;
    }
    if (pe_at_rva(pe, entry->rva, 4) == NULL) {
        pe_wrong(reader, entry->offset,
            "the load configuration at 0x%x is not in the file", entry->rva);
        return;
    }
    if (read_field(reader, FIELD_CHPE_METADATA) != 0) {
        pe_wrong(reader, entry->offset,
            "the image is for ARM64EC: build the driver for x64");
    }
    pe->has_load_config = true;
    pe->cookie_rva = read_slot(reader, FIELD_COOKIE, "security cookie");
    if (pe->guarded) {
        pe->guard_check_rva =
            read_slot(reader, FIELD_GUARD_CHECK, "guard check pointer");
        pe->guard_dispatch_rva =
            read_slot(reader, FIELD_GUARD_DISPATCH, "guard dispatch pointer");
        pe->guarded_functions = read_field(reader, FIELD_GUARD_TABLE) == 0
                                    ? 0
                                    : read_field(reader, FIELD_GUARD_COUNT);
    }
}
