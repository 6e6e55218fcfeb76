/* pe_symbols.c - the names of an image's functions: from the COFF symbol
 * table, the exports, and for what is left over from the function table. All of
 * it is checked when the image is read. The names are put in order when
 * somebody asks for one, which in most runs nobody does. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/pe/pe_reader.h"

enum {
    RECORD_SIZE = 18,
    SHORT_NAME = 8,
    SYMBOLS_MAX = 1 << 18,
    CLASS_EXTERNAL = 2,
    CLASS_STATIC = 3,
    CLASS_WEAK_EXTERNAL = 105,
    TYPE_FUNCTION = 2, /* in the bits from 4 up */
    UNWIND_CHAINED = 4,
};

/* The table, and the long names behind it. */
struct symbol_table {
    const uint8_t *record;
    uint32_t count;
    const uint8_t *strings;
    uint32_t strings_size; /* its own 4 bytes included */
};

/* False: not all of it is there. */
static bool find_table(const struct pe *pe, struct symbol_table *table)
{
    uint64_t at = pe->symbol_table;
    uint64_t size = (uint64_t)pe->symbol_count * RECORD_SIZE;

    table->count = pe->symbol_count;
    table->record = pe_at_offset(pe, at, size);
    table->strings = pe_at_offset(pe, at + size, 4);
    if (table->record == NULL || table->strings == NULL) {
        return false;
    }
    table->strings_size = pe_u32(table->strings);
    return pe_at_offset(pe, at + size, table->strings_size) != NULL;
}

static bool check_table(struct pe_reader *reader, struct symbol_table *table)
{
    const struct pe *pe = reader->pe;

    if (pe->symbol_count > SYMBOLS_MAX) {
        pe_wrong(reader, reader->file_header + 12,
            "%u symbols, more than 262144: strip some", pe->symbol_count);
        return false;
    }
    if (!find_table(pe, table)) {
        pe_wrong(reader, reader->file_header + 8,
            "the symbol table (%u symbols at 0x%x of the file) or its strings "
            "go beyond the end of the file: was it cut off?",
            pe->symbol_count, pe->symbol_table);
        return false;
    }
    return true;
}

/* The length of a name in at most `size` bytes, or one more than a name may
 * have; 0 when it is none. */
static size_t name_length(const uint8_t *name, size_t size)
{
    size_t length = 0;

    while (length < size && length <= PE_NAME_MAX && name[length] != '\0') {
        if (name[length] < ' ' || name[length] == 0x7F) {
            return 0;
        }
        length++;
    }
    return length;
}

/* The name in the string table at an offset from its start; NULL when it is
 * not a text that ends there. */
static const char *long_name(const struct symbol_table *table, uint32_t offset)
{
    size_t left, length;

    if (offset < sizeof(table->strings_size) || offset >= table->strings_size) {
        return NULL;
    }
    left = table->strings_size - offset;
    length = name_length(table->strings + offset, left);
    if (length == 0 || length == left || length > PE_NAME_MAX) {
        return NULL;
    }
    assert(table->strings[offset + length] == '\0');
    return (const char *)table->strings + offset;
}

/* Names that a linker or an assembler made: sections, references, slots. */
static bool is_made_up(const char *name)
{
    return name[0] == '.' || strncmp(name, "__imp_", 6) == 0;
}

static bool is_data(const struct pe *pe, uint32_t rva)
{
    size_t low = 0, high = pe->data_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (pe->data[middle].end <= rva) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < pe->data_count && pe->data[low].begin <= rva;
}

/* The function that `rva` lies in, or NULL. */
static const struct image_function *function_around(
    const struct pe *pe, uint32_t rva)
{
    size_t low = 0, high = pe->function_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (pe->function[middle].end <= rva) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < pe->function_count && pe->function[low].begin <= rva
               ? &pe->function[low]
               : NULL;
}

/* External code that is not marked as a function is one, written in assembly,
 * unless it lies amid a function or in data. */
static bool is_label(const struct pe *pe, uint32_t rva)
{
    const struct image_function *around = function_around(pe, rva);

    return (around == NULL || around->begin == rva) && !is_data(pe, rva);
}

/* Whether the record is of a function, of which kind and where. */
static bool classify(const struct pe *pe, const uint8_t *record,
    enum symbol_kind *kind, uint32_t *rva)
{
    uint16_t section = pe_u16(record + 12);
    bool function = pe_u16(record + 14) >> 4 == TYPE_FUNCTION;
    uint8_t class = record[16];
    uint64_t at;

    if (section == 0 || section > pe->section_count) {
        return false; /* undefined, absolute, or of the debugger */
    }
    at = (uint64_t)pe->section[section - 1].rva + pe_u32(record + 8);
    if (at > UINT32_MAX || !pe_is_code(pe, at, 1)) {
        return false;
    }
    *rva = (uint32_t)at;
    if (class == CLASS_STATIC) {
        *kind = SYMBOL_STATIC;
        return function;
    }
    *kind = function ? SYMBOL_EXTERNAL : SYMBOL_LABEL;
    return (class == CLASS_EXTERNAL || class == CLASS_WEAK_EXTERNAL) &&
           (function || is_label(pe, *rva));
}

/* The name of a function. */
struct symbol_name {
    enum symbol_kind kind;
    uint32_t rva;
    const char *text; /* NULL: it is none that ends in the string table */
    char own[SHORT_NAME + 1]; /* of a short one */
};

/* What the record names. False: no function, or one that a tool made up. */
static bool read_record(const struct pe *pe, const struct symbol_table *table,
    const uint8_t *record, struct symbol_name *name)
{
    if (!classify(pe, record, &name->kind, &name->rva)) {
        return false;
    }
    if (pe_u32(record) == 0) {
        name->text = long_name(table, pe_u32(record + 4));
        return name->text == NULL || !is_made_up(name->text);
    }
    memset(name->own, 0, sizeof(name->own));
    memcpy(name->own, record, name_length(record, SHORT_NAME));
    name->text = name->own[0] == '\0' ? NULL : name->own;
    return !is_made_up(name->own);
}

/* The record behind this one and its auxiliary ones. */
static uint32_t next_record(const struct symbol_table *table, uint32_t i)
{
    const uint8_t *record = table->record + RECORD_SIZE * (size_t)i;

    assert(record + RECORD_SIZE <= table->strings);
    return i + 1U + record[17];
}

void pe_check_symbols(struct pe_reader *reader)
{
    const struct pe *pe = reader->pe;
    struct symbol_table table;
    struct symbol_name name;

    if (pe->symbol_table == 0 || !check_table(reader, &table)) {
        return;
    }
    for (uint32_t i = 0; i < table.count; i = next_record(&table, i)) {
        const uint8_t *record = table.record + RECORD_SIZE * (size_t)i;

        if (!read_record(pe, &table, record, &name)) {
            continue;
        }
        if (name.text == NULL) {
            pe_wrong(reader, pe_offset_of(pe, record),
                "the name of the symbol for 0x%x is not a text that ends in "
                "the string table",
                name.rva);
            continue;
        }
        reader->kmdf_entry |= strcmp(name.text, pe_kmdf_entry) == 0;
    }
}

/* The rva where names that lie in the same section end. */
static uint32_t limit_of(const struct pe *pe, uint32_t rva)
{
    const struct pe_section *section = pe_section_at(pe, rva, 1);

    assert(section != NULL && section->executable);
    return pe_section_end(section);
}

static void add_exports(struct pe *pe)
{
    for (size_t i = 0; i < pe->exported_count; i++) {
        const struct pe_export *exported = &pe->exported[i];

        if (exported->name != NULL && !exported->forwarded &&
            pe_is_code(pe, exported->rva, 1)) {
            symbols_add(&pe->symbols, SYMBOL_EXPORT, exported->rva,
                limit_of(pe, exported->rva), exported->name);
        }
    }
}

static void add_table(struct pe *pe)
{
    struct symbol_table table;
    struct symbol_name name;

    if (pe->symbol_table == 0 || !find_table(pe, &table)) {
        return;
    }
    symbols_reserve(
        &pe->symbols, pe->symbols.count + table.count + pe->function_count);
    for (uint32_t i = 0; i < table.count; i = next_record(&table, i)) {
        const uint8_t *record = table.record + RECORD_SIZE * (size_t)i;

        if (!read_record(pe, &table, record, &name) || name.text == NULL) {
            continue;
        }
        if (name.text == name.own) {
            symbols_add_short(&pe->symbols, name.kind, name.rva,
                limit_of(pe, name.rva), name.text);
        } else {
            symbols_add(&pe->symbols, name.kind, name.rva,
                limit_of(pe, name.rva), name.text);
        }
    }
}

/* Functions that nothing names, but not the later parts of one. The symbols so
 * far are in order, and so are functions. */
static void add_unnamed(struct pe *pe)
{
    size_t named = pe->symbols.count, next = 0;

    for (size_t i = 0; i < pe->function_count; i++) {
        const struct image_function *function = &pe->function[i];
        const uint8_t *unwind = pe_at_rva(pe, function->unwind, 1);
        char name[20];

        while (next < named && pe->symbols.item[next].rva < function->begin) {
            next++;
        }
        if (unwind == NULL || unwind[0] >> 3 == UNWIND_CHAINED ||
            (next < named && pe->symbols.item[next].rva == function->begin)) {
            continue;
        }
        snprintf(name, sizeof(name), "function_%" PRIx32, function->begin);
        symbols_add_short(&pe->symbols, SYMBOL_UNNAMED, function->begin,
            limit_of(pe, function->begin), name);
    }
}

const struct symbols *pe_symbols(struct pe *pe)
{
    if (!pe->named) {
        pe->named = true;
        add_exports(pe);
        add_table(pe);
        symbols_sort(&pe->symbols);
        add_unnamed(pe);
        symbols_sort(&pe->symbols);
    }
    return &pe->symbols;
}
