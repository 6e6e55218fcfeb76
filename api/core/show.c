/* show.c - calls and values of NT types as text, made of the type descriptions.
 */
#include "api/core/show.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "api/core/guest_text.h"
#include "api/core/kernel.h"
#include "api/nt/type.h"

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
    assert(length <= wanted); /* shown[] has room for no more */
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

static bool show_string(struct kernel *kernel, enum nt_type type,
    const void *at, char *text, size_t size)
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

/* Elements of a list that are shown. */
enum { SHOW_ELEMENTS = 4 };

/* Text that grows until it is full. */
struct show {
    struct kernel *kernel;
    char *text;
    size_t size, used;
};

static void show_put(struct show *show, const char *text)
{
    size_t room = show->size - show->used;
    size_t length = strnlen(text, room - 1);

    assert(show->used < show->size); /* there is room for the NUL at least */
    memcpy(show->text + show->used, text, length);
    show->used += length;
    show->text[show->used] = '\0';
}

enum { SHOW_DIGITS = 24 }; /* of 64 bits, with what stands around them */

static void show_decimal(struct show *show, uint64_t value)
{
    char text[SHOW_DIGITS] = {0};
    unsigned at = SHOW_DIGITS - 1;

    do {
        text[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    show_put(show, text + at);
}

/* Of a type of this many bytes. */
static void show_signed(struct show *show, uint64_t value, size_t bytes)
{
    uint64_t sign = UINT64_C(1) << (8 * bytes - 1);

    if ((value & sign) == 0) {
        show_decimal(show, value);
        return;
    }
    show_put(show, "-");
    show_decimal(show, (0 - value) & (2 * sign - 1));
}

static void show_hexadecimal(struct show *show, uint64_t value)
{
    char text[SHOW_DIGITS] = {0};
    unsigned at = SHOW_DIGITS - 1;

    do {
        text[--at] = "0123456789abcdef"[value & 0xF];
        value >>= 4;
    } while (value != 0);
    text[--at] = 'x';
    text[--at] = '0';
    show_put(show, text + at);
}

__attribute__((format(printf, 2, 3))) static void show_add(
    struct show *show, const char *format, ...)
{
    size_t room = show->size - show->used;
    va_list arguments;
    int length;

    assert(show->used < show->size); /* there is room for the NUL at least */
    va_start(arguments, format);
    length = vsnprintf(show->text + show->used, room, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    show->used += (size_t)length < room ? (size_t)length : room - 1;
}

/* A name, or the number in hexadecimal when it has none. */
static void show_named(struct show *show, const char *name, uint64_t value)
{
    if (name != NULL) {
        show_put(show, name);
    } else {
        show_hexadecimal(show, value);
    }
}

enum show_what { SHOW_HANDLE, SHOW_ADDRESS };

/* The name that a room above has for the value; false: none has. */
static bool show_name_of(struct show *show, enum show_what what, uint64_t value)
{
    const struct show_namer *const *namer = show->kernel->hooks->namers;
    char text[SHOW_NAME_BYTES];

    for (; *namer != NULL; namer++) {
        bool (*name)(struct kernel *, uint64_t, char *, size_t) =
            what == SHOW_HANDLE ? (*namer)->handle : (*namer)->address;

        if (name != NULL && name(show->kernel, value, text, sizeof(text))) {
            show_put(show, text);
            return true;
        }
    }
    return false;
}

static void show_pointer(struct show *show, uint64_t value)
{
    const void *address = (const void *)(uintptr_t)value;
    const struct memory_block *block =
        memory_find(&show->kernel->machine->memory, address);

    if (value == 0) {
        show_put(show, "null");
    } else if (show_name_of(show, SHOW_ADDRESS, value)) {
        return;
    } else if (block != NULL) {
        size_t offset = (size_t)((const uint8_t *)address - block->start);

        show_add(show, "block(%zu)", block->usable);
        if (offset != 0) {
            show_add(show, "+%zu", offset);
        }
    } else if (stack_pool_holds(
                   &show->kernel->machine->guest_stacks, address, 1)) {
        show_put(show, "stack");
    } else {
        show_put(show, "wild");
    }
}

static void show_handle(struct show *show, uint64_t value)
{
    if (value == 0) {
        show_put(show, "null");
    } else if (!show_name_of(show, SHOW_HANDLE, value)) {
        show_hexadecimal(show, value);
    }
}

static void show_scalar(struct show *show, enum nt_type type, uint64_t value)
{
    enum arch arch = show->kernel->arch_id;

    switch (nt_type_row(type)->kind) {
    case NT_KIND_UNSIGNED:
        show_decimal(show, value);
        break;
    case NT_KIND_SIGNED:
        show_signed(show, value, nt_type_row(type)->size);
        break;
    case NT_KIND_HEX:
        show_hexadecimal(show, value);
        break;
    case NT_KIND_BOOLEAN:
        show_put(show, value != 0 ? "true" : "false");
        break;
    case NT_KIND_IRQL:
        show_named(show, irql_level_name(arch, (uint8_t)value), value);
        break;
    case NT_KIND_STATUS:
        show_named(show, nt_status_name((uint32_t)value), value);
        break;
    case NT_KIND_ENUM:
        show_named(show, nt_enumerator_name(type, (uint32_t)value), value);
        break;
    case NT_KIND_HANDLE:
        show_handle(show, value);
        break;
    case NT_KIND_CALLBACK:
        show_put(show, value != 0 ? "callback" : "null");
        break;
    case NT_KIND_POINTER:
        show_pointer(show, value);
        break;
    case NT_KIND_STRUCT:
    case NT_KIND_NONE:
        assert(false && "not a scalar");
    }
}

static void show_at(struct show *show, enum nt_type type, const uint8_t *at);

/* Whether the bytes can be looked at without opening pageable memory. */
static bool is_there(const struct show *show, const uint8_t *at, size_t size)
{
    return memory_is_resident(&show->kernel->machine->memory, at, size) ||
           show_can_read(show->kernel, at, size);
}

/* Elements one after another, as many as can be read and are worth a look. */
static void show_list(
    struct show *show, enum nt_type type, const uint8_t *at, uint64_t length)
{
    size_t size = nt_type_row(type)->size;
    uint64_t shown = length < SHOW_ELEMENTS ? length : SHOW_ELEMENTS;

    assert(size > 0);
    show_put(show, "[");
    for (uint64_t i = 0; i < shown; i++, at += size) {
        show_put(show, i == 0 ? "" : ", ");
        if (!is_there(show, at, size)) {
            show_put(show, "?");
            break;
        }
        show_at(show, type, at);
    }
    if (length > shown) {
        show_add(show, ", ... %" PRIu64 " in all", length);
    }
    show_put(show, "]");
}

/* What a typed pointer of the structure at `at` points to, else the pointer. */
static void show_pointee(struct show *show, enum nt_type owner,
    const struct nt_member *member, const uint8_t *at)
{
    const struct nt_member *count = nt_member_count(owner, member);
    uint64_t address = nt_load(at + member->offset, sizeof(address));
    const uint8_t *there = (const uint8_t *)(uintptr_t)address;
    size_t size = nt_type_row(member->pointee)->size;
    char string[SHOW_VALUE_BYTES];

    if (address == 0 || !is_there(show, there, size)) {
        show_pointer(show, address);
    } else if (count != NULL) {
        show_list(show, member->pointee, there,
            nt_load(at + count->offset, nt_type_row(count->type)->size));
    } else if (show_string(show->kernel, member->pointee, there, string,
                   sizeof(string))) {
        show_put(show, string);
    } else {
        show_at(show, member->pointee, there);
    }
}

static void show_member(struct show *show, enum nt_type owner,
    const struct nt_member *member, const uint8_t *at)
{
    const struct nt_member *count = nt_member_count(owner, member);
    size_t size = nt_type_row(member->type)->size;

    show_add(show, "%s=", member->name);
    if (member->pointee != NT_VOID) {
        show_pointee(show, owner, member, at);
        return;
    }
    if (count != NULL) {
        show_list(show, member->type, at + member->offset,
            nt_load(at + count->offset, nt_type_row(count->type)->size));
        return;
    }
    if (member->length == 1) {
        show_at(show, member->type, at + member->offset);
        return;
    }
    assert(member->length > 1);
    for (unsigned i = 0; i < member->length; i++) {
        show_put(show, i == 0 ? "[" : ", ");
        show_at(show, member->type, at + member->offset + i * size);
    }
    show_put(show, "]");
}

static void show_lines(struct show *show, enum nt_type type,
    const struct nt_member *line, size_t count, const uint8_t *at);

/* Of a union the member that the structure's selector names. */
static void show_union(struct show *show, enum nt_type type,
    const struct nt_member *line, const uint8_t *at)
{
    const struct nt_member *meant = nt_type_case(type, at);

    show_add(show, "%s=", line->name);
    if (meant == NULL) {
        show_put(show, "?");
        return;
    }
    assert(meant > line && meant < line + nt_member_lines(line));
    show_lines(show, type, meant, nt_member_lines(meant), at);
}

/* The members of a structure, or of a part of one. */
static void show_lines(struct show *show, enum nt_type type,
    const struct nt_member *line, size_t count, const uint8_t *at)
{
    show_put(show, "{");
    for (size_t i = 0; i < count; i += nt_member_lines(&line[i])) {
        show_put(show, i == 0 ? "" : ", ");
        assert(nt_member_lines(&line[i]) <= count - i);
        if (nt_member_is_overlay(&line[i])) {
            show_put(show, "?"); /* nothing says which member is meant */
        } else if (line[i].line == NT_LINE_MEMBER) {
            show_member(show, type, &line[i], at);
        } else if (line[i].line == NT_LINE_UNION) {
            show_union(show, type, &line[i], at);
        } else {
            show_put(show, line[i].name);
            show_put(show, "=");
            show_lines(
                show, type, &line[i + 1], nt_member_lines(&line[i]) - 2, at);
        }
    }
    show_put(show, "}");
}

static void show_at(struct show *show, enum nt_type type, const uint8_t *at)
{
    const struct nt_type_row *row = nt_type_row(type);

    if (row->kind == NT_KIND_STRUCT) {
        show_lines(show, type, row->member, row->member_count, at);
    } else {
        show_scalar(show, type, nt_load(at, row->size));
    }
}

void show_value(struct kernel *kernel, enum nt_type type, const void *at,
    char *text, size_t size)
{
    struct show show = {.kernel = kernel, .text = text, .size = size};

    assert(size > 0);
    text[0] = '\0';
    show_at(&show, type, at);
}

/* What a pointer points to where the routine reads it, else the pointer. */
static void show_argument(struct show *show, const struct routine_row *row,
    const uint64_t *argument, size_t i)
{
    const struct parameter *parameter = &row->parameter[i];
    const uint8_t *at = (const uint8_t *)(uintptr_t)argument[i];
    char string[SHOW_VALUE_BYTES];

    assert(i < ROUTINE_PARAMETERS && parameter_is_pointer(parameter));
    if (parameter->direction == PARAMETER_VARIADIC) {
        show_put(show, "...");
        return;
    }
    if (!parameter_is_out(parameter) &&
        show_string(
            show->kernel, parameter->type, at, string, sizeof(string))) {
        show_put(show, string);
        return;
    }
    /* Of a lock it counts which one it is. */
    if (parameter_is_out(parameter) || parameter->type == NT_VOID ||
        parameter->type == NT_KSPIN_LOCK || !is_there(show, at, 1)) {
        show_pointer(show, argument[i]);
        return;
    }
    for (size_t k = 0; k < routine_parameter_count(row); k++) {
        if (strcmp(row->parameter[k].name, parameter->count) == 0) {
            show_list(show, parameter->type, at, argument[k]);
            return;
        }
    }
    if (is_there(show, at, nt_type_row(parameter->type)->size)) {
        show_at(show, parameter->type, at);
    } else {
        show_pointer(show, argument[i]);
    }
}

void show_call(struct kernel *kernel, enum routine routine,
    const uint64_t *argument, char *text, size_t size)
{
    struct show show = {.kernel = kernel, .text = text, .size = size};
    const struct routine_row *row = &routine_rows[routine];
    size_t count = routine_parameter_count(row);

    show_put(&show, row->name);
    show_put(&show, "(");
    for (size_t i = 0; i < count; i++) {
        const struct parameter *parameter = &row->parameter[i];

        show_put(&show, i == 0 ? "" : ", ");
        show_put(&show, parameter->name);
        show_put(&show, "=");
        if (parameter_is_pointer(parameter)) {
            show_argument(&show, row, argument, i);
        } else {
            show_scalar(&show, parameter->type, argument[i]);
        }
    }
    show_put(&show, ")");
}

void show_result(struct kernel *kernel, enum routine routine, uint64_t result,
    char *text, size_t size)
{
    struct show show = {.kernel = kernel, .text = text, .size = size};
    enum nt_type type = routine_rows[routine].returns;

    assert(size > 0);
    text[0] = '\0';
    if (type != NT_VOID) {
        show_scalar(&show, type, result);
    }
}
