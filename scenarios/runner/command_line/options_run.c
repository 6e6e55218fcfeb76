/* options_run.c - what the options ask of a run of instances. */
#include "scenarios/runner/command_line/options_run.h"

struct run_settings options_run(const struct options *options)
{
    return (struct run_settings){
        .budget = options->budget,
        .timeout_us = options->timeout_us,
        .jobs = options->jobs,
        .repeat = options->repeat,
        .given = {options->given.item, options->given.count},
        .allowed = {options->allowed.item, options->allowed.count},
        .traced = options->trace != NULL,
        .watched = options->step,
        .twice = options->twice,
        .documented = options->documented,
        .strict_imports = options->strict_imports,
        .updates = options->update,
        .explores = options->command == COMMAND_EXPLORE,
        .exploring = options->exploring,
        .part = options->command == COMMAND_EXPLORE ? options->shard : 0,
        .parts = options->command == COMMAND_EXPLORE ? options->shards : 0,
        .schedule = options->schedule,
        .fail = {options->fail.item, options->fail.count},
        .fail_scope = {options->fail_scope.item, options->fail_scope.count},
    };
}
