/* reserved_backcompat.c - parameters that are called as words of C, C++ and
 * Windows headers would be, and as those of generated code under -backcompat.
 */
#include <wdm.h>

typedef struct {
    ULONG Value;
} RESERVED_BLOCK;

#include "reserved_backcompat.h"

#ifdef __cplusplus
extern "C" {
#endif

NTSTATUS register_reserved_backcompat(VOID);
NTSTATUS register_reserved_backcompat(VOID)
{
    return RegisterReserved(NULL, NULL);
}

#ifdef __cplusplus
}
#endif
