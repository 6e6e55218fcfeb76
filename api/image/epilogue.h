/* epilogue.h - whether code is about to leave its function: x64 version 1
 * unwind data say nothing of epilogues, so their instructions are decoded
 * ("x64 prolog and epilog"). Knows nothing of stacks. */
#ifndef API_IMAGE_EPILOGUE_H
#define API_IMAGE_EPILOGUE_H

#include "api/image/unwind_info.h"

enum { EPILOGUE_POP_MAX = 15 }; /* every register but the stack pointer */

/* What is left of an epilogue, in the order in which it is done. */
struct epilogue {
    uint8_t base;   /* register that the stack pointer is made of; 4: itself */
    int32_t offset; /* bytes added to it */
    uint8_t pop[EPILOGUE_POP_MAX];
    uint8_t pop_count;
    uint16_t release; /* bytes that the return takes off the stack besides */
};

/* Is true: ends the process where it is none that was decoded. */
bool epilogue_check(const struct epilogue *epilogue);

/* Whether the code at `rip` of `function` is the end of an epilogue, up to a
 * return or a jump out of the function. Unreadable code is none. */
bool epilogue_decode(const struct unwind_memory *memory, uint64_t base,
    const struct image_function *function, const struct unwind_info *info,
    uint64_t rip, struct epilogue *epilogue);

#endif
