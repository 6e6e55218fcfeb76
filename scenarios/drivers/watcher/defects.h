/* defects.h - the mistakes that can be planted in watcher, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef WATCHER_DEFECTS_H
#define WATCHER_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_ROUTINE_LEFT 1    /* unloaded with its routine of threads */
#define DEFECT_REMOVED_INSIDE 2  /* the routine of processes removes itself */
#define DEFECT_IRQL_KEPT 3       /* it returns at APC_LEVEL */
#define DEFECT_INTERRUPTS_KEPT 4 /* it returns with interrupts disabled */
#define DEFECT_ALL_LEFT 5        /* unloaded with all its routines */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
