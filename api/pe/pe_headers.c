/* pe_headers.c - the headers of an image, in front of the section table: MS-
 * DOS, COFF, optional, and the list of directories. */
#include "api/pe/pe_reader.h"

#include <assert.h>

enum {
    DOS_HEADER_SIZE = 64,
    FILE_HEADER_SIZE = 20,
    OPTIONAL_HEADER_SIZE = 112, /* without directories */
    MACHINE_X64 = 0x8664,
    MAGIC_PE32 = 0x10B,
    MAGIC_PE32_PLUS = 0x20B,
    FILE_EXECUTABLE = 0x0002,     /* IMAGE_FILE_EXECUTABLE_IMAGE */
    DLL_FORCE_INTEGRITY = 0x0080, /* IMAGE_DLLCHARACTERISTICS_... */
    SUBSYSTEM_NATIVE = 1,
    SUBSYSTEM_GUI = 2,
    SUBSYSTEM_CONSOLE = 3,
    FILE_ALIGNMENT_MIN = 512,
    FILE_ALIGNMENT_MAX = 65536,
};

static const struct machine {
    uint16_t value;
    const char *name;
} machines[] = {
#define PE_MACHINE(value, name) {value, name},
#include "api/pe/pe_machines.def"
};

/* Finds the COFF header: "PE\0\0" is where the MS-DOS header says. */
static const uint8_t *find_file_header(struct pe_reader *reader)
{
    const struct pe *pe = reader->pe;
    const uint8_t *dos = pe_at_offset(pe, 0, DOS_HEADER_SIZE);
    const uint8_t *signature;

    if (dos == NULL || dos[0] != 'M' || dos[1] != 'Z') {
        pe_wrong(reader, 0, "not a PE file: it does not begin with MZ");
        return NULL;
    }
    signature =
        pe_at_offset(pe, pe_u32(dos + 0x3C), 4 + (uint64_t)FILE_HEADER_SIZE);
    if (signature == NULL || pe_u32(signature) != 0x4550) {
        pe_wrong(reader, 0x3C,
            "not a PE file: there is no PE signature at 0x%x, where the "
            "MS-DOS header says",
            pe_u32(dos + 0x3C));
        return NULL;
    }
    reader->file_header = pe_offset_of(pe, signature + 4);
    assert(reader->file_header <= pe->size - FILE_HEADER_SIZE);
    return signature + 4;
}

static bool check_machine(struct pe_reader *reader, uint16_t machine)
{
    if (machine == MACHINE_X64) {
        return true;
    }
    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        if (machines[i].value == machine) {
            pe_wrong(reader, reader->file_header,
                "the image is for %s: build the driver for x64",
                machines[i].name);
            return false;
        }
    }
    pe_wrong(reader, reader->file_header,
        "the image is for an unknown machine (0x%x): build the driver for x64",
        machine);
    return false;
}

static bool check_magic(struct pe_reader *reader, uint16_t magic)
{
    if (magic == MAGIC_PE32) {
        pe_wrong(reader, reader->optional_header,
            "a PE32 (32-bit) image: build the driver for x64, which is PE32+");
    } else if (magic != MAGIC_PE32_PLUS) {
        pe_wrong(reader, reader->optional_header,
            "the optional header is of kind 0x%x, not PE32+ (0x20b)", magic);
    }
    return magic == MAGIC_PE32_PLUS;
}

static void check_subsystem(struct pe_reader *reader, const uint8_t *optional)
{
    uint16_t subsystem = pe_u16(optional + 68);
    uint32_t field = reader->optional_header + 68;

    if (subsystem == SUBSYSTEM_GUI || subsystem == SUBSYSTEM_CONSOLE) {
        pe_wrong(reader, field,
            "a user-mode program (subsystem %u), not a driver: link with "
            "/driver /subsystem:native or --subsystem,native",
            subsystem);
    } else if (subsystem != SUBSYSTEM_NATIVE) {
        pe_wrong(reader, field,
            "the subsystem is %u, a driver's is 1 (native): link with /driver "
            "/subsystem:native or --subsystem,native",
            subsystem);
    }
}

static bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static bool check_alignments(struct pe_reader *reader)
{
    uint32_t section = reader->section_alignment;
    uint32_t file = reader->file_alignment;
    size_t before = reader->problems->count;

    if (section < PE_PAGE) {
        pe_wrong(reader, reader->optional_header + 32,
            "the section alignment %u is less than a page: sections would "
            "share pages, which have one protection each (Section Alignment "
            "Failures, 0xC4/0x2004); link with /align:4096",
            section);
    } else if (!is_power_of_two(section)) {
        pe_wrong(reader, reader->optional_header + 32,
            "the section alignment 0x%x is not a power of two", section);
    }
    if (!is_power_of_two(file) || file < FILE_ALIGNMENT_MIN ||
        file > FILE_ALIGNMENT_MAX) {
        pe_wrong(reader, reader->optional_header + 36,
            "the file alignment 0x%x is not a power of two from 512 to 65536",
            file);
    }
    return reader->problems->count == before;
}

static bool check_sizes(struct pe_reader *reader)
{
    const struct pe *pe = reader->pe;
    uint32_t field = reader->optional_header + 56;
    size_t before = reader->problems->count;

    if (pe->image_size > PE_IMAGE_MAX) {
        pe_wrong(reader, field,
            "the image has 0x%x bytes in memory, more than 64 MiB",
            pe->image_size);
    } else if (pe->image_size == 0 ||
               pe->image_size % reader->section_alignment != 0) {
        pe_wrong(reader, field,
            "the image size 0x%x is not a multiple of the section alignment",
            pe->image_size);
    }
    if (pe_at_offset(pe, 0, pe->headers_size) == NULL) {
        pe_wrong(reader, field + 4,
            "the headers (0x%x bytes) go beyond the end of the file",
            pe->headers_size);
    }
    return reader->problems->count == before;
}

/* Returns whether the layout can be known by it. */
static bool read_optional_header(
    struct pe_reader *reader, const uint8_t *optional)
{
    struct pe *pe = reader->pe;

    pe->linker = optional[2];
    pe->entry_rva = pe_u32(optional + 16);
    pe->preferred_base = pe_u64(optional + 24);
    reader->section_alignment = pe_u32(optional + 32);
    reader->file_alignment = pe_u32(optional + 36);
    pe->image_size = pe_u32(optional + 56);
    pe->headers_size = pe_u32(optional + 60);
    pe->checksum = pe_u32(optional + 64);
    reader->dll_characteristics = pe_u16(optional + 70);
    pe->force_integrity =
        (reader->dll_characteristics & DLL_FORCE_INTEGRITY) != 0;
    check_subsystem(reader, optional);
    return check_alignments(reader) && check_sizes(reader);
}

/* Directories past the sixteenth have no meaning. Returns whether the header
 * has room for those that it counts. */
static bool read_directory_list(
    struct pe_reader *reader, const uint8_t *optional, uint16_t size)
{
    uint32_t count = pe_u32(optional + 108);

    assert(size >= OPTIONAL_HEADER_SIZE);
    if (count > PE_DIRECTORIES) {
        count = PE_DIRECTORIES;
    }
    if (size < OPTIONAL_HEADER_SIZE + 8 * count) {
        pe_wrong(reader, reader->optional_header + 108,
            "the optional header (0x%x bytes) has no room for its %u "
            "directories",
            size, count);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *entry = optional + OPTIONAL_HEADER_SIZE + 8 * i;

        assert(entry + 8 <= optional + size);
        reader->directory[i] = (struct pe_directory){
            .rva = pe_u32(entry),
            .size = pe_u32(entry + 4),
            .offset = pe_offset_of(reader->pe, entry),
        };
    }
    return true;
}

static bool read_file_header(struct pe_reader *reader, const uint8_t *file)
{
    reader->section_count = pe_u16(file + 2);
    reader->pe->symbol_table = pe_u32(file + 8);
    reader->pe->symbol_count = pe_u32(file + 12);
    reader->characteristics = pe_u16(file + 18);
    reader->optional_header = reader->file_header + FILE_HEADER_SIZE;
    if (!check_machine(reader, pe_u16(file))) {
        return false;
    }
    if ((reader->characteristics & FILE_EXECUTABLE) == 0) {
        pe_wrong(reader, reader->file_header + 18,
            "not an executable image: the linker left errors in it");
    }
    return true;
}

void pe_read_headers(struct pe_reader *reader)
{
    const struct pe *pe = reader->pe;
    const uint8_t *file, *optional;
    uint16_t size;
    bool known;

    assert(!reader->layout_known);
    if (pe->size > UINT32_MAX) {
        pe_wrong(reader, 0, "the file has 4 GiB or more");
        return;
    }
    file = find_file_header(reader);
    if (file == NULL || !read_file_header(reader, file)) {
        return;
    }
    size = pe_u16(file + 16);
    optional = pe_at_offset(pe, reader->optional_header, size);
    if (optional == NULL) {
        pe_wrong(reader, reader->file_header + 16,
            "the optional header (0x%x bytes) goes beyond the end of the file",
            size);
        return;
    }
    if (size >= 2 && !check_magic(reader, pe_u16(optional))) {
        return;
    }
    if (size < OPTIONAL_HEADER_SIZE) {
        pe_wrong(reader, reader->file_header + 16,
            "the optional header (0x%x bytes) is too short for PE32+", size);
        return;
    }
    reader->section_table = reader->optional_header + size;
    known = read_optional_header(reader, optional);
    reader->layout_known = read_directory_list(reader, optional, size) && known;
    assert(reader->layout_known || reader->problems->count > 0);
}
