/* one_struct.c - everything that the header of that scene has is there, in the
 * shape of facts.md 6.3: what has another one does not compile. WRONG_SIZE
 * gives a field a size that its counter must not have, FAR_AWAY an offset that
 * no descriptor has. */
#include <wdm.h>

#ifdef WRONG_SIZE
typedef ULONG square;
#else
typedef ULONG64 square;
#endif

typedef struct {
    ULONG Triangle;
#ifdef FAR_AWAY
    ULONG64 Others[8192];
#endif
    square Square;
} WAVE_VALUES;

#include "one_struct.h"
#include "one_struct_symbols.h"

#ifdef __cplusplus
extern "C" {
#endif

struct shapes {
    PPCW_REGISTRATION *handle; /* no constant: it can be written */
    VOID (*init)(PPCW_CALLBACK, PVOID, PCW_REGISTRATION_INFORMATION *);
    NTSTATUS (*add_to)(PPCW_CALLBACK, PVOID);
    VOID (*remove)(VOID);
    NTSTATUS (*create)(PPCW_INSTANCE *, PCUNICODE_STRING, const WAVE_VALUES *);
    VOID (*close)(PPCW_INSTANCE);
    NTSTATUS (*add)(PPCW_BUFFER, PCUNICODE_STRING, ULONG, const WAVE_VALUES *);
};

extern const struct shapes shapes_one_struct;
const struct shapes shapes_one_struct = {&KcsGeometricWave,
    KcsInitRegistrationInformationGeometricWave, KcsRegisterGeometricWave,
    KcsUnregisterGeometricWave, KcsCreateGeometricWave, KcsCloseGeometricWave,
    KcsAddGeometricWave};

/* CTR-CLI-02. */
extern const GUID *guid_one_struct;
const GUID *guid_one_struct = &KcsGeometricWaveGuid;
extern const WCHAR name_one_struct[];
const WCHAR name_one_struct[] = KcsGeometricWaveName;
C_ASSERT(sizeof(name_one_struct) == 32);
C_ASSERT(KCS_TRIANGLE == 1 && KCS_SQUARE == 7);

#ifdef __cplusplus
}
#endif
