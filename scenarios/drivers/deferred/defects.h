/* defects.h - the mistakes that can be planted in deferred, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef DEFERRED_DEFECTS_H
#define DEFERRED_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_TIMER_LEFT 1   /* the timer runs on when the driver is gone */
#define DEFECT_ITEM_LEFT 2    /* the work item is not freed */
#define DEFECT_QUEUED_TWICE 3 /* the item is queued while it is queued */
#define DEFECT_DPC_WAITS 4    /* the DPC waits for the work item */
#define DEFECT_DPC_LEFT 5     /* a DPC is queued when the driver ends */
#define DEFECT_ITEM_FREED 6   /* the item is freed while it is queued */
#define DEFECT_WRONG_PAIR 7   /* an item that was allocated is uninitialised */
#define DEFECT_WRONG_OBJECT 8 /* an item of something that is no device */

#define DEFECT_DPC_INTERRUPTS 9   /* the DPC leaves interrupts disabled */
#define DEFECT_WORK_INTERRUPTS 10 /* the work item does */
#define DEFECT_OWN_ITEM 11        /* none: the item is the driver's memory */
#define DEFECT_WORK_LEFT 12       /* a work item runs when the driver ends */
#define DEFECT_CALLBACK_LEFT 13   /* a routine stays with a callback object */
#define DEFECT_ALLOCATED_LEFT 14  /* a timer of the system is not deleted */
#define DEFECT_TRY_ITEM 15        /* none: an item is queued if it is idle */
#define DEFECT_SECONDS_TWICE 16   /* the device's timer is made again */
#define DEFECT_SECONDS_LEFT 17    /* it runs when the device is deleted */
#define DEFECT_SECONDS_INSIDE 18  /* its routine stops it */
#define DEFECT_SECONDS_NONE 19    /* it is started and never made */
#define DEFECT_FREES_ITSELF 21    /* none: an item frees itself at its end */
#define DEFECT_RESOLUTION_LEFT 20 /* ticks stay short when the driver ends */
#define DEFECT_EXPIRY_LEFT 22     /* a timer's DPC is queued then */
#define DEFECT_TRY_FOUND 23       /* none: as TRY_ITEM, by a name it looks up */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
