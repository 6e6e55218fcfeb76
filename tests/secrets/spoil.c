/* spoil.c - a driver stores 0, 1 and all ones, 8 and 64 bytes, at the words of
 * all that it can reach and of what lay at a fixed address once: a scenario
 * that fails never passes for it, and nobody but the driver is blamed.
 *
 * usage: spoil SCENARIO DRIVERS [--from N] [--count N] [--one N]
 *
 * The N-th store is the same in every run. Prints the counts as a line of JSON,
 * and each store that is amiss. Exits with 0 when there was none. */
#define _GNU_SOURCE
#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/image/gate.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/native_instance.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "sim/base/splitmix.h"

enum {
    BUDGET = 1 << 20,
    CPU_US = 2000000,
    REGIONS = 16,
    WORD = 8,
    STEP = 7919
};

/* Part of the driver's file: tests/drivers/spoil.c. */
struct store_order {
    uint8_t mark[16];
    uint64_t address, value, words;
};

struct region {
    uint64_t low, size;
};

/* What lay there at addresses that everybody knew. */
static const struct region old_regions[] = {
    {UINT64_C(0x180000000000), 20 << 20}, /* the arena */
    {UINT64_C(0x180100000000), 1 << 20},  /* our stacks */
    {UINT64_C(0x400000), 4 << 20},        /* the program */
};

enum { OLD_REGIONS = sizeof(old_regions) / sizeof(old_regions[0]) };

struct spoil {
    struct session session;
    struct instance instance;
    uint8_t *order; /* in the driver's bytes */
    struct region region[REGIONS];
    size_t regions;
    uint64_t words; /* in them */
    size_t result[RESULT_COUNT];
    size_t amiss;
};

static void add_region(struct spoil *spoil, uint64_t low, uint64_t size)
{
    assert(spoil->regions < REGIONS);
    spoil->region[spoil->regions++] = (struct region){low, size};
    spoil->words += size / WORD;
}

static void put_order(struct spoil *spoil, const struct store_order *order)
{
    memcpy(spoil->order + sizeof(order->mark), &order->address,
        sizeof(*order) - sizeof(order->mark));
}

/* Where all lies follows from the scenario: a run in this process shows it. */
static void find_regions(struct spoil *spoil)
{
    const struct memory *memory = &spoil->session.machine.memory;
    const struct stack_pool *stacks = &spoil->session.machine.guest_stacks;
    struct verdict *verdict =
        run_instance(NULL, &spoil->session, &spoil->instance);

    assert(verdict->result == RESULT_FAIL);
    talloc_free(verdict);
    add_region(spoil, (uintptr_t)memory->base, memory->used * 4096);
    add_region(spoil, (uintptr_t)stacks->base, stacks->stack_bytes + 8192);
    add_region(spoil, GATE_ADDRESS, GATE_BYTES);
    for (size_t i = 0; i < OLD_REGIONS; i++) {
        add_region(spoil, old_regions[i].low, old_regions[i].size);
    }
}

/* All of the guest's words come, in steps of a prime; one store in four is
 * anywhere in the others. */
static uint64_t address_of(const struct spoil *spoil, uint64_t number)
{
    struct splitmix random = {number};
    uint64_t guest = 0, word;
    size_t i = 0;

    for (size_t k = 0; k + OLD_REGIONS < spoil->regions; k++) {
        guest += spoil->region[k].size / WORD;
    }
    word = number % 4 == 3
               ? guest + splitmix_next(&random) % (spoil->words - guest)
               : (number / 4 * 3 + number % 4) * STEP % guest;
    while (word >= spoil->region[i].size / WORD) {
        word -= spoil->region[i].size / WORD;
        i++;
    }
    return spoil->region[i].low + word * WORD;
}

static struct store_order order_of(const struct spoil *spoil, uint64_t number)
{
    static const uint64_t values[] = {0, 1, UINT64_MAX};

    return (struct store_order){.address = address_of(spoil, number),
        .value = values[number / 4 % 3],
        .words = number / 12 % 2 == 0 ? 1 : 8};
}

/* Neither has it been judged better than it is, nor is somebody else blamed. */
static bool is_right(const struct verdict *verdict)
{
    return verdict->result == RESULT_FAIL || verdict->result == RESULT_ERROR ||
           verdict->result == RESULT_TIMEOUT;
}

static void store(struct spoil *spoil, uint64_t number, bool shown)
{
    const struct store_order order = order_of(spoil, number);
    struct verdict *verdict;

    put_order(spoil, &order);
    verdict = native_instance_run(
        NULL, &spoil->session, &spoil->instance, CPU_US, NULL);
    spoil->result[verdict->result]++;
    if (!is_right(verdict) || shown) {
        fprintf(stderr,
            "store %" PRIu64 " of %" PRIu64 " words %" PRIX64 "h at %" PRIX64
            "h: %s%s: %s\n",
            number, order.words, order.value, order.address,
            is_right(verdict) ? "" : "judged wrongly, ",
            verdict_result_name(verdict->result),
            verdict->failure_count == 0 ? "" : verdict->failure[0].message);
    }
    spoil->amiss += !is_right(verdict);
    talloc_free(verdict);
}

static void open_spoil(struct spoil *spoil, char **argument)
{
    struct suite *suite = suite_read(NULL, &language_kinds, argument, 1);
    const char *drivers[1] = {argument[1]};
    const struct driver_file *file;
    bool opened = session_open(&spoil->session, suite->requirements);

    assert(opened && suite->instances->count == 1);
    (void)opened;
    spoil->session.budget = BUDGET;
    spoil->session.keep_going = true;
    spoil->session.drivers = driver_files_new(suite, drivers, 1);
    spoil->instance = instance_open(suite, &suite->instances->item[0]);
    file = driver_files_find(spoil->session.drivers, "spoil.sys");
    assert(file != NULL && file->bytes != NULL);
    spoil->order = memmem(file->bytes, file->size, "spoil order here", 16);
    assert(spoil->order != NULL);
}

int main(int argc, char **argv)
{
    static struct spoil spoil;
    uint64_t from = 0, count = 300;
    bool one = false;

    assert(argc >= 3);
    for (int i = 3; i + 1 < argc; i += 2) {
        uint64_t number = strtoull(argv[i + 1], NULL, 10);

        one |= strcmp(argv[i], "--one") == 0;
        from = strcmp(argv[i], "--count") == 0 ? from : number;
        count = strcmp(argv[i], "--count") == 0 ? number : count;
    }
    open_spoil(&spoil, argv + 1);
    find_regions(&spoil);
    for (uint64_t i = 0; i < (one ? 1 : count); i++) {
        store(&spoil, from + i, one);
    }
    printf("{\"from\": %" PRIu64 ", \"count\": %" PRIu64, from, count);
    for (enum result r = 0; r < RESULT_COUNT; r++) {
        printf(", \"%s\": %zu", verdict_result_name(r), spoil.result[r]);
    }
    printf(", \"amiss\": %zu}\n", spoil.amiss);
    session_close(&spoil.session);
    return spoil.amiss == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
