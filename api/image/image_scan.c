/* image_scan.c - searches the code of a driver's image for instructions to
 * replace by traps, or takes what was found in its file where the code is the
 * same. */
#include "api/image/image_scan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool image_scan(const struct pe *pe, const uint8_t *image, struct patch *out)
{
    struct patch_range code[PE_SECTIONS_MAX];
    uint32_t *start = calloc(pe->export_count + 1, sizeof(*start));
    struct patch_range *function =
        calloc(pe->function_count + 1, sizeof(*function));
    struct patch_range *data = calloc(pe->data_count + 1, sizeof(*data));
    struct patch_input input = {
        .image = image,
        .image_size = pe->image_size,
        .code = code,
        .data = data,
        .data_count = pe->data_count,
        .function = function,
        .function_count = pe->function_count,
        .start = start,
        .start_count = pe->export_count + 1,
        .with_may_trap = true,
    };
    bool found;

    assert(start != NULL && function != NULL && data != NULL);
    for (size_t i = 0; i < pe->function_count; i++) {
        function[i] =
            (struct patch_range){pe->function[i].begin, pe->function[i].end};
    }
    for (size_t i = 0; i < pe->data_count; i++) {
        data[i] = (struct patch_range){pe->data[i].begin, pe->data[i].end};
    }
    for (size_t i = 0; i < pe->export_count; i++) {
        start[i] = pe->export_rva[i];
    }
    start[pe->export_count] = pe->entry_rva;
    for (size_t i = 0; i < pe->section_count; i++) {
        const struct pe_section *section = &pe->section[i];

        if (section->executable) {
            code[input.code_count++] = (struct patch_range){
                section->rva, section->rva + section->size};
        }
    }
    assert(input.code_count <= pe->section_count);
    found = patch_scan(out, &input);
    free(start);
    free(function);
    free(data);
    return found;
}

bool image_scan_file(const uint8_t *bytes, size_t size, struct patch *out)
{
    struct pe_problems problems;
    struct pe pe;
    uint8_t *image;
    bool found = false;

    if (!pe_read(&pe, bytes, size, &problems)) {
        pe_problems_release(&problems);
        return false;
    }
    image = calloc(pe.image_size, 1);
    if (image != NULL) {
        pe_place(&pe, image, pe.preferred_base);
        found = image_scan(&pe, image, out);
    }
    free(image);
    pe_release(&pe);
    return found;
}

/* Whether the section is as the file has it, with zeros behind. */
static bool is_unchanged(
    const struct pe *pe, const uint8_t *image, const struct pe_section *section)
{
    const uint8_t *at = image + section->rva;
    uint32_t i = section->raw_size;

    if (memcmp(at, pe->bytes + section->raw, section->raw_size) != 0) {
        return false;
    }
    while (i < section->size && at[i] == 0) {
        i++;
    }
    return i >= section->size;
}

static bool code_is_unchanged(const struct pe *pe, const uint8_t *image)
{
    bool unchanged = true;

    for (size_t i = 0; unchanged && i < pe->section_count; i++) {
        unchanged = !pe->section[i].executable ||
                    is_unchanged(pe, image, &pe->section[i]);
    }
    return unchanged;
}

bool image_scan_known(const struct pe *pe, const uint8_t *image,
    const struct patch *known, struct patch *out)
{
    if (known == NULL || !code_is_unchanged(pe, image)) {
        return image_scan(pe, image, out);
    }
    *out = *known;
    out->site = malloc((known->count + 1) * sizeof(*out->site));
    if (out->site == NULL) {
        *out = (struct patch){.site = NULL};
        return false;
    }
    if (known->count > 0) {
        memcpy(out->site, known->site, known->count * sizeof(*out->site));
    }
    assert(patch_check(out, pe->image_size));
    return true;
}
