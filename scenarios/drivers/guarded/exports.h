/* exports.h - whether the kernel's privileges and well-known SIDs are those of
 * the headers. */
#ifndef GUARDED_EXPORTS_H
#define GUARDED_EXPORTS_H

#include <ntifs.h>

BOOLEAN exports_are_right(void);

#endif
