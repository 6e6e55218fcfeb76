/* show_string.c - only what is there already is looked at: showing a call opens
 * no pageable memory. */
#include "api/core/show_string.h"

#include <stdio.h>
#include <string.h>

#include "api/core/guest_text.h"
#include "api/core/kernel.h"

enum { SHOWN_CHARACTERS = 64 };

bool show_can_read(const struct kernel *kernel, const void *at, size_t size)
{
    const struct machine *machine = kernel->machine;
    const struct memory *memory = &machine->memory;

    return stack_pool_holds(&machine->guest_stacks, at, size) ||
           (memory_allows(memory, at, size, MEMORY_READ) &&
               !memory_is_pageable(memory, at, size));
}

static bool read_if_there(
    void *context, void *to, uint64_t address, size_t size)
{
    const void *from = (const void *)(uintptr_t)address;

    if (!show_can_read(context, from, size)) {
        return false;
    }
    memcpy(to, from, size);
    return true;
}

/* At most so many characters that begin at `at`. */
static bool show_text(struct kernel *kernel, size_t unit, const void *at,
    size_t most, char *text, size_t size)
{
    const struct guest_reader reader = {kernel, read_if_there};
    uint8_t raw[2 * SHOWN_CHARACTERS];
    char shown[SHOWN_CHARACTERS + 1];
    size_t wanted = most < SHOWN_CHARACTERS ? most : SHOWN_CHARACTERS;
    size_t length =
        guest_text_read(&reader, (uint64_t)(uintptr_t)at, unit, raw, wanted);

    if (length == GUEST_TEXT_FAULT) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        WCHAR c = raw[i * unit];

        if (unit == 2) {
            c = (WCHAR)(c | raw[2 * i + 1] << 8);
        }
        shown[i] = (char)(c >= ' ' && c <= '~' && c != '"' ? c : '.');
    }
    shown[length] = '\0';
    snprintf(
        text, size, "\"%s\"%s", shown, length == SHOWN_CHARACTERS ? "..." : "");
    return true;
}

bool show_string(struct kernel *kernel, enum nt_type type, const void *at,
    char *text, size_t size)
{
    STRING string;
    size_t unit = type == NT_WCHAR || type == NT_UNICODE_STRING ? 2 : 1;

    if (type == NT_CHAR || type == NT_WCHAR) {
        return show_text(kernel, unit, at, SHOWN_CHARACTERS, text, size);
    }
    if ((type != NT_STRING && type != NT_UNICODE_STRING) ||
        !show_can_read(kernel, at, sizeof(string))) {
        return false;
    }
    memcpy(&string, at, sizeof(string));
    return show_text(
        kernel, unit, string.Buffer, string.Length / unit, text, size);
}
