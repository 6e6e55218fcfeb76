/* pe_refusal.h - one number of a valid image is spoiled, and this is said. */
#ifndef TESTS_API_PE_PE_REFUSAL_H
#define TESTS_API_PE_PE_REFUSAL_H

#include "api/pe/pe.h"
#include "tests/api/pe/pe_builder.h"
#include "tests/rows.h"

/* Up to two edits of the file; a width of 0 is none. */
struct refusal_row {
    const char *name;
    struct {
        uint32_t offset;
        unsigned width;
        uint64_t value;
    } edit[2];
    uint32_t want_offset;
    const char *want;
};

static inline void refusal_row(void **state)
{
    const struct refusal_row *row = *state;
    struct pe_image file = image_build();
    struct pe_problems problems;
    struct pe pe;

    for (size_t i = 0; i < 2; i++) {
        image_put(
            &file, row->edit[i].offset, row->edit[i].width, row->edit[i].value);
    }
    assert_false(pe_read(&pe, file.bytes, file.size, &problems));
    assert_string_equal(problems.item[0].text, row->want);
    assert_int_equal(problems.item[0].offset, row->want_offset);
    assert_int_equal(problems.count, 1);
    assert_null(pe.bytes);
    pe_problems_release(&problems);
    free(file.bytes);
}

#endif
