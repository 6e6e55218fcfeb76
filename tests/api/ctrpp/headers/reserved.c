/* reserved.c - parameters that are called as words of C, C++ and Windows
 * headers would be, and as those of generated code. */
#include <wdm.h>

typedef struct {
    ULONG Value;
} RESERVED_BLOCK;

#include "reserved.h"

#ifdef __cplusplus
extern "C" {
#endif

NTSTATUS register_reserved(VOID);
NTSTATUS register_reserved(VOID)
{
    return RegisterReserved(NULL, NULL);
}

#ifdef __cplusplus
}
#endif
