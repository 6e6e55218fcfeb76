/* routine.c - the rows of exports.def, and questions about them. */
#include "api/core/routine.h"

#include <assert.h>
#include <string.h>

#include "api/core/each_parameter.h"

/* clang-format off */
#define ROW_P(index, type, name, direction, pointee, count)                    \
    {#name, #type, PARAMETER_##direction, NT_##pointee, #count}
#define ROW_NONE                                                               \
    {NULL, NULL, PARAMETER_VALUE, NT_VOID, NULL}
/* clang-format on */

/* A column in brackets is a list. */
#define LIST(...) __VA_ARGS__

/* Where a driver's name of the routine begins in the row's: behind crt_. */
enum {
    SKIP_NOTHING = 0,
    SKIP_PMU = 0,
    SKIP_NATIVE = 0,
    SKIP_CRT = 4,
    SKIP_LIBC = 4,
    SKIP_LIBC_NATIVE = 4,
};

/* Lists beside the rows: most are short, and each page that has pointers costs
 * at every start of the program. */
#define ROUTINE(name_, image_, ret, lowest_, highest_, cycles_, instructions_, \
    needs_, traits_, failed_, since_, header_, failures_, requirements_, ...)  \
    static const NTSTATUS failures_of_##name_[] = {                            \
        LIST failures_, NO_FAILURE};                                           \
    static const struct parameter parameters_of_##name_[] = {                  \
        EACH_PARAMETER(ROW_, __VA_ARGS__), ROW_NONE};
#include "api/core/exports.def"

const struct routine_row routine_rows[ROUTINE_COUNT] = {
#define ROUTINE(name_, image_, ret, lowest_, highest_, cycles_, instructions_, \
    needs_, traits_, failed_, since_, header_, failures_, requirements_, ...)  \
    [ROUTINE_##name_] = {                                                      \
        .name = &#name_[SKIP_##needs_],                                        \
        .image = IMAGE_##image_,                                               \
        .returns = NT_##ret,                                                   \
        .lowest = LEVEL_##lowest_,                                             \
        .highest = LEVEL_##highest_,                                           \
        .cycles = cycles_,                                                     \
        .instructions = instructions_,                                         \
        .needs = NEEDS_##needs_,                                               \
        .traits = (traits_),                                                   \
        .since = OS_##since_,                                                  \
        .header = header_,                                                     \
        .failures = failures_of_##name_,                                       \
        .requirements = requirements_,                                         \
        .parameter = parameters_of_##name_,                                    \
    },
#include "api/core/exports.def"
};

size_t routine_parameter_count(const struct routine_row *row)
{
    size_t count = 0;

    while (count < ROUTINE_PARAMETERS && row->parameter[count].name != NULL) {
        count++;
    }
    return count;
}

bool routine_find(const char *name, enum routine *routine)
{
    for (enum routine i = 0; i < ROUTINE_COUNT; i++) {
        if (strcmp(routine_rows[i].name, name) == 0) {
            *routine = i;
            return true;
        }
    }
    return false;
}

bool routine_is_native(const struct routine_row *row)
{
    return row->needs == NEEDS_NATIVE || row->needs == NEEDS_CRT ||
           row->needs == NEEDS_LIBC_NATIVE;
}

bool routine_has(enum routine routine, enum routine_trait trait)
{
    assert(routine < ROUTINE_COUNT);
    return (routine_rows[routine].traits & trait) != 0;
}

bool routine_may_return(enum routine routine, NTSTATUS status)
{
    const NTSTATUS *failure = routine_rows[routine].failures;

    assert(routine < ROUTINE_COUNT);
    while (*failure != NO_FAILURE && *failure != ANY_FAILURE &&
           *failure != status) {
        failure++;
    }
    return status == STATUS_SUCCESS || *failure != NO_FAILURE;
}

bool routine_exists(enum routine routine, enum os os)
{
    assert(routine < ROUTINE_COUNT && os < OS_COUNT);
    return os >= routine_rows[routine].since;
}

bool parameter_is_pointer(const struct parameter *parameter)
{
    return parameter->direction != PARAMETER_VALUE;
}

bool parameter_is_out(const struct parameter *parameter)
{
    return parameter->direction == PARAMETER_OUT ||
           parameter->direction == PARAMETER_OUT_OPT;
}
