/* counter_lines.c - the lines that ntpmu counters shows, made of samples: names
 * and figures for raw values. */
#include "scenarios/runner/commands/counters/counter_lines.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <talloc.h>

#include "api/ex/pool.h"
#include "api/pcw/counter_format.h"
#include "scenarios/runner/commands/counters/counter_total.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/counters/instance_names.h"
#include "scenarios/runner/counters/instance_path.h"

#define NS_PER_US 1000

enum { MASK_BITS = 64 }; /* PCW-TYPE-06a */

/* Lines while they are made. */
struct making {
    struct counter_lines *lines;
    const struct samples *samples;
    const struct manifest_set **set; /* by number of those that appeared */
    struct rows **before;            /* likewise: the last; NULL: none yet */
    const struct counter_lines_way *way;
    bool parts;   /* of the set at hand the total alone is shown */
    bool unasked; /* the instance at hand is none of those to show */
};

/* Time in cycles below 2^62: whole microseconds first. */
uint64_t counter_time_ns(uint64_t cycles, uint64_t mhz)
{
    return cycles / mhz * NS_PER_US + cycles % mhz * NS_PER_US / mhz;
}

static bool is_hidden(const struct manifest_counter *counter)
{
    return counter != NULL &&
           ((counter->attributes & MANIFEST_NO_DISPLAY) != 0 ||
               counter_type_rows[counter->type].shown == COUNTER_SHOWN_BASE);
}

static void add_line(
    struct counter_lines *lines, const struct counter_line *line)
{
    if ((lines->count & (lines->count - 1)) == 0) {
        lines->item = talloc_realloc(lines, lines->item, struct counter_line,
            2 * (unsigned)lines->count + 1);
        assert(lines->item != NULL);
    }
    lines->item[lines->count++] = *line;
}

static void note(
    struct making *making, size_t appeared, uint32_t counter, const char *text)
{
    counter_notes_add(making->lines->notes, appeared, counter,
        counter_names_of(making->set[appeared], counter), text);
}

/* Whether all bytes of a value are those of memory that nobody has written,
 * which a count of that many bytes hardly comes to. */
static bool is_filled(const struct row_value *value)
{
    uint64_t filled = UINT64_C(0x0101010101010101) * POOL_FILL;

    return (value->size == sizeof(uint64_t) && value->value == filled) ||
           (value->size == sizeof(uint32_t) &&
               value->value == (uint32_t)filled);
}

static void check_filled(
    struct making *making, size_t appeared, const struct row_value *value)
{
    const struct manifest_set *set = making->set[appeared];
    const struct manifest_counter *counter =
        set == NULL ? NULL : manifest_counter_by_id(set, value->counter);
    bool named = counter != NULL && counter->field != NULL;

    if (is_filled(value) &&
        counter_notes_is_news(making->lines->notes, appeared, value->counter,
            COUNTER_NOTED_FILLED)) {
        note(making, appeared, value->counter,
            talloc_asprintf(making->lines,
                "published though nobody has initialised %s%s%s (0x%X in each "
                "byte)",
                named ? "its field '" : "it", named ? counter->field : "",
                named ? "'" : "", (unsigned)POOL_FILL));
    }
}

/* A consumer reads what was registered by what a manifest says. */
static void check_value(
    struct making *making, size_t appeared, const struct row_value *value)
{
    const struct manifest_set *set = making->set[appeared];
    struct counter_notes *notes = making->lines->notes;

    making->lines->widths |= !row_value_agrees(set, value);
    check_filled(making, appeared, value);
    if (!row_value_agrees(set, value) &&
        counter_notes_is_news(
            notes, appeared, value->counter, COUNTER_NOTED_WIDTH)) {
        note(making, appeared, value->counter,
            talloc_asprintf(making->lines, "%s, so without a figure",
                row_value_width_text(making->lines, set, value)));
    }
    if (set != NULL && manifest_counter_by_id(set, value->counter) == NULL &&
        counter_notes_is_news(
            notes, appeared, value->counter, COUNTER_NOTED_NOT_DESCRIBED)) {
        note(making, appeared, value->counter,
            "registered, but not in the manifest, so without a name and a "
            "figure");
    }
}

/* All counters are asked for, so a row has all that are registered. */
static void check_missing(
    struct making *making, size_t appeared, const struct row *row)
{
    const struct manifest_set *set = making->set[appeared];

    for (size_t i = 0; set != NULL && i < set->counter_count; i++) {
        uint32_t id = set->counter[i].id;

        if (row_find(row, id) == NULL && id <= UINT16_MAX &&
            (id < MASK_BITS || !making->way->masked) &&
            counter_notes_is_news(making->lines->notes, appeared, id,
                COUNTER_NOTED_NOT_REGISTERED)) {
            note(making, appeared, id,
                "in the manifest, but not registered, so without a value");
        }
    }
}

static void add_row(struct making *making, size_t appeared,
    const struct row *row, struct counter_line *line)
{
    const struct manifest_set *set = making->set[appeared];

    for (size_t i = 0; i < row->value_count; i++) {
        const struct row_value *value = &row->value[i];

        check_value(making, appeared, value);
        line->counter_id = value->counter;
        line->counter =
            set == NULL ? NULL : manifest_counter_by_id(set, value->counter);
        line->name = counter_names_of(set, value->counter);
        line->value = value->value;
        line->figure = value->shown;
        if (making->unasked) {
            continue;
        }
        if ((is_hidden(line->counter) && !making->way->all) || making->parts) {
            making->lines->hidden++;
        } else {
            add_line(making->lines, line);
        }
    }
    check_missing(making, appeared, row);
}

static int compare_ids(const void *left, const void *right)
{
    const struct row *a = *(const struct row *const *)left;
    const struct row *b = *(const struct row *const *)right;
    int order = (a->id > b->id) - (a->id < b->id);

    return order == 0 ? (a > b) - (a < b) : order;
}

/* Windows takes them, so they are no broken rule (PCW-ADD-04b [C]); `name` are
 * what the rows are called here. Told of once. */
static void check_ids(struct making *making, size_t appeared,
    const struct rows *rows, const char *const *name)
{
    struct counter_notes *notes = making->lines->notes;
    struct row **sorted =
        talloc_array(making->lines, struct row *, (unsigned)rows->count + 1);
    bool found = false;

    assert(sorted != NULL);
    for (size_t i = 0; i < rows->count; i++) {
        sorted[i] = &rows->item[i];
    }
    qsort(sorted, rows->count, sizeof(sorted[0]), compare_ids);
    for (size_t i = 0; i < rows->count; i++) {
        bool shared =
            (i > 0 && sorted[i - 1]->id == sorted[i]->id) ||
            (i + 1 < rows->count && sorted[i + 1]->id == sorted[i]->id);

        found = found || (shared && counter_notes_is_news(notes, appeared, 0,
                                        COUNTER_NOTED_SHARED_ID));
        if (shared && found) {
            counter_notes_add(notes, appeared, 0, name[sorted[i] - rows->item],
                "instances that share their id with others, so that the name "
                "alone tells them apart");
        }
    }
    talloc_free(sorted);
}

static bool is_called_total(const char *const *name, size_t count)
{
    bool called = false;

    for (size_t i = 0; i < count && !called; i++) {
        called = counter_names_equal(name[i], COUNTER_TOTAL_NAME) ||
                 counter_names_equal(name[i], COUNTER_TOTAL_PATH);
    }
    return called;
}

/* What a set's total is called. */
static const char *total_name(
    void *context, const char *const *name, size_t count)
{
    bool parents = count > 0;

    for (size_t i = 0; i < count && parents; i++) {
        char *parent = instance_path_parent(context, name[i]);

        parents = parent != NULL;
        talloc_free(parent);
    }
    return parents ? COUNTER_TOTAL_PATH : COUNTER_TOTAL_NAME;
}

/* Whether it is shown; each mask that means it has been met. */
static bool is_asked_for(struct making *making, const char *instance)
{
    const struct counter_lines_way *way = making->way;
    bool asked = way->mask_count == 0;

    for (size_t i = 0; i < way->mask_count; i++) {
        bool met = instance_path_meets(instance, way->mask[i]);

        making->lines->met[i] = making->lines->met[i] || met;
        asked = asked || met;
    }
    return asked;
}

/* The total of one counter, of the rows that have it. */
static void add_total(struct making *making, const struct rows *rows,
    const struct manifest_counter *counter, struct counter_line *total)
{
    struct counter_line *part = talloc_zero_array(
        making->lines, struct counter_line, (unsigned)rows->count + 1);
    const struct counter_line **line = talloc_array(
        making->lines, const struct counter_line *, (unsigned)rows->count + 1);
    size_t count = 0;

    assert(part != NULL && line != NULL);
    for (size_t i = 0; i < rows->count; i++) {
        const struct row_value *value = row_find(&rows->item[i], counter->id);

        if (value != NULL) {
            part[count] = (struct counter_line){
                .value = value->value, .figure = value->shown};
            line[count] = &part[count];
            count++;
        }
    }
    if (count > 0) {
        total->counter = counter;
        total->counter_id = counter->id;
        total->name = counter_names_of(rows->set, counter->id);
        counter_total_make(making->lines, total, line, count);
        add_line(making->lines, total);
    }
    talloc_free(line);
    talloc_free(part);
}

/* Behind the instances, unless the provider has one of that name itself. */
static void add_totals(struct making *making, const struct rows *rows,
    const char *const *name, const struct counter_line *line)
{
    const struct manifest_set *set = rows->set;
    const char *called;

    if (!counter_total_is_made(set) || is_called_total(name, rows->count)) {
        return;
    }
    called = total_name(making->lines, name, rows->count);
    if (!is_asked_for(making, called)) {
        return;
    }
    for (size_t i = 0; i < set->counter_count; i++) {
        const struct manifest_counter *counter = &set->counter[i];
        struct counter_line total = {.sample = line->sample,
            .time_ns = line->time_ns,
            .set = line->set,
            .instance = called,
            .instance_id = PCW_ANY_INSTANCE_ID};

        if (counter->aggregate != MANIFEST_AGGREGATE_UNDEFINED &&
            (making->way->all || !is_hidden(counter))) {
            add_total(making, rows, counter, &total);
        }
    }
}

static void add_set(
    struct making *making, size_t sample, const struct sampled_set *sampled)
{
    struct rows *rows = sampled->rows;
    const char **name = instance_names(making->lines, rows);
    const struct manifest_set *set = making->set[sampled->appeared];
    struct counter_line line = {
        .sample = sample,
        .time_ns = counter_time_ns(rows->cycles, making->way->mhz),
        .set = making->samples->appeared[sampled->appeared],
    };

    rows->set = set;
    rows_make_figures(
        making->way->mhz, rows, making->before[sampled->appeared]);
    making->before[sampled->appeared] = rows;
    check_ids(making, sampled->appeared, rows, name);
    making->parts = counter_total_is_all(set) && !making->way->all &&
                    !is_called_total(name, rows->count);
    for (size_t i = 0; i < rows->count; i++) {
        line.instance = name[i];
        line.instance_id = rows->item[i].id;
        making->unasked = !is_asked_for(making, name[i]);
        line.single = (set != NULL && set->instances == MANIFEST_SINGLE) ||
                      name[i][0] == '\0';
        add_row(making, sampled->appeared, &rows->item[i], &line);
    }
    add_totals(making, rows, name, &line);
}

struct counter_lines *counter_lines_make(void *context,
    const struct samples *samples, struct counter_manifests *manifests,
    const struct counter_lines_way *way)
{
    struct making making = {
        .lines = talloc_zero(context, struct counter_lines),
        .samples = samples,
        .set = talloc_zero_array(context, const struct manifest_set *,
            (unsigned)samples->appeared_count + 1),
        .before = talloc_zero_array(
            context, struct rows *, (unsigned)samples->appeared_count + 1),
        .way = way,
    };

    assert(making.lines != NULL && making.set != NULL && making.before != NULL);
    making.lines->notes = counter_notes_new(making.lines, samples);
    making.lines->met =
        talloc_zero_array(making.lines, bool, (unsigned)way->mask_count + 1);
    assert(making.lines->met != NULL);
    for (size_t i = 0; i < samples->appeared_count; i++) {
        making.set[i] = counter_manifests_find(manifests, samples->appeared[i]);
    }
    for (size_t i = 0; i < samples->count; i++) {
        for (size_t k = 0; k < samples->item[i].set_count; k++) {
            add_set(&making, i, &samples->item[i].set[k]);
        }
    }
    talloc_free(making.set);
    talloc_free(making.before);
    return making.lines;
}

const char *counter_line_name(void *context, const struct counter_line *line)
{
    return line->name != NULL
               ? line->name
               : talloc_asprintf(context, "%" PRIu32, line->counter_id);
}

const char *counter_line_unit(const struct counter_line *line)
{
    return line->counter == NULL ? "" : counter_unit(line->counter->type);
}

bool counter_line_is_hex(const struct counter_line *line)
{
    enum counter_shown shown;

    if (line->figure == NULL || line->counter == NULL) {
        return false;
    }
    shown = counter_type_rows[line->counter->type].shown;
    return shown == COUNTER_SHOWN_RAW_HEX ||
           ((line->counter->attributes & MANIFEST_DISPLAY_AS_HEX) != 0 &&
               (shown == COUNTER_SHOWN_RAW || shown == COUNTER_SHOWN_DELTA));
}
