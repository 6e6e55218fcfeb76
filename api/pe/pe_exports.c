/* pe_exports.c - the export table of an image: more places where code begins,
 * and their names. */
#include "api/pe/pe_reader.h"

#include <assert.h>
#include <string.h>

enum { TABLE_SIZE = 40, EXPORTS_MAX = 65536 };

/* What the table says of itself. */
struct export_table {
    uint32_t base; /* the first ordinal */
    uint32_t function_count, name_count;
    const uint8_t *function; /* rvas */
    const uint8_t *name;     /* rvas, */
    const uint8_t *ordinal;  /* and for each name the index of its function */
};

static bool find_table(struct pe_reader *reader, struct export_table *table)
{
    const struct pe_directory *entry = &reader->directory[PE_DIRECTORY_EXPORT];
    const struct pe *pe = reader->pe;
    const uint8_t *bytes = pe_at_rva(pe, entry->rva, TABLE_SIZE);

    if (bytes == NULL) {
        pe_wrong(reader, entry->offset,
            "the export table at 0x%x is not in the file", entry->rva);
        return false;
    }
    table->base = pe_u32(bytes + 16);
    table->function_count = pe_u32(bytes + 20);
    table->name_count = pe_u32(bytes + 24);
    if (table->function_count > EXPORTS_MAX ||
        table->name_count > EXPORTS_MAX) {
        pe_wrong(reader, pe_offset_of(pe, bytes) + 20,
            "the export table has %u functions and %u names, more than 65536",
            table->function_count, table->name_count);
        return false;
    }
    table->function =
        pe_at_rva(pe, pe_u32(bytes + 28), 4 * (uint64_t)table->function_count);
    table->name =
        pe_at_rva(pe, pe_u32(bytes + 32), 4 * (uint64_t)table->name_count);
    table->ordinal =
        pe_at_rva(pe, pe_u32(bytes + 36), 2 * (uint64_t)table->name_count);
    if ((table->function_count > 0 && table->function == NULL) ||
        (table->name_count > 0 &&
            (table->name == NULL || table->ordinal == NULL))) {
        pe_wrong(reader, pe_offset_of(pe, bytes) + 28,
            "the lists of the export table go beyond their section");
        return false;
    }
    return true;
}

/* An rva inside of the table is the text of a forwarder. */
static bool is_forwarder(const struct pe_reader *reader, uint32_t rva)
{
    const struct pe_directory *entry = &reader->directory[PE_DIRECTORY_EXPORT];

    return rva >= entry->rva && rva - entry->rva < entry->size;
}

/* The index-th function, under a name or without; an unused one is none. */
static void add_exported(struct pe_reader *reader,
    const struct export_table *table, uint32_t index, const char *name)
{
    struct pe *pe = reader->pe;
    uint32_t rva = pe_u32(table->function + 4 * (size_t)index);

    if (rva == 0) {
        return;
    }
    pe->exported = pe_grow(pe->exported, pe->exported_count,
        &reader->exported_capacity, sizeof(*pe->exported));
    pe->exported[pe->exported_count++] = (struct pe_export){
        .name = name,
        .ordinal = table->base + index,
        .rva = rva,
        .forwarded = is_forwarder(reader, rva),
    };
}

static void read_functions(
    struct pe_reader *reader, const struct export_table *table)
{
    struct pe *pe = reader->pe;

    assert(table->function_count == 0 || table->function != NULL);
    for (uint32_t i = 0; i < table->function_count; i++) {
        const uint8_t *at = table->function + 4 * (size_t)i;
        uint32_t rva = pe_u32(at);

        if (rva >= pe->image_size) {
            pe_wrong(reader, pe_offset_of(pe, at),
                "export %u, at 0x%x, is outside of the image", i, rva);
            continue;
        }
        add_exported(reader, table, i, NULL);
        if (pe_is_code(pe, rva, 1) && !is_forwarder(reader, rva)) {
            pe->export_rva = pe_grow(pe->export_rva, pe->export_count,
                &reader->export_capacity, sizeof(*pe->export_rva));
            pe->export_rva[pe->export_count++] = rva;
        }
    }
}

static void read_names(
    struct pe_reader *reader, const struct export_table *table)
{
    struct pe *pe = reader->pe;

    assert(table->name_count == 0 || table->ordinal != NULL);
    for (uint32_t i = 0; i < table->name_count; i++) {
        const uint8_t *at = table->name + 4 * (size_t)i;
        const char *name = pe_name_at_rva(pe, pe_u32(at));
        uint32_t index = pe_u16(table->ordinal + 2 * (size_t)i);

        if (name == NULL || index >= table->function_count) {
            pe_wrong(reader, pe_offset_of(pe, at),
                "name %u of the export table is not a text that ends in its "
                "section, or has no function",
                i);
            continue;
        }
        add_exported(reader, table, index, name);
    }
}

void pe_read_exports(struct pe_reader *reader)
{
    struct export_table table;

    if (reader->directory[PE_DIRECTORY_EXPORT].rva != 0 &&
        find_table(reader, &table)) {
        read_functions(reader, &table);
        read_names(reader, &table);
    }
}

const struct pe_export *pe_export_of(
    const struct pe *pe, const struct pe_import *import)
{
    for (size_t i = 0; i < pe->exported_count; i++) {
        const struct pe_export *exported = &pe->exported[i];

        if (import->by_ordinal
                ? exported->ordinal == import->ordinal
                : exported->name != NULL &&
                      strcmp(exported->name, import->name) == 0) {
            return exported;
        }
    }
    return NULL;
}
