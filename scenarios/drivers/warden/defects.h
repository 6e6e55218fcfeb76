/* defects.h - the mistakes that can be planted in warden, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef WARDEN_DEFECTS_H
#define WARDEN_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_CONTEXT_LEFT 1   /* a captured context is not released */
#define DEFECT_LOCK_LEFT 2      /* it is released while it is locked */
#define DEFECT_RELEASED_TWICE 3 /* it is released twice */
#define DEFECT_NOT_LOCKED 4     /* it is said to be locked and is not */
#define DEFECT_KERNEL_MODE 5    /* the check is for KernelMode */
#define DEFECT_UNFORCED 6       /* the open has no OBJ_FORCE_ACCESS_CHECK */
#define DEFECT_LOCKED 7         /* none: locked, and not said to be */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
