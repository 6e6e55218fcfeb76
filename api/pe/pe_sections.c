/* pe_sections.c - the section table of an image: where each part lies, in the
 * file and in memory. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/pe/pe_reader.h"

enum { SECTION_HEADER_SIZE = 40 };

/* Flags of a section (PE Format, "Section Flags"). */
static const uint32_t section_discardable = 0x02000000;
static const uint32_t section_execute = 0x20000000;
static const uint32_t section_read = 0x40000000;
static const uint32_t section_write = 0x80000000;

static void copy_section_name(char name[9], const uint8_t *from)
{
    for (size_t i = 0; i < 8 && from[i] != '\0'; i++) {
        name[i] = '?';
        if (from[i] > ' ' && from[i] <= '~') {
            name[i] = (char)from[i];
        }
    }
}

static void read_section(struct pe_section *section, const uint8_t *header)
{
    uint32_t flags = pe_u32(header + 36);

    copy_section_name(section->name, header);
    section->size = pe_u32(header + 8);
    section->rva = pe_u32(header + 12);
    section->raw_size = pe_u32(header + 16);
    section->raw = pe_u32(header + 20);
    section->readable = (flags & section_read) != 0;
    section->writable = (flags & section_write) != 0;
    section->executable = (flags & section_execute) != 0;
    section->discardable = (flags & section_discardable) != 0;
    section->pageable = strncmp(section->name, "PAGE", 4) == 0;
    if (section->size == 0) {
        section->size = section->raw_size;
    }
    if (section->raw == 0) {
        section->raw_size = 0;
    }
    assert(section->name[sizeof(section->name) - 1] == '\0');
}

/* `next` is where the section has to begin. */
static bool check_place(struct pe_reader *reader, uint32_t header,
    const struct pe_section *section, uint64_t next)
{
    if (section->size == 0) {
        pe_wrong(reader, header + 8, "section %s is empty", section->name);
    } else if (section->rva % reader->section_alignment != 0) {
        pe_wrong(reader, header + 12,
            "section %s begins at 0x%x, not a multiple of the section "
            "alignment",
            section->name, section->rva);
    } else if (section->rva < next) {
        pe_wrong(reader, header + 12,
            "section %s begins at 0x%x, but what is before it ends at 0x%llx: "
            "they overlap or are out of order",
            section->name, section->rva, (unsigned long long)next);
    } else if (section->rva > next) {
        pe_wrong(reader, header + 12,
            "section %s begins at 0x%x and leaves a gap after 0x%llx",
            section->name, section->rva, (unsigned long long)next);
    } else if ((uint64_t)section->rva + section->size >
               reader->pe->image_size) {
        pe_wrong(reader, header + 8,
            "section %s (0x%x bytes at 0x%x) goes beyond the image size 0x%x",
            section->name, section->size, section->rva, reader->pe->image_size);
    } else {
        return true;
    }
    return false;
}

static bool check_raw(
    struct pe_reader *reader, uint32_t header, const struct pe_section *section)
{
    if (pe_at_offset(reader->pe, section->raw, section->raw_size) == NULL) {
        pe_wrong(reader, header + 16,
            "section %s (0x%x bytes at 0x%x of the file) goes beyond the end "
            "of the file: was it cut off?",
            section->name, section->raw_size, section->raw);
        return false;
    }
    if (section->raw % reader->file_alignment != 0) {
        pe_wrong(reader, header + 20,
            "section %s lies at 0x%x of the file, not a multiple of the file "
            "alignment",
            section->name, section->raw);
        return false;
    }
    return true;
}

static uint64_t round_up(uint64_t value, uint32_t alignment)
{
    assert(alignment != 0 && (alignment & (alignment - 1)) == 0);
    return (value + alignment - 1) / alignment * alignment;
}

/* What the file has past the section's last page is not mapped. */
static void trim_raw(struct pe_section *section)
{
    uint64_t pages = round_up(section->size, PE_PAGE);

    if (section->raw_size > pages) {
        section->raw_size = (uint32_t)pages;
    }
}

static bool read_sections(
    struct pe_reader *reader, const uint8_t *header, size_t count)
{
    struct pe *pe = reader->pe;
    uint64_t next = round_up(pe->headers_size, reader->section_alignment);
    bool sound = true;

    assert(pe->section_count == 0 && count <= PE_SECTIONS_MAX);
    pe->section = calloc(count, sizeof(*pe->section));
    assert(pe->section != NULL);
    pe->section_count = count;
    for (size_t i = 0; i < count; i++, header += SECTION_HEADER_SIZE) {
        struct pe_section *section = &pe->section[i];
        uint32_t at = pe_offset_of(pe, header);

        read_section(section, header);
        sound &= check_place(reader, at, section, next);
        sound &= check_raw(reader, at, section);
        next = round_up(
            (uint64_t)section->rva + section->size, reader->section_alignment);
        trim_raw(section);
    }
    return sound;
}

bool pe_read_sections(struct pe_reader *reader)
{
    const struct pe *pe = reader->pe;
    uint32_t field = reader->file_header + 2;
    uint16_t count = reader->section_count;
    uint64_t size = (uint64_t)count * SECTION_HEADER_SIZE;
    const uint8_t *table = pe_at_offset(pe, reader->section_table, size);

    if (!reader->layout_known) {
        return false;
    }
    if (count == 0 || count > PE_SECTIONS_MAX) {
        pe_wrong(
            reader, field, "%u sections: an image has from 1 to 96", count);
        return false;
    }
    if (table == NULL || reader->section_table + size > pe->headers_size) {
        pe_wrong(reader, field,
            "the section headers (%u) go beyond the headers (0x%x bytes)",
            count, pe->headers_size);
        return false;
    }
    return read_sections(reader, table, count);
}
