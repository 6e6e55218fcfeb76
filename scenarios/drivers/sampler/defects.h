/* defects.h - the mistakes that can be planted in sampler, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. The code where one is
 * planted says so by its name; all of it is constant, so that the other code
 * stays what it was. */
#ifndef SAMPLER_DEFECTS_H
#define SAMPLER_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_SET_LEAKED 1       /* STOP does not free the set */
#define DEFECT_HANDLE_LOST 2      /* it frees what is no longer the set */
#define DEFECT_STILL_RUNNING 3    /* the set is freed before counters stop */
#define DEFECT_STATUS_UNCHECKED 4 /* the HAL said no, it goes on */
#define DEFECT_RING_PAGED 5
#define DEFECT_RING_LEAKED 6
#define DEFECT_RING_FREED 7     /* STOP frees what READ still reads */
#define DEFECT_FREED_TWICE 8    /* the resource list */
#define DEFECT_WRONG_TAG 9      /* memory is freed with another tag */
#define DEFECT_4_PROCESSORS 10  /* room for no more rings */
#define DEFECT_HANDLER_PAGED 11 /* in a pageable section */
#define DEFECT_HANDLER_LOCKS 12
#define DEFECT_HANDLER_PRINTS 13
#define DEFECT_HANDLER_LOWERS 14 /* to a level it was never at */
#define DEFECT_HANDLER_STALLS 15 /* 100 microseconds */
#define DEFECT_STACK_OVERFLOW 16 /* READ's frames are too many */
#define DEFECT_NULL_CALL 17      /* STOP calls a routine that nobody has set */
#define DEFECT_WORKER_ALLOCATES 18 /* at IPI_LEVEL */
#define DEFECT_LOCK_KEPT 19 /* STOP lowers IRQL instead of releasing it */
#define DEFECT_HANDLER_DISCARDED 20 /* in a section for DriverEntry only */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
