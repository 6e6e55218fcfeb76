/* mutation.h - a driver's file with a few bytes changed, the same for the same
 * numbers. Knows nothing of running it. */
#ifndef TESTS_FUZZ_MUTATION_H
#define TESTS_FUZZ_MUTATION_H

#include <stddef.h>
#include <stdint.h>

enum { MUTATION_RANGES = 128 };

/* Of bytes in the file. */
struct mutation_range {
    uint32_t begin, end;
};

/* What is worth changing in a file: what describes the image, and code. */
struct mutation_map {
    struct mutation_range table[MUTATION_RANGES], code[MUTATION_RANGES];
    size_t table_count, code_count;
};

/* Of an image that can be loaded; of any other file all of it is both. */
void mutation_map(struct mutation_map *map, const uint8_t *bytes, size_t size);

/* Changes the copy in `bytes` as `seed` and `number` say: from one to eight
 * places, all of them in tables or all of them in code. */
void mutation_apply(const struct mutation_map *map, uint64_t seed,
    uint64_t number, uint8_t *bytes, size_t size);

#endif
