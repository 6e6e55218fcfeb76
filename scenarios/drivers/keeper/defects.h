/* defects.h - the mistakes that can be planted in keeper, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef KEEPER_DEFECTS_H
#define KEEPER_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_OTHER_ORDER 1 /* a write takes the two locks the other way */
#define DEFECT_MUTEX_KEPT 2  /* a read goes back with the mutex */
#define DEFECT_WAITS 3       /* a read waits with the spin lock held */
#define DEFECT_LOCK_KEPT 4   /* the driver ends with the fast mutex */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
