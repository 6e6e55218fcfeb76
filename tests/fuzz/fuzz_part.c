/* fuzz_part.c - any bytes as a file of --results: they are read or refused, and
 * a result of what was read is a verdict or refused. The first byte says
 * whether they are a file as they are, or its records, which are then given the
 * sums that let their inside be looked at. */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/text/fnv.h"
#include "scenarios/runner/parts/part_reader.h"
#include "scenarios/runner/parts/part_writer.h"
#include "tests/fuzz/fuzz.h"

enum { RECORDS = 16 };

/* A record is a kind, a length in two bytes, and as many bytes as there are. */
static void write_records(
    FILE *out, const struct part_kind *of, const uint8_t *data, size_t size)
{
    fwrite(of->magic, 1, PART_MAGIC_BYTES, out);
    for (unsigned i = 0; i < RECORDS && size >= 3; i++) {
        uint32_t kind = data[0] % 5;
        size_t wanted = data[1] | (size_t)data[2] << 8;
        uint64_t length = wanted < size - 3 ? wanted : size - 3;
        uint32_t head = part_record_sum(kind, length);
        uint64_t sum = fnv1a_bytes(data + 3, (size_t)length);

        fwrite(&kind, sizeof(kind), 1, out);
        fwrite(&length, sizeof(length), 1, out);
        fwrite(&head, sizeof(head), 1, out);
        fwrite(data + 3, 1, (size_t)length, out);
        fwrite(&sum, sizeof(sum), 1, out);
        data += 3 + length;
        size -= 3 + (size_t)length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    void *context = talloc_new(NULL);
    const char *problem = NULL;
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    const struct part_kind *kind =
        size > 0 && data[0] % 4 > 1 ? &part_of_log : &part_of_results;
    struct part *part;

    assert(out != NULL);
    if (size > 0 && data[0] % 2 == 0) {
        write_records(out, kind, data + 1, size - 1);
    } else if (size > 0) {
        fwrite(data + 1, 1, size - 1, out);
    }
    fclose(out);
    part = part_read(
        context, "fuzz", kind, (const uint8_t *)bytes, length, &problem);
    assert((part == NULL) == (problem != NULL));
    if (part != NULL) {
        assert(part->whole <= length);
        assert(part->head.part >= 1 && part->head.part <= part->head.parts);
        for (size_t i = 0; i < part->count; i++) {
            assert(part->result[i].verdict + part->result[i].length <=
                   (const uint8_t *)bytes + length);
        }
    }
    talloc_free(context);
    free(bytes);
    return 0;
}
