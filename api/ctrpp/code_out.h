/* code_out.h - generated code as a text that grows, and names as literals in
 * it. Knows nothing of manifests. */
#ifndef API_CTRPP_CODE_OUT_H
#define API_CTRPP_CODE_OUT_H

#include <stddef.h>

/* The text is a child of the context that it was made with, never NULL. */
struct code_out {
    char *text;
};

struct code_out code_out_new(void *context);

/* Appends, as by printf. */
__attribute__((format(printf, 2, 3))) void code_out_add(
    struct code_out *output, const char *format, ...);

/* Appends some bytes of text; none of them is NUL. */
void code_out_add_bytes(
    struct code_out *output, const char *bytes, size_t length);

/* These append `text`, valid UTF-8, in ASCII alone.
 *
 * As a C literal of 16-bit characters. */
void code_out_add_wide(struct code_out *output, const char *text);

/* As the inside of a C literal that is a compiler's message: no escapes but
 * those that such a literal may have. */
void code_out_add_message(struct code_out *output, const char *text);

/* As a literal of the resource compiler. */
void code_out_add_resource(struct code_out *output, const char *text);

/* As the inside of a comment on one line; `text` may be anything. */
void code_out_add_comment(struct code_out *output, const char *text);

/* The comment that begins what is made of the file of that name. */
void code_out_add_origin(struct code_out *output, const char *source);

#endif
