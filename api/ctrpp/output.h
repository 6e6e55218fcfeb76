/* output.h - a text that grows, and names as literals in it. Knows nothing of
 * manifests. */
#ifndef API_CTRPP_OUTPUT_H
#define API_CTRPP_OUTPUT_H

#include <stddef.h>

/* The text is a child of the context that it was made with, never NULL. */
struct output {
    char *text;
    size_t length, size; /* of what is used, and of the block */
};

struct output output_new(void *context);

/* Appends, as by printf. */
__attribute__((format(printf, 2, 3))) void output_add(
    struct output *output, const char *format, ...);

/* Appends some bytes of text. */
void output_add_bytes(struct output *output, const char *bytes, size_t length);

/* These append `text`, valid UTF-8, in ASCII alone.
 *
 * As a C literal of 16-bit characters. */
void output_add_wide(struct output *output, const char *text);

/* As the inside of a C literal that is a compiler's message: no escapes but
 * those that such a literal may have. */
void output_add_message(struct output *output, const char *text);

/* As a literal of the resource compiler. */
void output_add_resource(struct output *output, const char *text);

/* As the inside of a comment on one line; `text` may be anything. */
void output_add_comment(struct output *output, const char *text);

/* The comment that begins what is made of the file of that name. */
void output_add_origin(struct output *output, const char *source);

#endif
