/* defects.h - the mistakes that can be planted in widths, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef WIDTHS_DEFECTS_H
#define WIDTHS_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_PLAIN 1 /* it writes a register as if it were memory */
#define DEFECT_PAGED 2 /* a register is read into pageable memory, raised */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
