/* defects.h - the mistakes that can be planted in meter, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef METER_DEFECTS_H
#define METER_DEFECTS_H

#define DEFECT_NONE 0
/* The timers and their instances. */
#define DEFECT_TIMER_LEFT 1   /* never cancelled; their memory is freed */
#define DEFECT_BLOCK_FREED 2  /* the memory before the instances */
#define DEFECT_WINDOW_PAGED 3 /* the memory, which a DPC writes */
/* The processors' figures. */
#define DEFECT_SHARED_TOTAL 4 /* all DPCs add to one figure, with no lock */
#define DEFECT_FEW_PLACES 5   /* as many as there are in group 0 */
#define DEFECT_SUMMED_LATE 6  /* they are freed before the timers end */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
