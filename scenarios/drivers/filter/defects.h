/* defects.h - the mistakes that can be planted in filter, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef FILTER_DEFECTS_H
#define FILTER_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_TYPE_LEFT 1           /* DeviceType is not the lower device's */
#define DEFECT_FLAGS_LEFT 2          /* nor are the flags of transfers */
#define DEFECT_PENDING_FORGOTTEN 3   /* by the completion routine */
#define DEFECT_SKIPPED_ROUTINE 4     /* its location is skipped, not copied */
#define DEFECT_TOUCHED_AFTER 5       /* the request, once it was sent on */
#define DEFECT_NOT_DETACHED 6        /* the device is deleted as it stands */
#define DEFECT_FILE_KEPT 7           /* the file object is not dereferenced */
#define DEFECT_DEVICE_DEREFERENCED 8 /* instead of the file object */
#define DEFECT_REQUEST_FREED 9       /* that the I/O manager frees */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
