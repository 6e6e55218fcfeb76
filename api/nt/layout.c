/* layout.c - every size and offset of types.def, checked by the compiler
 * (facts.md 2.1, 3.1). */
#include <stddef.h>

#include "api/nt/nt.h"

#define NT_ENUM_BEGIN(name)                                                    \
    _Static_assert(sizeof(name) == 4, #name " has 4 bytes");
#define NT_STRUCT_END(name, size)                                              \
    _Static_assert(sizeof(name) == (size), "size of " #name);
#define NT_UNION_BEGIN(owner, name, offset)                                    \
    _Static_assert(offsetof(owner, name) == (offset), #owner "." #name);
#define NT_NESTED_BEGIN(owner, path, name, offset)                             \
    _Static_assert(offsetof(owner, path name) == (offset), #owner "." #name);
#define NT_MEMBER(owner, path, type, name, offset)                             \
    _Static_assert(offsetof(owner, path name) == (offset), #owner "." #name);
#define NT_ARRAY(owner, path, type, name, length, offset)                      \
    NT_MEMBER(owner, path, type, name, offset)
#define NT_TAIL(owner, type, name, count, offset)                              \
    NT_MEMBER(owner, , type, name, offset)
#define NT_PAD(owner, path, bytes, offset)                                     \
    _Static_assert(offsetof(owner, path reserved_##offset) == (offset),        \
        #owner " is padded at " #offset);
#include "api/nt/types.def"

/* Base types (facts.md 1.1): the host's own long would be 8 bytes. */
_Static_assert(sizeof(BOOLEAN) == 1, "BOOLEAN");
_Static_assert(sizeof(UCHAR) == 1, "UCHAR");
_Static_assert(sizeof(KIRQL) == 1, "KIRQL");
_Static_assert(sizeof(USHORT) == 2, "USHORT");
_Static_assert(sizeof(ULONG) == 4, "ULONG");
_Static_assert(sizeof(LONG) == 4, "LONG");
_Static_assert(sizeof(NTSTATUS) == 4, "NTSTATUS");
_Static_assert(sizeof(CSHORT) == 2, "CSHORT");
_Static_assert(sizeof(LONGLONG) == 8, "LONGLONG");
_Static_assert(sizeof(ULONG64) == 8, "ULONG64");
_Static_assert(sizeof(ULONGLONG) == 8, "ULONGLONG");
_Static_assert(sizeof(SIZE_T) == 8, "SIZE_T");
_Static_assert(sizeof(ULONG_PTR) == 8, "ULONG_PTR");
_Static_assert(sizeof(KAFFINITY) == 8, "KAFFINITY");
_Static_assert(sizeof(HANDLE) == 8, "HANDLE");
_Static_assert(sizeof(PVOID) == 8, "PVOID");
_Static_assert((NTSTATUS)-1 < 0, "NTSTATUS is signed");
