/* control_codes.h - control codes that a driver's machine code compares
 * something with: a guess at what it can be asked. */
#ifndef API_IMAGE_CONTROL_CODES_H
#define API_IMAGE_CONTROL_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONTROL_CODES_MAX = 256, CONTROL_CODE_FUNCTION_BYTES = 64 };

struct control_code {
    uint32_t code;
    char function[CONTROL_CODE_FUNCTION_BYTES]; /* "control+0x1f" */
};

/* Whether a number may be one of a driver's own: its device type is one of the
 * WDK's headers or a vendor's, its function a vendor's (the WDK's "Defining I/O
 * Control Codes"). */
bool control_code_is_likely(uint32_t code);

/* Those of a driver's file, ascending, each once, where it is compared with
 * first. Returns how many; 0 also where it is no image. */
size_t control_codes_find(const uint8_t *bytes, size_t size,
    struct control_code code[CONTROL_CODES_MAX]);

#endif
