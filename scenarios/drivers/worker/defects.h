/* defects.h - the mistakes that can be planted in worker, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef WORKER_DEFECTS_H
#define WORKER_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_THREAD_LEFT 1     /* unload does not wait for the thread */
#define DEFECT_HANDLE_LEFT 2     /* the thread's handle stays open */
#define DEFECT_REGION_KEPT 3     /* a request returns in a critical region */
#define DEFECT_STACK_WAITED 4    /* a UserMode wait for an event on the stack */
#define DEFECT_TYPE_CONFUSED 5   /* the handle is taken for an event's */
#define DEFECT_NO_WAIT_FOLLOWS 6 /* Wait = TRUE, and a call that is no wait */
#define DEFECT_KEPT_BY_IO 7    /* none: the I/O manager waits for the thread */
#define DEFECT_STATE_LEFT 8    /* nor for the state that the thread has saved */
#define DEFECT_LEVEL_WRITTEN 9 /* Wait = TRUE, and the level is lowered */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
