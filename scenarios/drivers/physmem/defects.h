/* defects.h - the mistakes that can be planted in physmem, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef PHYSMEM_DEFECTS_H
#define PHYSMEM_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_MAPPING_LEFT 1    /* the driver ends with a range mapped */
#define DEFECT_CONTIGUOUS_LEFT 2 /* nor freed contiguous memory */
#define DEFECT_NONCACHED_LEFT 3  /* nor memory that is not cached */
#define DEFECT_UNCHECKED 4       /* it uses a mapping that it did not get */
#define DEFECT_STALE 5           /* it reads a range that it has unmapped */
#define DEFECT_LENGTH 6          /* it unmaps a byte less than it has mapped */
#define DEFECT_ANY_ANSWER 7      /* it takes an empty slot for a device */
#define DEFECT_VIEW_LEFT 8       /* it ends and has not unmapped a view */
#define DEFECT_SECURED_LEFT 9    /* nor unsecured it */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
