/* defects.h - the mistakes that can be planted in ticker, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef TICKER_DEFECTS_H
#define TICKER_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_ROUTINE_LEFT 1 /* the interrupt's routine stays installed */
#define DEFECT_NOT_ARMED 2    /* LVTPC stays masked behind a tick */
#define DEFECT_FRAME_READ 3   /* the routine looks into the trap frame */
#define DEFECT_OTHER_SLOT                                                      \
    4 /* another pointer of HalDispatchTable is called                         \
       */
#define DEFECT_TABLE_WRITTEN 5 /* a pointer of HalDispatchTable is changed */
#define DEFECT_ROUTINE_LOCKS 6 /* the routine acquires a spin lock */

#define DEFECT_NMI_LEFT 7   /* the NMI callback stays registered */
#define DEFECT_NMI_DENIED 8 /* it says that the NMI was another's */
#define DEFECT_NMI_LATE 9   /* and of the last one, when it has stopped */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
