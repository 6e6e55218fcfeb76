/* place.c - by the images that are loaded, and their symbols. */
#include "api/image/place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/image/guest.h"
#include "api/image/image.h"
#include "api/kernel.h"
#include "api/ps/thread.h"

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

/* The instruction that made the call which returns to `address`. */
static uint64_t call_site(struct kernel *kernel, uint64_t address)
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

uint64_t place_current(struct kernel *kernel)
{
    const struct guest_frame *frame = guest_innermost(kernel);

    if (frame == NULL || frame == thread_current(kernel)->covered) {
        return 0;
    }
    return frame->by_call ? call_site(kernel, frame->registers.rip)
                          : frame->registers.rip;
}

const char *place_function(struct kernel *kernel, uint64_t address)
{
    const struct image *image = image_ever_at(kernel, address);
    uint32_t offset;

    return image == NULL
               ? NULL
               : symbols_at(&image->pe.symbols,
                     (uint32_t)(address - (uintptr_t)image->base), &offset);
}

void place_name(
    struct kernel *kernel, uint64_t address, char *text, size_t size)
{
    const struct image *image = image_ever_at(kernel, address);
    const char *function;
    uint32_t rva, offset;

    if (image == NULL) {
        snprintf(text, size, "%s",
            address == 0 ? "no driver's code" : "an address in no image");
        return;
    }
    rva = (uint32_t)(address - (uintptr_t)image->base);
    function = symbols_at(&image->pe.symbols, rva, &offset);
    if (function == NULL) {
        snprintf(text, size, "%s+0x%" PRIx32, image->name, rva);
    } else {
        snprintf(text, size, "%s+0x%" PRIx32 " (%s+0x%" PRIx32 ")", image->name,
            rva, function, offset);
    }
}
