/* replay.c - runs a fuzz target on the files that are named, without a fuzzer:
 * the corpus as a test, or what a fuzzer found. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

/* The file's bytes in memory of their exact size; NULL when it has none or
 * cannot be read. */
static uint8_t *read_file(FILE *file, size_t *size)
{
    uint8_t *bytes;
    long end;

    if (fseek(file, 0, SEEK_END) != 0) {
        return NULL;
    }
    end = ftell(file);
    if (end <= 0 || fseek(file, 0, SEEK_SET) != 0) {
        return NULL;
    }
    *size = (size_t)end;
    bytes = malloc(*size);
    if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

static bool replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t size = 0;

    /* A directory opens, and seeks to an end that it has not. */
    if (file != NULL && fgetc(file) != EOF) {
        bytes = read_file(file, &size);
    }
    if (file != NULL) {
        fclose(file);
    }
    if (bytes == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return false;
    }
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return true;
}

int main(int count, char **argument)
{
    bool all = count > 1;

    for (int i = 1; i < count; i++) {
        all &= replay(argument[i]);
    }
    if (count <= 1) {
        fprintf(stderr, "usage: %s FILE...\n", argument[0]);
    }
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
