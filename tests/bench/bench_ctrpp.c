/* bench_ctrpp.c - the family ctrpp: what is generated of a manifest. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/generate.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/stopwatch.h"

enum { COUNTERS = 100, LINE = 200 };

/* One set; texts are as long as those of Windows' own sets are. */
static struct manifest manifest_of(
    void *context, struct manifest_set *set, struct manifest_struct *structure)
{
    struct manifest_counter *counter =
        talloc_zero_array(context, struct manifest_counter, COUNTERS);

    assert(counter != NULL);
    for (uint32_t i = 0; i < COUNTERS; i++) {
        counter[i] = (struct manifest_counter){.id = i,
            .type = COUNTER_TYPE_LARGE_RAWCOUNT,
            .name = talloc_asprintf(context, "Requests of kind %u/sec", i),
            .description = talloc_asprintf(context,
                "The rate at which requests of kind %u arrive at the "
                "device, including those that wait for others.",
                i),
            .symbol = talloc_asprintf(context, "REQUESTS_%u", i),
            .field = talloc_asprintf(context, "Requests%u", i)};
    }
    *structure =
        (struct manifest_struct){.name = "Requests", .type = "DEVICE_REQUESTS"};
    *set = (struct manifest_set){.symbol = "Device",
        .name = "A Device",
        .description = "What it is asked for.",
        .structure = structure,
        .structure_count = 1,
        .counter = counter,
        .counter_count = COUNTERS};
    return (struct manifest){
        .kernel_mode = true, .resource_base = 1, .set = set, .set_count = 1};
}

double ctrpp_100(void)
{
    const struct ctrpp_settings settings = {
        .prefix = "Bench", .source = "bench.man"};
    void *context = talloc_new(NULL);
    struct manifest_struct structure;
    struct manifest_set set;
    const struct manifest manifest = manifest_of(context, &set, &structure);
    double start = stopwatch_ns(), ns;
    size_t length = strlen(ctrpp_header(context, &manifest, &settings)) +
                    strlen(ctrpp_resources(context, &manifest, &settings)) +
                    strlen(ctrpp_symbols(context, &manifest, &settings));

    ns = stopwatch_ns() - start;
    assert(length > (size_t)COUNTERS * LINE);
    talloc_free(context);
    return ns;
}

/* The least that writing costs: a printed line for each counter and text. */
double ctrpp_lines(void)
{
    char line[LINE];
    double start = stopwatch_ns();
    int length = 0;

    for (int i = 0; i < 3 * COUNTERS; i++) {
        length += snprintf(line, sizeof(line), "    {%d, 0, %s, %s},\n", i,
            "offsetof(DEVICE_REQUESTS, Requests)",
            "sizeof(((DEVICE_REQUESTS *)0)->Requests)");
    }
    assert(length > 0);
    return stopwatch_ns() - start;
}
