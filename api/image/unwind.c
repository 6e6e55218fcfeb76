/* unwind.c - one frame of x64 code undone: what its prologue did, or the rest
 * of its epilogue ("x64 exception handling", unwind procedure). */
#include "api/image/unwind.h"

#include <assert.h>

#include "api/image/epilogue.h"
#include "api/image/unwind_info.h"

/* A prologue has at most 255 bytes, and in it fewer have run. */
enum { REGISTER_SP = 4, WHOLE_PROLOGUE = 0xFF };

enum unwind_op {
    PUSH_NONVOL = 0,
    ALLOC_LARGE = 1,
    ALLOC_SMALL = 2,
    SET_FPREG = 3,
    SAVE_NONVOL = 4,
    SAVE_NONVOL_FAR = 5,
    EPILOG = 6, /* version 2 */
    SAVE_XMM128 = 8,
    SAVE_XMM128_FAR = 9,
    PUSH_MACHFRAME = 10,
};

/* The caller's context in the making. */
struct unwinding {
    const struct unwind_memory *memory;
    CONTEXT context;
    bool machine_frame; /* Rip and Rsp are from one: nothing left to pop */
};

struct code {
    uint8_t offset; /* in the function, past the instruction */
    uint8_t op, info;
    uint8_t slots;
    uint32_t operand; /* of the slots after the first; not scaled */
};

static bool load(struct unwinding *unwinding, uint64_t at, uint64_t *to)
{
    const struct unwind_memory *memory = unwinding->memory;

    return memory->read(memory->context, at, to, sizeof(*to));
}

static bool pop(struct unwinding *unwinding, uint64_t *to)
{
    uint64_t at = unwinding->context.Rsp;

    unwinding->context.Rsp = at + sizeof(*to);
    return load(unwinding, at, to);
}

/* Slots of the epilogue codes at `index`: they are padded to an even number,
 * and a slot of zeros would be a push before the first instruction. */
static uint8_t epilog_slots(const struct unwind_info *info, unsigned index)
{
    uint8_t slots = 0;

    while (index + slots < info->slot_count &&
           (info->slot[index + slots] >> 8 & 0xF) == EPILOG) {
        slots++;
    }
    if (slots % 2 == 1 && index + slots < info->slot_count &&
        info->slot[index + slots] == 0) {
        slots++;
    }
    return slots;
}

/* How many slots a code takes; 0: there is no such code. */
static uint8_t code_slots(const struct unwind_info *info, unsigned index)
{
    uint8_t op = info->slot[index] >> 8 & 0xF;
    uint8_t op_info = (uint8_t)(info->slot[index] >> 12);

    switch (op) {
    case PUSH_NONVOL:
    case ALLOC_SMALL:
    case SET_FPREG:
        return 1;
    case PUSH_MACHFRAME:
        return op_info <= 1 ? 1 : 0;
    case SAVE_NONVOL:
    case SAVE_XMM128:
        return 2;
    case SAVE_NONVOL_FAR:
    case SAVE_XMM128_FAR:
        return 3;
    case ALLOC_LARGE:
        return op_info == 0 ? 2 : op_info == 1 ? 3 : 0;
    case EPILOG:
        return info->version == 2 ? epilog_slots(info, index) : 0;
    default:
        return 0;
    }
}

static bool code_read(
    const struct unwind_info *info, unsigned index, struct code *code)
{
    const uint16_t *slot = info->slot + index;

    assert(index < info->slot_count);
    *code = (struct code){.offset = (uint8_t)(slot[0] & 0xFF),
        .op = slot[0] >> 8 & 0xF,
        .info = (uint8_t)(slot[0] >> 12),
        .slots = code_slots(info, index)};
    if (code->slots == 0 || index + code->slots > info->slot_count) {
        return false;
    }
    if (code->slots == 2) {
        code->operand = slot[1];
    } else if (code->slots == 3) {
        code->operand = slot[1] | (uint32_t)slot[2] << 16;
    }
    return true;
}

static bool undo_machine_frame(struct unwinding *unwinding, bool error_code)
{
    CONTEXT *context = &unwinding->context;
    uint64_t at = context->Rsp + (error_code ? 8 : 0);

    unwinding->machine_frame = true;
    /* RIP, CS, RFLAGS, RSP, SS */
    return load(unwinding, at, &context->Rip) &&
           load(unwinding, at + 24, &context->Rsp);
}

static bool restore_integer(
    struct unwinding *unwinding, const struct code *code, uint64_t at)
{
    return code->info != REGISTER_SP &&
           load(unwinding, at, &unwinding->context.Integer[code->info]);
}

static bool restore_xmm(
    struct unwinding *unwinding, const struct code *code, uint64_t at)
{
    const struct unwind_memory *memory = unwinding->memory;
    M128A *to = &unwinding->context.FltSave.XmmRegisters[code->info];

    return memory->read(memory->context, at, to, sizeof(*to));
}

/* `frame`: the base of the function's fixed stack allocation, which saves are
 * relative to. */
static bool undo(struct unwinding *unwinding, const struct unwind_info *info,
    const struct code *code, uint64_t frame)
{
    CONTEXT *context = &unwinding->context;

    assert(code->slots > 0 && code->info < 16);
    switch ((enum unwind_op)code->op) {
    case PUSH_NONVOL:
        return code->info != REGISTER_SP &&
               pop(unwinding, &context->Integer[code->info]);
    case ALLOC_LARGE:
        context->Rsp +=
            code->info == 0 ? code->operand * UINT64_C(8) : code->operand;
        return true;
    case ALLOC_SMALL:
        context->Rsp += code->info * UINT64_C(8) + 8;
        return true;
    case SET_FPREG:
        context->Rsp = frame;
        return info->frame_register != 0;
    case SAVE_NONVOL:
        return restore_integer(
            unwinding, code, frame + code->operand * UINT64_C(8));
    case SAVE_NONVOL_FAR:
        return restore_integer(unwinding, code, frame + code->operand);
    case SAVE_XMM128:
        return restore_xmm(
            unwinding, code, frame + code->operand * UINT64_C(16));
    case SAVE_XMM128_FAR:
        return restore_xmm(unwinding, code, frame + code->operand);
    case PUSH_MACHFRAME:
        return undo_machine_frame(unwinding, code->info == 1);
    case EPILOG:
        return true;
    }
    return false;
}

/* Whether the frame register holds the frame when `done` bytes of the prologue
 * have run. A chained piece begins when its function's prologue is over. */
static bool has_frame(const struct unwind_info *info, uint8_t done)
{
    struct code code;

    if (info->frame_register == 0) {
        return false;
    }
    if (done == WHOLE_PROLOGUE || (info->flags & UNWIND_CHAINED) != 0) {
        return true;
    }
    for (unsigned i = 0; i < info->slot_count && code_read(info, i, &code);
         i += code.slots) {
        if (code.op == SET_FPREG) {
            return code.offset <= done;
        }
    }
    return false;
}

static uint64_t frame_base(
    const struct unwind_info *info, const CONTEXT *context, uint8_t done)
{
    return has_frame(info, done)
               ? context->Integer[info->frame_register] - info->frame_offset
               : context->Rsp;
}

/* Undoes the codes of those instructions that are within `done` bytes. */
static bool undo_codes(
    struct unwinding *unwinding, const struct unwind_info *info, uint8_t done)
{
    uint64_t frame = frame_base(info, &unwinding->context, done);
    struct code code;

    for (unsigned i = 0; i < info->slot_count; i += code.slots) {
        if (!code_read(info, i, &code) || unwinding->machine_frame) {
            return false; /* a machine frame is what a function begins with */
        }
        if (code.offset <= done && !undo(unwinding, info, &code, frame)) {
            return false;
        }
    }
    return true;
}

/* Undoes the piece that runs and those that it is chained to; `info` becomes
 * the last one's. */
static bool undo_chain(struct unwinding *unwinding, uint64_t base,
    struct unwind_info *info, uint8_t done)
{
    struct image_function parent;

    assert(unwind_info_check(info));
    for (unsigned depth = 0; depth < UNWIND_CHAIN_MAX; depth++) {
        if (!undo_codes(unwinding, info, done)) {
            return false;
        }
        if ((info->flags & UNWIND_CHAINED) == 0) {
            return true;
        }
        if (!unwind_info_parent(unwinding->memory, info, &parent) ||
            !unwind_info_read(unwinding->memory, base, &parent, info)) {
            return false;
        }
        done = WHOLE_PROLOGUE;
    }
    return false;
}

static bool finish_epilogue(
    struct unwinding *unwinding, const struct epilogue *epilogue)
{
    CONTEXT *context = &unwinding->context;

    assert(epilogue_check(epilogue));
    context->Rsp =
        context->Integer[epilogue->base] + (uint64_t)(int64_t)epilogue->offset;
    for (unsigned i = 0; i < epilogue->pop_count; i++) {
        if (!pop(unwinding, &context->Integer[epilogue->pop[i]])) {
            return false;
        }
    }
    if (!pop(unwinding, &context->Rip)) {
        return false;
    }
    context->Rsp += epilogue->release;
    return true;
}

static bool find_handler(const struct unwinding *unwinding, uint64_t base,
    const struct unwind_info *info, struct unwind_step *step)
{
    const struct unwind_memory *memory = unwinding->memory;
    uint32_t rva;

    if ((info->flags & (UNWIND_EHANDLER | UNWIND_UHANDLER)) == 0) {
        return true;
    }
    if (!memory->read(memory->context, info->tail, &rva, sizeof(rva))) {
        return false;
    }
    step->handler = base + rva;
    step->handler_data = info->tail + sizeof(rva);
    step->handler_kind = info->flags;
    return true;
}

static bool leave_function(struct unwinding *unwinding, uint64_t base,
    const struct image_function *function, struct unwind_step *step)
{
    CONTEXT *context = &unwinding->context;
    uint64_t done = context->Rip - base - function->begin;
    struct unwind_info info;
    struct epilogue epilogue;
    bool in_prologue;

    if (!unwind_info_read(unwinding->memory, base, function, &info) ||
        done >= function->end - function->begin) {
        return false;
    }
    if (epilogue_decode(unwinding->memory, base, function, &info, context->Rip,
            &epilogue)) {
        return finish_epilogue(unwinding, &epilogue);
    }
    /* At the prologue's size all of it has run, and the instruction there is
     * the first that a handler may guard. */
    in_prologue = done < info.prolog_size;
    assert(!in_prologue || done < WHOLE_PROLOGUE);
    done = in_prologue ? done : WHOLE_PROLOGUE;
    step->establisher_frame = frame_base(&info, context, (uint8_t)done);
    if (!undo_chain(unwinding, base, &info, (uint8_t)done) ||
        (!unwinding->machine_frame && !pop(unwinding, &context->Rip))) {
        return false;
    }
    return in_prologue || find_handler(unwinding, base, &info, step);
}

bool unwind_virtual(const struct unwind_memory *memory, uint64_t base,
    const struct image_function *function, CONTEXT *context,
    struct unwind_step *step)
{
    struct unwinding unwinding = {.memory = memory, .context = *context};
    struct unwind_step made = {.establisher_frame = context->Rsp};

    if (function == NULL ? !pop(&unwinding, &unwinding.context.Rip)
                         : !leave_function(&unwinding, base, function, &made)) {
        return false;
    }
    assert((made.handler == 0) == (made.handler_kind == 0));
    *context = unwinding.context;
    *step = made;
    return true;
}
