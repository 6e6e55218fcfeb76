/* leaks.h - what a driver still holds: asked at any time, or reported when it
 * ends, each with the place where it was acquired. What can be held is told by
 * those who give it. */
#ifndef API_CORE_LEAKS_H
#define API_CORE_LEAKS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/rules.h"

struct cpu;
struct driver;
struct kernel;

enum leak {
#define LEAK(name, ...) LEAK_##name,
#include "api/core/leaks.def"
    LEAK_COUNT
};

/* Spellings, by enum leak. */
extern const char *const leak_names[LEAK_COUNT];

/* A thing that a driver holds. */
struct leak_found {
    enum leak leak;
    const char *text; /* a few words for people, valid during the call */
    uint32_t step;    /* that made it (struct thread); 0: none did */
};

/* Who asks for the things of a driver. */
struct leak_listing {
    const struct driver *driver;
    void (*found)(void *context, const struct leak_found *found);
    void *context;
};

/* Who gives things of a kind to drivers (kernel_hooks, one for each kind). */
struct leak_source {
    enum leak leak;
    /* Calls leaks_found() for each thing. Changes nothing. */
    void (*list)(struct kernel *kernel, const struct leak_listing *listing);
    /* The driver has ended: a warning for each thing that it left, once. They
     * stay: nobody can give them back. NULL: somebody else reports them. */
    void (*report)(
        struct kernel *kernel, struct cpu *cpu, const struct driver *driver);
    /* Behind all reports: stops the machine for what is wrong with things that
     * are still held. NULL: nothing can be. */
    void (*check)(struct kernel *kernel, struct cpu *cpu);
};

/* Whether there is one source for each kind; asserts it. */
bool leaks_check_sources(const struct leak_source *const *sources);

/* The step that made what a driver's code alone can make. */
enum { LEAK_NO_STEP = 0 };

/* A source has found one. */
void leaks_found(const struct leak_listing *listing, enum leak leak,
    const char *text, uint32_t step);

/* Lists the things kind by kind, in the order of leaks.def. */
void leaks_list(struct kernel *kernel, const struct leak_listing *listing);

/* Something of the driver's is alive where it ends, or where the memory is
 * freed that it lies in: the machine stops, or that is a rule event and it
 * stays as it is (EXE-GEN-05 [C]). */
void leaks_alive(struct kernel *kernel, struct cpu *cpu, enum rule rule,
    enum routine routine, uint64_t place,
    const struct bugcheck_parameter parameter[4]);

/* Whether it is yet to be said that a thing was left behind, which `reported`
 * is then: it stays, and its driver may be loaded again and end once more. */
bool leaks_is_news(bool *reported);

/* Reports and checks, source by source. */
void leaks_report(struct kernel *kernel, const struct driver *driver);

#endif
