/* machine.h - the machine of a random program: Windows, processors, and what of
 * a PMU the reference and the scenario have to know of it. The figures are the
 * manuals' and the documents', written down again. */
#ifndef TESTS_RANDOM_MACHINE_H
#define TESTS_RANDOM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MACHINE_GROUPS = 4,
    MACHINE_PER_GROUP = 3,
    MACHINE_PROCESSORS = MACHINE_GROUPS * MACHINE_PER_GROUP,
    MACHINE_INDEXES = 64, /* of counters, there or not */
    MACHINE_LEVELS = 5    /* that are raised to */
};

enum windows {
    WINDOWS_7,
    WINDOWS_8,
    WINDOWS_10_PRE1903,
    WINDOWS_10_1903,
    WINDOWS_FE,
    WINDOWS_11,
    WINDOWS_COUNT
};

enum architecture { ARCH_X86, ARCH_X64, ARCH_ARM64 };

/* Whose registers there are. */
enum registers {
    REGISTERS_INTEL,
    REGISTERS_AMD_LEGACY,
    REGISTERS_AMD,
    REGISTERS_ARM
};

struct model {
    const char *name;
    enum registers registers;
    unsigned general, fixed; /* counters; those of a program may be fewer */
    bool may_have_fewer;
    unsigned fixed_first; /* the index of the first fixed one */
    bool has_status;      /* a register tells of overflows */
    unsigned width_bits;
    bool any_width; /* it may be another one */
    bool has_pebs;  /* of general counters, with records of format 3 */
};

enum event { EVENT_INSTRUCTIONS, EVENT_BRANCHES, EVENT_CYCLES, EVENTS };

/* p events in q cycles. */
struct rate {
    unsigned p, q;
};

struct machine {
    enum windows windows;
    enum architecture architecture;
    unsigned groups;
    unsigned size[MACHINE_GROUPS]; /* processors, numbered group by group */
    const struct model *model;
    unsigned general, fixed, width_bits;
    unsigned latency, skid; /* cycles from an overflow to its interrupt */
    bool silos;             /* the second actor is in silo 1 */
};

extern const struct model machine_models[];
extern const size_t machine_model_count;

const char *machine_windows(enum windows windows);

const char *machine_architecture(enum architecture architecture);

/* Whether this Windows ran there. */
bool machine_exists(enum windows windows, enum architecture architecture);

/* The levels that are raised to, in ascending order: APC, DISPATCH and those
 * around the interrupt's (facts 1.3). */
const uint8_t *machine_levels(enum architecture architecture);

/* PROFILE_LEVEL (facts 1.3). */
uint8_t machine_profile_level(enum architecture architecture);

/* IPI_LEVEL: whoever is there or above keeps the HAL out (facts 1.3). */
uint8_t machine_ipi_level(enum architecture architecture);

unsigned machine_processors(const struct machine *machine);

/* The number of a group's first processor. */
unsigned machine_first(const struct machine *machine, unsigned group);

/* A bit for each counter of a processor. */
uint64_t machine_counters(const struct machine *machine);

bool machine_has_counter(const struct machine *machine, uint32_t index);

#endif
