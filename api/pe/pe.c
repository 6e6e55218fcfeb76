/* pe.c - an x64 PE image read and checked as a whole: part by part, and
 * nothing of it is used before all parts were. */
#include "api/pe/pe.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/pe/pe_reader.h"

/* Sections follow each other by whole pages, behind the headers. */
static bool sections_check(const struct pe *pe)
{
    uint32_t end = pe->headers_size;

    for (size_t i = 0; i < pe->section_count; i++) {
        const struct pe_section *section = &pe->section[i];

        assert(section->rva % PE_PAGE == 0 && section->rva >= end);
        assert(section->size > 0);
        assert(pe_section_end(section) <= pe->image_size);
        assert(pe_at_offset(pe, section->raw, section->raw_size) != NULL);
        assert(section->raw_size <= pe_section_end(section) - section->rva);
        end = pe_section_end(section);
    }
    return true;
}

bool pe_check(const struct pe *pe)
{
    assert(pe->size <= UINT32_MAX && pe->headers_size <= pe->size);
    assert(pe->image_size > 0 && pe->image_size <= PE_IMAGE_MAX);
    assert(pe->image_size % PE_PAGE == 0);
    assert(pe->section_count > 0 && pe->section_count <= PE_SECTIONS_MAX);
    assert(pe->import_count <= PE_IMPORTS_MAX);
    assert(sections_check(pe));
    assert(pe_is_code(pe, pe->entry_rva, 1));
    return true;
}

/* What the tables list, once when they were read. */
static bool tables_check(const struct pe *pe)
{
    for (size_t i = 0; i < pe->function_count; i++) {
        const struct image_function *function = &pe->function[i];

        assert(function->begin < function->end);
        assert(i == 0 || function[-1].end <= function->begin);
        assert(function->end <= pe->image_size);
    }
    for (size_t i = 0; i < pe->export_count; i++) {
        assert(pe_is_code(pe, pe->export_rva[i], 1));
    }
    for (size_t i = 0; i < pe->import_count; i++) {
        assert(pe_section_at(pe, pe->import[i].slot_rva, 8) != NULL);
    }
    return true;
}

/* How the names of the sections begin in which KMDF finds its classes. */
static const char kmdf_section[] = ".kmdf";

const char pe_kmdf_entry[] = "FxDriverEntry";

static bool exports_kmdf_entry(const struct pe *pe)
{
    for (size_t i = 0; i < pe->exported_count; i++) {
        const struct pe_export *exported = &pe->exported[i];

        if (exported->name != NULL && !exported->forwarded &&
            pe_is_code(pe, exported->rva, 1) &&
            strcmp(exported->name, pe_kmdf_entry) == 0) {
            return true;
        }
    }
    return false;
}

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
    if (reader->kmdf_entry || exports_kmdf_entry(pe)) {
        pe_wrong(reader, pe->symbol_table,
            "KMDF is not modelled: FxDriverEntry is its library's; only WDM "
            "drivers run here");
    }
}

static void read_contents(struct pe_reader *reader)
{
    assert(reader->layout_known && pe_reader_check(reader));
    check_entry(reader);
    pe_read_functions(reader);
    pe_read_imports(reader);
    pe_read_exports(reader);
    pe_read_load_config(reader);
    pe_read_relocations(reader);
    pe_sort_data(reader);
    pe_check_symbols(reader);
    refuse_kmdf(reader);
}

bool pe_read(struct pe *pe, const uint8_t *bytes, size_t size,
    struct pe_problems *problems)
{
    struct pe_reader reader = {.pe = pe, .problems = problems};
    bool sound;

    *pe = (struct pe){.bytes = bytes, .size = size};
    *problems = (struct pe_problems){0};
    pe_read_headers(&reader);
    sound = pe_read_sections(&reader);
    pe_read_directories(&reader);
    if (sound) {
        read_contents(&reader);
    }
    assert(pe_reader_check(&reader));
    if (problems->count > 0) {
        pe_release(pe);
        return false;
    }
    assert(pe_check(pe) && tables_check(pe));
    return true;
}

void pe_release(struct pe *pe)
{
    free(pe->section);
    free(pe->import);
    free(pe->relocation);
    free(pe->function);
    free(pe->export_rva);
    free(pe->exported);
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
    assert(pe_check(pe) && base % PE_PAGE == 0);
    memcpy(image, pe->bytes, pe->headers_size);
    for (size_t i = 0; i < pe->section_count; i++) {
        const struct pe_section *section = &pe->section[i];

        memcpy(
            image + section->rva, pe->bytes + section->raw, section->raw_size);
    }
    for (size_t i = 0; i < pe->relocation_count; i++) {
        assert(pe->relocation[i] <= pe->image_size - sizeof(uint64_t));
        relocate(image + pe->relocation[i], base - pe->preferred_base);
    }
}
