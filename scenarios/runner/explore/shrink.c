/* shrink.c - leaves out switches of a schedule that fails, as long as it fails
 * in the same way; then looks for one with fewer. */
#include "scenarios/runner/explore/shrink.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/explore/search.h"
#include "scenarios/runner/explore/tried.h"
#include "scenarios/runner/run/verdict.h"

/* Tried when others with fewer are looked for, those with the fewest first. */
enum { SHRINK_SCHEDULES = 2000 };

struct shrink_aim shrink_aim(const struct verdict *verdict)
{
    return (struct shrink_aim){.result = verdict->result,
        .place =
            verdict->failure_count == 0 ? NULL : verdict->failure[0].place};
}

bool shrink_is_aim(const struct shrink_aim *aim, const struct verdict *verdict)
{
    struct shrink_aim other = shrink_aim(verdict);

    return other.result == aim->result && other.place == aim->place;
}

/* Whether it fails in the same way without `count` of them; then they are gone,
 * and those that did not come to be. */
static bool does_without(void *context, struct tried *tried,
    const struct shrink_aim *aim, struct deviations *deviations, size_t first,
    size_t count)
{
    void *memory = talloc_new(context);
    struct deviations fewer = {.count = deviations->count - count};
    struct verdict *verdict;
    bool fails;

    fewer.item =
        talloc_array(memory, struct deviation, (unsigned)fewer.count + 1);
    assert(fewer.item != NULL);
    memcpy(fewer.item, deviations->item, first * sizeof(*fewer.item));
    memcpy(fewer.item + first, deviations->item + first + count,
        (fewer.count - first) * sizeof(*fewer.item));
    verdict = tried_replay(memory, tried, &fewer, NULL);
    fails = shrink_is_aim(aim, verdict);
    if (fails) {
        *deviations = tried_deviations(context, tried);
    }
    talloc_free(memory);
    return fails;
}

/* In halves, quarters, and so on. */
static uint64_t leave_out(void *context, struct tried *tried,
    const struct shrink_aim *aim, struct deviations *deviations)
{
    uint64_t schedules = 0;

    for (size_t part = (deviations->count + 1) / 2; part > 0; part /= 2) {
        size_t first = 0;

        while (first + part <= deviations->count) {
            schedules++;
            if (!does_without(context, tried, aim, deviations, first, part)) {
                first += part;
            }
        }
    }
    return schedules;
}

static bool heard(void *context, const struct verdict *verdict)
{
    return shrink_is_aim(context, verdict);
}

uint64_t shrink(void *context, struct tried *tried,
    const struct shrink_aim *aim, struct deviations *deviations)
{
    uint64_t schedules = leave_out(context, tried, aim, deviations);
    struct shrink_aim wanted = *aim;
    struct deviations found;
    struct search search = {
        .tried = tried,
        .max_schedules = SHRINK_SCHEDULES,
        .heard = heard,
        .context = &wanted,
    };

    if (deviations->count > 1) {
        search.preemptions = (uint32_t)deviations->count - 1;
        if (search_run(context, &search, &found)) {
            *deviations = found;
        }
    }
    return schedules + search.schedules;
}
