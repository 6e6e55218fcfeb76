/* drive_request.c - a request as a command line has it: CODE, CODE:HEX or
 * CODE:HEX:BYTES. */
#include "scenarios/runner/command_line/drive_request.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/runner/language/scenario_limits.h"

enum { OUTPUT_USUAL = 256, INPUT_DIGITS_MOST = 8192 };

/* Up to a colon or the end. */
static bool read_number(const char **text, uint64_t most, uint32_t *number)
{
    char *end;
    unsigned long long value;

    if (!isdigit((unsigned char)**text)) {
        return false;
    }
    errno = 0;
    value = strtoull(*text, &end, 0);
    if (errno != 0 || value > most || (*end != ':' && *end != '\0')) {
        return false;
    }
    *number = (uint32_t)value;
    *text = end + (*end == ':');
    return true;
}

bool drive_request_read(
    const char *text, struct drive_request *request, const char **why)
{
    *request = (struct drive_request){.hex = "", .output = OUTPUT_USUAL};
    if (!read_number(&text, UINT32_MAX, &request->code)) {
        *why = "a control code is a number of 32 bits, such as 0x222000, not";
        return false;
    }
    request->hex = text;
    request->digits = strspn(text, "0123456789abcdefABCDEF");
    text += request->digits;
    if (request->digits % 2 != 0 || (*text != ':' && *text != '\0')) {
        *why = "the input behind a control code is pairs of hexadecimal "
               "digits, such as 0x222000:01000000, unlike";
        return false;
    }
    if (request->digits > INPUT_DIGITS_MOST) {
        *why = "no more than 4096 bytes of input can be given, unlike";
        return false;
    }
    if (*text++ == '\0') {
        return true;
    }
    if (!read_number(&text, IOCTL_OUTPUT_BYTES, &request->output) ||
        *text != '\0') {
        *why = "the size of the output is a number up to 1048576, as in "
               "0x222000::16, unlike";
        return false;
    }
    return true;
}
