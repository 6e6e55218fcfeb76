/* image_place.c - addresses in drivers' images: the instruction that made a
 * call, its image, its function; and what they are called in a trace. */

#include "api/image/image_place.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/core/answers.h"
#include "api/core/kernel.h"
#include "api/core/missing.h"
#include "api/core/thread.h"
#include "api/image/guest.h"
#include "api/image/image.h"
#include "api/image/image_stack.h"
#include "api/image/native.h"

enum { CALL_LONGEST = 6 };

/* Copies bytes of code before `end`; false when they cannot be read. */
static bool read_code(struct kernel *kernel, uint64_t end, uint8_t *to)
{
    struct memory *memory = &kernel->machine->memory;
    const uint8_t *from = (const uint8_t *)(uintptr_t)(end - CALL_LONGEST);

    if (!memory_allows(
            memory, from, CALL_LONGEST, MEMORY_READ | MEMORY_EXECUTE)) {
        return false;
    }
    if (memory_is_pageable(memory, from, CALL_LONGEST)) {
        /* It ran just now; whether it may be touched is not asked here. */
        memory_page_in(memory, from);
        memory_page_in(memory, from + CALL_LONGEST - 1);
        memcpy(to, from, CALL_LONGEST);
        memory_page_out(memory);
        return true;
    }
    memcpy(to, from, CALL_LONGEST);
    return true;
}

uint64_t image_call_site(struct kernel *kernel, uint64_t address)
{
    uint8_t code[CALL_LONGEST];

    if (!read_code(kernel, address, code)) {
        return address;
    }
    if (code[0] == 0xFF && code[1] == 0x15) {
        return address - 6; /* CALL [RIP+disp32] */
    }
    if (code[1] == 0xE8) {
        return address - 5; /* CALL rel32 */
    }
    if (code[4] == 0xFF && (code[5] & 0xF8) == 0xD0) {
        return code[3] == 0x41 ? address - 3 : address - 2; /* CALL register */
    }
    return address - 1;
}

/* Code that went where no image is left no trace but the return address, so its
 * caller is the place. */
static uint64_t place_of_stray(
    struct kernel *kernel, const struct guest_registers *registers)
{
    uint64_t sp = registers->general[GUEST_RSP], caller;

    if (!stack_pool_holds(&kernel->machine->guest_stacks,
            (const void *)(uintptr_t)sp, sizeof(caller))) {
        return registers->rip;
    }
    memcpy(&caller, (const void *)(uintptr_t)sp, sizeof(caller));
    return image_is_code(kernel, caller) ? image_call_site(kernel, caller)
                                         : registers->rip;
}

uint64_t image_place_of(const struct guest_frame *frame)
{
    struct kernel *kernel = frame->kernel;
    const struct guest_registers *registers = guest_registers_of(frame);

    if (frame->by_call) {
        return image_call_site(kernel, registers->rip);
    }
    return image_ever_at(kernel, registers->rip) == NULL
               ? place_of_stray(kernel, registers)
               : registers->rip;
}

static uint64_t of_strand(struct kernel *kernel, struct strand *strand)
{
    const struct guest_frame *frame = thread_of(strand)->guest;

    if (frame == NULL || frame == thread_of(strand)->covered) {
        return 0;
    }
    assert(frame->kernel == kernel);
    return image_place_of(frame);
}

static const char *function_at(struct kernel *kernel, uint64_t address)
{
    struct image *image = image_ever_at(kernel, address);
    uint32_t offset;

    return image == NULL
               ? NULL
               : symbols_at(pe_symbols(&image->pe),
                     (uint32_t)(address - (uintptr_t)image->base), &offset);
}

static void name(
    struct kernel *kernel, uint64_t address, char *text, size_t size)
{
    struct image *image = image_ever_at(kernel, address);
    const char *function;
    uint32_t rva, offset;

    if (image == NULL) {
        snprintf(text, size, "%s",
            address == 0 ? "no driver's code" : "an address in no image");
        return;
    }
    rva = (uint32_t)(address - (uintptr_t)image->base);
    function = symbols_at(pe_symbols(&image->pe), rva, &offset);
    assert(rva < image->pe.image_size);
    assert(function == NULL || offset <= rva);
    if (function == NULL) {
        snprintf(text, size, "%s+0x%" PRIx32, image->name, rva);
    } else {
        snprintf(text, size, "%s+0x%" PRIx32 " (%s+0x%" PRIx32 ")", image->name,
            rva, function, offset);
    }
}

/* An image's size is the compiler's affair. */
static bool name_address(
    struct kernel *kernel, uint64_t value, char *text, size_t size)
{
    const struct missing_import *missing = missing_at(kernel, value);
    uint32_t routine;
    size_t answer;

    if (missing != NULL) {
        snprintf(text, size, "%s", missing->name);
        return true;
    }
    if (native_routine_at(kernel, value, &routine)) {
        snprintf(text, size, "%s", routine_rows[routine].name);
        return true;
    }
    if (native_answer_at(kernel, value, &answer)) {
        snprintf(text, size, "%s", kernel->answers->item[answer].name);
        return true;
    }
    snprintf(text, size, "image");
    return image_at(kernel, value) != NULL;
}

const struct show_namer image_namer = {.address = name_address};

const struct place_finder image_places = {
    of_strand, name, function_at, image_callers, image_stack};
