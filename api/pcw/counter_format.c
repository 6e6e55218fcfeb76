/* counter_format.c - the figures that a consumer shows for counters, by the
 * formulas that are documented: page Calculating Counter Values of the Win32
 * documentation, and for what its numbers are, page Retrieving Counter Data
 * and section Counter Types of the Windows Server 2003 Deployment Kit.
 *
 * All formulas have one form: an amount and a divisor, each of one sample or
 * the difference of two, are made into the figure. A row of `shapes` says how.
 */
#include "api/pcw/counter_format.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "api/ke/performance_counter.h"

struct operands {
    uint64_t count; /* the amount, exactly */
    double amount;
    double divisor; /* above 0 */
    double multi;
    double frequency; /* of the performance counter */
};

/* Each returns false when it would divide by 0. What is subtracted is so before
 * it is divided, when it is still a whole number: little is left then, but
 * exactly that. */
typedef bool formula(
    const struct operands *with, struct counter_figure *figure);

static bool count_itself(
    const struct operands *with, struct counter_figure *figure)
{
    figure->is_count = true;
    figure->count = with->count;
    return true;
}

static bool quotient(const struct operands *with, struct counter_figure *figure)
{
    figure->number = with->amount / with->divisor;
    return true;
}

static bool percent(const struct operands *with, struct counter_figure *figure)
{
    figure->number = 100 * with->amount / with->divisor;
    return true;
}

static bool percent_left(
    const struct operands *with, struct counter_figure *figure)
{
    figure->number = 100 * (with->divisor - with->amount) / with->divisor;
    return true;
}

static bool percent_of_each(
    const struct operands *with, struct counter_figure *figure)
{
    if (with->multi == 0) {
        return false;
    }
    figure->number = 100 * with->amount / with->divisor / with->multi;
    return true;
}

/* Of all together, so up to 100 for each: unlike its opposite it is not divided
 * by their number. */
static bool percent_left_of_all(
    const struct operands *with, struct counter_figure *figure)
{
    figure->number =
        100 * (with->multi * with->divisor - with->amount) / with->divisor;
    return true;
}

static bool per_second(
    const struct operands *with, struct counter_figure *figure)
{
    if (with->frequency == 0) {
        return false;
    }
    figure->number = with->amount / (with->divisor / with->frequency);
    return true;
}

static bool seconds_each(
    const struct operands *with, struct counter_figure *figure)
{
    if (with->frequency == 0) {
        return false;
    }
    figure->number = with->amount / with->frequency / with->divisor;
    return true;
}

/* How a formula is written; the amount and the divisor stand where %s does. */
struct way {
    formula *formula;
    const char *text;
};

static const struct way itself = {count_itself, "%s"};
static const struct way divided = {quotient, "%s / %s"};
static const struct way in_percent = {percent, "100 * %s / %s"};
static const struct way rest_in_percent = {percent_left, "100 * (1 - %s / %s)"};
static const struct way in_percent_of_each = {
    percent_of_each, "100 * %s / %s / value of multiCounterID"};
static const struct way rest_in_percent_of_all = {
    percent_left_of_all, "100 * (value of multiCounterID - %s / %s)"};
static const struct way each_second = {
    per_second, "%s / (%s / ticks per second)"};
static const struct way in_seconds = {
    seconds_each, "%s / ticks per second / %s"};

/* A number, of the second sample or by how much it has grown since the first.
 */
enum operand {
    ONE,
    VALUE,
    VALUE_GROWTH,
    TIME_SINCE_VALUE, /* by the object's clock */
    BASE,
    BASE_GROWTH,
    PERF_TIME,
    TIME_100NS,
    OBJECT_TIME,
    OBJECT_FREQ,
};

static const char *const operand_texts[] = {
    [ONE] = "1",
    [VALUE] = "value",
    [VALUE_GROWTH] = "growth of the value",
    [TIME_SINCE_VALUE] = "(value of perfTimeID - value)",
    [BASE] = "value of baseID",
    [BASE_GROWTH] = "growth of baseID",
    [PERF_TIME] = "ticks in between",
    [TIME_100NS] = "units of 100 ns in between",
    [OBJECT_TIME] = "growth of perfTimeID",
    [OBJECT_FREQ] = "value of perfFreqID",
};

static const struct shape {
    const struct way *way; /* NULL: no figure */
    enum operand amount;
    enum operand divisor;
    const char *unit;
} shapes[] = {
    [COUNTER_SHOWN_NOTHING] = {NULL, ONE, ONE, ""},
    [COUNTER_SHOWN_BASE] = {NULL, ONE, ONE, ""},
    [COUNTER_SHOWN_RAW] = {&itself, VALUE, ONE, ""},
    [COUNTER_SHOWN_RAW_HEX] = {&itself, VALUE, ONE, ""},
    [COUNTER_SHOWN_DELTA] = {&itself, VALUE_GROWTH, ONE, ""},
    [COUNTER_SHOWN_RATE] = {&each_second, VALUE_GROWTH, PERF_TIME, "/s"},
    [COUNTER_SHOWN_AVERAGE] = {&divided, VALUE_GROWTH, BASE_GROWTH, ""},
    [COUNTER_SHOWN_AVERAGE_TIMER] = {&in_seconds, VALUE_GROWTH, BASE_GROWTH,
        "s"},
    [COUNTER_SHOWN_FRACTION] = {&in_percent, VALUE, BASE, "%"},
    [COUNTER_SHOWN_SAMPLE_FRACTION] = {&in_percent, VALUE_GROWTH, BASE_GROWTH,
        "%"},
    [COUNTER_SHOWN_TIMER] = {&in_percent, VALUE_GROWTH, PERF_TIME, "%"},
    [COUNTER_SHOWN_TIMER_INVERSE] = {&rest_in_percent, VALUE_GROWTH, PERF_TIME,
        "%"},
    [COUNTER_SHOWN_TIMER_100NS] = {&in_percent, VALUE_GROWTH, TIME_100NS, "%"},
    [COUNTER_SHOWN_TIMER_100NS_INVERSE] = {&rest_in_percent, VALUE_GROWTH,
        TIME_100NS, "%"},
    [COUNTER_SHOWN_OBJECT_TIMER] = {&in_percent, VALUE_GROWTH, OBJECT_TIME,
        "%"},
    /* The page divides the elapsed ticks by the frequency here, but not the
     * value, which is in ticks too; it does so for none of the others, nor does
     * page PERF_COUNTER_MULTI_TIMER, which leaves out the number of components
     * as well. Without the one, with the other [C]. */
    [COUNTER_SHOWN_MULTI_TIMER] = {&in_percent_of_each, VALUE_GROWTH, PERF_TIME,
        "%"},
    [COUNTER_SHOWN_MULTI_TIMER_INVERSE] = {&rest_in_percent_of_all,
        VALUE_GROWTH, PERF_TIME, "%"},
    [COUNTER_SHOWN_MULTI_TIMER_100NS] = {&in_percent_of_each, VALUE_GROWTH,
        TIME_100NS, "%"},
    [COUNTER_SHOWN_MULTI_TIMER_100NS_INVERSE] = {&rest_in_percent_of_all,
        VALUE_GROWTH, TIME_100NS, "%"},
    [COUNTER_SHOWN_QUEUE] = {&divided, VALUE_GROWTH, PERF_TIME, ""},
    [COUNTER_SHOWN_QUEUE_100NS] = {&divided, VALUE_GROWTH, TIME_100NS, ""},
    [COUNTER_SHOWN_QUEUE_OBJECT] = {&divided, VALUE_GROWTH, OBJECT_TIME, ""},
    [COUNTER_SHOWN_ELAPSED] = {&divided, TIME_SINCE_VALUE, OBJECT_FREQ, "s"},
    /* A manifest gives it no clock of its own (CTR-MAN-04): the system's [C].
     */
    [COUNTER_SHOWN_PRECISION_SYSTEM] = {&in_percent, VALUE_GROWTH, PERF_TIME,
        "%"},
    [COUNTER_SHOWN_PRECISION_100NS] = {&in_percent, VALUE_GROWTH, BASE_GROWTH,
        "%"},
    [COUNTER_SHOWN_PRECISION_OBJECT] = {&in_percent, VALUE_GROWTH, OBJECT_TIME,
        "%"},
};

static const struct shape *shape_of(enum counter_type type)
{
    const struct shape *shape;

    assert(type < COUNTER_TYPE_COUNT);
    assert(counter_type_rows[type].shown < sizeof(shapes) / sizeof(shapes[0]));
    shape = &shapes[counter_type_rows[type].shown];
    assert(shape->way != NULL || shape->unit[0] == '\0');
    return shape;
}

static bool needs_two(enum operand operand)
{
    switch (operand) {
    case VALUE_GROWTH:
    case BASE_GROWTH:
    case PERF_TIME:
    case TIME_100NS:
    case OBJECT_TIME:
        return true;
    case ONE:
    case VALUE:
    case TIME_SINCE_VALUE:
    case BASE:
    case OBJECT_FREQ:
        return false;
    }
    return false;
}

/* What is less than it was has no difference, whatever its width: a consumer
 * cannot tell a value that went round from one that is wrong, and has no figure
 * (page Calculating Counter Values; page Checking PDH Interface Return Values,
 * PDH_CSTATUS_INVALID_DATA). For a 4-byte value, too [C]. */
static bool difference(uint64_t from, uint64_t to, uint64_t *by)
{
    if (to < from) {
        return false;
    }
    *by = to - from;
    return true;
}

/* `first` may be NULL for an operand that does not need two. */
static bool operand_get(enum operand operand,
    const struct counter_sample *first, const struct counter_sample *second,
    uint64_t *number)
{
    assert(first != NULL || !needs_two(operand));
    switch (operand) {
    case ONE:
        *number = 1;
        return true;
    case VALUE:
        *number = second->value;
        return true;
    case VALUE_GROWTH:
        return difference(first->value, second->value, number);
    case TIME_SINCE_VALUE:
        return difference(second->value, second->object_time, number);
    case BASE:
        *number = second->base;
        return true;
    case BASE_GROWTH:
        return difference(first->base, second->base, number);
    case PERF_TIME:
        return difference(first->perf_time, second->perf_time, number);
    case TIME_100NS:
        return difference(first->time_100ns, second->time_100ns, number);
    case OBJECT_TIME:
        return difference(first->object_time, second->object_time, number);
    case OBJECT_FREQ:
        *number = second->object_freq;
        return true;
    }
    return false;
}

enum counter_figure_state counter_format(enum counter_type type,
    const struct counter_sample *first, const struct counter_sample *second,
    struct counter_figure *figure)
{
    const struct shape *shape = shape_of(type);
    struct operands with;
    struct counter_figure result = {.is_count = false};
    uint64_t divisor;

    if (shape->way == NULL) {
        return COUNTER_NO_FIGURE;
    }
    if (first == NULL &&
        (needs_two(shape->amount) || needs_two(shape->divisor))) {
        return COUNTER_NEEDS_SECOND;
    }
    with.multi = (double)second->multi;
    with.frequency = (double)second->perf_freq;
    if (!operand_get(shape->amount, first, second, &with.count) ||
        !operand_get(shape->divisor, first, second, &divisor) || divisor == 0) {
        return COUNTER_NO_CHANGE;
    }
    with.amount = (double)with.count;
    with.divisor = (double)divisor;
    if (!shape->way->formula(&with, &result)) {
        return COUNTER_NO_CHANGE;
    }
    assert(result.is_count == (shape->way == &itself));
    assert(isfinite(result.number)); /* nothing was divided by 0 */
    *figure = result;
    return COUNTER_FIGURE;
}

const char *counter_unit(enum counter_type type)
{
    /* A rate that is shown as a mere number (pages Calculating Counter Values
     * and PERF_SAMPLE_COUNTER). */
    if (type == COUNTER_TYPE_SAMPLE_COUNTER) {
        return "";
    }
    return shape_of(type)->unit;
}

void counter_formula(enum counter_type type, char *text, size_t size)
{
    const struct shape *shape = shape_of(type);
    int length = 0;

    assert(size > 0);
    text[0] = '\0';
    if (shape->way != NULL) {
        length = snprintf(text, size, shape->way->text,
            operand_texts[shape->amount], operand_texts[shape->divisor]);
    }
    assert(length >= 0 && length < COUNTER_FORMULA_BYTES);
}

void counter_clock_read(
    uint64_t mhz, uint64_t cycles, struct counter_sample *sample)
{
    uint64_t ticks = performance_counter_at(mhz, cycles);

    assert(mhz > 0);
    sample->perf_time = ticks;
    sample->perf_freq = PERFORMANCE_COUNTER_HZ;
    sample->time_100ns = ticks;
}
