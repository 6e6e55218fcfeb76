/* option_reading.c - what values of several options have in common: numbers,
 * lists, and what is said of a wrong one. */
#include "scenarios/runner/command_line/option_reading.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "api/text/suggest.h"

#include "scenarios/runner/text/visible_text.h"

bool option_fail(FILE *errors, const char *what, const char *which)
{
    fprintf(errors, "ntpmu: %s '%s'\n", what, visible_name(which));
    return false;
}

bool option_fail_near(
    FILE *errors, const char *what, const struct suggestion *suggestion)
{
    option_fail(errors, what, suggestion->wrong);
    if (suggestion->nearest != NULL) {
        fprintf(errors, "       did you mean '%s'?\n", suggestion->nearest);
    }
    return false;
}

bool option_fail_listed(FILE *errors, const char *what,
    const struct suggestion *suggestion, const char *(*name)(size_t index))
{
    option_fail_near(errors, what, suggestion);
    for (size_t i = 0; suggestion->nearest == NULL && name(i) != NULL; i++) {
        fprintf(errors, "%s%s", i == 0 ? "       there are " : ", ", name(i));
    }
    if (suggestion->nearest == NULL) {
        fputc('\n', errors);
    }
    return false;
}

bool option_append(struct option_list *list, const char *value,
    const char *too_many, FILE *errors)
{
    if (list->count == OPTIONS_LISTED) {
        return option_fail(errors, too_many, value);
    }
    list->item[list->count++] = value;
    return true;
}

uint32_t option_read_count(const char *text, uint32_t most, const char **end)
{
    uint64_t value = 0;

    for (*end = text; isdigit((unsigned char)**end) && value <= most;
         (*end)++) {
        value = 10 * value + (uint64_t)(**end - '0');
    }
    return value > most ? 0 : (uint32_t)value;
}

bool option_read_decimal(
    const char *text, unsigned places, uint64_t most, uint64_t *units)
{
    static const char digits[] = "0123456789";
    size_t whole = strspn(text, digits);
    bool point = text[whole] == '.';
    const char *decimals = text + whole + (point ? 1 : 0);
    size_t length = strspn(decimals, digits);
    uint64_t value = strtoull(text, NULL, 10);

    if (whole == 0 || length > places || decimals[length] != '\0' ||
        point != (length > 0) || value > most) {
        return false;
    }
    for (size_t i = 0; i < places; i++) {
        value = 10 * value + (i < length ? (uint64_t)(decimals[i] - '0') : 0);
    }
    *units = value;
    return true;
}
