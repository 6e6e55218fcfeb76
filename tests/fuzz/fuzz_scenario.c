/* fuzz_scenario.c - any bytes as a scenario: read and validated as from a file,
 * never run. A scenario is given exactly when there is no error. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/instance.h"
#include "scenarios/runner/scenario_file.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/text_input.h"

/* Read once; they are the program's own. */
static const struct requirements *own_requirements(void)
{
    static struct requirements *requirements;

    if (requirements == NULL) {
        struct diagnostics *diagnostics = diagnostics_new(NULL);

        requirements = requirements_built_in(NULL, diagnostics);
        assert(diagnostics_errors(diagnostics) == 0);
        talloc_free(diagnostics);
    }
    return requirements;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct requirements *requirements = own_requirements();
    struct text_input input;
    struct scenario *scenario;
    enum file_kind kind;

    text_input_init(&input, data, size);
    kind = scenario_file_check(
        input.memory, input.source, requirements, input.diagnostics, &scenario);
    assert(
        (kind == FILE_BROKEN) == (diagnostics_errors(input.diagnostics) > 0));
    assert((kind == FILE_SCENARIO) == (scenario != NULL));
    if (scenario != NULL) {
        instances_add(talloc_zero(input.memory, struct instances), scenario);
    }
    text_input_print(&input);
    text_input_release(&input);
    return 0;
}
