/* native.h - what a kernel keeps of drivers that run natively: their images,
 * and the way from their imports to the kernel. */
#ifndef API_IMAGE_NATIVE_H
#define API_IMAGE_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/image/instruction.h"

struct image;
struct kernel;

enum {
    NATIVE_TRAPPED = 64,
    NATIVE_STRAYS = 1000, /* more and the driver is looking for something */
};

struct native {
    struct image *images;    /* in order of loading */
    uint8_t *thunks;         /* guest memory; one for each routine */
    uint8_t *data;           /* the same: the kernel's variables */
    uint8_t *shared;         /* the same: KUSER_SHARED_DATA */
    uint64_t return_address; /* where a driver's function returns to */
    uint64_t nothing;        /* code that only returns */
    uint64_t jump;           /* code that jumps to RAX */
    struct instruction_memo trapped[NATIVE_TRAPPED]; /* instructions */
    uint32_t strays; /* addresses touched that are nobody's */
};

/* Is true: ends the process where what is kept does not fit together. */
bool native_check(const struct native *native);

/* Makes what every image needs, in guest memory. Returns false when there is
 * no room. A second call does nothing. */
bool native_prepare(struct kernel *kernel);

/* The address that an import of this routine gets; behind those are the thunks
 * of dispatch_table.h, and of answers. */
uint64_t native_thunk(const struct kernel *kernel, uint32_t routine);
uint64_t native_answer_thunk(const struct kernel *kernel, size_t answer);

/* The routine whose thunk that address is. False when it is none's. */
bool native_routine_at(
    const struct kernel *kernel, uint64_t address, uint32_t *routine);

/* The same of answers. */
bool native_answer_at(
    const struct kernel *kernel, uint64_t address, size_t *answer);

/* Stops when SIGPROF has come: the processor time that drivers' code may take
 * on this host is up. It is the one thing here that depends on the host, and it
 * only decides that a driver does not come back. */
void native_check_time(struct kernel *kernel);

#endif
