/* pe_imports.c - the import table of an image: routines by name or ordinal, and
 * the slots that get their addresses. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "api/pe/pe_reader.h"

enum { DESCRIPTOR_SIZE = 20, SLOT_SIZE = 8 };

/* One imported image. */
struct descriptor {
    const char *image;
    uint32_t offset; /* in the file, of the descriptor */
    uint32_t lookup, slots;
};

static const uint64_t by_ordinal = UINT64_C(1) << 63;

static void add_name_data(
    struct pe_reader *reader, uint64_t rva, const char *name)
{
    size_t length = strlen(name);

    assert(length <= PE_NAME_MAX);
    pe_add_data(reader, (uint32_t)rva, (uint32_t)length + 1);
}

/* Without a name it is by its ordinal, which is a part of its lookup entry. */
static void add_import(struct pe_reader *reader,
    const struct descriptor *descriptor, const char *name, uint64_t value,
    uint32_t slot)
{
    struct pe *pe = reader->pe;
    struct pe_import import = {.image = descriptor->image,
        .name = name,
        .slot_rva = slot,
        .by_ordinal = name == NULL,
        .ordinal = name == NULL ? (uint16_t)value : 0};

    if (import.by_ordinal) {
        snprintf(import.number, sizeof(import.number), "#%u",
            (unsigned)import.ordinal);
    }
    pe->import = pe_grow(pe->import, pe->import_count, &reader->import_capacity,
        sizeof(*pe->import));
    pe->import[pe->import_count++] = import;
    assert(pe->import_count <= reader->import_slots);
}

/* Once the list stays where it is. */
static void name_ordinals(struct pe *pe)
{
    for (size_t i = 0; i < pe->import_count; i++) {
        if (pe->import[i].by_ordinal) {
            pe->import[i].name = pe->import[i].number;
        }
    }
}

/* `value` is the lookup entry at `entry`: an ordinal, or the rva of two bytes
 * of hint and a name. */
static void read_import(struct pe_reader *reader,
    const struct descriptor *descriptor, const uint8_t *entry, uint64_t slot)
{
    uint64_t value = pe_u64(entry);
    uint32_t offset = pe_offset_of(reader->pe, entry);
    bool named = (value & by_ordinal) == 0;
    const char *name = named ? pe_name_at_rva(reader->pe, value + 2) : NULL;

    assert(value != 0 && reader->import_slots <= PE_IMPORTS_MAX);
    if (named && name == NULL) {
        pe_wrong(reader, offset,
            "the name of a routine of %s, at 0x%llx, is not a text that "
            "ends in its section",
            descriptor->image, (unsigned long long)value);
        return;
    }
    if (pe_section_at(reader->pe, slot, SLOT_SIZE) == NULL) {
        pe_wrong(reader, descriptor->offset + 16,
            "the slot of %s, at 0x%llx, is in no section",
            named ? name : descriptor->image, (unsigned long long)slot);
        return;
    }
    if (named) {
        pe_add_data(reader, (uint32_t)value, 2);
        add_name_data(reader, value + 2, name);
    }
    add_import(reader, descriptor, name, value, (uint32_t)slot);
}

/* Returns false when there are too many imports to go on. */
static bool read_imports_of(
    struct pe_reader *reader, const struct descriptor *descriptor)
{
    uint64_t at = 0;

    for (;; at += SLOT_SIZE) {
        const uint8_t *entry =
            pe_at_rva(reader->pe, descriptor->lookup + at, SLOT_SIZE);

        if (entry == NULL) {
            pe_wrong(reader, descriptor->offset,
                "the list of imports of %s does not end in its section",
                descriptor->image);
            return true;
        }
        if (pe_u64(entry) == 0) {
            break;
        }
        if (++reader->import_slots > PE_IMPORTS_MAX) {
            pe_wrong(reader, pe_offset_of(reader->pe, entry),
                "more than 4096 imports");
            return false;
        }
        read_import(reader, descriptor, entry, descriptor->slots + at);
    }
    pe_add_data(reader, descriptor->lookup, (uint32_t)at + SLOT_SIZE);
    if (pe_section_at(reader->pe, descriptor->slots, at) != NULL) {
        pe_add_data(reader, descriptor->slots, (uint32_t)at);
    }
    return true;
}

/* Returns whether the descriptor names an image whose imports can be read. */
static bool read_descriptor(struct pe_reader *reader, const uint8_t *bytes,
    struct descriptor *descriptor)
{
    uint32_t name = pe_u32(bytes + 12);

    descriptor->offset = pe_offset_of(reader->pe, bytes);
    descriptor->lookup = pe_u32(bytes);
    descriptor->slots = pe_u32(bytes + 16);
    descriptor->image = pe_name_at_rva(reader->pe, name);
    if (descriptor->image == NULL) {
        pe_wrong(reader, descriptor->offset + 12,
            "the name of an imported image, at 0x%x, is not a text that ends "
            "in its section",
            name);
        return false;
    }
    add_name_data(reader, name, descriptor->image);
    if (strcasecmp(descriptor->image, "WDFLDR.SYS") == 0) {
        pe_wrong(reader, descriptor->offset + 12,
            "KMDF is not modelled: the driver imports %s, and would need all "
            "that WdfVersionBind gives it; only WDM drivers run here",
            descriptor->image);
        return false;
    }
    if (descriptor->lookup == 0 && pe_u32(bytes + 4) != 0) {
        pe_wrong(reader, descriptor->offset,
            "the imports of %s are bound and their names are gone: link "
            "without /bind",
            descriptor->image);
        return false;
    }
    if (descriptor->lookup == 0) {
        descriptor->lookup = descriptor->slots;
    }
    return true;
}

/* The table ends with a descriptor without a name or without slots; the size
 * of its directory says nothing. */
static void read_table(struct pe_reader *reader)
{
    const struct pe_directory *entry = &reader->directory[PE_DIRECTORY_IMPORT];
    uint64_t rva = entry->rva;

    assert(entry->rva != 0);
    for (uint32_t i = 0; i <= PE_IMPORTS_MAX; i++, rva += DESCRIPTOR_SIZE) {
        const uint8_t *bytes = pe_at_rva(reader->pe, rva, DESCRIPTOR_SIZE);
        struct descriptor descriptor;

        if (bytes == NULL) {
            pe_wrong(reader, entry->offset,
                "the import table at 0x%x does not end in its section",
                entry->rva);
            return;
        }
        pe_add_data(reader, (uint32_t)rva, DESCRIPTOR_SIZE);
        if (pe_u32(bytes + 12) == 0 || pe_u32(bytes + 16) == 0) {
            return;
        }
        if (read_descriptor(reader, bytes, &descriptor) &&
            !read_imports_of(reader, &descriptor)) {
            return;
        }
    }
    pe_wrong(reader, entry->offset, "more than 4096 imported images");
}

void pe_read_imports(struct pe_reader *reader)
{
    if (reader->directory[PE_DIRECTORY_IMPORT].rva != 0) {
        read_table(reader);
        name_ordinals(reader->pe);
    }
}
