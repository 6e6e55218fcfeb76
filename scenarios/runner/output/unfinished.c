/* unfinished.c - files that are being written, under names that nobody waits
 * for: whatever ends the program removes them. */
#define _GNU_SOURCE
#include "scenarios/runner/output/unfinished.h"

#include <stddef.h>
#include <unistd.h>

enum { UNFINISHED_FILES = 32 };

/* Looked at in a handler, so each is whole in one store. */
static const char *volatile names[UNFINISHED_FILES];

void unfinished_add(const char *name)
{
    for (size_t i = 0; i < UNFINISHED_FILES; i++) {
        if (names[i] == NULL) {
            names[i] = name;
            return;
        }
    }
}

void unfinished_remove(const char *name)
{
    for (size_t i = 0; i < UNFINISHED_FILES; i++) {
        if (names[i] == name) {
            names[i] = NULL;
        }
    }
}

void unfinished_unlink(void)
{
    for (size_t i = 0; i < UNFINISHED_FILES; i++) {
        const char *name = names[i];

        if (name != NULL) {
            unlink(name);
        }
    }
}
