/* profile.h - a Windows version on an architecture, as figures: os.def and
 * arch.def. */
#ifndef API_NT_PROFILE_H
#define API_NT_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/nt/irql_level.h"
#include "sim/pmu/model.h"

enum os {
#define OS(name, ...) OS_##name,
#include "api/nt/os.def"
    OS_COUNT
};

struct os_row {
    const char *name;
    uint32_t major, minor, build;
    bool lists;         /* resource lists and affinities are honoured */
    uint8_t type_max;   /* ResourceTypeMax */
    bool pcw_version_2; /* PcwRegister takes it (PCW-REG-04) */
    bool hal_moved;     /* ntoskrnl.exe has the HAL's routines, too (IMP-02) */
    uint16_t groups;    /* at most */
    uint32_t archs;     /* bit by enum arch */
};

struct arch_row {
    const char *name;
    uint8_t pointer_bytes;
    bool profiling;   /* thread profiling routines are implemented */
    enum model model; /* of processors by default; MODEL_NONE: no PMU at all */
    uint16_t processors, groups;         /* at most */
    uint8_t (*irql_class)(uint8_t irql); /* task priority class of an IRQL */
    uint64_t efer;                       /* IA32_EFER behind the boot */
};

extern const struct os_row os_rows[OS_COUNT];
extern const struct arch_row arch_rows[ARCH_COUNT];

/* Whether that version ever ran on that architecture. */
bool profile_exists(enum os os, enum arch arch);

#endif
