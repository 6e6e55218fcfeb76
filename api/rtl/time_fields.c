/* time_fields.c - RtlTimeToTimeFields and RtlTimeFieldsToTime: units of 100 ns
 * since 1601 as a date of the Gregorian calendar, and back. */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"

#define UNITS_A_MILLISECOND INT64_C(10000)
#define MILLISECONDS_A_DAY INT64_C(86400000)

enum {
    FIRST_YEAR = 1601,
    LAST_YEAR = 30827, /* page RtlTimeToTimeFields: the last in 64 bits */
    DAYS_A_YEAR = 365,
    DAYS_A_CYCLE = 146097, /* 400 years */
    FIRST_WEEKDAY = 1,     /* 1601-01-01 was a Monday */
    MONTHS = 12,
};

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int64_t days_of_month(int64_t year, int64_t month)
{
    static const uint8_t days[MONTHS] = {
        31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    assert(month >= 1 && month <= MONTHS);
    return days[month - 1] + (month == 2 && is_leap(year));
}

/* From 1601-01-01 to the first day of a year. */
static int64_t days_before(int64_t year)
{
    int64_t past = year - FIRST_YEAR;

    return past * DAYS_A_YEAR + past / 4 - past / 100 + past / 400;
}

/* The year that the day is in, which cannot be far from the one that it would
 * be in if all were of one length. */
static int64_t year_of(int64_t day)
{
    int64_t year = FIRST_YEAR + day * 400 / DAYS_A_CYCLE;

    assert(
        days_before(year) <= day); /* leap years are ahead by a day at most */
    while (days_before(year + 1) <= day) {
        year++;
    }
    return year;
}

/* The sign bit counts as no other: there is no time before 1601 (RTL-60b [C]).
 */
VOID RtlTimeToTimeFields_body(PLARGE_INTEGER Time, PTIME_FIELDS TimeFields)
{
    enum routine routine = ROUTINE_RtlTimeToTimeFields;
    struct kernel *kernel = kernel_current();
    TIME_FIELDS fields = {.Month = 1};
    LARGE_INTEGER time;
    int64_t milliseconds, day, rest, year;

    copy_in(kernel, routine, &time, Time, sizeof(time));
    milliseconds = (time.QuadPart & INT64_MAX) / UNITS_A_MILLISECOND;
    day = milliseconds / MILLISECONDS_A_DAY;
    rest = milliseconds % MILLISECONDS_A_DAY;
    fields.Weekday = (CSHORT)((day + FIRST_WEEKDAY) % 7);
    year = year_of(day);
    day -= days_before(year);
    while (day >= days_of_month(year, fields.Month)) {
        day -= days_of_month(year, fields.Month);
        fields.Month++;
    }
    fields.Year = (CSHORT)year;
    fields.Day = (CSHORT)(day + 1);
    fields.Hour = (CSHORT)(rest / 3600000);
    fields.Minute = (CSHORT)(rest / 60000 % 60);
    fields.Second = (CSHORT)(rest / 1000 % 60);
    fields.Milliseconds = (CSHORT)(rest % 1000);
    copy_out(kernel, routine, TimeFields, &fields, sizeof(fields));
}

/* The day of the week is not looked at (page RtlTimeFieldsToTime). */
static bool is_date(const TIME_FIELDS *fields)
{
    return fields->Year >= FIRST_YEAR && fields->Year <= LAST_YEAR &&
           fields->Month >= 1 && fields->Month <= MONTHS && fields->Day >= 1 &&
           fields->Day <= days_of_month(fields->Year, fields->Month);
}

static bool is_time(const TIME_FIELDS *fields)
{
    return fields->Hour >= 0 && fields->Hour < 24 && fields->Minute >= 0 &&
           fields->Minute < 60 && fields->Second >= 0 && fields->Second < 60 &&
           fields->Milliseconds >= 0 && fields->Milliseconds < 1000;
}

BOOLEAN RtlTimeFieldsToTime_body(PTIME_FIELDS TimeFields, PLARGE_INTEGER Time)
{
    enum routine routine = ROUTINE_RtlTimeFieldsToTime;
    struct kernel *kernel = kernel_current();
    LARGE_INTEGER time = {.QuadPart = 0};
    TIME_FIELDS fields;
    int64_t day;

    copy_in(kernel, routine, &fields, TimeFields, sizeof(fields));
    if (!is_date(&fields) || !is_time(&fields)) {
        return 0;
    }
    day = days_before(fields.Year) + fields.Day - 1;
    for (CSHORT month = 1; month < fields.Month; month++) {
        day += days_of_month(fields.Year, month);
    }
    time.QuadPart = (day * MILLISECONDS_A_DAY + fields.Hour * INT64_C(3600000) +
                        fields.Minute * INT64_C(60000) +
                        fields.Second * INT64_C(1000) + fields.Milliseconds) *
                    UNITS_A_MILLISECOND;
    copy_out(kernel, routine, Time, &time, sizeof(time));
    return 1;
}
