/* defects.h - the mistakes that can be planted in witness, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef WITNESS_DEFECTS_H
#define WITNESS_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_RECORD_LEFT 1   /* it ends with its callbacks registered */
#define DEFECT_ALLOCATES 2     /* its callback allocates a block */
#define DEFECT_TOUCHES 3       /* DriverEntry writes where nothing is */
#define DEFECT_TOUCHES_AGAIN 4 /* and its callback does, too */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
