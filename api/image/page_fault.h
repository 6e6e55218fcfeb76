/* page_fault.h - an address that a driver's native code touched and may not. */
#ifndef API_IMAGE_PAGE_FAULT_H
#define API_IMAGE_PAGE_FAULT_H

struct guest_frame;

/* Answers a read of KUSER_SHARED_DATA, raises an access violation for what
 * would be a user-mode address, and stops the machine for the rest. Returns
 * when the driver's code goes on. */
void page_fault(struct guest_frame *frame);

#endif
