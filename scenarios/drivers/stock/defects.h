/* defects.h - the mistakes that can be planted in stock, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef STOCK_DEFECTS_H
#define STOCK_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_LIST_LEFT 1  /* the driver ends and has not deleted a list */
#define DEFECT_BLOCK_LEFT 2 /* nor given back a block that it took from it */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
