/* pe.c - an x64 PE image read and checked as a whole: part by part, and
 * nothing of it is used before all parts were. */
#include "api/pe/pe.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/pe/pe_reader.h"

/* How the names of the sections begin in which KMDF finds its classes. */
static const char kmdf_section[] = ".kmdf";

static void check_entry(struct pe_reader *reader)
{
    const struct pe *pe = reader->pe;
    uint32_t field = reader->optional_header + 16;

    if (pe->entry_rva == 0) {
        pe_wrong(reader, field,
            "no entry point: link with /entry:DriverEntry or -e DriverEntry");
    } else if (!pe_is_code(pe, pe->entry_rva, 1)) {
        pe_wrong(reader, field,
            "the entry point 0x%x is not in an executable section",
            pe->entry_rva);
    }
}

/* What tells of KMDF besides the import of its loader (pe_imports.c). */
static void refuse_kmdf(struct pe_reader *reader)
{
    const struct pe *pe = reader->pe;
    uint32_t rva;

    for (size_t i = 0; i < pe->section_count; i++) {
        if (strncmp(pe->section[i].name, kmdf_section,
                sizeof(kmdf_section) - 1) == 0) {
            pe_wrong(reader, reader->section_table + 40 * (uint32_t)i,
                "KMDF is not modelled: section %s is its library's; only "
                "WDM drivers run here",
                pe->section[i].name);
            return;
        }
    }
    if (symbols_find(&pe->symbols, "FxDriverEntry", &rva)) {
        pe_wrong(reader, reader->symbol_table,
            "KMDF is not modelled: FxDriverEntry is its library's; only WDM "
            "drivers run here");
    }
}

static void read_contents(struct pe_reader *reader)
{
    check_entry(reader);
    pe_read_functions(reader);
    pe_read_imports(reader);
    pe_read_exports(reader);
    pe_read_load_config(reader);
    pe_read_relocations(reader);
    pe_sort_data(reader);
    pe_read_symbols(reader);
    refuse_kmdf(reader);
}

bool pe_read(struct pe *pe, const uint8_t *bytes, size_t size,
    struct pe_problems *problems)
{
    struct pe_reader reader = {.pe = pe, .problems = problems};
    bool sound;

    *pe = (struct pe){.bytes = bytes, .size = size};
    problems->count = 0;
    if (pe_read_headers(&reader)) {
        sound = pe_read_sections(&reader);
        pe_read_directories(&reader);
        if (sound) {
            read_contents(&reader);
        }
    }
    if (problems->count > 0) {
        pe_release(pe);
        return false;
    }
    return true;
}

void pe_release(struct pe *pe)
{
    free(pe->section);
    free(pe->import);
    free(pe->relocation);
    free(pe->function);
    free(pe->export_rva);
    free(pe->data);
    symbols_release(&pe->symbols);
    *pe = (struct pe){0};
}

static void relocate(uint8_t *field, uint64_t delta)
{
    uint64_t address = pe_u64(field) + delta;

    for (unsigned i = 0; i < 8; i++) {
        field[i] = (uint8_t)(address >> (8 * i));
    }
}

void pe_place(const struct pe *pe, uint8_t *image, uint64_t base)
{
    assert(pe->section_count > 0);
    memcpy(image, pe->bytes, pe->headers_size);
    for (size_t i = 0; i < pe->section_count; i++) {
        const struct pe_section *section = &pe->section[i];

        memcpy(
            image + section->rva, pe->bytes + section->raw, section->raw_size);
    }
    for (size_t i = 0; i < pe->relocation_count; i++) {
        relocate(image + pe->relocation[i], base - pe->preferred_base);
    }
}
