/* nt.h - NT types and statuses for our side of the interface: WDK names and x64
 * layouts with fixed-width types. Drivers include api/include instead. */
#ifndef API_NT_NT_H
#define API_NT_NT_H

#include <stdbool.h>
#include <stdint.h>

/* The calling convention of x64 Windows: routines and callbacks have it, so
 * that one function serves our steps and an unmodified driver. */
#if defined(__x86_64__)
#define NTAPI __attribute__((ms_abi))
#else
#define NTAPI
#endif

typedef void NTAPI physical_counter_overflow_handler(
    uint64_t OverflowBits, void *OwningHandle);
typedef void NTAPI physical_counter_event_buffer_overflow_handler(
    void *EventBuffer, uint64_t EntrySize, uint64_t NumberOfEntries,
    void *OwningHandle);

typedef uint64_t NTAPI kipi_broadcast_worker(uint64_t Argument);
typedef uint64_t NTAPI imported_routine(uint64_t Argument1, uint64_t Argument2,
    uint64_t Argument3, uint64_t Argument4);
typedef void NTAPI pmi_handler(void *TrapFrame);
typedef uint8_t NTAPI nmi_callback(void *Context, uint8_t Handled);

struct _KBUGCHECK_REASON_CALLBACK_RECORD;
typedef void NTAPI kbugcheck_callback_routine(void *Buffer, uint32_t Length);
typedef void NTAPI kbugcheck_reason_callback_routine(uint32_t Reason,
    struct _KBUGCHECK_REASON_CALLBACK_RECORD *Record, void *ReasonSpecificData,
    uint32_t ReasonSpecificDataLength);

struct _KE_PROCESSOR_CHANGE_NOTIFY_CONTEXT;
typedef void NTAPI processor_callback_function(void *CallbackContext,
    struct _KE_PROCESSOR_CHANGE_NOTIFY_CONTEXT *ChangeContext,
    int32_t *OperationStatus);

struct _KDPC;
typedef void NTAPI kdeferred_routine(struct _KDPC *Dpc, void *DeferredContext,
    void *SystemArgument1, void *SystemArgument2);

typedef void NTAPI knormal_routine(
    void *NormalContext, void *SystemArgument1, void *SystemArgument2);
typedef void NTAPI worker_thread_routine(void *Parameter);
typedef void NTAPI kstart_routine(void *StartContext);
struct _PS_CREATE_NOTIFY_INFO;
struct _IMAGE_INFO;
typedef void NTAPI create_process_notify_routine(
    void *ParentId, void *ProcessId, uint8_t Create);
typedef void NTAPI create_process_notify_routine_ex(
    void *Process, void *ProcessId, struct _PS_CREATE_NOTIFY_INFO *CreateInfo);
typedef void NTAPI create_thread_notify_routine(
    void *ProcessId, void *ThreadId, uint8_t Create);
typedef void NTAPI load_image_notify_routine(
    void *FullImageName, void *ProcessId, struct _IMAGE_INFO *ImageInfo);
typedef void NTAPI callback_function(
    void *CallbackContext, void *Argument1, void *Argument2);

typedef void NTAPI ext_callback(void *Timer, void *Context);
typedef void NTAPI ext_delete_callback(void *Context);

struct _LOOKASIDE_LIST_EX;
typedef void *NTAPI allocate_function(
    uint32_t PoolType, uint64_t NumberOfBytes, uint32_t Tag);
typedef void NTAPI free_function(void *Buffer);
typedef void *NTAPI allocate_function_ex(uint32_t PoolType,
    uint64_t NumberOfBytes, uint32_t Tag, struct _LOOKASIDE_LIST_EX *Lookaside);
typedef void NTAPI free_function_ex(
    void *Buffer, struct _LOOKASIDE_LIST_EX *Lookaside);

typedef int32_t NTAPI rtl_query_registry_routine(uint16_t *ValueName,
    uint32_t ValueType, void *ValueData, uint32_t ValueLength, void *Context,
    void *EntryContext);

struct _PCW_CALLBACK_INFORMATION;
typedef int32_t NTAPI pcw_callback(
    uint32_t Type, struct _PCW_CALLBACK_INFORMATION *Info, void *Context);

#define NT_SCALAR(name, c_type, kind) typedef c_type name;
#include "api/nt/scalars.def"

#define NT_ENUM_BEGIN(name)                                                    \
    typedef enum _##name                                                       \
    {
#define NT_ENUMERATOR(owner, name, value) name = value,
#define NT_ENUM_END(name)                                                      \
    }                                                                          \
    name;
#define NT_STRUCT_BEGIN(name) typedef struct _##name {
#define NT_STRUCT_END(name, size)                                              \
    }                                                                          \
    name, *P##name;
#define NT_UNION_BEGIN(owner, name, offset) union {
#define NT_UNION_END(owner, name)                                              \
    }                                                                          \
    name;
#define NT_OVERLAY_BEGIN(owner, offset) union {
#define NT_OVERLAY_END(owner)                                                  \
    }                                                                          \
    ;
#define NT_NESTED_BEGIN(owner, path, name, offset) struct {
#define NT_NESTED_END(owner, name)                                             \
    }                                                                          \
    name;
#define NT_MEMBER(owner, path, type, name, offset) type name;
#define NT_ARRAY(owner, path, type, name, length, offset) type name[length];
/* ANYSIZE_ARRAY, as in the WDK: really as many as the count says. */
#define NT_TAIL(owner, type, name, count, offset) type name[1];
#define NT_PAD(owner, path, bytes, offset) uint8_t reserved_##offset[bytes];
#include "api/nt/types.def"

typedef HANDLE *PHANDLE;
typedef UCHAR *PUCHAR;
typedef ULONG *PULONG;
typedef NTSTATUS *PNTSTATUS;
typedef LONG *PLONG;
typedef ULONG64 *PULONG64;
typedef ULONG_PTR *PULONG_PTR;
typedef KIRQL *PKIRQL;
typedef KSPIN_LOCK *PKSPIN_LOCK;
typedef EX_SPIN_LOCK *PEX_SPIN_LOCK;
typedef KAFFINITY *PKAFFINITY;
typedef const CHAR *PCSTR;
typedef const WCHAR *PCWSTR;
typedef const UNICODE_STRING *PCUNICODE_STRING;
typedef STRING *PANSI_STRING;
typedef void VOID;

#define NT_STATUS(name, value) static const NTSTATUS name = (NTSTATUS)(value);
#include "api/nt/ntstatus.def"

enum { MAX_HW_COUNTERS = 16 }; /* KHC-TYPE-01 */

#define PCW_ANY_INSTANCE_ID UINT32_MAX /* PCW-TYPE-02 */

static inline bool NT_SUCCESS(NTSTATUS status)
{
    return status >= 0;
}

/* Neither success nor information nor a warning (ntdef.h). */
static inline bool NT_ERROR(NTSTATUS status)
{
    return (uint32_t)status >> 30 == 3;
}

#endif
