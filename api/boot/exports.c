/* exports.c - exports.def made into the routines that drivers call, each a
 * gate_call() with its arguments in an array; macros here only move arguments.
 */
#include "api/boot/exports.h"

#include "api/core/gate.h"
#include "api/core/routine_bodies.h"

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
#define RESULT_WCHAR(call) (call)
#define RESULT_CHAR(call) (uint8_t)(call)
#define RESULT_ULONG(call) (call)
#define RESULT_ULONG_PTR(call) (call)
#define RESULT_KAFFINITY(call) (call)
#define RESULT_LONG(call) (uint32_t)(call)
#define RESULT_KPRIORITY(call) (uint32_t)(call)
#define RESULT_LONGLONG(call) (uint64_t)(call)
#define RESULT_ULONGLONG(call) (call)
#define RESULT_ULONG64(call) (call)
#define RESULT_SIZE_T(call) (call)
#define RESULT_PVOID(call) (uint64_t)(uintptr_t)(call)
#define RESULT_HANDLE(call) (uint64_t)(uintptr_t)(call)
#define RESULT_VOID(call) ((call), UINT64_C(0))
#define RETURN_NTSTATUS return (NTSTATUS)(uint32_t)
#define RETURN_KIRQL return (KIRQL)
#define RETURN_BOOLEAN return (BOOLEAN)
#define RETURN_USHORT return (USHORT)
#define RETURN_WCHAR return (WCHAR)
#define RETURN_CHAR return (CHAR)(uint8_t)
#define RETURN_ULONG return (ULONG)
#define RETURN_ULONG_PTR return (ULONG_PTR)
#define RETURN_KAFFINITY return (KAFFINITY)
#define RETURN_LONG return (LONG)(uint32_t)
#define RETURN_KPRIORITY return (KPRIORITY)(uint32_t)
#define RETURN_LONGLONG return (LONGLONG)
#define RETURN_ULONGLONG return (ULONGLONG)
#define RETURN_ULONG64 return (ULONG64)
#define RETURN_SIZE_T return (SIZE_T)
#define RETURN_PVOID return (PVOID)(uintptr_t)
#define RETURN_HANDLE return (HANDLE)(uintptr_t)
#define RETURN_VOID (void)

#define ROUTINE(name, image, ret, lowest, highest, cycles, instructions,       \
    needs, traits, failed, since, header, failures, requirements, ...)         \
    ret NTAPI name(EACH_PARAMETER(EXPORT_, __VA_ARGS__))                       \
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

#define FAILED_LEAVES(name) NULL
#define FAILED_ANSWERS(name) name##_failed

const struct routine_entry export_entries[ROUTINE_COUNT] = {
#define ROUTINE(name, image, ret, lowest, highest, cycles, instructions,       \
    needs, traits, failed, ...)                                                \
    [ROUTINE_##name] = {call_##name, body_##name, FAILED_##failed(name)},
#include "api/core/exports.def"
};
