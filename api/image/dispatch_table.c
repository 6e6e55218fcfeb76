/* dispatch_table.c - HalDispatchTable: routines that no image exports, and
 * pointers that only name what is not modelled. */
#include "api/image/dispatch_table.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/run_end.h"
#include "api/image/native.h"

enum { VERSION = 3 }; /* HAL_DISPATCH_VERSION of mingw-w64's ntddk.h */

static uint64_t pointer_of(
    const struct kernel *kernel, const struct nt_member *member)
{
    enum routine routine;

    return routine_find(member->name, &routine)
               ? native_thunk(kernel, routine)
               : native_thunk(
                     kernel, ROUTINE_COUNT + member->offset / sizeof(uint64_t));
}

HAL_DISPATCH dispatch_table(const struct kernel *kernel)
{
    const struct nt_type_row *row = nt_type_row(NT_HAL_DISPATCH);
    HAL_DISPATCH table = {.Version = VERSION};

    for (size_t i = 0; i < row->member_count; i++) {
        const struct nt_member *member = &row->member[i];

        if (member->type == NT_PVOID) {
            uint64_t pointer = pointer_of(kernel, member);

            assert(member->offset + sizeof(pointer) <= sizeof(table));
            memcpy(
                (uint8_t *)&table + member->offset, &pointer, sizeof(pointer));
        }
    }
    return table;
}

_Noreturn void dispatch_table_stop(struct kernel *kernel, uint32_t n)
{
    const struct nt_type_row *row = nt_type_row(NT_HAL_DISPATCH);
    const struct nt_member *member = row->member;
    char place[PLACE_BYTES];

    assert(n < DISPATCH_THUNKS);
    while (member < row->member + row->member_count - 1 &&
           member->offset != n * sizeof(uint64_t)) {
        member++;
    }
    place_name(kernel, place_current(kernel), place, sizeof(place));
    run_end_stop(kernel, RUN_NOT_MODELLED,
        "the driver called %s of HalDispatchTable at %s, which is not modelled",
        member->name, place);
}
