/* read_content.h - bytes that a scenario writes out, as digits or as text. */
#ifndef RUNNER_SCENARIO_READ_CONTENT_H
#define RUNNER_SCENARIO_READ_CONTENT_H

#include <stddef.h>
#include <stdint.h>

struct node;
struct reader;

/* What the entries of a list say of a row of bytes. */
struct content {
    uint8_t *bytes; /* the scenario's */
    uint8_t *given; /* 1 for each of them that an entry says */
    size_t size;    /* up to the last one */
};

/* Reads a list of CONTENT about `room` bytes of `what`, from `first` on; the
 * others are `rest`. What is wrong is reported. */
void read_content(struct reader *reader, const struct node *list, size_t first,
    size_t room, const char *what, uint8_t rest, struct content *content);

#endif
