/* host_byte.h - whether this process may read and write a byte, asked of the
 * host's kernel, which answers where the processor would fault. Who includes
 * it defines _POSIX_C_SOURCE. */
#ifndef TESTS_SIM_BASE_HOST_BYTE_H
#define TESTS_SIM_BASE_HOST_BYTE_H

#include <stdbool.h>
#include <unistd.h>

#include "tests/rows.h"

/* The byte keeps its value: it is sent through a pipe and put back. */
static inline bool host_byte_is_open(void *byte)
{
    int ends[2];
    bool open;

    assert_int_equal(pipe(ends), 0);
    open = write(ends[1], byte, 1) == 1 && read(ends[0], byte, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return open;
}

#endif
