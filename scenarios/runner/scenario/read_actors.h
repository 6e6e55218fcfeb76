/* read_actors.h - actors, driver, silos: who makes calls. */
#ifndef RUNNER_SCENARIO_READ_ACTORS_H
#define RUNNER_SCENARIO_READ_ACTORS_H

#include <stdbool.h>
#include <stddef.h>

struct node;
struct reader;

void read_actors(struct reader *reader);

/* The native drivers, actors behind all others. */
void read_drivers(struct reader *reader);

/* Of all of them. */
void read_silos(struct reader *reader);

/* The index of a named actor; reports an unknown one. */
bool read_actor(struct reader *reader, const struct node *node, size_t *actor);

#endif
