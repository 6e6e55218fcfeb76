/* fuzz_manifest.c - any bytes as a counter manifest: compiled, or refused with
 * problems at places that the file has. */
#define _POSIX_C_SOURCE 200809L
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/manifest_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *exact = malloc(size == 0 ? 1 : size); /* reading past it is seen */
    char *printed = NULL;
    size_t printed_size = 0;
    FILE *out = open_memstream(&printed, &printed_size);

    assert(exact != NULL && out != NULL);
    memcpy(exact, data, size);
    manifest_check(exact, size, out);
    fclose(out);
    free(printed);
    free(exact);
    return 0;
}
