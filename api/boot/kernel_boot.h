/* kernel_boot.h - the beginning and the end of a kernel. */
#ifndef API_BOOT_KERNEL_BOOT_H
#define API_BOOT_KERNEL_BOOT_H

#include "api/core/kernel.h"

/* Starts Windows on a machine that was just reset: the HAL takes the PMU's
 * interrupt on every processor. The pair of version and architecture exists.
 * `kernel` is zero, or was booted before: a boot forgets all of that one. */
void kernel_boot(
    struct kernel *kernel, struct machine *machine, enum os os, enum arch arch);

/* Gives back what the kernel took on the host. */
void kernel_release(struct kernel *kernel);

#endif
