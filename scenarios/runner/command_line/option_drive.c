/* option_drive.c - reading the values of options that say what ntpmu drive does
 * with a driver. */
#include "scenarios/runner/command_line/option_reading.h"
#include "scenarios/runner/command_line/option_values.h"

bool option_verifier(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->verifier = true;
    return true;
}
