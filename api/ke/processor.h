/* processor.h - processors by group and number. */
#ifndef API_KE_PROCESSOR_H
#define API_KE_PROCESSOR_H

#include <stdint.h>

struct cpu;
struct kernel;

/* The processor with this number in its group; NULL when there is none. */
struct cpu *processor_find(
    struct kernel *kernel, uint32_t group, uint32_t number);

#endif
