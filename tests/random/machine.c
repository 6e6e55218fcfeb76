/* machine.c - the machines of random programs. */
#include "tests/random/machine.h"

/* Of fixed counters those are left out that count slots: no program uses them.
 */
const struct model machine_models[] = {
    {"intel_v2", REGISTERS_INTEL, 8, 3, true, 32, true, 48, true, false},
    {"intel_v3", REGISTERS_INTEL, 8, 3, true, 32, true, 48, true, false},
    {"intel_v4", REGISTERS_INTEL, 8, 3, true, 32, true, 48, true, false},
    {"intel_v5", REGISTERS_INTEL, 8, 4, false, 32, true, 48, true, false},
    {"skylake", REGISTERS_INTEL, 4, 3, false, 32, true, 48, false, true},
    {"zen4", REGISTERS_AMD, 6, 0, false, 32, true, 48, false, false},
    {"zen2", REGISTERS_AMD, 6, 0, false, 32, false, 48, false, false},
    {"k8", REGISTERS_AMD_LEGACY, 4, 0, false, 32, false, 48, false, false},
    {"neoverse_n1", REGISTERS_ARM, 6, 1, false, 31, true, 32, false, false},
};

const size_t machine_model_count =
    sizeof(machine_models) / sizeof(machine_models[0]);

const char *machine_windows(enum windows windows)
{
    static const char *const names[WINDOWS_COUNT] = {
        "WIN7", "WIN8", "WIN10_PRE1903", "WIN10_1903", "WIN_FE", "WIN11"};

    return names[windows];
}

const char *machine_architecture(enum architecture architecture)
{
    static const char *const names[] = {
        [ARCH_X86] = "x86", [ARCH_X64] = "x64", [ARCH_ARM64] = "arm64"};

    return names[architecture];
}

bool machine_exists(enum windows windows, enum architecture architecture)
{
    switch (architecture) {
    case ARCH_X86:
        return windows <= WINDOWS_10_1903;
    case ARCH_X64:
        return true;
    case ARCH_ARM64:
        return windows >= WINDOWS_10_PRE1903;
    }
    return false;
}

const uint8_t *machine_levels(enum architecture architecture)
{
    static const uint8_t x86[MACHINE_LEVELS] = {1, 2, 27, 28, 31};
    static const uint8_t others[MACHINE_LEVELS] = {1, 2, 13, 14, 15};

    return architecture == ARCH_X86 ? x86 : others;
}

uint8_t machine_profile_level(enum architecture architecture)
{
    return architecture == ARCH_X86 ? 27 : 15;
}

uint8_t machine_ipi_level(enum architecture architecture)
{
    return architecture == ARCH_X86 ? 29 : 14;
}

unsigned machine_first(const struct machine *machine, unsigned group)
{
    unsigned first = 0;

    for (unsigned i = 0; i < group; i++) {
        first += machine->size[i];
    }
    return first;
}

unsigned machine_processors(const struct machine *machine)
{
    return machine_first(machine, machine->groups);
}

uint64_t machine_counters(const struct machine *machine)
{
    return ((UINT64_C(1) << machine->general) - 1) |
           ((UINT64_C(1) << machine->fixed) - 1) << machine->model->fixed_first;
}

bool machine_has_counter(const struct machine *machine, uint32_t index)
{
    return index < MACHINE_INDEXES &&
           (machine_counters(machine) >> index & 1) != 0;
}
