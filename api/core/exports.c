/* exports.c - exports.def made into routines. Each is a gate_call() with its
 * arguments in an array; macros here only move arguments. */
#include "api/core/exports.h"

#include <string.h>

#include "api/core/gate.h"

/* A KIRQL, ULONG or pointer out of 64 bits. */
#define NARROW_P(index, type, name, ...) (type)(uintptr_t) argument[index]
#define NARROW_NONE
#define PACK_P(index, type, name, ...) (uint64_t)(uintptr_t)(name)
#define PACK_NONE 0

/* A result as 64 bits, and back out of them. */
#define RESULT_NTSTATUS(call) (uint32_t)(call)
#define RESULT_KIRQL(call) (call)
#define RESULT_BOOLEAN(call) (call)
#define RESULT_USHORT(call) (call)
#define RESULT_ULONG(call) (call)
#define RESULT_ULONG_PTR(call) (call)
#define RESULT_KAFFINITY(call) (call)
#define RESULT_LONG(call) (uint32_t)(call)
#define RESULT_LONGLONG(call) (uint64_t)(call)
#define RESULT_SIZE_T(call) (call)
#define RESULT_PVOID(call) (uint64_t)(uintptr_t)(call)
#define RESULT_VOID(call) ((call), UINT64_C(0))
#define RETURN_NTSTATUS return (NTSTATUS)(uint32_t)
#define RETURN_KIRQL return (KIRQL)
#define RETURN_BOOLEAN return (BOOLEAN)
#define RETURN_USHORT return (USHORT)
#define RETURN_ULONG return (ULONG)
#define RETURN_ULONG_PTR return (ULONG_PTR)
#define RETURN_KAFFINITY return (KAFFINITY)
#define RETURN_LONG return (LONG)(uint32_t)
#define RETURN_LONGLONG return (LONGLONG)
#define RETURN_SIZE_T return (SIZE_T)
#define RETURN_PVOID return (PVOID)(uintptr_t)
#define RETURN_VOID (void)

#define ROUTINE(name, image, ret, lowest, highest, cycles, instructions,       \
    needs, traits, failed, since, header, requirements, ...)                   \
    ret NTAPI name(EACH_PARAMETER(DECLARE_, __VA_ARGS__))                      \
    {                                                                          \
        const uint64_t argument[] = {EACH_PARAMETER(PACK_, __VA_ARGS__)};      \
        RETURN_##ret gate_call(ROUTINE_##name, argument);                      \
    }                                                                          \
    static uint64_t call_##name(const uint64_t *argument)                      \
    {                                                                          \
        (void)argument;                                                        \
        return RESULT_##ret(name(EACH_PARAMETER(NARROW_, __VA_ARGS__)));       \
    }                                                                          \
    static uint64_t body_##name(const uint64_t *argument)                      \
    {                                                                          \
        (void)argument;                                                        \
        return RESULT_##ret(                                                   \
            name##_body(EACH_PARAMETER(NARROW_, __VA_ARGS__)));                \
    }
#include "api/core/exports.def"

/* clang-format off */
#define ROW_P(index, type, name, direction, pointee, count)                    \
    {#name, #type, PARAMETER_##direction, NT_##pointee, #count}
#define ROW_NONE                                                               \
    {NULL, NULL, PARAMETER_VALUE, NT_VOID, NULL}
/* clang-format on */

#define FAILED_LEAVES(name) NULL
#define FAILED_ANSWERS(name) name##_failed

/* Where a driver's name of the routine begins in the row's: behind crt_. */
enum { SKIP_NOTHING = 0, SKIP_PMU = 0, SKIP_NATIVE = 0, SKIP_CRT = 4 };

const struct routine_row routine_rows[ROUTINE_COUNT] = {
#define ROUTINE(name_, image_, ret, lowest_, highest_, cycles_, instructions_, \
    needs_, traits_, failed_, since_, header_, requirements_, ...)             \
    [ROUTINE_##name_] = {                                                      \
        .name = &#name_[SKIP_##needs_],                                        \
        .image = IMAGE_##image_,                                               \
        .returns = NT_##ret,                                                   \
        .lowest = LEVEL_##lowest_,                                             \
        .highest = LEVEL_##highest_,                                           \
        .cycles = cycles_,                                                     \
        .instructions = instructions_,                                         \
        .needs = NEEDS_##needs_,                                               \
        .traits = (traits_),                                                   \
        .since = OS_##since_,                                                  \
        .header = header_,                                                     \
        .requirements = requirements_,                                         \
        .parameter = {EACH_PARAMETER(ROW_, __VA_ARGS__)},                      \
        .call = call_##name_,                                                  \
        .body = body_##name_,                                                  \
        .failed = FAILED_##failed_(name_),                                     \
    },
#include "api/core/exports.def"
};

size_t routine_parameter_count(const struct routine_row *row)
{
    size_t count = 0;

    while (count < ROUTINE_PARAMETERS && row->parameter[count].name != NULL) {
        count++;
    }
    return count;
}

bool routine_find(const char *name, enum routine *routine)
{
    for (enum routine i = 0; i < ROUTINE_COUNT; i++) {
        if (strcmp(routine_rows[i].name, name) == 0) {
            *routine = i;
            return true;
        }
    }
    return false;
}

bool routine_exists(enum routine routine, enum os os)
{
    return os >= routine_rows[routine].since;
}

bool parameter_is_pointer(const struct parameter *parameter)
{
    return parameter->direction != PARAMETER_VALUE;
}

bool parameter_is_out(const struct parameter *parameter)
{
    return parameter->direction == PARAMETER_OUT ||
           parameter->direction == PARAMETER_OUT_OPT;
}
