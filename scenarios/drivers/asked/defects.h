/* defects.h - a variant of asked, with DEFECT=DEFECT_NAME on the compiler's
 * command line. */
#ifndef ASKED_DEFECTS_H
#define ASKED_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_CHECKED 1 /* none: it is a checked build */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
