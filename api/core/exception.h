/* exception.h - exceptions that a routine raises at its caller: what a bad
 * pointer or a #GP becomes. The caller's __except is a frame here. */
#ifndef API_CORE_EXCEPTION_H
#define API_CORE_EXCEPTION_H

#include <setjmp.h>
#include <stdint.h>

#include "api/core/answers.h"
#include "api/core/bugcheck.h"
#include "api/core/routine.h"

struct cpu;
struct kernel;
struct way_out;

struct exception_record {
    NTSTATUS code;        /* STATUS_ACCESS_VIOLATION, ... */
    enum routine routine; /* that touched it; ROUTINE_COUNT: an instruction */
    const void *address;  /* that was touched; NULL also where there is none */
    bool write;
    struct answer_store store; /* what was tried, where an answer was given */
};

/* A place that catches. Frames of one strand nest. */
struct exception_frame {
    /* Handles the exception itself and does not return; NULL: the function
     * that pushed the frame does, behind its setjmp(). */
    void (*deliver)(struct kernel *kernel, struct exception_frame *frame);
    jmp_buf caught; /* setjmp() here, in the function that pushed it */
    struct exception_record record; /* what was caught */
    struct exception_frame *outer;
    struct way_out *way_out; /* of the body that pushed it (early_end.h) */
};

/* Frames are the running strand's. Each push is followed by one pop, also
 * after something was caught. */
void exception_push(struct kernel *kernel, struct exception_frame *frame);
void exception_pop(struct kernel *kernel, struct exception_frame *frame);

/* An interrupt handler's exceptions are not for the interrupted code to catch:
 * hides its frames. Give the result to exception_show(). */
struct exception_frame *exception_hide(struct kernel *kernel);
void exception_show(struct kernel *kernel, struct exception_frame *hidden);

/* The routine that touched it, by name; NULL: an instruction did. */
const char *exception_routine(const struct exception_record *record);

/* Nobody handles it: stops the machine, with the rule that fits. */
_Noreturn void exception_stop(struct kernel *kernel,
    const struct exception_record *record,
    const struct bugcheck_parameter parameter[4]);

/* Goes on at the innermost frame. Without one nobody handles it: bug check
 * 0x1E and a rule event (GEN-PTR-01 [C]). */
_Noreturn void exception_raise(
    struct kernel *kernel, const struct exception_record *record);

#endif
