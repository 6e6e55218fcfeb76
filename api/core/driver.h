/* driver.h - whoever makes calls, and whose code is called: an actor of a
 * scenario, or a driver with an image. */
#ifndef API_CORE_DRIVER_H
#define API_CORE_DRIVER_H

#include <stdbool.h>

#include "api/nt/nt.h"

struct driver {
    const char *name;
    /* Made with headers from before Windows 10, whose resource descriptors have
     * 16 bytes (HAL-TYPE-06 [C]). */
    bool old_headers;
    bool user; /* it is a process, whose code runs in user mode */
};

/* A function of a driver's, as x64 passes arguments: it takes what it needs. */
typedef uint64_t NTAPI code_function(uint64_t first, uint64_t second,
    uint64_t third, uint64_t fourth, uint64_t fifth, uint64_t sixth);

#endif
