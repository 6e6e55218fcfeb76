/* leaks.c - what a driver still holds, asked of everybody who gives something.
 */
#include "api/core/leaks.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"

const char *const leak_names[LEAK_COUNT] = {
#define LEAK(name, spelling) [LEAK_##name] = spelling,
#include "api/core/leaks.def"
};

bool leaks_check_sources(const struct leak_source *const *sources)
{
    unsigned of[LEAK_COUNT] = {0};

    for (; *sources != NULL; sources++) {
        assert((*sources)->leak < LEAK_COUNT);
        of[(*sources)->leak]++;
    }
    for (enum leak leak = 0; leak < LEAK_COUNT; leak++) {
        assert(of[leak] == 1);
    }
    return true;
}

void leaks_found(const struct leak_listing *listing, enum leak leak,
    const char *text, uint32_t step)
{
    assert(leak < LEAK_COUNT);
    listing->found(listing->context, &(struct leak_found){leak, text, step});
}

void leaks_list(struct kernel *kernel, const struct leak_listing *listing)
{
    for (enum leak leak = 0; leak < LEAK_COUNT; leak++) {
        const struct leak_source *const *source = kernel->hooks->leaks;

        for (; *source != NULL; source++) {
            if ((*source)->leak == leak) {
                (*source)->list(kernel, listing);
            }
        }
    }
}

void leaks_alive(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t place,
    const struct bugcheck_parameter parameter[4])
{
    if (!ruling_is(kernel, RULED_EXE_GEN_05_event)) {
        rule_stop_at(kernel, cpu, rule, routine, place, parameter);
    }
    rule_report_at(kernel, cpu, rule, routine, place);
}

bool leaks_is_news(bool *reported)
{
    bool news = !*reported;

    *reported = true;
    return news;
}

void leaks_report(struct kernel *kernel, const struct driver *driver)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct leak_source *const *sources = kernel->hooks->leaks;

    assert(kernel_check(kernel));
    for (size_t i = 0; sources[i] != NULL; i++) {
        if (sources[i]->report != NULL) {
            sources[i]->report(kernel, cpu, driver);
        }
    }
    for (size_t i = 0; sources[i] != NULL; i++) {
        if (sources[i]->check != NULL) {
            sources[i]->check(kernel, cpu);
        }
    }
}
