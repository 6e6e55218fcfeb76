/* other.h - includes what program.h includes, and has one that is not as its.
 */
#include "shared.h"

struct program {
    ULONG Other;
};
