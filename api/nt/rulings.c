/* rulings.c - the switches of our [C] rulings: their values, defaults, and what
 * cannot be switched. */
#include "api/nt/rulings.h"

#include <assert.h>
#include <string.h>

const struct ruling_row ruling_rows[RULING_COUNT] = {
#define RULING(name, id, usual, state, why)                                    \
    [RULING_##name] = {id, RULED_##name##_##usual, RULING_##state, why},
#include "api/nt/rulings.def"
};

const struct ruling_number ruling_numbers[RULING_COUNT] = {
#define NUMBER(name, ...) [RULING_##name] = {__VA_ARGS__},
#include "api/nt/rulings.def"
};

const struct ruled_row ruled_rows[RULED_COUNT] = {
#define RULING(name, id, usual, ...)                                           \
    [RULED_##name##_##usual] = {RULING_##name, #usual, NULL},
#define VALUE(name, value)                                                     \
    [RULED_##name##_##value] = {RULING_##name, #value, NULL},
#define FIXED_VALUE(name, value, why)                                          \
    [RULED_##name##_##value] = {RULING_##name, #value, why},
#include "api/nt/rulings.def"
};

struct rulings rulings_default(void)
{
    struct rulings rulings;

    for (size_t i = 0; i < RULING_COUNT; i++) {
        rulings.value[i] = (uint16_t)ruling_rows[i].usual;
        rulings.number[i] = ruling_numbers[i].usual;
    }
    assert(rulings_check(&rulings));
    return rulings;
}

bool rulings_check(const struct rulings *rulings)
{
    for (size_t i = 0; i < RULING_COUNT; i++) {
        const struct ruling_number *may = &ruling_numbers[i];
        uint16_t value = rulings->value[i];

        assert(value < RULED_COUNT && ruled_rows[value].ruling == i);
        assert(rulings->number[i] == 0 || (rulings->number[i] >= may->low &&
                                              rulings->number[i] <= may->high));
    }
    return true;
}

bool ruling_find(const char *id, enum ruling *ruling)
{
    for (size_t i = 0; i < RULING_COUNT; i++) {
        if (strcmp(ruling_rows[i].id, id) == 0) {
            *ruling = (enum ruling)i;
            return true;
        }
    }
    return false;
}

bool rulings_are_flipped(const struct rulings *rulings)
{
    for (size_t i = 0; i < RULING_COUNT; i++) {
        if (rulings->value[i] != ruling_rows[i].usual ||
            rulings->number[i] != ruling_numbers[i].usual) {
            return true;
        }
    }
    return false;
}
