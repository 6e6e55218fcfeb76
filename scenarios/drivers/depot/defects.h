/* defects.h - the mistakes that can be planted in depot, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef DEPOT_DEFECTS_H
#define DEPOT_DEFECTS_H

#define DEFECT_NONE 0
/* Locks. */
#define DEFECT_LEVEL_ASSUMED 1 /* the callback takes it as if in a DPC */
#define DEFECT_COPY_UNLOCKED 2 /* the callback copies without the lock */
#define DEFECT_MUTEX_AGAIN 3   /* a put that drops first, within the mutex */
#define DEFECT_MUTEX_KEPT 10   /* by a get, which enables APCs again */
#define DEFECT_APCS_ENABLED 4  /* a resource without a critical region */
#define DEFECT_RESOURCE_KEPT 5 /* by a callback that has failed */
/* The end. */
#define DEFECT_UNREGISTERED_LAST 9 /* what callbacks read is freed before */
/* Work items. */
#define DEFECT_ITEM_LEFT 6      /* never freed */
#define DEFECT_SNAPSHOT_FREED 7 /* while a callback may read it */
#define DEFECT_ITEM_AWAITED 8   /* by who has the mutex that it needs */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
