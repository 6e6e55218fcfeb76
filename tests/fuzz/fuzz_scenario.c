/* fuzz_scenario.c - any bytes as a scenario: read and validated as from a file,
 * never run. A scenario is given exactly when there is no error. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/scenario/scenario_file.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/text_input.h"

/* Read once; they are the program's own. */
static const struct requirements *own_requirements(void)
{
    static struct requirements *requirements;

    if (requirements == NULL) {
        requirements = requirements_built_in(NULL);
    }
    return requirements;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct requirements requirements = *own_requirements();
    struct text_input input;
    struct library *library;
    struct outline *outline;
    enum file_kind kind;

    text_input_init(&input, data, size);
    requirements.files = NULL; /* of this text alone */
    library = library_new(
        input.memory, &language_kinds, &requirements, input.diagnostics);
    library->no_files = true;
    kind = scenario_file_check(input.memory, input.source, library, &outline);
    assert(
        (kind == FILE_BROKEN) == (diagnostics_errors(input.diagnostics) > 0));
    assert((kind == FILE_SCENARIO) == (outline != NULL));
    if (outline != NULL && outline->instances.count > 0) {
        instance_open(input.memory, &outline->instances.item[0]);
    }
    text_input_print(&input);
    text_input_release(&input);
    return 0;
}
