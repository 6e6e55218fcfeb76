/* pe_relocations.c - the relocations of an image: the addresses in it that
 * change with its base. */
#include "api/pe/pe_reader.h"

#include <assert.h>

enum {
    BLOCK_HEADER_SIZE = 8,
    TYPE_ABSOLUTE = 0, /* padding */
    TYPE_DIR64 = 10,
    FILE_RELOCS_STRIPPED = 0x0001,
};

/* Returns false when the rest of the table is not worth reading. */
static bool read_entry(
    struct pe_reader *reader, const uint8_t *entry, uint32_t page)
{
    struct pe *pe = reader->pe;
    unsigned type = pe_u16(entry) >> 12;
    uint64_t rva = (uint64_t)page + (pe_u16(entry) & 0xFFF);

    assert(pe->relocation_count <= reader->relocation_capacity);
    if (type == TYPE_ABSOLUTE) {
        return true;
    }
    if (type != TYPE_DIR64) {
        pe_wrong(reader, pe_offset_of(pe, entry),
            "a relocation of type %u at 0x%llx: x64 images have only type 10 "
            "(DIR64)",
            type, (unsigned long long)rva);
        return false;
    }
    if (pe_section_at(pe, rva, 8) == NULL) {
        pe_wrong(reader, pe_offset_of(pe, entry),
            "a relocation at 0x%llx, which is in no section",
            (unsigned long long)rva);
        return false;
    }
    pe->relocation = pe_grow(pe->relocation, pe->relocation_count,
        &reader->relocation_capacity, sizeof(*pe->relocation));
    pe->relocation[pe->relocation_count++] = (uint32_t)rva;
    return true;
}

/* Returns the block's size, or 0 when it is wrong. */
static uint32_t read_block(
    struct pe_reader *reader, const uint8_t *block, uint32_t left)
{
    uint32_t size = left < BLOCK_HEADER_SIZE ? 0 : pe_u32(block + 4);

    if (size < BLOCK_HEADER_SIZE || size > left || size % 2 != 0) {
        pe_wrong(reader, pe_offset_of(reader->pe, block),
            "a block of 0x%x bytes in the relocation table, which has 0x%x "
            "left",
            size, left);
        return 0;
    }
    for (uint32_t i = BLOCK_HEADER_SIZE; i < size; i += 2) {
        if (!read_entry(reader, block + i, pe_u32(block))) {
            return 0;
        }
    }
    return size;
}

static void read_table(struct pe_reader *reader)
{
    const struct pe_directory *entry =
        &reader->directory[PE_DIRECTORY_RELOCATION];
    const uint8_t *table = pe_at_rva(reader->pe, entry->rva, entry->size);
    uint32_t done = 0;

    if (entry->rva == 0 || entry->size == 0) {
        return;
    }
    if (table == NULL) {
        pe_wrong(reader, entry->offset,
            "the relocation table (0x%x bytes at 0x%x) is not in the file",
            entry->size, entry->rva);
        return;
    }
    while (done < entry->size) {
        uint32_t size = read_block(reader, table + done, entry->size - done);

        if (size == 0) {
            return;
        }
        done += size;
    }
    assert(done == entry->size);
}

/* Whether a section holds a number that may be an address of the image. At a
 * base below 4 GiB these can also have 32 bits. */
static bool has_addresses(const struct pe *pe)
{
    bool low = pe->preferred_base <= UINT32_MAX;
    uint32_t width = low ? 4 : 8;

    for (size_t i = 0; i < pe->section_count; i++) {
        const struct pe_section *section = &pe->section[i];
        const uint8_t *bytes = pe->bytes + section->raw;

        assert(section->raw_size <= pe->size - section->raw);
        for (uint32_t k = 0; k + width <= section->raw_size; k++) {
            uint64_t value = low ? pe_u32(bytes + k) : pe_u64(bytes + k);

            if (value - pe->preferred_base < pe->image_size) {
                return true;
            }
        }
    }
    return false;
}

/* An image is always moved, so one without its relocations must hold no
 * address; without the flag a missing table says just that. */
void pe_read_relocations(struct pe_reader *reader)
{
    read_table(reader);
    if ((reader->characteristics & FILE_RELOCS_STRIPPED) != 0 &&
        (reader->pe->relocation_count > 0 || has_addresses(reader->pe))) {
        pe_wrong(reader, reader->file_header + 18,
            "the relocations were stripped, and the image is not loaded at its "
            "preferred base: link with /dynamicbase or --dynamicbase");
    }
}
