/* image_place.h - the instruction of a driver's that something is said of. */
#ifndef API_IMAGE_IMAGE_PLACE_H
#define API_IMAGE_IMAGE_PLACE_H

#include <stdint.h>

struct guest_frame;
struct kernel;

/* The instruction that made the call which returns to `address`. */
uint64_t image_call_site(struct kernel *kernel, uint64_t address);

/* Where the frame's code has called the kernel or was interrupted; that has
 * gone where no image is: where it came from. */
uint64_t image_place_of(const struct guest_frame *frame);

#endif
