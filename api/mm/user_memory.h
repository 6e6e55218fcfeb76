/* user_memory.h - memory of programs: blocks below every address of the
 * kernel's and its drivers'. All programs share it [C]. */
#ifndef API_MM_USER_MEMORY_H
#define API_MM_USER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel;

/* What the kernel's variables of these names hold (MMIO-42b [C]). */
uint64_t user_memory_highest(const struct kernel *kernel);
uint64_t user_memory_system_start(const struct kernel *kernel);
uint64_t user_memory_probe_address(const struct kernel *kernel);

/* A program's buffer; NULL: there is no room. */
void *user_memory_allocate(struct kernel *kernel, size_t size, uint8_t fill);

void user_memory_free(struct kernel *kernel, void *address);

#endif
