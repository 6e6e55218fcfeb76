/* profile.c - Windows versions and architectures as figures: the rows of
 * os.def and arch.def. */
#include "api/nt/profile.h"

#include <assert.h>

#define ARCH_BIT(name) (UINT32_C(1) << ARCH_##name)

/* x64: CR8 is the IRQL. The others take it as theirs [C]. */
static uint8_t irql_class_identity(uint8_t irql)
{
    return irql > 15 ? 15 : irql;
}

/* x86: 32 levels on 16 classes, in order; device levels share theirs. The
 * classes are our choice, only their order can be observed. */
static uint8_t irql_class_x86(uint8_t irql)
{
    if (irql <= 2) {
        return irql;
    }
    if (irql < 27) {
        return (uint8_t)(3 + (irql - 3) / 3);
    }
    return irql > 31 ? 15 : (uint8_t)(irql - 27 + 11);
}

const struct os_row os_rows[OS_COUNT] = {
#define OS(name, major, minor, build, lists, type_max, pcw_version_2,          \
    hal_moved, groups, archs)                                                  \
    [OS_##name] = {#name, major, minor, build, lists, type_max, pcw_version_2, \
        hal_moved, groups, archs},
#include "api/nt/os.def"
};

const struct arch_row arch_rows[ARCH_COUNT] = {
#define ARCH(name, spelling, pointer, profiling, model, processors, groups,    \
    irql_class, efer)                                                          \
    [ARCH_##name] = {spelling, pointer, profiling, MODEL_##model, processors,  \
        groups, irql_class_##irql_class, efer},
#include "api/nt/arch.def"
};

bool profile_exists(enum os os, enum arch arch)
{
    assert(os < OS_COUNT && arch < ARCH_COUNT);
    return (os_rows[os].archs & (UINT32_C(1) << arch)) != 0;
}
