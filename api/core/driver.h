/* driver.h - whoever makes calls: an actor of a scenario. */
#ifndef API_CORE_DRIVER_H
#define API_CORE_DRIVER_H

struct driver {
    const char *name;
};

#endif
