/* image_function.h - a row of an image's function table (.pdata). Addresses are
 * relative to the image's base. */
#ifndef API_PE_IMAGE_FUNCTION_H
#define API_PE_IMAGE_FUNCTION_H

#include <stdint.h>

struct image_function {
    uint32_t begin, end, unwind;
};

#endif
