/* defects.h - the mistakes that can be planted in guarded, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef GUARDED_DEFECTS_H
#define GUARDED_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_LIST_SMALL 1    /* the list has room for one entry only */
#define DEFECT_RIGHT_MISSING 2 /* the handle may not change the list */
#define DEFECT_HANDLE_LEFT 3   /* the driver ends with the handle */
#define DEFECT_ATTACHED 4      /* DriverEntry returns attached to a process */
#define DEFECT_OWN_LEFT 5      /* that is the system process's, and is left */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
