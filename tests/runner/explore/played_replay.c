/* played_replay.c - tried_replay() as the tests of this room see it. */
#include "tests/runner/explore/played_replay.h"

#include <stdio.h>

struct verdict *__wrap_tried_replay(void *context, struct tried *tried,
    const struct deviations *deviations, FILE *trace);
struct verdict *__real_tried_replay(void *context, struct tried *tried,
    const struct deviations *deviations, FILE *trace);

struct verdict *(*played_replay)(
    void *context, struct tried *tried, const struct deviations *deviations);

struct verdict *__wrap_tried_replay(void *context, struct tried *tried,
    const struct deviations *deviations, FILE *trace)
{
    return played_replay == NULL
               ? __real_tried_replay(context, tried, deviations, trace)
               : played_replay(context, tried, deviations);
}
