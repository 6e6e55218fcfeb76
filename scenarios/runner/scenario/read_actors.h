/* read_actors.h - actors, driver, threads, silos: who makes calls. */
#ifndef RUNNER_SCENARIO_READ_ACTORS_H
#define RUNNER_SCENARIO_READ_ACTORS_H

#include <stdbool.h>
#include <stddef.h>

struct node;
struct reader;
struct scenario;

void read_actors(struct reader *reader);

/* Programs in user mode, actors behind those. */
void read_processes(struct reader *reader);

/* The native drivers, actors behind those. */
void read_drivers(struct reader *reader);

/* More threads of any of them, actors behind all. */
void read_threads(struct reader *reader);

/* Of all of them. */
void read_silos(struct reader *reader);

/* The index of a named actor; reports an unknown one. */
bool read_actor(struct reader *reader, const struct node *node, size_t *actor);

/* The same of an actor that plays steps, which Windows itself does not. */
bool read_player(struct reader *reader, const struct node *node, size_t *actor);

/* It has steps, and so is the driver of a thread of use. */
void read_use_of_actor(struct scenario *scenario, size_t actor);

/* Reports what is no actor, or a thread, which holds nothing of its own. */
void read_owner(struct reader *reader, const struct node *node);

#endif
