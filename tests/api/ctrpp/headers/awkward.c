/* awkward.c - names that generated code has itself, and a text that is no plain
 * one. The types of this manifest are called as parameters are elsewhere. */
#include <wdm.h>

typedef struct {
    ULONG Name;
} Name;

typedef struct {
    ULONG Name;
    ULONG64 More[2];
} Data;

typedef struct {
    ULONG Name;
    ULONG64 More[3];
} Context;

typedef struct {
    ULONG Name;
} MyBuffer;

#include "awkward.h"

#include "awkward_symbols.h"

#ifdef __cplusplus
extern "C" {
#endif

NTSTATUS register_awkward(VOID);
NTSTATUS register_awkward(VOID)
{
    return RegisterInformation(NULL, NULL);
}

extern const GUID *guid_awkward;
const GUID *guid_awkward = &InformationGuid;

/* A character outside of the BMP is two. */
extern const WCHAR name_awkward[];
const WCHAR name_awkward[] = InformationName;
C_ASSERT(sizeof(name_awkward) == 54);

#ifdef __cplusplus
}
#endif
