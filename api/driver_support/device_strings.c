/* device_strings.c - the descriptors that wdmsec.h has names for (page SDDL for
 * Device Objects). */
#include <ntifs.h>
/* Behind it, because it renames what ntifs.h declares. */
#include <wdmsec.h>

#define SDDL_DEVOBJ(name, text)                                                \
    const UNICODE_STRING SDDL_DEVOBJ_##name = RTL_CONSTANT_STRING(text);

SDDL_DEVOBJ(KERNEL_ONLY, L"D:P")
SDDL_DEVOBJ(SYS_ALL, L"D:P(A;;GA;;;SY)")
SDDL_DEVOBJ(SYS_ALL_ADM_ALL, L"D:P(A;;GA;;;SY)(A;;GA;;;BA)")
SDDL_DEVOBJ(SYS_ALL_ADM_RX, L"D:P(A;;GA;;;SY)(A;;GRGX;;;BA)")
SDDL_DEVOBJ(
    SYS_ALL_ADM_RWX_WORLD_R, L"D:P(A;;GA;;;SY)(A;;GRGWGX;;;BA)(A;;GR;;;WD)")
SDDL_DEVOBJ(SYS_ALL_ADM_RWX_WORLD_R_RES_R,
    L"D:P(A;;GA;;;SY)(A;;GRGWGX;;;BA)(A;;GR;;;WD)(A;;GR;;;RC)")
SDDL_DEVOBJ(SYS_ALL_ADM_RWX_WORLD_RW_RES_R,
    L"D:P(A;;GA;;;SY)(A;;GRGWGX;;;BA)(A;;GRGW;;;WD)(A;;GR;;;RC)")
SDDL_DEVOBJ(SYS_ALL_ADM_RWX_WORLD_RWX_RES_RWX,
    L"D:P(A;;GA;;;SY)(A;;GRGWGX;;;BA)(A;;GRGWGX;;;WD)(A;;GRGWGX;;;RC)")
