/* header_process.c - the process that loads libclang, reads a C header, and
 * answers on its standard output. */
#include "scenarios/runner/headers/header_process.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/headers/header_structures.h"
#include "scenarios/runner/yaml/yaml_tree.h"

enum { CPU_SECONDS = 60, STRUCTURES = YAML_KEYS };

const char header_process_name[] = "ntpmu_header";

static void write_problems(
    const struct header_problems *problems, const char *path, FILE *out)
{
    fputc('p', out);
    for (size_t i = 0; i < problems->count; i++) {
        const struct header_problem *problem = &problems->item[i];

        fprintf(out, "%u %u %s%c%s%c", problem->line, problem->column,
            problem->path[0] != '\0' ? problem->path : path, '\0',
            problem->message, '\0');
    }
}

static void write_structures(const struct clang_library *clang, void *context,
    const char *path, FILE *out)
{
    struct header_problems problems = {NULL, 0};
    CXTranslationUnit unit = header_unit_read(clang, context, path, &problems);
    char *text = NULL;
    size_t length, count;
    FILE *structures;

    if (unit != NULL) {
        structures = open_memstream(&text, &length);
        assert(structures != NULL);
        count = header_structures_write(clang, context, unit, structures);
        fclose(structures);
        if (count == 0) {
            header_problem_add(context, &problems, path, 1, 1,
                "the header has no structure that a scenario could write");
        } else if (count > STRUCTURES || length > YAML_FILE_BYTES) {
            header_problem_add(context, &problems, path, 1, 1,
                "%zu structures are too many", count);
        }
    }
    if (problems.count > 0) {
        write_problems(&problems, path, out);
    } else {
        fprintf(out, "s%s", text);
    }
    free(text);
}

_Noreturn void header_process_run(const char *path)
{
    const struct rlimit time = {CPU_SECONDS, CPU_SECONDS};
    void *context = talloc_new(NULL);
    struct clang_library clang;
    const char *problem;

    assert(context != NULL);
    setrlimit(RLIMIT_CPU, &time);
    if (clang_library_load(&clang, &problem)) {
        write_structures(&clang, context, path, stdout);
    } else {
        fprintf(stdout, "f%s", problem);
    }
    /* libclang does not give back all that it has taken. */
    _exit(fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
