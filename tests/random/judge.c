/* judge.c - scenarios that are texts of this process. */
#include "tests/random/judge.h"

#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/report/report.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/scenario_file.h"
#include "scenarios/runner/selection/language_kinds.h"

enum { BUDGET = 1000000 /* preemption points of one run */ };

struct judge {
    struct session session;
    struct requirements *requirements;
};

struct judge *judge_new(void)
{
    static struct judge judge;
    struct diagnostics *diagnostics = diagnostics_new(NULL);
    bool read;

    judge.requirements = requirements_built_in(diagnostics);
    read = diagnostics_errors(diagnostics) == 0;
    if (!read) {
        return NULL;
    }
    judge.requirements->files = NULL; /* none is the scenarios' own */
    return &judge;
}

void judge_open(struct judge *judge)
{
    if (!session_open(&judge->session, judge->requirements)) {
        fprintf(stderr, "the host gives no address space\n");
        abort();
    }
    judge->session.budget = BUDGET;
}

void judge_close(struct judge *judge)
{
    session_close(&judge->session);
}

bool judge_passes(
    struct judge *judge, const char *text, FILE *out, uint64_t *checks)
{
    void *context = talloc_new(NULL);
    struct diagnostics *diagnostics = diagnostics_new(context);
    struct source *source =
        source_from_text(context, "program.yaml", text, strlen(text));
    struct library *library =
        library_new(context, &language_kinds, judge->requirements, diagnostics);
    struct outline *outline;
    bool passed = false;

    library->no_files = true;
    if (scenario_file_check(context, source, library, &outline) ==
        FILE_SCENARIO) {
        const struct instance instance =
            instance_open(context, &outline->instances.item[0]);
        struct verdict *verdict =
            run_instance(context, &judge->session, &instance);

        passed = verdict->result == RESULT_PASS;
        if (out != NULL) {
            *checks += verdict->checks;
            report_failures(&judge->session, &instance, verdict, out);
        }
    } else if (out != NULL) {
        diagnostics_print(diagnostics, out);
    }
    talloc_free(context);
    return passed;
}
