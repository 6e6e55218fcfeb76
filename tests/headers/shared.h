/* shared.h - a structure that two headers have. */
#ifndef SHARED_H
#define SHARED_H

struct shared {
    unsigned long Bits;
    unsigned char Last;
};

#endif
