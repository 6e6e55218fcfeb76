/* routine.h - the rows of exports.def: what a kernel routine is called, takes,
 * returns and asks of its caller. Knows nothing of what it does:
 * routine_bodies.h, and boot/exports.h for those who call it. */
#ifndef API_CORE_ROUTINE_H
#define API_CORE_ROUTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nt/irql_level.h"
#include "api/nt/nt.h"
#include "api/nt/profile.h"
#include "api/nt/type.h"

enum routine {
#define ROUTINE(name, ...) ROUTINE_##name,
#include "api/core/exports.def"
    ROUTINE_COUNT
};

enum routine_image {
    IMAGE_HAL,
    IMAGE_NTOSKRNL,
    IMAGE_KERNEL32, /* programs call it, no driver */
    IMAGE_DISPATCH, /* none: drivers call it through HalDispatchTable */
    IMAGE_INLINE,   /* none: the WDK compiles it into drivers */
};
enum routine_needs {
    NEEDS_NOTHING,
    NEEDS_PMU,
    NEEDS_NATIVE, /* only a driver's own code can call it, no actor */
    NEEDS_CRT,    /* the same; the compiler decides, so it is in no trace */
    NEEDS_LIBC,   /* nothing */
    NEEDS_LIBC_NATIVE, /* a driver's own code */
};
enum routine_trait {
    /* The pointers have rulings of their own, not GEN-PTR-01's: HAL-ALLOC-30,
     * KHC-QRY-06, KHC-QRY-07, PCW-REG-12a, PCW-CRE-10a, PCW-ADD-03b. */
    TRAIT_OWN_NULL = 1 << 0,
    /* Changes what a driver holds, as far as the kernel sees it (PCW-CON-05).
     */
    TRAIT_STATE = 1 << 1,
    /* Acquires or releases a spin lock (LOCK-08), and leaves the level alone:
     * for code at DISPATCH_LEVEL. */
    TRAIT_SPIN_LOCK = 1 << 2,
    TRAIT_AT_DPC = 1 << 3,
    /* Touches nothing but its processor and its thread, so that it makes no
     * difference when it comes among calls on other processors. */
    TRAIT_ALONE = 1 << 4,
    /* Bug check callbacks may call it above its level (BUG-05). */
    TRAIT_BUG_CHECK = 1 << 5,
    /* Its page and its header differ about the level (irql_disputes.def). */
    TRAIT_DISPUTED = 1 << 6,
};
enum parameter_direction {
    PARAMETER_VALUE,
    PARAMETER_IN,
    PARAMETER_IN_OPT,
    PARAMETER_OUT,
    PARAMETER_OUT_OPT,
    PARAMETER_VARIADIC, /* the rest of the arguments, as a va_list: a pointer */
};

enum { ROUTINE_PARAMETERS = 14 };

#define NO_FAILURE STATUS_SUCCESS
#define ANY_FAILURE ((NTSTATUS)0xFFFFFFFF) /* it hands on another's status */

struct parameter {
    const char *name;
    const char *type_name; /* as in the WDK: PHANDLE */
    enum parameter_direction direction;
    enum nt_type type; /* of the value, or of what the pointer points to */
    const char *count; /* the parameter that holds the length, "one", "some" */
};

struct routine_row {
    const char *name;
    enum routine_image image;
    enum nt_type returns;
    enum irql_level lowest, highest;
    uint32_t cycles, instructions;
    enum routine_needs needs;
    unsigned traits; /* of enum routine_trait */
    enum os since;   /* the first version that exports it */
    const char *header;
    /* What it may return besides STATUS_SUCCESS; then NO_FAILURE. */
    const NTSTATUS *failures;
    const char *requirements; /* ids, separated by spaces */
    /* ROUTINE_PARAMETERS at the most; then name NULL. */
    const struct parameter *parameter;
};

/* The code of a routine, arguments widened to 64 bits (kernel_hooks). */
struct routine_entry {
    /* As a driver reaches it. */
    uint64_t (*call)(const uint64_t *argument);
    /* What it does, without the checks that every call goes through. */
    uint64_t (*body)(const uint64_t *argument);
    /* What a call that is made to fail leaves in its one OUT parameter; returns
     * the status. NULL for a routine that leaves its outputs alone. */
    NTSTATUS (*failed)(PVOID output, NTSTATUS status);
};

extern const struct routine_row routine_rows[ROUTINE_COUNT];

size_t routine_parameter_count(const struct routine_row *row);

/* Finds a routine by its exact name. Returns false when there is none. */
bool routine_find(const char *name, enum routine *routine);

/* Whether only a driver's own code can call it, no actor. */
bool routine_is_native(const struct routine_row *row);

/* Whether the trait is true of it. */
bool routine_has(enum routine routine, enum routine_trait trait);

/* Whether it may return the status while no ruling is flipped. */
bool routine_may_return(enum routine routine, NTSTATUS status);

/* Whether that version of Windows exports the routine (POOL-04). */
bool routine_exists(enum routine routine, enum os os);

/* Whether a parameter is a pointer that the caller must or may pass. */
bool parameter_is_pointer(const struct parameter *parameter);
bool parameter_is_out(const struct parameter *parameter);

#endif
