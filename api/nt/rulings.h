/* rulings.h - what our [C] rulings can be switched to: the rows of rulings.def.
 * What they are switched to in a kernel is core/ruling.h. */
#ifndef API_NT_RULINGS_H
#define API_NT_RULINGS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum ruling {
#define RULING(name, ...) RULING_##name,
#include "api/nt/rulings.def"
    RULING_COUNT
};

/* The values of all rulings in one list, so that a value names its ruling; a
 * ruling's are side by side, the default first. */
enum ruled {
#define RULING(name, id, usual, ...) RULED_##name##_##usual,
#define VALUE(name, value) RULED_##name##_##value,
#include "api/nt/rulings.def"
    RULED_COUNT
};

enum ruling_state {
    RULING_FLIPS,
    RULING_FIXED,
    RULING_NOT_MODELLED,
    RULING_OF_CTRPP, /* no scenario flips it */
};

struct ruling_row {
    const char *id; /* the requirement's */
    enum ruled usual;
    enum ruling_state state;
    const char *why; /* a scenario cannot flip it; NULL: it can */
};

/* What the value `number` may be; 0 where the ruling has no such value. */
struct ruling_number {
    uint64_t usual; /* 0: the default is a word */
    uint64_t low, high;
    bool is_time; /* in microseconds */
};

struct ruled_row {
    enum ruling ruling;
    const char *name;
    const char *why; /* just this value cannot be chosen; NULL: it can */
};

extern const struct ruling_row ruling_rows[RULING_COUNT];
extern const struct ruling_number ruling_numbers[RULING_COUNT];
extern const struct ruled_row ruled_rows[RULED_COUNT];

/* The values that hold for a kernel. */
struct rulings {
    uint16_t value[RULING_COUNT];  /* enum ruled */
    uint64_t number[RULING_COUNT]; /* where the value is `number` */
};

/* What holds when nothing is flipped. */
struct rulings rulings_default(void);

/* Whether each value is one of its own ruling, and each number one that may be
 * chosen; asserts each part. */
bool rulings_check(const struct rulings *rulings);

/* Finds the switch of a requirement; false when it has none. */
bool ruling_find(const char *id, enum ruling *ruling);

/* Whether one of them is not the default. */
bool rulings_are_flipped(const struct rulings *rulings);

/* Whether this value of its ruling is among them. */
static inline bool rulings_have(const struct rulings *rulings, enum ruled value)
{
    assert(value < RULED_COUNT);
    return rulings->value[ruled_rows[value].ruling] == value;
}

#endif
