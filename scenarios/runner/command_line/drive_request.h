/* drive_request.h - a request that --ioctl, --read or --write asks for. */
#ifndef RUNNER_COMMAND_LINE_DRIVE_REQUEST_H
#define RUNNER_COMMAND_LINE_DRIVE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum drive_request_kind {
    DRIVE_CONTROL, /* CODE[:HEX[:BYTES]] */
    DRIVE_READ,    /* BYTES[:OFFSET] */
    DRIVE_WRITE,   /* HEX[:OFFSET] */
};

/* What goes in, and how much may come out. */
struct drive_request {
    enum drive_request_kind kind;
    uint32_t code;   /* of DRIVE_CONTROL */
    const char *hex; /* of the input, or of what is written */
    size_t digits;
    uint32_t output; /* bytes; of DRIVE_READ as many as are read */
    uint64_t offset; /* of DRIVE_READ and DRIVE_WRITE */
};

/* False: it is none of that kind, and why. */
bool drive_request_read(enum drive_request_kind kind, const char *text,
    struct drive_request *request, const char **why);

#endif
