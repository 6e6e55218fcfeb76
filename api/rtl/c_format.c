/* c_format.c - sprintf, _snprintf, swprintf and their kin as ntoskrnl exports
 * them: characters go to the driver's buffer as they are made, and beyond Count
 * they are not even counted (RTL-40a). */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/rules.h"
#include "api/mm/copy.h"
#include "api/rtl/format.h"
#include "api/rtl/units.h"

enum { PIECE = 64 };

struct printed {
    enum routine routine;
    enum unit unit;
    uint8_t *to;
    SIZE_T room; /* characters */
    SIZE_T made; /* with those that there is no room for */
    SIZE_T kept; /* of them in `piece`, the last */
    uint8_t piece[PIECE * UNIT_WIDE];
};

/* Where they belong. */
static void flush(struct printed *printed)
{
    SIZE_T before =
        printed->made < printed->room ? printed->made : printed->room;

    assert(printed->kept <= before);
    copy_out(kernel_current(), printed->routine,
        units_behind(printed->to, (before - printed->kept) * printed->unit),
        printed->piece, printed->kept * printed->unit);
    printed->kept = 0;
}

static void put(void *context, uint16_t c)
{
    struct printed *printed = context;

    if (printed->made >= printed->room) {
        printed->made++;
        return;
    }
    memcpy(printed->piece + printed->kept * printed->unit, &c, printed->unit);
    printed->kept++;
    printed->made++;
    if (printed->kept == PIECE || printed->made == printed->room) {
        flush(printed);
    }
}

static LONG print(
    struct printed *printed, const void *format, const void *arguments)
{
    static const WCHAR nul = 0;
    struct kernel *kernel = kernel_current();
    struct copy_text_source source = {kernel, printed->routine};
    const struct guest_reader reader = copy_text_reader(&source);
    const struct format_output output = {.wide = printed->unit == UNIT_WIDE,
        .most = INT32_MAX,
        .put = put,
        .context = printed};
    struct format_outcome outcome =
        format_write(&output, &reader, (uintptr_t)format, (uintptr_t)arguments);

    assert(!outcome.faulted && outcome.length == printed->made);
    flush(printed);
    if (printed->made < printed->room) {
        copy_out(kernel, printed->routine,
            units_behind(printed->to, printed->made * printed->unit), &nul,
            printed->unit);
    }
    if (outcome.unsupported) {
        rule_warn(
            kernel, kernel_cpu(kernel), RULE_DBGPRINT_FORMAT, printed->routine);
    }
    return printed->made <= printed->room || printed->to == NULL
               ? (LONG)printed->made
               : -1;
}

LONG _snprintf_body(PVOID Buffer, SIZE_T Count, PCSTR Format, PVOID Arguments)
{
    struct printed printed = {.routine = ROUTINE__snprintf,
        .unit = UNIT_NARROW,
        .to = Buffer,
        .room = Count};

    return print(&printed, Format, Arguments);
}

LONG _snwprintf_body(PVOID Buffer, SIZE_T Count, PCWSTR Format, PVOID Arguments)
{
    struct printed printed = {.routine = ROUTINE__snwprintf,
        .unit = UNIT_WIDE,
        .to = Buffer,
        .room = Count};

    return print(&printed, Format, Arguments);
}

LONG _vsnprintf_body(PVOID Buffer, SIZE_T Count, PCSTR Format, PVOID Arguments)
{
    struct printed printed = {.routine = ROUTINE__vsnprintf,
        .unit = UNIT_NARROW,
        .to = Buffer,
        .room = Count};

    return print(&printed, Format, Arguments);
}

LONG _vsnwprintf_body(
    PVOID Buffer, SIZE_T Count, PCWSTR Format, PVOID Arguments)
{
    struct printed printed = {.routine = ROUTINE__vsnwprintf,
        .unit = UNIT_WIDE,
        .to = Buffer,
        .room = Count};

    return print(&printed, Format, Arguments);
}

LONG crt_sprintf_body(PVOID Buffer, PCSTR Format, PVOID Arguments)
{
    struct printed printed = {.routine = ROUTINE_crt_sprintf,
        .unit = UNIT_NARROW,
        .to = Buffer,
        .room = SIZE_MAX};

    return print(&printed, Format, Arguments);
}

LONG crt_swprintf_body(PVOID Buffer, PCWSTR Format, PVOID Arguments)
{
    struct printed printed = {.routine = ROUTINE_crt_swprintf,
        .unit = UNIT_WIDE,
        .to = Buffer,
        .room = SIZE_MAX};

    return print(&printed, Format, Arguments);
}

LONG crt_vsprintf_body(PVOID Buffer, PCSTR Format, PVOID Arguments)
{
    struct printed printed = {.routine = ROUTINE_crt_vsprintf,
        .unit = UNIT_NARROW,
        .to = Buffer,
        .room = SIZE_MAX};

    return print(&printed, Format, Arguments);
}
