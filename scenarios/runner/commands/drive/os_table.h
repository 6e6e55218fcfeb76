/* os_table.h - what an image came to on each Windows, as a table of phases. */
#ifndef RUNNER_COMMANDS_DRIVE_OS_TABLE_H
#define RUNNER_COMMANDS_DRIVE_OS_TABLE_H

#include <stdio.h>

#include "scenarios/runner/commands/drive/drive_run.h"

struct os_table;

/* Child of `context`. */
struct os_table *os_table_new(void *context, const char *path);

/* A row, of which all is copied. */
void os_table_add(
    struct os_table *table, const char *os, const struct drive_run *run);

/* The table, and below it what is missing and what failed, the same once with
 * all versions that have it. */
void os_table_print(const struct os_table *table, FILE *out);

#endif
