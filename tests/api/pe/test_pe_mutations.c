/* test_pe_mutations.c - files that were cut or spoiled anywhere: they are
 * refused or placed, and no byte outside of them is read. The sanitizers see
 * it, so every file lies in memory of its exact size. */
#include "api/pe/pe.h"
#include "sim/base/splitmix.h"
#include "tests/api/pe/pe_builder.h"
#include "tests/rows.h"

enum { MUTATIONS = 20000, EDITS = 6 };

/* Reads a file, places it when it was read, and frees it. */
static bool survives(struct pe_image file)
{
    struct pe_problems problems;
    struct pe pe;
    bool whole = pe_read(&pe, file.bytes, file.size, &problems);

    if (whole) {
        uint8_t *image = calloc(1, pe.image_size);

        assert_non_null(image);
        pe_place(&pe, image, UINT64_C(0x180000000000));
        free(image);
        pe_release(&pe);
    }
    assert_int_equal(problems.count == 0, whole);
    pe_problems_release(&problems);
    free(file.bytes);
    return whole;
}

static struct built_row {
    const char *name;
    struct pe_image (*build)(void);
} cut_rows[] = {
    {"cut_anywhere_it_is_refused", image_build},
    {"stripped_and_cut_anywhere_it_is_refused", image_build_stripped},
};

static void cut_row(void **state)
{
    const struct built_row *row = *state;
    struct pe_image file = row->build();

    for (size_t size = 0; size < file.size; size++) {
        assert_false(survives(image_copy(&file, size)));
    }
    assert_true(survives(image_copy(&file, file.size)));
    free(file.bytes);
}

/* Numbers that are more often wrong than others. */
static uint64_t spoiled_value(struct splitmix *random)
{
    static const uint64_t values[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
        0xFFFFFFF8, 0x1000, 0x2000, 0x8FFF, 0x9000, UINT64_MAX};
    uint64_t choice = splitmix_below(random, 20);

    return choice < sizeof(values) / sizeof(values[0]) ? values[choice]
                                                       : splitmix_next(random);
}

/* A place that has a meaning, more often than not: most bytes are zero. */
static size_t spoiled_place(struct splitmix *random, struct pe_image *file)
{
    size_t at = 0;

    for (unsigned i = 0; i < 4; i++) {
        at = splitmix_below(random, file->size - 8);
        if (file->bytes[at] != 0) {
            return at;
        }
    }
    return at;
}

static struct built_row mutation_rows[] = {
    {"spoiled_anywhere_it_survives", image_build},
    {"stripped_and_spoiled_anywhere_it_survives", image_build_stripped},
};

static void mutation_row(void **state)
{
    const struct built_row *row = *state;
    struct splitmix random = {.state = 2026};
    struct pe_image file = row->build();
    unsigned read = 0;

    for (unsigned i = 0; i < MUTATIONS; i++) {
        struct pe_image spoiled = image_copy(&file, file.size);
        uint64_t edits = 1 + splitmix_below(&random, EDITS);

        for (uint64_t k = 0; k < edits; k++) {
            unsigned width = 1U << splitmix_below(&random, 4);

            image_put(&spoiled, spoiled_place(&random, &spoiled), width,
                spoiled_value(&random));
        }
        read += survives(spoiled);
    }
    /* Neither all refused nor all read: the edits reach what is checked. */
    assert_in_range(read, MUTATIONS / 20, MUTATIONS - MUTATIONS / 20);
    free(file.bytes);
}

TEST_FILE(test_pe_mutations)
{
    TEST_ADD_ROWS(list, cut_row, cut_rows);
    TEST_ADD_ROWS(list, mutation_row, mutation_rows);
}
