/* register_access.h - RDMSR, WRMSR and RDPMC executed by a driver: what the
 * processor does, and the rules a driver can break with it. */
#ifndef API_KE_REGISTER_ACCESS_H
#define API_KE_REGISTER_ACCESS_H

#include <stdint.h>

struct cpu;
struct kernel;

/* All raise a #GP at the running code as an exception, so they return only
 * when the access succeeded. */
uint64_t register_read(
    struct kernel *kernel, struct cpu *cpu, uint32_t address);
/* RDPMC with ECX = `selector`. */
uint64_t register_rdpmc(
    struct kernel *kernel, struct cpu *cpu, uint32_t selector);
void register_write(
    struct kernel *kernel, struct cpu *cpu, uint32_t address, uint64_t value);

#endif
