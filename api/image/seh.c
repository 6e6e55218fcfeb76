/* seh.c - structured exceptions, first phase: the handlers of each frame are
 * asked, the innermost first, whether one takes the exception. */
#include "api/image/seh.h"

#include <assert.h>

#include "api/image/seh_walk.h"

/* Filters run above code that handled another exception; the frame up to which
 * that one's search had come is where its handlers end. */
struct search {
    struct seh_activation activation;
    uint64_t nested_frame; /* 0: none */
};

static void set_nested(struct search *search, uint64_t frame)
{
    search->activation.records->record.ExceptionFlags |= EXCEPTION_NESTED_CALL;
    if (frame > search->nested_frame) {
        search->nested_frame = frame;
    }
}

static void leave_nested(struct search *search)
{
    const struct seh_frame *frame = &search->activation.walk.frame;

    if (search->nested_frame != 0 &&
        frame->step.establisher_frame >= search->nested_frame) {
        search->nested_frame = 0;
        search->activation.records->record.ExceptionFlags &=
            ~(ULONG)EXCEPTION_NESTED_CALL;
    }
}

/* Somebody wants to go on after what must not be gone on after, which is an
 * exception of its own. False when it is that already. */
static bool raise_noncontinuable(struct search *search)
{
    struct seh_activation *activation = &search->activation;
    struct seh_records *records = activation->records;

    if (records->record.ExceptionCode == STATUS_NONCONTINUABLE_EXCEPTION) {
        return false;
    }
    records->cause = records->record;
    records->record = (EXCEPTION_RECORD){
        .ExceptionCode = STATUS_NONCONTINUABLE_EXCEPTION,
        .ExceptionFlags = EXCEPTION_NONCONTINUABLE,
        .ExceptionRecord = &records->cause,
        .ExceptionAddress = records->cause.ExceptionAddress,
    };
    search->nested_frame = 0;
    activation->walk = (struct seh_walk){.ops = activation->walk.ops,
        .uncrossed = activation->outer,
        .first = true};
    activation->walk.frame.context = records->context;
    return true;
}

/* Asks the frame's handler. Returns whether the search is over. */
static bool ask(
    struct search *search, uint32_t scope_index, enum seh_result *result)
{
    struct seh_activation *activation = &search->activation;
    struct seh_records *records = activation->records;
    struct seh_walk *walk = &activation->walk;
    uint32_t disposition = ExceptionContinueSearch;

    assert(!activation->unwinds);
    if ((walk->frame.step.handler_kind & UNWIND_EHANDLER) != 0) {
        records->unwound = walk->frame.caller;
        disposition =
            seh_walk_call(activation, &records->context, 0, scope_index);
    }
    leave_nested(search);
    switch (disposition) {
    case ExceptionContinueExecution:
        if ((records->record.ExceptionFlags & EXCEPTION_NONCONTINUABLE) == 0) {
            *result = SEH_CONTINUE;
            return true;
        }
        *result = SEH_UNHANDLED;
        return !raise_noncontinuable(search);
    case ExceptionNestedException:
        set_nested(search, records->dispatcher.EstablisherFrame);
        seh_walk_up(walk);
        return false;
    case ExceptionContinueSearch:
        seh_walk_up(walk);
        return false;
    default:
        *result = SEH_BROKEN;
        return true;
    }
}

static enum seh_result find_handler(struct search *search)
{
    struct seh_walk *walk = &search->activation.walk;
    struct seh_records *records = search->activation.records;
    enum seh_result result = SEH_BROKEN;
    const struct seh_activation *left;
    bool over = false;

    while (!over) {
        switch (seh_walk_step(walk)) {
        case SEH_WALK_FRAME:
            over = ask(search, 0, &result);
            break;
        case SEH_WALK_CROSSED:
            left = walk->uncrossed;
            if (seh_walk_cross(walk)) {
                over =
                    ask(search, left->records->dispatcher.ScopeIndex, &result);
            } else {
                set_nested(search, left->walk.frame.step.establisher_frame);
            }
            break;
        case SEH_WALK_END:
            return SEH_UNHANDLED;
        case SEH_WALK_BROKEN:
            records->record.ExceptionFlags |= EXCEPTION_STACK_INVALID;
            return SEH_BROKEN;
        }
    }
    return result;
}

enum seh_result seh_dispatch(
    const struct seh_ops *ops, struct seh_records *records)
{
    struct search search = {.nested_frame = 0};
    enum seh_result result;

    if (!seh_activation_begin(
            &search.activation, ops, records, *ops->innermost)) {
        return SEH_BROKEN;
    }
    result = find_handler(&search);
    *ops->innermost = search.activation.outer;
    return result;
}
