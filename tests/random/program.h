/* program.h - a random program as data: a machine, and drivers that claim
 * counters and event buffers, let counters overflow and events be recorded,
 * free them, set up thread profiling and provide counter sets to a consumer. It
 * is made by generate.c, answered by reference.c and written as a scenario by
 * write.c. */
#ifndef TESTS_RANDOM_PROGRAM_H
#define TESTS_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/random/machine.h"

enum {
    PROGRAM_STEPS = 48,
    PROGRAM_ACTORS = 3,
    PROGRAM_AFFINITIES = 3,
    PROGRAM_DESCRIPTORS = 5,
    PROGRAM_ELEMENTS = 17, /* of a configuration: one more than are legal */
    PROGRAM_RELOADS = 6,   /* handlers that load a counter anew */
    PROGRAM_CALLBACKS = 6, /* of registrations */
    PROGRAM_BLOCKS = 3,    /* of memory that instances lie in */
    PROGRAM_BLOCK_BYTES = 32,
    PROGRAM_COUNTERS = 4,   /* of a counter set */
    PROGRAM_STRUCTURES = 3, /* that they lie in */
    PROGRAM_ADDED = 3,      /* instances that a callback adds */
    PROGRAM_ASKED = 2,      /* counters that a consumer asks for by id */
    PROGRAM_LEAST = 60,     /* events until a loaded counter overflows */
    /* The number of no step. */
    PROGRAM_NOBODY = PROGRAM_STEPS,
    PROGRAM_NULL = PROGRAM_STEPS + 1, /* of none either: a NULL handle */
    PROGRAM_ANY_SUBJECT = 1000
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
    uint32_t first, last;           /* single: `first`; tag: its value */
    bool handler;                   /* overflow, event buffer: not NULL */
    uint32_t threshold, entry_size; /* event buffer */
};

struct element {
    uint32_t type, reserved;
    uint64_t index;
};

/* What the handler of a set writes into a counter of its own. */
struct reload {
    bool used;
    unsigned slot; /* one of PROGRAM_RELOADS, nobody else's */
    uint32_t index;
    uint64_t value;
};

/* HalAllocateHardwareCounters. */
struct claim {
    bool no_handle;      /* CounterSetHandle is NULL */
    bool affinity_given; /* else NULL */
    uint32_t group_count;
    struct affinity affinity[PROGRAM_AFFINITIES];
    size_t affinity_count;
    bool list_given;
    struct descriptor descriptor[PROGRAM_DESCRIPTORS];
    size_t descriptor_count;
    struct reload reload;
};

/* KeSet and KeQueryHardwareCounterConfiguration; the second has no elements. */
struct configuration {
    bool array_given;
    uint32_t count;
    struct element element[PROGRAM_ELEMENTS];
};

/* What is done with a counter of a processor. */
struct counting {
    unsigned processor;
    uint32_t index;
    enum event event;
    bool interrupts;
    uint64_t value;           /* preset, or what is written or cleared */
    uint32_t cycles;          /* of a run, in user code */
    uint32_t ip;              /* of a run, and no other's */
    struct rate rate[EVENTS]; /* what happens in them */
};

/* What of an argument is wrong; which of two faults is told of first is
 * nobody's requirement. */
enum fault {
    FAULT_NONE,
    FAULT_NULL_OUTPUT,
    FAULT_NULL_INFO,
    FAULT_NULL_NAME,
    FAULT_NULL_ARRAY,
    FAULT_NULL_REGISTRATION,
    FAULT_EMPTY_NAME,
    FAULT_BLANK_NAME,
    FAULT_ODD_NAME,
    FAULT_HUGE_COUNT
};

struct pcw_counter {
    uint16_t id, structure, offset, size;
};

/* A PCW_DATA; of no block it is NULL. */
struct pcw_data {
    unsigned block; /* PROGRAM_BLOCKS: none */
    uint32_t size;
};

/* What PcwAddInstance is called with by a callback. */
struct pcw_added {
    unsigned name;
    uint32_t id;
    uint32_t count;
    struct pcw_data data[PROGRAM_STRUCTURES];
};

/* PcwRegister. */
struct registering {
    enum fault fault;
    unsigned name;
    uint32_t version, flags;
    struct pcw_counter counter[PROGRAM_COUNTERS];
    size_t counter_count;
    bool callback;
    unsigned slot; /* of the callback, nobody else's */
    struct pcw_added added[PROGRAM_ADDED];
    size_t added_count;
};

/* PcwCreateInstance. */
struct creating {
    enum fault fault;
    unsigned registration; /* the number of its step */
    unsigned name;
    uint32_t count;
    struct pcw_data data[PROGRAM_STRUCTURES + 1];
};

/* What a consumer asks for. */
struct asking {
    unsigned query; /* the number of the step that opened it; else NOBODY */
    unsigned set_name;
    unsigned pattern;
    bool any_id;
    uint32_t id;
    bool multiple;
    bool enumerate;
    uint16_t counter[PROGRAM_ASKED]; /* none: all of them */
    size_t counter_count;
};

struct storing {
    unsigned block, offset, bytes;
    uint64_t value;
};

enum act {
#define ACT(name, ...) ACT_##name,
#include "tests/random/acts.def"
    ACT_KINDS
};

struct program_step {
    enum act kind;
    unsigned number; /* its own, also when others are dropped */
    unsigned actor;
    unsigned of; /* the number of the step whose set, registration, instance or
                  * query is given up */
    uint8_t level; /* ACT_RAISE */
    struct claim claim;
    struct configuration configuration;
    struct counting counting;
    struct registering registering;
    struct creating creating;
    struct asking asking;
    struct storing storing;
};

struct program {
    struct machine machine;
    unsigned actors; /* each has the processor of its number */
    struct program_step step[PROGRAM_STEPS];
    size_t count;
};

/* What a program can be about, one after another; NULL: no more. */
const char *program_subject_name(unsigned subject);

/* Made of the seed and the subject and nothing else; one is drawn where it is
 * PROGRAM_ANY_SUBJECT. */
void program_generate(struct program *program, uint64_t seed, unsigned subject);

#endif
