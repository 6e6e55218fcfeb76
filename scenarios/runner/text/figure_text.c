/* figure_text.c - how numbers are written for people and in scenarios: a rate,
 * a processor model's figure, a counter's figure. */
#include "scenarios/runner/text/figure_text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

enum {
    DIGITS = 6,
    TEXT_BYTES = 400, /* of the longest number, with its decimals */
};

#define DECIMAL "0123456789"

const char *rate_text(void *context, const struct rate *rate)
{
    if (rate->q == 1) {
        return talloc_asprintf(context, "%" PRIu64, rate->p);
    }
    return talloc_asprintf(context, "%" PRIu64 "/%" PRIu64, rate->p, rate->q);
}

const char *model_figure_text(
    void *context, const struct pmu_model *model, enum figure figure)
{
    struct rate value = figure_get(model, figure);

    if (figure_rows[figure].kind == FIGURE_KIND_FLAG) {
        return value.p != 0 ? "true" : "false";
    }
    return rate_text(context, &value);
}

/* How many are behind the point. Below 1 it is the first digit that counts, of
 * the number as it is rounded. */
static int decimals_of(double number)
{
    char text[TEXT_BYTES];
    int exponent;

    snprintf(text, sizeof(text), "%.*e", DIGITS - 1, number);
    exponent = atoi(strchr(text, 'e') + 1);
    return exponent < 0 ? DIGITS - 1 - exponent : DIGITS;
}

char *counter_figure_text(void *context, const struct counter_figure *figure)
{
    char text[TEXT_BYTES];
    size_t length;

    if (figure->is_count) {
        return talloc_asprintf(context, "%" PRIu64, figure->count);
    }
    if (figure->number == 0) {
        return talloc_strdup(context, "0");
    }
    snprintf(text, sizeof(text), "%.*f", decimals_of(figure->number),
        figure->number);
    length = strlen(text);
    while (text[length - 1] == '0') {
        length--;
    }
    text[text[length - 1] == '.' ? length - 1 : length] = '\0';
    return talloc_strdup(context, text);
}

bool counter_figure_is_text(const char *text)
{
    const char *at = text + (text[0] == '-');
    size_t whole = strspn(at, DECIMAL);
    bool below_1 = whole == 1 && at[0] == '0';
    const char *behind = at + whole + (at[whole] == '.');
    size_t decimals = strspn(behind, DECIMAL);
    size_t zeros = below_1 ? strspn(behind, "0") : 0;

    if (whole == 0 || (at[0] == '0' && !below_1)) {
        return false;
    }
    if (at[whole] == '\0') {
        return !below_1 || text[0] != '-';
    }
    return at[whole] == '.' && behind[decimals] == '\0' && decimals > 0 &&
           behind[decimals - 1] != '0' && decimals - zeros <= DIGITS;
}
