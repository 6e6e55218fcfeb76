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

/* Requests of all kinds are made in the order in which they are given. */
static bool ask(struct options *options, enum drive_request_kind kind,
    const char *value, FILE *errors)
{
    struct drive_request request;
    const char *why;

    if (!drive_request_read(kind, value, &request, &why)) {
        return option_fail(errors, why, value);
    }
    if (!option_append(
            &options->asked, value, "too many requests; no room for", errors)) {
        return false;
    }
    options->asked_kind[options->asked.count - 1] = kind;
    return true;
}

bool option_ioctl(struct options *options, const char *value, FILE *errors)
{
    return ask(options, DRIVE_CONTROL, value, errors);
}

bool option_read(struct options *options, const char *value, FILE *errors)
{
    return ask(options, DRIVE_READ, value, errors);
}

bool option_write(struct options *options, const char *value, FILE *errors)
{
    return ask(options, DRIVE_WRITE, value, errors);
}

static const char *model_name(size_t index)
{
    return index < MODEL_COUNT ? pmu_models[index].name : NULL;
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
    return option_fail_listed(
        errors, "unknown processor model", &suggestion, model_name);
}
