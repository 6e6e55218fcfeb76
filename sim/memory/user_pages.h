/* user_pages.h - pages of programs' blocks closed to the host for a while, so
 * that who touches them natively is noticed. What the guest may do with them
 * stays as it is. Knows nothing of who may. */
#ifndef SIM_MEMORY_USER_PAGES_H
#define SIM_MEMORY_USER_PAGES_H

#include <stdbool.h>
#include <stddef.h>

struct memory;

/* Closes all of them that are there. Refused by the host they stay open. */
void user_pages_close(struct memory *memory);

/* Opens those of them that hold these bytes. Returns false when none was
 * closed. Safe in a signal handler. */
bool user_pages_open(struct memory *memory, const void *start, size_t size);

/* Opens them all. */
void user_pages_open_all(struct memory *memory);

#endif
