/* native.c - the page of thunks through which drivers call the kernel, and the
 * end of one whose code does not come back. */
#include "api/image/native.h"

#include <assert.h>
#include <signal.h>
#include <string.h>

#include "api/core/answers.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/run_end.h"
#include "api/image/dispatch_table.h"
#include "api/image/gate.h"
#include "api/image/trap.h"

/* The page begins with two addresses, the gate's; then a slot for each thunk.
 */
enum {
    SLOT_BYTES = 16,
    SLOT_ADDRESSES = 0,
    SLOT_RETURN,
    SLOT_NOTHING,
    SLOT_JUMP,
    SLOT_FIRST_ROUTINE,
};

static uint8_t *slot_at(uint8_t *thunks, uint32_t slot)
{
    return thunks + (size_t)slot * SLOT_BYTES;
}

bool native_check(const struct native *native)
{
    uint8_t *thunks = native->thunks;

    assert((uintptr_t)thunks % MEMORY_PAGE_BYTES == 0);
    assert((uintptr_t)native->data % MEMORY_PAGE_BYTES == 0);
    assert((uintptr_t)native->shared % MEMORY_PAGE_BYTES == 0);
    assert(thunks != NULL || native->images == NULL);
    assert(native->return_address ==
           (thunks == NULL ? 0 : (uintptr_t)slot_at(thunks, SLOT_RETURN)));
    assert(native->nothing ==
           (thunks == NULL ? 0 : (uintptr_t)slot_at(thunks, SLOT_NOTHING)));
    assert(native->jump ==
           (thunks == NULL ? 0 : (uintptr_t)slot_at(thunks, SLOT_JUMP)));
    return true;
}

/* MOV EAX, number; JMP [address at the page's start + `which`]. */
static void write_thunk(
    uint8_t *thunks, uint32_t slot, uint32_t number, unsigned which)
{
    uint8_t *at = slot_at(thunks, slot);
    int32_t distance = (int32_t)(thunks + 8 * which - (at + 11));

    at[0] = 0xB8;
    memcpy(at + 1, &number, sizeof(number));
    at[5] = 0xFF;
    at[6] = 0x25;
    memcpy(at + 7, &distance, sizeof(distance));
}

/* JMP [address], for a return: RAX is the result. */
static void write_return(uint8_t *thunks)
{
    uint8_t *at = slot_at(thunks, SLOT_RETURN);
    int32_t distance = (int32_t)(thunks + 8 - (at + 6));

    at[0] = 0xFF;
    at[1] = 0x25;
    memcpy(at + 2, &distance, sizeof(distance));
}

/* Of routines, then of dispatch_table.h, then of answers. */
static uint32_t thunk_count(const struct kernel *kernel)
{
    return ROUTINE_COUNT + DISPATCH_THUNKS + (uint32_t)answers_count(kernel);
}

bool native_prepare(struct kernel *kernel)
{
    struct memory *memory = &kernel->machine->memory;
    struct native *native = kernel->native;
    size_t bytes = (SLOT_FIRST_ROUTINE + thunk_count(kernel)) * SLOT_BYTES;
    size_t pages = (bytes + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES;
    const uint64_t entries[2] = {gate_import(), gate_return()};
    uint8_t *thunks;

    if (native->thunks != NULL) {
        return true;
    }
    thunks = memory_alloc(memory, pages * MEMORY_PAGE_BYTES, 0xCC);
    if (thunks == NULL) {
        return false;
    }
    memcpy(thunks, entries, sizeof(entries));
    write_return(thunks);
    *slot_at(thunks, SLOT_NOTHING) = 0xC3;             /* RET */
    memcpy(slot_at(thunks, SLOT_JUMP), "\xFF\xE0", 2); /* JMP RAX */
    for (uint32_t i = 0; i < thunk_count(kernel); i++) {
        write_thunk(thunks, SLOT_FIRST_ROUTINE + i, i, 0);
    }
    if (!memory_set(
            memory, thunks, pages, MEMORY_READ | MEMORY_EXECUTE, false)) {
        return false;
    }
    native->thunks = thunks;
    native->return_address = (uintptr_t)slot_at(thunks, SLOT_RETURN);
    native->nothing = (uintptr_t)slot_at(thunks, SLOT_NOTHING);
    native->jump = (uintptr_t)slot_at(thunks, SLOT_JUMP);
    assert(native_check(native));
    return true;
}

uint64_t native_thunk(const struct kernel *kernel, uint32_t routine)
{
    assert(kernel->native->thunks != NULL);
    assert(routine < thunk_count(kernel));
    return (uintptr_t)slot_at(
        kernel->native->thunks, SLOT_FIRST_ROUTINE + routine);
}

uint64_t native_answer_thunk(const struct kernel *kernel, size_t answer)
{
    return native_thunk(
        kernel, ROUTINE_COUNT + DISPATCH_THUNKS + (uint32_t)answer);
}

bool native_routine_at(
    const struct kernel *kernel, uint64_t address, uint32_t *routine)
{
    uint64_t first;

    if (kernel->native->thunks == NULL) {
        return false;
    }
    first = native_thunk(kernel, 0);
    if (address < first || (address - first) % SLOT_BYTES != 0 ||
        (address - first) / SLOT_BYTES >= ROUTINE_COUNT) {
        return false;
    }
    *routine = (uint32_t)((address - first) / SLOT_BYTES);
    assert(native_thunk(kernel, *routine) == address);
    return true;
}

bool native_answer_at(
    const struct kernel *kernel, uint64_t address, size_t *answer)
{
    for (size_t i = 0;
         kernel->native->thunks != NULL && i < answers_count(kernel); i++) {
        if (native_answer_thunk(kernel, i) == address) {
            *answer = i;
            return true;
        }
    }
    return false;
}

void native_check_time(struct kernel *kernel)
{
    char place[PLACE_BYTES];

    if (trap_time_is_up == 0) {
        return;
    }
    place_name(kernel, place_current(kernel), place, sizeof(place));
    run_end_stop(kernel, RUN_TIMEOUT,
        "the driver's code took all its processor time and was at %s; code "
        "that waits needs PAUSE or a call of the kernel, or no time passes",
        place);
}
