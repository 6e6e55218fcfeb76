/* backcompat.c - where the kernel's routines are looked up, the shapes stay,
 * and nothing is left that the linker would look for: it is as if wdm.h had
 * declared none. */
#define PcwRegister declared_and_not_called_1
#define PcwUnregister declared_and_not_called_2
#define PcwCreateInstance declared_and_not_called_3
#define PcwCloseInstance declared_and_not_called_4
#define PcwAddInstance declared_and_not_called_5
#include <wdm.h>
#undef PcwRegister
#undef PcwUnregister
#undef PcwCreateInstance
#undef PcwCloseInstance
#undef PcwAddInstance

typedef struct {
    ULONG Triangle;
    ULONG64 Square;
} WAVE_VALUES;

#include "backcompat.h"

#ifdef __cplusplus
extern "C" {
#endif

struct shapes {
    NTSTATUS (*add_to)(PPCW_CALLBACK, PVOID);
    VOID (*remove)(VOID);
    NTSTATUS (*create)(PPCW_INSTANCE *, PCUNICODE_STRING, const WAVE_VALUES *);
    VOID (*close)(PPCW_INSTANCE);
    NTSTATUS (*add)(PPCW_BUFFER, PCUNICODE_STRING, ULONG, const WAVE_VALUES *);
};

extern const struct shapes shapes_backcompat;
const struct shapes shapes_backcompat = {KcsRegisterGeometricWave,
    KcsUnregisterGeometricWave, KcsCreateGeometricWave, KcsCloseGeometricWave,
    KcsAddGeometricWave};

#ifdef __cplusplus
}
#endif
