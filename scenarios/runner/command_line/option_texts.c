/* option_texts.c - options that are taken as they are written. */
#include "scenarios/runner/command_line/option_values.h"

bool option_dropped(struct options *options, const char *value, FILE *errors)
{
    (void)value;
    (void)errors;
    options->dropped = true;
    return true;
}

bool option_title(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->title = value;
    return true;
}

bool option_call(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->call = value;
    return true;
}

bool option_output(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->output = value;
    return true;
}
