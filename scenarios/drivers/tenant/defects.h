/* defects.h - the mistakes that can be planted in tenant, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef TENANT_DEFECTS_H
#define TENANT_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_LEFT 1       /* the driver ends and has not freed the memory */
#define DEFECT_SIZE_KEPT 2  /* it releases with the size it has got */
#define DEFECT_NOT_OPENED 3 /* it uses memory that is only reserved */
#define DEFECT_AFTER_END 4  /* it uses the memory of a program that has gone */
#define DEFECT_ELSEWHERE 5  /* it frees it in another process */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
