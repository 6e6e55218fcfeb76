/* place.c - no driver is native yet. */
#include "api/image/place.h"

#include <stdio.h>

uint64_t place_current(struct kernel *kernel)
{
    (void)kernel;
    return 0;
}

void place_name(
    struct kernel *kernel, uint64_t address, char *text, size_t size)
{
    (void)kernel;
    (void)address;
    snprintf(text, size, "nowhere");
}

const char *place_function(struct kernel *kernel, uint64_t address)
{
    (void)kernel;
    (void)address;
    return NULL;
}
