/* device_register.c - registers of devices: reads, writes and what they do. */
#include "api/mm/device_register.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/trace_events.h"
#include "sim/base/bits.h"

enum write_effect { STORES, DROPS, CLEARS };

static const struct {
    enum write_effect write;
    bool reads, clears;
} rows[REGISTER_ACCESSES] = {
#define REGISTER_ACCESS(name, spelling, write, reads, clears, help)            \
    {write, reads, clears},
#include "api/mm/register_access.def"
};

/* What a scenario's author has to add. */
static _Noreturn void stop_unknown(struct kernel *kernel,
    const struct given_range *range, uint64_t address, uint64_t bytes,
    bool write)
{
    uint64_t at = place_current(kernel);
    char place[PLACE_BYTES];

    place_name(kernel, at, place, sizeof(place));
    run_end_stop(kernel, RUN_NOT_MODELLED,
        "%s %s %llu bytes at physical address 0x%llX, and '%s', from 0x%llX "
        "on, is given no register that has them all",
        at == 0 ? "the step" : place, write ? "writes" : "reads",
        (unsigned long long)bytes, (unsigned long long)address, range->name,
        (unsigned long long)range->base);
}

static const struct given_register *register_with(
    const struct given_range *range, uint64_t offset, uint64_t bytes)
{
    bool odd = bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8;

    for (size_t i = 0; !odd && i < range->register_count; i++) {
        const struct given_register *reg = &range->reg[i];

        if (offset >= reg->at && offset - reg->at < reg->bytes) {
            return bytes <= reg->bytes - (offset - reg->at) ? reg : NULL;
        }
    }
    return NULL;
}

/* The first range that has a byte of the access. */
static const struct given_range *range_with(
    const struct kernel *kernel, uint64_t address, uint64_t bytes)
{
    const struct given_range *range = NULL;

    for (uint64_t i = 0; range == NULL && i < bytes; i++) {
        range = given_memory_at(kernel, address + i);
    }
    return range;
}

struct device_place device_find(
    struct kernel *kernel, uint64_t address, uint64_t bytes, bool write)
{
    const struct given_range *range = range_with(kernel, address, bytes);
    struct device_place place = {.range = NULL};
    uint64_t offset;

    assert(bytes > 0);
    if (range == NULL || given_memory_state(kernel, range)->silent) {
        return place;
    }
    offset = address - range->base; /* wraps where it begins before */
    place.range = range;
    place.bytes = (uint32_t)bytes;
    place.reg = register_with(range, offset, bytes);
    if (place.reg == NULL) {
        stop_unknown(kernel, range, address, bytes, write);
    }
    place.offset = (uint32_t)(offset - place.reg->at);
    place.state =
        &given_memory_state(kernel, range)->reg[place.reg - range->reg];
    assert(place.offset + place.bytes <= place.reg->bytes);
    return place;
}

/* What the whole register gives. */
static uint64_t content(const struct device_place *place)
{
    const struct given_register *reg = place->reg;
    uint64_t next = place->state->reads;

    if (reg->read_count > 0) {
        return reg->reads[next < reg->read_count ? next : reg->read_count - 1];
    }
    return rows[reg->access].reads ? place->state->value : 0;
}

uint64_t device_peek(const struct device_place *place)
{
    return place->reg == NULL
               ? UINT64_MAX
               : bits_get(content(place), 8 * place->offset, 8 * place->bytes);
}

static void record(struct kernel *kernel, const struct device_place *place,
    enum api_event event, uint64_t value)
{
    struct trace *trace = &kernel->machine->trace;

    if (!trace->off) {
        cpu_trace_now(kernel_cpu(kernel), &api_events[event],
            trace_text(trace, place->range->name),
            trace_text(trace, place->reg->name), place->bytes, value);
    }
}

void device_was_read(
    struct kernel *kernel, const struct device_place *place, uint64_t value)
{
    if (place->reg == NULL) {
        return;
    }
    place->state->reads++;
    if (rows[place->reg->access].clears) {
        place->state->value &=
            ~(bits_low(8 * place->bytes) << 8 * place->offset);
    }
    record(kernel, place, API_EVENT_DEVICE_READ, value);
}

/* What the device does, at once. It is no access of a driver's. */
static void act(
    struct kernel *kernel, const struct device_place *place, uint64_t written)
{
    const struct given_register *reg = place->reg;
    struct register_state *states =
        given_memory_state(kernel, place->range)->reg;

    for (size_t i = 0; i < reg->effect_count; i++) {
        const struct register_effect *effect = &reg->effect[i];
        uint64_t *value = &states[effect->reg].value;

        assert(effect->reg < place->range->register_count);
        if ((written & effect->bits) == effect->bits) {
            *value = (*value & ~effect->clears) | effect->sets;
        }
    }
}

void device_write(
    struct kernel *kernel, const struct device_place *place, uint64_t value)
{
    uint64_t written, reached, bits;

    if (place->reg == NULL) {
        return;
    }
    reached = bits_low(8 * place->bytes) << 8 * place->offset;
    bits = reached & place->reg->writable;
    written = value << 8 * place->offset & reached;
    place->state->writes++;
    switch (rows[place->reg->access].write) {
    case STORES:
        place->state->value = (place->state->value & ~bits) | (written & bits);
        break;
    case CLEARS:
        place->state->value &= ~(written & bits);
        break;
    case DROPS:
        break;
    }
    record(kernel, place, API_EVENT_DEVICE_WRITE, value);
    act(kernel, place, written);
}
