/* three_structs.c - one parameter for each structure, in the manifest's order,
 * without a prefix; fields that are parts of others. */
#include <ntddk.h>

typedef struct {
    ULONG64 Bytes[2];
} DEVICE_TOTALS;

typedef struct {
    ULONG Flags;
    struct {
        ULONG64 Delta;
    } Inner;
} DEVICE_DETAILS;

typedef struct {
    ULONG Reads;
    WCHAR Text[3];
} DEVICE_STATE;

#include "three_structs.h"

#include "three_structs_symbols.h"

#ifdef __cplusplus
extern "C" {
#endif

struct shapes {
    NTSTATUS(*create)
    (PPCW_INSTANCE *, PCUNICODE_STRING, const DEVICE_TOTALS *,
        const DEVICE_DETAILS *, const DEVICE_STATE *);
    NTSTATUS(*add)
    (PPCW_BUFFER, PCUNICODE_STRING, ULONG, const DEVICE_TOTALS *,
        const DEVICE_DETAILS *, const DEVICE_STATE *);
};

extern const struct shapes shapes_three_structs;
const struct shapes shapes_three_structs = {CreateMyDevice, AddMyDevice};

extern const GUID *guid_three_structs;
const GUID *guid_three_structs = &MyDeviceGuid;

NTSTATUS register_three_structs(VOID);
NTSTATUS register_three_structs(VOID)
{
    return RegisterMyDevice(NULL, NULL);
}

#ifdef __cplusplus
}
#endif
