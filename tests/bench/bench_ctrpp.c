/* bench_ctrpp.c - the family ctrpp: a manifest, and what is generated of it. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/generate.h"
#include "api/ctrpp/header_names.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/stopwatch.h"

enum { COUNTERS = 100, LINE = 200 };

static const char begin[] =
    "<instrumentationManifest><instrumentation>"
    "<counters xmlns=\"http://schemas.microsoft.com/win/2005/12/counters\" "
    "schemaVersion=\"1.1\">\n"
    "<provider providerGuid=\"{0c0f5a3e-7d19-4b62-9a44-5e8d1f2c3b21}\" "
    "providerType=\"kernelMode\" applicationIdentity=\"bench.sys\">\n"
    "<counterSet guid=\"{0c0f5a3e-7d19-4b62-9a44-5e8d1f2c3b22}\" "
    "symbol=\"Device\" uri=\"Bench.Device\" name=\"A Device\" "
    "description=\"What it is asked for.\">\n"
    "<structs><struct name=\"Requests\" type=\"DEVICE_REQUESTS\"/>"
    "</structs>\n";

static const char end[] = "</counterSet></provider></counters>"
                          "</instrumentation></instrumentationManifest>\n";

/* One set; texts are as long as those of Windows' own sets are. */
static char *manifest_text_of(void *context)
{
    char *text = talloc_strdup(context, begin);

    for (unsigned i = 0; i < COUNTERS; i++) {
        text = talloc_asprintf_append_buffer(text,
            "<counter id=\"%u\" uri=\"Bench.Device.%u\" "
            "symbol=\"REQUESTS_%u\" type=\"perf_counter_large_rawcount\" "
            "detailLevel=\"standard\" name=\"Requests of kind %u/sec\" "
            "description=\"The rate at which requests of kind %u arrive at "
            "the device, including those that wait for others.\" "
            "struct=\"Requests\" field=\"Requests%u\"/>\n",
            i, i, i, i, i, i);
        assert(text != NULL);
    }
    text = talloc_strdup_append_buffer(text, end);
    assert(text != NULL);
    return text;
}

double ctrpp_100(void)
{
    const struct ctrpp_settings settings = {
        .prefix = "Bench", .source = "bench.man", .symbols = true};
    const struct rulings rulings = rulings_default();
    void *context = talloc_new(NULL);
    struct manifest_problems *problems = manifest_problems_new(context);
    const char *text = manifest_text_of(context);
    double start = stopwatch_ns(), ns;
    const struct manifest *manifest =
        manifest_read(context, text, strlen(text), &rulings, problems);
    size_t length;

    assert(manifest != NULL && manifest->set[0].counter_count == COUNTERS);
    header_names_check(manifest, &settings, problems);
    assert(problems->errors == 0);
    length = strlen(ctrpp_header(context, manifest, &settings)) +
             strlen(ctrpp_resources(context, manifest, &settings)) +
             strlen(ctrpp_symbols(context, manifest, &settings));
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
