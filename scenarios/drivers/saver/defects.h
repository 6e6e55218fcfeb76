/* defects.h - the mistakes that can be planted in saver, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line; numbers 7 and 8 are none.
 */
#ifndef SAVER_DEFECTS_H
#define SAVER_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_REGISTRATION_LEFT                                               \
    1                               /* a device is deleted that is registered  \
                                     */
#define DEFECT_UNREGISTERED_TWICE 2 /* and once more when it is not */
#define DEFECT_LATE_FILE 3          /* the last chance writes to the file */
#define DEFECT_LATE_PAGED 4         /* the last chance reads paged pool */
#define DEFECT_LATE_CODE 5          /* the last chance runs pageable code */
#define DEFECT_STACKED 6            /* both devices are of one stack */
#define DEFECT_REGISTERED_TWICE 7   /* the late one for both times */
#define DEFECT_PENDS 8              /* a work item completes the request */
#define DEFECT_START_FAILS 9        /* and nothing is given back */
#define DEFECT_TIMER_KEPT 10        /* a timer of the extension is active */
#define DEFECT_LATE_PRINT 11        /* the last chance prints paged pool */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
