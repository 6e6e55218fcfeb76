/* program.h - what programs include, who have no ntddk.h. */
#include <windows.h>
#include <winioctl.h>

#include "shared.h"

struct program {
    DWORD Code;
    BOOL Ready;
    struct shared Shared;
};
