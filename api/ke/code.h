/* code.h - code that a driver gave by its address: an overflow handler, a
 * dispatch routine, a worker. */
#ifndef API_KE_CODE_H
#define API_KE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/nt/nt.h"

struct kernel;

enum { CODE_ARGUMENTS = 4 };

/* Any such function, as x64 passes arguments: it takes what it needs. */
typedef uint64_t NTAPI code_function(
    uint64_t first, uint64_t second, uint64_t third, uint64_t fourth);

/* Whether a driver has code at the address. */
bool code_is_at(struct kernel *kernel, uint64_t address);

/* Calls it on the running strand and returns its RAX. Driver code is there. */
uint64_t code_call(struct kernel *kernel, uint64_t address,
    const uint64_t argument[CODE_ARGUMENTS]);

#endif
