/* option_drive.c - reading the values of options that say what ntpmu drive does
 * with a driver. */
#include <string.h>

#include "api/text/suggest.h"
#include "scenarios/runner/command_line/drive_request.h"
#include "scenarios/runner/command_line/option_reading.h"
#include "scenarios/runner/command_line/option_values.h"
#include "sim/pmu/model.h"

bool option_verifier(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->verifier = true;
    return true;
}

bool option_gdb(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->gdb = true;
    return true;
}

bool option_ioctl(struct options *options, const char *value, FILE *errors)
{
    struct drive_request request;
    const char *why;

    if (!drive_request_read(value, &request, &why)) {
        return option_fail(errors, why, value);
    }
    return option_append(
        &options->ioctl, value, "too many requests; no room for", errors);
}

bool option_model(struct options *options, const char *value, FILE *errors)
{
    struct suggestion suggestion = suggest_for(value);

    options->model = value;
    for (unsigned i = 0; i < MODEL_COUNT; i++) {
        if (strcmp(pmu_models[i].name, value) == 0) {
            return true;
        }
        suggest_offer(&suggestion, pmu_models[i].name);
    }
    return option_fail_near(errors, "unknown processor model", &suggestion);
}
