/* seh_scene.h - a guest without code: an image of unwind data, a stack of
 * words, and handlers, filters and __finally blocks that say what the test
 * wants. */
#ifndef TESTS_API_IMAGE_SEH_SCENE_H
#define TESTS_API_IMAGE_SEH_SCENE_H

#include <stdio.h>
#include <string.h>

#include "api/image/seh.h"
#include "tests/rows.h"

#define GUEST_BASE UINT64_C(0x140000000)

/* Functions of 0x100 bytes at these rvas; all but the leaf allocate 0x20 bytes
 * in a prologue of 4. A return of one byte is at + 0x50. */
enum {
    GUEST_PLAIN = 0x1000,
    GUEST_F = 0x2000,       /* handler: __C_specific_handler */
    GUEST_G = 0x3000,       /* the same */
    GUEST_CUSTOM = 0x4000,  /* handler: GUEST_HANDLER, both phases */
    GUEST_FUNCLET = 0x6000, /* what filters and __finally blocks are in */
    GUEST_LEAF = 0x7000,
    GUEST_INFO = 0x8000, /* 0x100 bytes each, in the order of the functions */
    GUEST_PDATA = 0x8F00,
    GUEST_C_SPECIFIC = 0x9000,
    GUEST_HANDLER = 0x9100,
    GUEST_A = 0x9200, /* a filter or a __finally */
    GUEST_B = 0x9300,
    GUEST_C = 0x9400,
    GUEST_IMAGE_BYTES = 0xA000,
    GUEST_STACK = 0x70000,
    GUEST_STACK_WORDS = 0x1000,
    GUEST_OUTSIDE = 0x5000, /* where the outermost frame returns to */
    GUEST_STUB = 0x6000,    /* code outside of the image */
    GUEST_FRAMES = 5,
    GUEST_SCOPES = 3,
};

enum outcome { CONTINUED, UNHANDLED, BROKEN, RESUMED };

struct guest;

struct guest_callee {
    uint64_t returns;
    void (*act)(struct guest *guest); /* before it returns; may be NULL */
};

struct guest_scope {
    uint32_t begin, end, handler, target;
};

struct guest {
    uint8_t image[GUEST_IMAGE_BYTES];
    uint64_t stack[GUEST_STACK_WORDS];
    uint64_t end; /* of the stack: above it is no guest frame */
    struct image_function function[5];
    struct seh_activation *innermost;
    struct seh_ops ops;
    struct seh_records records[3]; /* of exceptions inside each other */
    struct guest_callee a, b, c, handler;
    enum seh_result nested; /* what an exception inside came to */
    char log[400];
    jmp_buf resumed;
    CONTEXT resumed_to;
};

static inline bool guest_read(
    void *guest_, uint64_t address, void *to, size_t size)
{
    const struct guest *guest = guest_;
    uint64_t rva = address - GUEST_BASE, at = address - GUEST_STACK;
    const struct seh_records *records = guest->records;

    if (rva < sizeof(guest->image) && size <= sizeof(guest->image) - rva) {
        memcpy(to, guest->image + rva, size);
        return true;
    }
    if (at < sizeof(guest->stack) && size <= sizeof(guest->stack) - at) {
        memcpy(to, (const uint8_t *)guest->stack + at, size);
        return true;
    }
    at = address - (uintptr_t)records;
    if (at < sizeof(guest->records) && size <= sizeof(guest->records) - at) {
        memcpy(to, (const uint8_t *)records + at, size);
        return true;
    }
    return false;
}

static inline bool guest_image_at(
    void *guest_, uint64_t address, struct seh_image *image)
{
    struct guest *guest = guest_;

    *image = (struct seh_image){GUEST_BASE, guest->function, 5,
        GUEST_BASE + GUEST_PDATA, GUEST_IMAGE_BYTES};
    return address - GUEST_BASE < GUEST_IMAGE_BYTES;
}

static inline bool guest_on_stack(void *guest_, uint64_t sp)
{
    const struct guest *guest = guest_;

    return sp >= GUEST_STACK && sp < guest->end;
}

static inline bool guest_is_code(void *guest_, uint64_t address)
{
    (void)guest_;
    return address == GUEST_STUB ||
           (address - GUEST_BASE < GUEST_IMAGE_BYTES &&
               (address - GUEST_BASE < GUEST_INFO ||
                   address - GUEST_BASE >= GUEST_C_SPECIFIC));
}

static inline void guest_log(struct guest *guest, const char *text)
{
    assert_true(strlen(guest->log) + strlen(text) < sizeof(guest->log));
    strcat(guest->log, text);
}

/* A log of "A?70028 " is filter A asked for the frame 0x70028, "B!70028 " a
 * __finally run, "H22@70028 " the handler with these flags. */
static inline uint64_t guest_call(
    void *guest_, uint64_t address, const uint64_t argument[4])
{
    struct guest *guest = guest_;
    EXCEPTION_RECORD *record = (EXCEPTION_RECORD *)(uintptr_t)argument[0];
    const struct guest_callee *callee;
    char text[64];

    if (address == GUEST_BASE + GUEST_C_SPECIFIC) {
        return seh_c_specific_handler(&guest->ops, record, argument[1],
            (CONTEXT *)(uintptr_t)argument[2],
            (DISPATCHER_CONTEXT *)(uintptr_t)argument[3]);
    }
    if (address == GUEST_BASE + GUEST_HANDLER) {
        callee = &guest->handler;
        snprintf(text, sizeof(text), "H%x@%llx ",
            (unsigned)record->ExceptionFlags, (unsigned long long)argument[1]);
    } else {
        callee = address == GUEST_BASE + GUEST_A   ? &guest->a
                 : address == GUEST_BASE + GUEST_B ? &guest->b
                                                   : &guest->c;
        snprintf(text, sizeof(text), "%c%c%llx ",
            (int)('A' + (callee - &guest->a)), argument[0] == 1 ? '!' : '?',
            (unsigned long long)argument[1]);
    }
    guest_log(guest, text);
    if (callee->act != NULL) {
        callee->act(guest);
    }
    return callee->returns;
}

_Noreturn static inline void guest_resume(void *guest_, const CONTEXT *to)
{
    struct guest *guest = guest_;

    guest->resumed_to = *to;
    longjmp(guest->resumed, 1);
}

static inline void guest_init(struct guest *guest)
{
    static const struct {
        uint32_t begin;
        uint8_t flags;
        uint16_t handler;
    } row[5] = {{GUEST_PLAIN, 0, 0}, {GUEST_F, 3, GUEST_C_SPECIFIC},
        {GUEST_G, 3, GUEST_C_SPECIFIC}, {GUEST_CUSTOM, 3, GUEST_HANDLER},
        {GUEST_FUNCLET, 0, 0}};

    memset(guest, 0, sizeof(*guest));
    memset(guest->image, 0x90, GUEST_INFO);
    for (unsigned i = 0; i < 5; i++) {
        uint8_t info[12] = {(uint8_t)(1 | row[i].flags << 3), 4, 1, 0, 4, 0x32,
            0, 0, (uint8_t)row[i].handler, (uint8_t)(row[i].handler >> 8)};

        guest->function[i] = (struct image_function){
            row[i].begin, row[i].begin + 0x100, GUEST_INFO + i * 0x100};
        memcpy(guest->image + GUEST_INFO + i * 0x100, info, sizeof(info));
        guest->image[row[i].begin + 0x50] = 0xC3;
    }
    memcpy(
        guest->image + GUEST_PDATA, guest->function, sizeof(guest->function));
    guest->ops = (struct seh_ops){.context = guest,
        .memory = {guest, guest_read},
        .image_at = guest_image_at,
        .on_stack = guest_on_stack,
        .is_code = guest_is_code,
        .call = guest_call,
        .resume = guest_resume,
        .innermost = &guest->innermost};
}

/* The scope table of GUEST_F (function 1) or GUEST_G (2). */
static inline void guest_scopes(
    struct guest *guest, unsigned function, const struct guest_scope *scope)
{
    uint8_t *at = guest->image + GUEST_INFO + function * 0x100 + 12;
    uint32_t count = 0;

    while (count < GUEST_SCOPES && scope[count].end != 0) {
        count++;
    }
    memcpy(at, &count, sizeof(count));
    memcpy(at + 4, scope, count * sizeof(*scope));
}

/* Lays out frames from `sp` up, the innermost first, at these rvas; they return
 * to `outside`. A frame whose code is a leaf, not begun or at its return, takes
 * a word, the others 5. Returns the stack pointer above them. */
static inline uint64_t guest_frames(struct guest *guest, CONTEXT *context,
    uint64_t sp, const uint32_t *rva, uint64_t outside)
{
    *context = (CONTEXT){
        .Rip = rva[0] == 0 ? 0 : GUEST_BASE + rva[0], .Rsp = sp, .Rbx = 0xB0B};
    for (unsigned i = 0; i < GUEST_FRAMES && (i == 0 || rva[i] != 0); i++) {
        bool small = rva[i] == 0 || rva[i] >= GUEST_LEAF ||
                     (rva[i] & 0xFF) == 0 || (rva[i] & 0xFF) == 0x50;
        bool last = i == GUEST_FRAMES - 1 || rva[i + 1] == 0;

        sp += small ? 8 : 0x28;
        guest->stack[(sp - GUEST_STACK) / 8 - 1] =
            last ? outside : GUEST_BASE + rva[i + 1];
    }
    return sp;
}

/* An access violation in the innermost of these frames. */
static inline void guest_fault(struct guest *guest, const uint32_t *rva)
{
    struct seh_records *records = &guest->records[0];

    records->record.ExceptionCode = STATUS_ACCESS_VIOLATION;
    guest->end = guest_frames(
        guest, &records->context, GUEST_STACK + 0x100, rva, GUEST_OUTSIDE);
}

/* An exception inside: raised by the funclet that is called now, `depth` calls
 * deep, below the frames of the exceptions before it. */
static inline void guest_fault_inside(
    struct guest *guest, unsigned depth, const uint32_t *rva)
{
    struct seh_records *records = &guest->records[depth];

    records->record =
        (EXCEPTION_RECORD){.ExceptionCode = STATUS_PRIVILEGED_INSTRUCTION};
    guest_frames(guest, &records->context,
        GUEST_STACK + 0x100 - 0x80 * (uint64_t)depth, rva, GUEST_OUTSIDE);
}

static inline enum outcome guest_dispatch(struct guest *guest)
{
    if (setjmp(guest->resumed) != 0) {
        return RESUMED;
    }
    return (enum outcome)seh_dispatch(&guest->ops, &guest->records[0]);
}

#endif
