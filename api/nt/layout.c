/* layout.c - every size and offset of types.def, checked by the compiler
 * (facts.md 2.1, 3.1). */
#include <stddef.h>

#include "api/nt/nt.h"

#define NT_ENUM_BEGIN(name)                                                    \
    _Static_assert(sizeof(name) == 4, #name " has 4 bytes");
#define NT_ENUMERATOR(owner, name, value)
#define NT_ENUM_END(name)
#define NT_STRUCT_BEGIN(name)
#define NT_STRUCT_END(name, size)                                              \
    _Static_assert(sizeof(name) == (size), "size of " #name);
#define NT_UNION_BEGIN(owner, name, offset)                                    \
    _Static_assert(offsetof(owner, name) == (offset), #owner "." #name);
#define NT_UNION_END(owner, name)
#define NT_NESTED_BEGIN(owner, path, name, offset)                             \
    _Static_assert(offsetof(owner, path name) == (offset), #owner "." #name);
#define NT_NESTED_END(owner, name)
#define NT_MEMBER(owner, path, type, name, offset)                             \
    _Static_assert(offsetof(owner, path name) == (offset), #owner "." #name);
#define NT_ARRAY(owner, path, type, name, length, offset)                      \
    NT_MEMBER(owner, path, type, name, offset)
#define NT_TAIL(owner, type, name, count, offset)                              \
    NT_MEMBER(owner, , type, name, offset)
#define NT_CASE(owner, selector, value, member)
#include "api/nt/types.def"

_Static_assert(sizeof(KIRQL) == 1, "KIRQL is one byte");
_Static_assert(sizeof(NTSTATUS) == 4, "NTSTATUS is a signed 32-bit number");
_Static_assert(sizeof(KAFFINITY) == 8, "KAFFINITY is 8 bytes on x64");
_Static_assert(sizeof(HANDLE) == 8, "a simulated driver is a 64-bit one");
