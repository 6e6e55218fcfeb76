/* defects.h - the mistakes that can be planted in sealed, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef SEALED_DEFECTS_H
#define SEALED_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_EVERYBODY 1   /* the string lets everybody write */
#define DEFECT_KERNEL_ONLY 2 /* the string lets nobody in */
#define DEFECT_MISSPELLED 3  /* the string is none */
#define DEFECT_NO_NAME 4     /* the device has no name, nor is one made up */
#define DEFECT_UNSEALED 5    /* IoCreateDevice, which has no string */
#define DEFECT_GENERATED 6   /* none: as 4, but a name is made up */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
