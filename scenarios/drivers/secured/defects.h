/* defects.h - the mistakes that can be planted in secured, one at a time, with
 * DEFECT=DEFECT_NAME on the compiler's command line. */
#ifndef SECURED_DEFECTS_H
#define SECURED_DEFECTS_H

#define DEFECT_NONE 0
#define DEFECT_OPEN_UNCHECKED 1 /* no FILE_DEVICE_SECURE_OPEN */
#define DEFECT_EVERYBODY 2      /* the list lets everybody write */
#define DEFECT_NOT_SET 3        /* the device keeps the default descriptor */
#define DEFECT_NAMES_REFUSED 4  /* none: as 1, but no names are opened */

#ifndef DEFECT
#define DEFECT DEFECT_NONE
#endif

#endif
