/* pe_directories.c - the data directories of an image: which it may have,
 * where they lie, and what is known to be data. */
#include <assert.h>
#include <stdlib.h>

#include "api/pe/pe_reader.h"

/* Directories that a driver cannot have, or that only their reader could make
 * right. Bound imports are looked up again and need no reading. */
static const struct refusal {
    enum pe_directory_index index;
    const char *text;
} refusals[] = {
    {PE_DIRECTORY_TLS,
        "thread-local storage (TLS callbacks or data): the kernel has none; "
        "link without it"},
    {PE_DIRECTORY_DELAY_IMPORT,
        "delayed imports: the kernel has none; link without /delayload"},
    {PE_DIRECTORY_CLR,
        "a managed (CLR) program: the kernel has no runtime for it"},
};

static void refuse_directories(struct pe_reader *reader)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        struct pe_directory *entry = &reader->directory[refusals[i].index];

        if (entry->rva != 0) {
            pe_wrong(reader, entry->offset, "%s", refusals[i].text);
        }
    }
}

static void check_certificates(struct pe_reader *reader)
{
    const struct pe_directory *entry =
        &reader->directory[PE_DIRECTORY_SECURITY];

    if (entry->rva != 0 &&
        pe_at_offset(reader->pe, entry->rva, entry->size) == NULL) {
        pe_wrong(reader, entry->offset,
            "the certificates (0x%x bytes at 0x%x of the file) go beyond the "
            "end of the file: was it cut off?",
            entry->size, entry->rva);
    }
}

void pe_read_directories(struct pe_reader *reader)
{
    refuse_directories(reader);
    check_certificates(reader);
    reader->directory[PE_DIRECTORY_SECURITY].rva = 0;
    for (unsigned i = 0; i < PE_DIRECTORIES; i++) {
        struct pe_directory *entry = &reader->directory[i];

        if (entry->rva == 0) {
            continue;
        }
        if ((uint64_t)entry->rva + entry->size > reader->pe->image_size) {
            pe_wrong(reader, entry->offset,
                "directory %u (0x%x bytes at 0x%x) goes beyond the image size "
                "0x%x",
                i, entry->size, entry->rva, reader->pe->image_size);
            entry->rva = 0;
            continue;
        }
        pe_add_data(reader, entry->rva, entry->size);
    }
}

/* Debug information is not read, but where it lies is no code. */
static void add_debug_data(struct pe_reader *reader)
{
    const struct pe_directory *entry = &reader->directory[PE_DIRECTORY_DEBUG];

    for (uint32_t i = 0; entry->rva != 0 && i < entry->size / 28; i++) {
        const uint8_t *row =
            pe_at_rva(reader->pe, entry->rva + (uint64_t)i * 28, 28);

        if (row == NULL) {
            return;
        }
        if (pe_section_at(reader->pe, pe_u32(row + 20), pe_u32(row + 16)) !=
            NULL) {
            pe_add_data(reader, pe_u32(row + 20), pe_u32(row + 16));
        }
    }
}

void pe_add_data(struct pe_reader *reader, uint32_t rva, uint32_t size)
{
    struct pe *pe = reader->pe;

    assert((uint64_t)rva + size <= pe->image_size);
    if (size == 0) {
        return;
    }
    if (pe->data_count > 0 && pe->data[pe->data_count - 1].end == rva) {
        pe->data[pe->data_count - 1].end += size; /* as linkers put them */
        return;
    }
    pe->data = pe_grow(
        pe->data, pe->data_count, &reader->data_capacity, sizeof(*pe->data));
    pe->data[pe->data_count++] =
        (struct pe_range){.begin = rva, .end = rva + size};
}

static bool data_check(const struct pe *pe)
{
    for (size_t i = 0; i < pe->data_count; i++) {
        assert(pe->data[i].begin < pe->data[i].end);
        assert(i == 0 || pe->data[i - 1].end < pe->data[i].begin);
    }
    return true;
}

static int range_compare(const void *left, const void *right)
{
    const struct pe_range *a = left, *b = right;

    if (a->begin != b->begin) {
        return a->begin < b->begin ? -1 : 1;
    }
    return (a->end > b->end) - (a->end < b->end);
}

void pe_sort_data(struct pe_reader *reader)
{
    struct pe *pe = reader->pe;
    size_t kept = 0;

    add_debug_data(reader);
    if (pe->data_count == 0) {
        return;
    }
    qsort(pe->data, pe->data_count, sizeof(*pe->data), range_compare);
    for (size_t i = 1; i < pe->data_count; i++) {
        if (pe->data[i].begin > pe->data[kept].end) {
            pe->data[++kept] = pe->data[i];
        } else if (pe->data[i].end > pe->data[kept].end) {
            pe->data[kept].end = pe->data[i].end;
        }
    }
    assert(kept < pe->data_count);
    pe->data_count = kept + 1;
    assert(data_check(pe));
}
