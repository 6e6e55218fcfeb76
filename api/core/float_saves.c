/* float_saves.c - saved floating-point states as a list, the last one first. */
#include "api/core/float_saves.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/rules.h"
#include "api/core/ruling.h"

void float_saves_add(struct kernel *kernel, const struct float_save *save)
{
    struct float_saves *saves = &kernel->float_saves;
    struct float_save *added = record_take(
        kernel, &saves->pool, sizeof(*added), "floating-point states");

    assert(save->thread != NULL && save->address != 0);
    *added = *save;
    added->older = saves->newest;
    saves->newest = added;
}

void float_saves_remove(struct kernel *kernel, struct float_save *save)
{
    struct float_saves *saves = &kernel->float_saves;
    struct float_save **link = &saves->newest;

    while (*link != save) {
        assert(*link != NULL);
        link = &(*link)->older;
    }
    *link = save->older;
    record_give(&saves->pool, save);
}

struct float_save *float_saves_innermost(
    const struct kernel *kernel, const void *thread)
{
    struct float_save *save = kernel->float_saves.newest;

    while (save != NULL && save->thread != thread) {
        save = save->older;
    }
    return save;
}

struct float_save *float_saves_find(
    const struct kernel *kernel, uint64_t address, bool extended)
{
    struct float_save *save = kernel->float_saves.newest;

    while (save != NULL &&
           (save->address != address || save->extended != extended)) {
        save = save->older;
    }
    return save;
}

void float_saves_check(struct kernel *kernel, const void *thread,
    const struct float_save *before, uint64_t place)
{
    const struct float_save *now =
        thread == NULL ? NULL : float_saves_innermost(kernel, thread);
    const struct bugcheck_parameter parameter[4] = {{.value = 0}};

    if (now == NULL || now == before ||
        ruling_is(kernel, RULED_FPU_05_unchecked)) {
        return;
    }
    rule_stop_at(kernel, kernel_cpu(kernel), RULE_FLOAT_LEFT, ROUTINE_COUNT,
        place, parameter);
}
