/* many.c - many counter sets in one header; nothing of them is used. */
#include <wdm.h>

typedef struct {
#ifdef WRONG_SIZES
    ULONG Value[30];
#else
    ULONG64 Value[30];
#endif
} MANY_BLOCK;

#include "many.h"
#include "many_symbols.h"

C_ASSERT(sizeof(p_Set39Guid) == 16);
