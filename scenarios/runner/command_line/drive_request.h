/* drive_request.h - a request that --ioctl asks for. */
#ifndef RUNNER_COMMAND_LINE_DRIVE_REQUEST_H
#define RUNNER_COMMAND_LINE_DRIVE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CODE[:HEX[:BYTES]]: what goes in, and how much may come out. */
struct drive_request {
    uint32_t code;
    const char *hex; /* of the input */
    size_t digits;
    uint32_t output; /* bytes */
};

/* False: it is none, and why. */
bool drive_request_read(
    const char *text, struct drive_request *request, const char **why);

#endif
