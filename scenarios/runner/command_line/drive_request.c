/* drive_request.c - a request as a command line has it: CODE[:HEX[:BYTES]] of a
 * device control, BYTES[:OFFSET] of a read, HEX[:OFFSET] of a write. */
#include "scenarios/runner/command_line/drive_request.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/runner/language/scenario_limits.h"

enum { OUTPUT_USUAL = 256, INPUT_DIGITS_MOST = 8192 };

/* Up to a colon or the end. */
static bool read_number(const char **text, uint64_t most, uint64_t *number)
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
    *number = value;
    *text = end;
    return true;
}

/* Likewise. */
static bool read_digits(
    const char **text, struct drive_request *request, const char **why)
{
    request->hex = *text;
    request->digits = strspn(*text, "0123456789abcdefABCDEF");
    *text += request->digits;
    if (request->digits % 2 != 0 || (**text != ':' && **text != '\0')) {
        *why = request->kind == DRIVE_WRITE
                   ? "what is written is pairs of hexadecimal digits, such as "
                     "01000000, unlike"
                   : "the input behind a control code is pairs of hexadecimal "
                     "digits, such as 0x222000:01000000, unlike";
        return false;
    }
    if (request->digits > INPUT_DIGITS_MOST) {
        *why = "no more than 4096 bytes of input can be given, unlike";
        return false;
    }
    return true;
}

static bool read_control(
    const char *text, struct drive_request *request, const char **why)
{
    uint64_t number;

    request->output = OUTPUT_USUAL;
    if (!read_number(&text, UINT32_MAX, &number)) {
        *why = "a control code is a number of 32 bits, such as 0x222000, not";
        return false;
    }
    request->code = (uint32_t)number;
    text += *text == ':';
    if (!read_digits(&text, request, why)) {
        return false;
    }
    if (*text++ == '\0') {
        return true;
    }
    if (!read_number(&text, IOCTL_OUTPUT_BYTES, &number) || *text != '\0') {
        *why = "the size of the output is a number up to 1048576, as in "
               "0x222000::16, unlike";
        return false;
    }
    request->output = (uint32_t)number;
    return true;
}

/* What may stand behind a colon; `text` is at that, or at the end. */
static bool read_offset(
    const char *text, struct drive_request *request, const char **why)
{
    if (*text == '\0') {
        return true;
    }
    text++;
    if (!read_number(&text, INT64_MAX, &request->offset) || *text != '\0') {
        *why = "behind the colon stands an offset, such as 0x1000, unlike";
        return false;
    }
    return true;
}

static bool read_read(
    const char *text, struct drive_request *request, const char **why)
{
    uint64_t number;

    if (!read_number(&text, IOCTL_OUTPUT_BYTES, &number)) {
        *why = "how much is read is a number of bytes up to 1048576, not";
        return false;
    }
    request->output = (uint32_t)number;
    return read_offset(text, request, why);
}

static bool read_write(
    const char *text, struct drive_request *request, const char **why)
{
    if (!read_digits(&text, request, why)) {
        return false;
    }
    if (request->digits == 0) {
        *why = "what is written has at least one byte, such as 01, unlike";
        return false;
    }
    return read_offset(text, request, why);
}

bool drive_request_read(enum drive_request_kind kind, const char *text,
    struct drive_request *request, const char **why)
{
    *request = (struct drive_request){.kind = kind, .hex = ""};
    switch (kind) {
    case DRIVE_CONTROL:
        return read_control(text, request, why);
    case DRIVE_READ:
        return read_read(text, request, why);
    case DRIVE_WRITE:
        break;
    }
    return read_write(text, request, why);
}
