/* leaks.h - what a driver still holds: asked at any time, or reported when it
 * ends, each with the place where it was acquired. */
#ifndef API_CORE_LEAKS_H
#define API_CORE_LEAKS_H

struct driver;
struct kernel;

enum leak {
#define LEAK(name, ...) LEAK_##name,
#include "api/core/leaks.def"
    LEAK_COUNT
};

/* Spellings, by enum leak. */
extern const char *const leak_names[LEAK_COUNT];

/* One thing that is held: a few words for people, valid during the call. */
typedef void leak_found(void *context, enum leak leak, const char *text);

/* Calls `found` for each thing, kind by kind. Changes nothing. */
void leaks_list(struct kernel *kernel, const struct driver *driver,
    leak_found *found, void *context);

/* A warning for each counter set, PCW registration, instance, pool block and
 * spin lock of the driver. They stay: nobody can give them back. Stops the
 * machine when a block was written past its end, which only its free would have
 * shown. */
void leaks_report(struct kernel *kernel, const struct driver *driver);

#endif
