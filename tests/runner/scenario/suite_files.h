/* suite_files.h - files in a directory of a test's own, read as a suite. Who
 * includes it defines _POSIX_C_SOURCE. */
#ifndef TESTS_RUNNER_SCENARIO_SUITE_FILES_H
#define TESTS_RUNNER_SCENARIO_SUITE_FILES_H

#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/runner/directory.h"
#include "tests/runner/text_file.h"

/* Behind "ntpmu: 1" and an id. */
#define SUITE_HEAD "ntpmu: 1\nid: t\ntitle: Test\n"
#define SUITE_STEP                                                             \
    "- {call: KeGetCurrentIrql, expect: {returns: 0, covers: "                 \
    "[IRQL-GEN-01]}}\n"

enum { SUITE_FILES = 6 };

struct suite_file {
    const char *path; /* in the directory; NULL: none. With a / at its end: a
                         directory */
    const char *text;
};

struct suite_files {
    void *memory;
    char *directory;
    struct suite *suite;
};

static inline void suite_files_init(struct suite_files *made)
{
    made->memory = talloc_new(NULL);
    made->directory = directory_new(made->memory);
}

static inline void suite_files_write(
    struct suite_files *made, const struct suite_file *files)
{
    for (size_t i = 0; i < SUITE_FILES && files[i].path != NULL; i++) {
        size_t length = strlen(files[i].path);

        if (files[i].path[length - 1] == '/') {
            directory_make(made->directory, files[i].path);
        } else {
            directory_write(made->directory, files[i].path, files[i].text);
        }
    }
}

/* Reads one path in the directory, or all of it (""). */
static inline void suite_files_read(struct suite_files *made, const char *path)
{
    char *whole = directory_path(made->directory, path);

    if (path[0] == '\0') {
        whole = made->directory;
    }
    made->suite = suite_read(made->memory, &language_kinds, &whole, 1);
}

/* The first lines of the errors and notes, the directory's name left out. */
static inline char *suite_files_errors(struct suite_files *made)
{
    char *printed =
        text_of(made->memory, text_file_print_errors, made->suite->diagnostics);
    char *found = talloc_strdup(made->memory, "");
    size_t prefix = strlen(made->directory) + 1;
    char *rest = printed;
    char *line;

    while ((line = strtok_r(rest, "\n", &rest)) != NULL) {
        if (line[0] == ' ') {
            continue;
        }
        if (strncmp(line, made->directory, prefix - 1) == 0) {
            line += prefix;
        }
        found = talloc_asprintf_append_buffer(found, "%s\n", line);
    }
    return found;
}

/* Runs the n-th instance; the verdict. */
static inline struct verdict *suite_files_run(
    struct suite_files *made, size_t n)
{
    struct session session;
    struct instance instance;
    struct verdict *verdict;

    assert_true(n < made->suite->instances->count);
    instance = instance_open(made->memory, &made->suite->instances->item[n]);
    assert_true(session_open(&session, made->suite->requirements));
    verdict = run_instance(made->memory, &session, &instance);
    session_close(&session);
    return verdict;
}

static inline void suite_files_release(struct suite_files *made)
{
    directory_remove(made->directory);
    talloc_free(made->memory);
}

#endif
