/* image_driver.h - the life of a loaded driver: DriverEntry, DriverUnload, and
 * what it leaves behind. Requests in between are io/file.h's and
 * io/control.h's. */
#ifndef API_IMAGE_IMAGE_DRIVER_H
#define API_IMAGE_IMAGE_DRIVER_H

#include "api/nt/nt.h"

struct image;
struct kernel;

/* Calls DriverEntry on the running strand, at PASSIVE_LEVEL. When its status is
 * an error, or there can be no driver of that name (io_driver_check_name()) or
 * no memory for it, the image is unloaded and gone. */
NTSTATUS image_driver_start(struct kernel *kernel, struct image *image);

/* Calls DriverUnload. When the status is a success the image is gone; else the
 * driver stays: io_driver_unload() says when. */
NTSTATUS image_driver_stop(struct kernel *kernel, struct image *image);

#endif
