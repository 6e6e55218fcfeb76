/* option_failures.c - the values of options about calls that are made to fail.
 */
#include <string.h>

#include "scenarios/runner/command_line/option_reading.h"
#include "scenarios/runner/command_line/option_values.h"
#include "scenarios/runner/failures/fault_scope.h"
#include "scenarios/runner/failures/planted.h"

bool option_fail_each(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->fail_each = true;
    return true;
}

bool option_fail_scope(struct options *options, const char *value, FILE *errors)
{
    return fault_scope_check(value, errors) &&
           option_append(
               &options->fail_scope, value, "too many scopes:", errors);
}

bool option_fail_log(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->fail_log = value;
    return true;
}

bool option_fail_max(struct options *options, const char *value, FILE *errors)
{
    const char *end;

    options->fail_max = option_read_count(value, PLANTED_SITES, &end);
    return (options->fail_max != 0 && *end == '\0') ||
           option_fail(errors, "not a number of calls from 1 to 8192:", value);
}

bool option_fail_call(struct options *options, const char *value, FILE *errors)
{
    if (strchr(value, '@') == NULL || strchr(value, ' ') != NULL) {
        option_fail(errors, "not a call:", value);
        fputs("       --fail-each names them, as ExAllocatePool2@a.sys+0x1012 "
              "or ExAllocatePool2@step:3\n",
            errors);
        return false;
    }
    return options->fail.count < PLANTED_MOST
               ? option_append(&options->fail, value, "too many calls:", errors)
               : option_fail(errors, "too many calls:", value);
}
