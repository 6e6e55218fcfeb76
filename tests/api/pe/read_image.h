/* read_image.h - one valid image, read. */
#ifndef TESTS_API_PE_READ_IMAGE_H
#define TESTS_API_PE_READ_IMAGE_H

#include "api/pe/pe.h"
#include "tests/api/pe/pe_builder.h"
#include "tests/rows.h"

struct read_image {
    struct pe_image file;
    struct pe pe;
    struct pe_problems problems;
};

/* `file` is freed by read_end. */
static inline void read_built(struct read_image *read, struct pe_image file)
{
    read->file = file;
    if (!pe_read(&read->pe, file.bytes, file.size, &read->problems)) {
        fail_msg("refused: %s", read->problems.item[0].text);
    }
    assert_int_equal(read->problems.count, 0);
}

static inline void read_end(struct read_image *read)
{
    pe_release(&read->pe);
    free(read->file.bytes);
}

#endif
