/* driver.h - whoever makes calls: an actor of a scenario. */
#ifndef API_DRIVER_H
#define API_DRIVER_H

struct driver {
    const char *name;
};

#endif
