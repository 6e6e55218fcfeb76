/* program.h - a random program: drivers that claim counters, free them and set
 * up thread profiling, as data. It is made by generate.c, answered by
 * reference.c and written as a scenario by write.c. */
#ifndef TESTS_RANDOM_PROGRAM_H
#define TESTS_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PROGRAM_STEPS = 40,
    PROGRAM_ACTORS = 3,
    PROGRAM_GROUPS = 4,
    PROGRAM_PROCESSORS = 12,
    PROGRAM_AFFINITIES = 3,
    PROGRAM_DESCRIPTORS = 5,
    PROGRAM_ELEMENTS = 17, /* of a configuration: one more than are legal */
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

struct affinity {
    unsigned group;
    uint64_t mask;
    bool reserved; /* a Reserved word is 1 */
};

/* The values of PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE. */
enum descriptor_type {
    DESCRIPTOR_SINGLE,
    DESCRIPTOR_RANGE,
    DESCRIPTOR_EXTENDED,
    DESCRIPTOR_OVERFLOW,
    DESCRIPTOR_EVENT_BUFFER,
    DESCRIPTOR_TAG,
    DESCRIPTOR_NONE /* no version has it */
};

struct descriptor {
    enum descriptor_type type;
    uint32_t flags;
    uint32_t first, last; /* single: `first`; tag: its value */
    bool handler;         /* overflow: not NULL */
};

struct element {
    uint32_t type, reserved;
    uint64_t index;
};

enum act {
    ACT_ALLOCATE,
    ACT_FREE,
    ACT_CONFIGURE,
    ACT_QUERY,
    ACT_RAISE,
    ACT_LOWER,
    ACT_KINDS
};

struct program_step {
    enum act kind;
    unsigned number; /* its own, also when others are dropped */
    unsigned actor;

    /* ACT_ALLOCATE */
    bool no_handle;      /* CounterSetHandle is NULL */
    bool affinity_given; /* else NULL */
    uint32_t group_count;
    struct affinity affinity[PROGRAM_AFFINITIES];
    size_t affinity_count;
    bool list_given;
    struct descriptor descriptor[PROGRAM_DESCRIPTORS];
    size_t descriptor_count;

    unsigned freed; /* ACT_FREE: the number of the step that allocated */

    /* ACT_CONFIGURE, and of ACT_QUERY the count and `array_given` */
    bool array_given;
    uint32_t count;
    struct element element[PROGRAM_ELEMENTS];

    uint8_t level; /* ACT_RAISE */
};

struct program {
    enum windows windows;
    unsigned groups, per_group; /* processors are numbered group by group */
    unsigned general, fixed;    /* counters: indexes from 0 and from 32 on */
    struct program_step step[PROGRAM_STEPS];
    size_t count;
};

/* Made of the seed and nothing else. */
void program_generate(struct program *program, uint64_t seed);

#endif
