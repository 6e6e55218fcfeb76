/* code.c - the functions that a workload's events come from, in closed form. */
#include "sim/pmu/code.h"

#include <assert.h>

bool code_check(const struct code *code)
{
    uint64_t round = 0;

    assert(code->count > 0);
    for (size_t i = 0; i < code->count; i++) {
        assert(code->function[i].instructions > 0);
        assert(code->function[i].share > 0);
        assert(code->function[i].step >= 1 && code->function[i].step <= 15);
        round += code->function[i].share;
    }
    assert(round == code->round);
    return true;
}

/* Spreads numbers evenly over 64 bits: the finalizer of splitmix64. */
static uint64_t scramble(uint64_t number)
{
    number += UINT64_C(0x9E3779B97F4A7C15);
    number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
    return number ^ number >> 31;
}

static struct code_place place_in(
    const struct code_function *function, uint64_t instruction)
{
    uint64_t ip = function->ip + instruction * function->step;

    assert(instruction < function->instructions);
    return (struct code_place){ip, instruction + 1 == function->instructions
                                       ? function->branch_to
                                       : ip + function->step};
}

struct code_place code_place(
    const struct code *code, enum event event, uint64_t n)
{
    const struct code_function *function = code->function;
    /* Kinds of events are out of step with each other, too. */
    uint64_t chance = scramble(n / code->round ^ (uint64_t)event << 56);
    uint64_t left = (n % code->round + chance % code->round) % code->round;

    assert(code_check(code));
    assert(event < EVENT_COUNT);
    for (; left >= function->share; function++) {
        left -= function->share;
    }
    if (event == EVENT_BRANCHES || event == EVENT_BRANCH_MISSES) {
        return place_in(function, function->instructions - 1);
    }
    return place_in(
        function, (scramble(chance) + left) % function->instructions);
}
