/* pageable.c - PAGED_CODE, as it is in a free build or in a checked one. The
 * code itself is not pageable, so that nothing else notices the level. */
#include "scenarios/drivers/asked/defects.h"

#if DEFECT == DEFECT_CHECKED
#define DBG 1
#endif

#include <ntddk.h>

#include "scenarios/drivers/asked/pageable.h"

VOID pageable(KIRQL behind)
{
    KIRQL before;

    PAGED_CODE();
    KeRaiseIrql(behind, &before);
    KeLowerIrql(before);
}
