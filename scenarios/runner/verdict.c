/* verdict.c - made whole, like one that a run came to. */
#include "scenarios/runner/verdict.h"

#include <assert.h>
#include <stdarg.h>
#include <talloc.h>

#include "scenarios/runner/outline.h"

struct verdict *verdict_failed(void *context, const struct instance *instance,
    enum result result, const char *format, ...)
{
    struct verdict *verdict = talloc_zero(context, struct verdict);
    va_list arguments;

    assert(verdict != NULL);
    verdict->result = result;
    verdict->failure = talloc_zero(verdict, struct failure);
    assert(verdict->failure != NULL);
    verdict->failure_count = 1;
    va_start(arguments, format);
    *verdict->failure = (struct failure){
        .place = instance->scenario != NULL ? instance->scenario->root
                                            : instance->outline->root,
        .step = "",
        .message = talloc_vasprintf(verdict, format, arguments),
    };
    va_end(arguments);
    return verdict;
}
