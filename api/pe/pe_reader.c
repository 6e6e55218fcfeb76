/* pe_reader.c - access to an image's file that cannot leave it. */
#include "api/pe/pe_reader.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool pe_reader_check(const struct pe_reader *reader)
{
    const struct pe *pe = reader->pe;

    assert(reader->problems->count <= reader->problems->capacity);
    assert(reader->file_header <= pe->size);
    assert(reader->optional_header <= pe->size);
    assert(reader->section_table == 0 ||
           reader->section_table > reader->optional_header);
    assert(!reader->layout_known || pe->image_size % PE_PAGE == 0);
    assert(pe->data_count <= reader->data_capacity);
    assert(pe->export_count <= reader->export_capacity);
    assert(pe->exported_count <= reader->exported_capacity);
    assert(pe->relocation_count <= reader->relocation_capacity);
    assert(pe->import_count <= reader->import_capacity);
    assert(pe->import_count <= reader->import_slots);
    return true;
}

const uint8_t *pe_at_offset(const struct pe *pe, uint64_t offset, uint64_t size)
{
    if (offset > pe->size || size > pe->size - offset) {
        return NULL;
    }
    return pe->bytes + offset;
}

/* The last section that begins at or below `rva`. Without branches in the loop:
 * which one it is cannot be guessed. */
static const struct pe_section *section_below(const struct pe *pe, uint64_t rva)
{
    const struct pe_section *section = pe->section;
    size_t left = pe->section_count;

    while (left > 1) {
        size_t half = left / 2;

        section += section[half].rva <= rva ? half : 0;
        left -= half;
    }
    return left == 0 || section->rva > rva ? NULL : section;
}

static uint64_t whole_pages(uint64_t size)
{
    return (size + PE_PAGE - 1) / PE_PAGE * PE_PAGE;
}

/* Whether `size` bytes at `rva` lie in the `extent` bytes from `begin` on;
 * `rva` is not below `begin`. */
static bool lies_in(
    uint64_t rva, uint64_t size, uint64_t begin, uint64_t extent)
{
    assert(rva >= begin);
    return rva - begin <= extent && size <= extent - (rva - begin);
}

const struct pe_section *pe_section_at(
    const struct pe *pe, uint64_t rva, uint64_t size)
{
    const struct pe_section *section = section_below(pe, rva);

    if (section == NULL ||
        !lies_in(rva, size, section->rva, whole_pages(section->size))) {
        return NULL;
    }
    return section;
}

bool pe_is_code(const struct pe *pe, uint64_t rva, uint64_t size)
{
    const struct pe_section *section = pe_section_at(pe, rva, size);

    return section != NULL && section->executable;
}

uint32_t pe_section_end(const struct pe_section *section)
{
    uint64_t end = section->rva + whole_pages(section->size);

    assert(end <= UINT32_MAX);
    return (uint32_t)end;
}

const uint8_t *pe_at_rva(const struct pe *pe, uint64_t rva, uint64_t size)
{
    const struct pe_section *section = section_below(pe, rva);

    if (section == NULL ||
        !lies_in(rva, size, section->rva, section->raw_size)) {
        return NULL;
    }
    assert(section->raw_size <= pe->size - section->raw);
    return pe_at_offset(pe, section->raw + (rva - section->rva), size);
}

const char *pe_name_at_rva(const struct pe *pe, uint64_t rva)
{
    const struct pe_section *section = section_below(pe, rva);
    const uint8_t *name = pe_at_rva(pe, rva, 1);
    uint64_t left;

    if (name == NULL) {
        return NULL;
    }
    left = section->raw_size - (rva - section->rva);
    assert(left > 0 && left <= section->raw_size);
    for (uint64_t i = 0; i < left && i <= PE_NAME_MAX; i++) {
        if (name[i] == '\0') {
            return i == 0 ? NULL : (const char *)name;
        }
        if (name[i] <= ' ' || name[i] > '~') {
            return NULL;
        }
    }
    return NULL;
}

uint32_t pe_offset_of(const struct pe *pe, const void *at)
{
    const uint8_t *byte = at;

    assert(byte >= pe->bytes && byte <= pe->bytes + pe->size);
    return (uint32_t)(byte - pe->bytes);
}

void pe_wrong(
    struct pe_reader *reader, uint32_t offset, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    pe_problem_list(reader->problems, offset, format, arguments);
    va_end(arguments);
}

void *pe_grow(void *list, size_t count, size_t *capacity, size_t size)
{
    assert(count <= *capacity);
    if (count == *capacity) {
        *capacity = *capacity == 0 ? 16 : 2 * *capacity;
        list = realloc(list, *capacity * size);
        assert(list != NULL);
    }
    return list;
}
