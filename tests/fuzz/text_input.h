/* text_input.h - the bytes of a fuzz target as a file in memory, and its errors
 * printed. Who includes it defines _POSIX_C_SOURCE. */
#ifndef TESTS_FUZZ_TEXT_INPUT_H
#define TESTS_FUZZ_TEXT_INPUT_H

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/yaml/diagnostics.h"
#include "scenarios/runner/yaml/source.h"

struct text_input {
    void *memory; /* everything but the text is its child */
    char *text;   /* of its exact size: reading past it is seen */
    struct source *source;
    struct diagnostics *diagnostics;
};

static inline void text_input_init(
    struct text_input *input, const uint8_t *data, size_t size)
{
    input->memory = talloc_new(NULL);
    input->text = malloc(size + 1);
    assert(input->memory != NULL && input->text != NULL);
    memcpy(input->text, data, size);
    input->text[size] = '\0';
    input->source =
        source_from_text(input->memory, "t.yaml", input->text, size);
    input->diagnostics = diagnostics_new(input->memory);
}

/* Printing is part of what any file must survive. */
static inline void text_input_print(const struct text_input *input)
{
    char *printed = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&printed, &size);

    assert(out != NULL);
    diagnostics_print(input->diagnostics, out);
    fclose(out);
    free(printed);
}

static inline void text_input_release(struct text_input *input)
{
    talloc_free(input->memory);
    free(input->text);
}

#endif
