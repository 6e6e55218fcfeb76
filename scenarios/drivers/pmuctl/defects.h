/* defects.h - the mistakes that can be planted in pmuctl, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. The code where one is
 * planted says so by its name; all of it is constant, so that the other code
 * stays what it was. */
#ifndef PMUCTL_DEFECTS_H
#define PMUCTL_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_SET_OVERWRITTEN                                                 \
    1                          /* a second RESERVE loses the first's handle    \
                                */
#define DEFECT_SET_KEPT 2      /* neither close nor unload releases the PMU */
#define DEFECT_STILL_RUNNING 3 /* the PMU is freed while counters run */
#define DEFECT_NOT_RESERVED 4  /* PROGRAM does not ask for RESERVE */
#define DEFECT_DEVICE_LEFT 5   /* unload does not delete the device */
#define DEFECT_LINK_LEFT 6     /* nor the symbolic link */
#define DEFECT_INPUT_UNCHECKED 7
#define DEFECT_OUTPUT_UNCHECKED 8
#define DEFECT_NO_SEH 9
#define DEFECT_COMPLETED_TWICE 10
#define DEFECT_OTHER_STATUS 11 /* than the request was completed with */
#define DEFECT_IRQL_KEPT 12    /* an error's way out misses the lowering */
#define DEFECT_INIT_CALLED                                                     \
    13 /* unload calls what is gone after DriverEntry                          \
        */
#define DEFECT_AFFINITY_KEPT                                                   \
    14 /* an error's way out leaves the thread where it went */
#define DEFECT_LVTPC_LEFT 15 /* PROGRAM masks the interrupt for good */
#define DEFECT_PEBS_LEFT 16  /* and enables PEBS */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
