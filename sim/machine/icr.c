/* icr.c - who is meant, and off it goes. */
#include "sim/machine/icr.h"

#include <stdbool.h>

#include "sim/base/bits.h"
#include "sim/machine/machine.h"

#define ICR_BROADCAST UINT32_MAX

static bool is_meant(
    const struct cpu *from, const struct cpu *to, uint64_t command)
{
    uint32_t destination = (uint32_t)(command >> 32);

    switch ((enum icr_shorthand)bits_get(command, 18, 2)) {
    case ICR_DESTINATION:
        return destination == to->index || destination == ICR_BROADCAST;
    case ICR_SELF:
        return to == from;
    case ICR_ALL:
        return true;
    case ICR_OTHERS:
        return to != from;
    }
    return false;
}

void icr_send(struct cpu *cpu, uint64_t command)
{
    struct machine *machine = cpu->machine;
    bool fixed = bits_get(command, 8, 3) == 0;
    bool logical = bit_is_set(command, 11);

    if (!fixed || logical) {
        return;
    }
    for (uint32_t i = 0; i < machine->config.processors; i++) {
        struct cpu *to = machine_cpu(machine, i);

        if (is_meant(cpu, to, command)) {
            cpu_send(to, (uint8_t)command, cpu->time);
        }
    }
}
