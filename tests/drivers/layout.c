/* layout.c - that a driver's headers and api/nt mean the same: every size,
 * offset and value of ours against the headers'. Compiled by the drivers'
 * compilers; nothing of it is ever run. */
#include <ntifs.h>

#include <stdint.h>

/* A name of ours for what is a ULONG there. */
typedef ULONG PCW_VERSION;

/* What drivers define for themselves. */
typedef VOID (*PMIHANDLER)(PVOID TrapFrame);

/* A name of ours for whatever a driver imports. */
typedef ULONG_PTR (*PIMPORTED_ROUTINE)(
    ULONG_PTR, ULONG_PTR, ULONG_PTR, ULONG_PTR);

/* Macros that stand for members of HAL_DISPATCH. */
#undef HalQuerySystemInformation
#undef HalSetSystemInformation
#undef HalQueryBusSlots
#undef HalReferenceHandlerForBus
#undef HalReferenceBusHandler
#undef HalDereferenceBusHandler
#undef HalInitPnpDriver
#undef HalInitPowerManagement
#undef HalGetDmaAdapter
#undef HalGetInterruptTranslator
#undef HalStartMirroring
#undef HalEndMirroring
#undef HalMirrorPhysicalMemory
#undef HalEndOfBoot
#undef HalMirrorVerify
#undef HalGetCachedAcpiTable
#undef HalSetPciErrorHandlerCallback

/* A member's size too: two fields of half its size would have its offset. */
#define SAME_SIZE(owner, path, name, bytes)                                    \
    _Static_assert(sizeof(((owner *)0)->path name) == (bytes),                 \
        "size of " #owner "." #path #name);

#define NT_ENUM_BEGIN(name)                                                    \
    _Static_assert(sizeof(name) == 4, #name " has 4 bytes");
#define NT_ENUMERATOR(owner, name, value)                                      \
    _Static_assert((name) == (value), "value of " #name);
#define NT_STRUCT_END(name, size)                                              \
    _Static_assert(sizeof(name) == (size), "size of " #name);
#define NT_UNION_BEGIN(owner, name, offset)                                    \
    _Static_assert(offsetof(owner, name) == (offset), #owner "." #name);
#define NT_NESTED_BEGIN(owner, path, name, offset)                             \
    _Static_assert(                                                            \
        offsetof(owner, path name) == (offset), #owner "." #path #name);
#define NT_MEMBER(owner, path, type, name, offset)                             \
    NT_NESTED_BEGIN(owner, path, name, offset)                                 \
    SAME_SIZE(owner, path, name, sizeof(type))
#define NT_ARRAY(owner, path, type, name, length, offset)                      \
    NT_NESTED_BEGIN(owner, path, name, offset)                                 \
    SAME_SIZE(owner, path, name, (length) * sizeof(type))
#define NT_TAIL(owner, type, name, count, offset)                              \
    NT_MEMBER(owner, , type, name, offset)
/* Bytes that only our declaration has a name for. */
#undef NT_PAD
#define NT_PAD(...)
#define NT_HEADERS_ALONE
#define NT_KERNEL_TYPES_ALONE
#include "api/nt/types.def"

/* A callback's C type is ours; all of them are pointers. */
#define SIZE_UNSIGNED(c_type) sizeof(c_type)
#define SIZE_SIGNED(c_type) sizeof(c_type)
#define SIZE_HEX(c_type) sizeof(c_type)
#define SIZE_BOOLEAN(c_type) sizeof(c_type)
#define SIZE_IRQL(c_type) sizeof(c_type)
#define SIZE_STATUS(c_type) sizeof(c_type)
#define SIZE_HANDLE(c_type) 8
#define SIZE_POINTER(c_type) 8
#define SIZE_CALLBACK(c_type) 8
#define NT_SCALAR(name, c_type, kind)                                          \
    _Static_assert(sizeof(name) == SIZE_##kind(c_type), "size of " #name);
#include "api/nt/scalars.def"

#define NT_STATUS(name, value)                                                 \
    _Static_assert((ULONG)(name) == (value), "value of " #name);
#include "api/nt/ntstatus.def"
