/* defects.h - the mistakes that can be planted in mapper, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef MAPPER_DEFECTS_H
#define MAPPER_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_MDL_LEFT 1     /* the driver ends and has not freed an MDL */
#define DEFECT_LOCK_LEFT 2    /* nor unlocked what it has locked */
#define DEFECT_MAPPING_LEFT 3 /* nor unmapped pages of its own */
#define DEFECT_PAGES_LEFT 4   /* nor given them back */
#define DEFECT_STALE 5        /* it reads a mapping that is no more */
#define DEFECT_NO_TRY 6 /* it locks what is not there, and catches nothing */
#define DEFECT_STACK_BUILT 7 /* it says that its stack is nonpaged pool */
#define DEFECT_RANGE_LEFT 8  /* it ends and has not freed reserved addresses */
#define DEFECT_NO_MDL 9      /* it asks for an address without an MDL */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
