/* unfinished.h - files that are being written, under names that nobody waits
 * for: whatever ends the program removes them. */
#ifndef RUNNER_OUTPUT_UNFINISHED_H
#define RUNNER_OUTPUT_UNFINISHED_H

/* The name stays where it is until the file is finished. Of very many at once
 * the last ones are not known. */
void unfinished_add(const char *name);

/* It got its name, or is gone. */
void unfinished_remove(const char *name);

/* Removes them all. May be called in a handler of a signal. */
void unfinished_unlink(void);

#endif
