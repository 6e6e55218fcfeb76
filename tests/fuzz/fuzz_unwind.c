/* fuzz_unwind.c - any unwind information, code, stack and registers: one step
 * up the stack, and a dispatch whose handlers say anything. Nothing may crash
 * or go on for ever. */
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include "api/image/seh.h"
#include "tests/fuzz/fuzz.h"

#define IMAGE UINT64_C(0x140000000)

enum {
    IMAGE_BYTES = 0x400, /* unwind information, tables and code, mixed */
    STACK = 0x70000,
    STACK_BYTES = 0x400,
    FUNCTIONS = 4,
    CALLS = 64, /* after so many the guest says that nothing is handled */
};

struct input {
    uint8_t image[IMAGE_BYTES];
    uint8_t stack[STACK_BYTES];
    uint16_t unwind[FUNCTIONS];
    uint16_t rip, rsp;
    uint8_t frame[16]; /* registers, as words of the stack */
    uint8_t answer[8];
    uint8_t flags;
};

struct guest {
    struct input input;
    struct image_function function[FUNCTIONS];
    struct seh_activation *innermost;
    struct seh_ops ops;
    struct seh_records records[2];
    unsigned calls;
    jmp_buf resumed;
};

static bool guest_read(void *guest_, uint64_t address, void *to, size_t size)
{
    const struct guest *guest = guest_;
    uint64_t rva = address - IMAGE, at = address - STACK;

    if (rva < IMAGE_BYTES && size <= IMAGE_BYTES - rva) {
        memcpy(to, guest->input.image + rva, size);
        return true;
    }
    if (at < STACK_BYTES && size <= STACK_BYTES - at) {
        memcpy(to, guest->input.stack + at, size);
        return true;
    }
    return false;
}

static bool guest_is_code(void *guest, uint64_t address)
{
    (void)guest;
    return address - IMAGE < IMAGE_BYTES;
}

static bool guest_image_at(
    void *guest_, uint64_t address, struct seh_image *image)
{
    const struct guest *guest = guest_;

    *image = (struct seh_image){
        IMAGE, guest->function, FUNCTIONS, IMAGE, IMAGE_BYTES};
    return guest_is_code(guest_, address);
}

static bool guest_on_stack(void *guest, uint64_t sp)
{
    (void)guest;
    return sp >= STACK && sp < STACK + STACK_BYTES;
}

static void guest_context(const struct guest *guest, CONTEXT *context)
{
    const struct input *input = &guest->input;

    memset(context, 0, sizeof(*context));
    for (unsigned i = 0; i < 16; i++) {
        context->Integer[i] = STACK + input->frame[i] * UINT64_C(8);
    }
    context->Rip = IMAGE + input->rip % IMAGE_BYTES;
    context->Rsp = STACK + input->rsp % (STACK_BYTES / 2);
}

/* Even addresses are __C_specific_handler; others answer, and some raise an
 * exception of their own or unwind. */
static uint64_t guest_call(
    void *guest_, uint64_t address, const uint64_t argument[4])
{
    struct guest *guest = guest_;
    uint8_t answer = guest->input.answer[guest->calls % 8];

    if (++guest->calls > CALLS) {
        return ExceptionContinueSearch;
    }
    if (address % 2 == 0 && argument[3] != 0) {
        return seh_c_specific_handler(&guest->ops,
            (EXCEPTION_RECORD *)(uintptr_t)argument[0], argument[1],
            (CONTEXT *)(uintptr_t)argument[2],
            (DISPATCHER_CONTEXT *)(uintptr_t)argument[3]);
    }
    if (answer >= 0xC0) {
        memset(&guest->records[1].record, 0, sizeof(EXCEPTION_RECORD));
        guest_context(guest, &guest->records[1].context);
        guest->records[1].context.Rsp = STACK;
        if (answer >= 0xE0) {
            seh_unwind(&guest->ops, argument[1], IMAGE + answer, NULL, 0,
                &guest->records[1]);
        } else {
            seh_dispatch(&guest->ops, &guest->records[1]);
        }
    }
    return (uint64_t)(int64_t)((answer & 7) - 1);
}

_Noreturn static void guest_resume(void *guest_, const CONTEXT *to)
{
    struct guest *guest = guest_;

    (void)to;
    longjmp(guest->resumed, 1);
}

static void guest_init(struct guest *guest, const uint8_t *data, size_t size)
{
    memset(guest, 0, sizeof(*guest));
    if (size > 0) {
        memcpy(&guest->input, data,
            size < sizeof(guest->input) ? size : sizeof(guest->input));
    }
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        guest->function[i] = (struct image_function){
            i * 0x80, i * 0x80 + 0x70, guest->input.unwind[i]};
    }
    guest->ops = (struct seh_ops){.context = guest,
        .memory = {guest, guest_read},
        .image_at = guest_image_at,
        .on_stack = guest_on_stack,
        .is_code = guest_is_code,
        .call = guest_call,
        .resume = guest_resume,
        .innermost = &guest->innermost};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct guest guest;
    struct unwind_step step;
    CONTEXT context;

    guest_init(&guest, data, size);
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        guest_context(&guest, &context);
        unwind_virtual(
            &guest.ops.memory, IMAGE, &guest.function[i], &context, &step);
    }
    guest_context(&guest, &guest.records[0].context);
    guest.records[0].record.ExceptionFlags = guest.input.flags & 1;
    if (setjmp(guest.resumed) == 0) {
        seh_dispatch(&guest.ops, &guest.records[0]);
    }
    return 0;
}
