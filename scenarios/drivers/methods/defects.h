/* defects.h - the mistakes that can be planted in methods, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef METHODS_DEFECTS_H
#define METHODS_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_NO_TRY 1  /* what touches a program's memory catches nothing */
#define DEFECT_TRUSTED 2 /* an address within the input is not probed */
#define DEFECT_KEPT 3    /* the address of a request is used in the next one */
#define DEFECT_LENGTH 4  /* the length of the output is not looked at */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
