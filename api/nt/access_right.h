/* access_right.h - rights of an ACCESS_MASK by their names. What they let
 * somebody do is no business of it. */
#ifndef API_NT_ACCESS_RIGHT_H
#define API_NT_ACCESS_RIGHT_H

/* GENERIC_READ is no int: an extension of C11, and C of C23. */
__extension__ enum access_right {
#define ACCESS_RIGHT(name, number) name = (number),
#include "api/nt/access_rights.def"
};

#endif
