/* os_table.c - a table with a row for each Windows and a column for each phase
 * of a driver's life. */
#include "scenarios/runner/commands/drive/os_table.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/nt/profile.h"
#include "scenarios/runner/commands/drive/driven.h"
#include "scenarios/runner/text/visible_text.h"

/* The version first, the shutdown and the result last. */
enum { COLUMNS = DRIVE_PHASES + 3 };

/* Versions on which the same names are missing, and as many were reached. */
struct missing_on {
    char *versions;
    const char *missing, *names;
};

struct os_table {
    const char *cell[OS_COUNT + 1][COLUMNS]; /* the first row names the columns
                                              */
    size_t rows;
    struct missing_on missing[OS_COUNT];
    size_t missing_count;
    struct driven *driven;
};

struct os_table *os_table_new(void *context, const char *path)
{
    static const char *const heads[COLUMNS] = {"", "start", "open", "requests",
        "close", "unload", "shutdown", "result"};
    struct os_table *table = talloc_zero(context, struct os_table);

    assert(table != NULL);
    memcpy(table->cell[0], heads, sizeof(heads));
    table->cell[0][0] = talloc_strdup(
        table, visible_name(
                   strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1));
    table->rows = 1;
    table->driven = driven_new(table, OS_COUNT);
    return table;
}

static void add_missing(
    struct os_table *table, const char *os, const struct drive_run *run)
{
    struct missing_on *last = &table->missing[table->missing_count];

    if (run->missing == NULL) {
        return;
    }
    for (struct missing_on *on = table->missing; on < last; on++) {
        if (strcmp(on->missing, run->missing) == 0 &&
            strcmp(on->names, run->missing_names) == 0) {
            on->versions = talloc_asprintf_append(on->versions, ", %s", os);
            assert(on->versions != NULL);
            return;
        }
    }
    *last = (struct missing_on){
        .versions = talloc_strdup(table, os),
        .missing = talloc_strdup(table, run->missing),
        .names = talloc_strdup(table, run->missing_names),
    };
    assert(
        last->versions != NULL && last->missing != NULL && last->names != NULL);
    table->missing_count++;
}

void os_table_add(
    struct os_table *table, const char *os, const struct drive_run *run)
{
    const char **cell = table->cell[table->rows++];

    assert(table->rows <= OS_COUNT + 1);
    cell[0] = os;
    for (unsigned i = 0; i < DRIVE_PHASES; i++) {
        cell[1 + i] = talloc_strdup(
            table, drive_plan_phase(run->plan, (enum drive_phase)i));
        assert(cell[1 + i] != NULL);
    }
    cell[COLUMNS - 2] = drive_run_shutdown_phase(run);
    cell[COLUMNS - 1] = verdict_result_name(run->result);
    driven_add(table->driven, os, run->result,
        talloc_asprintf(
            table, "%s%s%s", run->broken, run->leaks, run->integrity));
    add_missing(table, os, run);
}

static int width_of(const struct os_table *table, size_t column)
{
    size_t width = 0;

    for (size_t i = 0; i < table->rows; i++) {
        size_t length = strlen(table->cell[i][column]);

        width = length > width ? length : width;
    }
    return (int)width;
}

void os_table_print(const struct os_table *table, FILE *out)
{
    for (size_t i = 0; i < table->rows; i++) {
        for (size_t k = 0; k + 1 < COLUMNS; k++) {
            fprintf(out, "%-*s  ", width_of(table, k), table->cell[i][k]);
        }
        fprintf(out, "%s\n", table->cell[i][COLUMNS - 1]);
    }
    for (size_t i = 0; i < table->missing_count; i++) {
        const struct missing_on *on = &table->missing[i];

        fprintf(out, "%s: %s\n%s", on->missing, on->versions, on->names);
    }
    driven_print_failed(table->driven, out);
}
