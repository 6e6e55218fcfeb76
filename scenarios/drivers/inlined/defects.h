/* defects.h - the mistakes that can be planted in inlined, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef INLINED_DEFECTS_H
#define INLINED_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_NEVER 1 /* the objects are never initialised */
#define DEFECT_PAGED 2 /* the work items lie in paged pool */
#define DEFECT_NO_REGION                                                       \
    3 /* a resource is released for a thread with APCs on */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
