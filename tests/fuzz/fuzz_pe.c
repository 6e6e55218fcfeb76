/* fuzz_pe.c - any bytes as a driver's image: they are refused with a reason,
 * or placed, and whatever they describe lies in the image. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/pe/pe.h"
#include "tests/fuzz/fuzz.h"

static void check_description(struct pe *pe)
{
    uint32_t rva;

    assert(pe_section_at(pe, pe->entry_rva, 1)->executable);
    for (size_t i = 0; i < pe->import_count; i++) {
        assert(pe_section_at(pe, pe->import[i].slot_rva, 8) != NULL);
        assert(strlen(pe->import[i].image) <= PE_NAME_MAX);
        assert(strlen(pe->import[i].name) <= PE_NAME_MAX);
    }
    for (size_t i = 0; i < pe->function_count; i++) {
        assert(pe->function[i].begin < pe->function[i].end);
        assert(i == 0 || pe->function[i - 1].end <= pe->function[i].begin);
    }
    for (size_t i = 0; i < pe->data_count; i++) {
        assert(pe->data[i].begin < pe->data[i].end);
        assert(pe->data[i].end <= pe->image_size);
        assert(i == 0 || pe->data[i - 1].end < pe->data[i].begin);
    }
    assert(!symbols_find(pe_symbols(pe), "", &rva));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pe_problems problems;
    struct pe pe;
    uint8_t *image;

    if (!pe_read(&pe, data, size, &problems)) {
        assert(problems.count > 0 && problems.item[0].text[0] != '\0');
        pe_problems_release(&problems);
        return 0;
    }
    check_description(&pe);
    image = calloc(1, pe.image_size);
    assert(image != NULL);
    pe_place(&pe, image, UINT64_C(0x180000000000));
    free(image);
    pe_release(&pe);
    return 0;
}
