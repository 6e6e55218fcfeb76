/* shared_data.h - KUSER_SHARED_DATA: what a driver reads at its fixed address,
 * in virtual time. */
#ifndef API_IMAGE_SHARED_DATA_H
#define API_IMAGE_SHARED_DATA_H

#include <stdbool.h>

struct guest_frame;

/* The frame's instruction faulted by a read. Returns true when that was of the
 * page; the instruction goes on with a copy then. */
bool shared_data_read(struct guest_frame *frame);

/* That instruction has been executed. */
void shared_data_stepped(struct guest_frame *frame);

#endif
