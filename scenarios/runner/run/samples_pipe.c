/* samples_pipe.c - samples as bytes from a child process to its parent, which
 * believes nothing in them. Numbers are as this host has them: both ends are
 * one program. */
#include "scenarios/runner/run/samples_pipe.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/core/rules.h"
#include "scenarios/runner/text/wide_text.h"

enum {
    SAMPLES_HEAD = 0x4E545053, /* of a part */
    SAMPLES_LAST = 0x4E54504C, /* of the last one */
    NAME_UNITS = 0x8000,       /* more than a UNICODE_STRING has */
    /* The fewest bytes of each thing, so that no count asks for more memory
     * than the message has bytes. */
    TEXT_LEAST = 4,
    NOTE_LEAST = 8,
    SAMPLE_LEAST = 4,
    SET_LEAST = 16,
    ROW_LEAST = 12,
    VALUE_LEAST = 16,
    MARK_LEAST = 20,
};

static void send_u32(FILE *out, size_t value)
{
    uint32_t sent = (uint32_t)value;

    fwrite(&sent, sizeof(sent), 1, out);
}

static void send_u64(FILE *out, uint64_t value)
{
    fwrite(&value, sizeof(value), 1, out);
}

static void send_text(FILE *out, const char *text)
{
    size_t length = strnlen(text, SAMPLES_TEXT_BYTES);

    send_u32(out, length);
    fwrite(text, 1, length, out);
}

static void send_row(FILE *out, const struct row *row)
{
    send_u32(out, row->wide.length);
    fwrite(row->wide.at, sizeof(uint16_t), row->wide.length, out);
    send_u32(out, row->id);
    send_u32(out, row->value_count);
    for (size_t i = 0; i < row->value_count; i++) {
        send_u32(out, row->value[i].counter);
        send_u32(out, row->value[i].size);
        send_u64(out, row->value[i].value);
    }
}

static void send_sample(FILE *out, const struct sample *sample)
{
    send_u32(out, sample->set_count);
    for (size_t i = 0; i < sample->set_count; i++) {
        const struct sampled_set *set = &sample->set[i];

        send_u32(out, set->appeared);
        send_u64(out, set->rows->cycles);
        send_u32(out, set->rows->count);
        for (size_t n = 0; n < set->rows->count; n++) {
            send_row(out, &set->rows->item[n]);
        }
    }
}

static void send_mark(FILE *out, const struct sample_mark *mark)
{
    send_u64(out, mark->cycles);
    send_u32(out, mark->processor);
    send_u32(out, mark->is_rule);
    send_u32(out, mark->what);
}

/* Of notes all, since they are few and their numbers grow. */
void samples_send(FILE *out, struct samples *samples, bool last)
{
    send_u32(out, last ? SAMPLES_LAST : SAMPLES_HEAD);
    send_u32(out, samples->appeared_count - samples->sent_names);
    for (size_t i = samples->sent_names; i < samples->appeared_count; i++) {
        send_text(out, samples->appeared[i]);
    }
    send_u32(out, samples->note_count);
    for (size_t i = 0; i < samples->note_count; i++) {
        send_text(out, samples->note[i].text);
        send_u32(out, samples->note[i].times);
    }
    send_u32(out, samples->count - samples->sent_samples);
    for (size_t i = samples->sent_samples; i < samples->count; i++) {
        send_sample(out, &samples->item[i]);
    }
    send_u32(out, samples->mark_count - samples->sent_marks);
    for (size_t i = samples->sent_marks; i < samples->mark_count; i++) {
        send_mark(out, &samples->mark[i]);
    }
    samples->sent_names = samples->appeared_count;
    samples->sent_marks = samples->mark_count;
    samples->sent_samples = samples->count;
}

/* The bytes while they are read. */
struct arrival {
    struct samples *samples;
    const uint8_t *at;
    size_t left;
    const char *problem; /* the first; NULL: none so far */
};

static void refuse(struct arrival *arrival, const char *problem)
{
    if (arrival->problem == NULL) {
        arrival->problem = problem;
    }
    arrival->left = 0;
}

/* Copies the next bytes; zeroes after a problem. */
static void take(struct arrival *arrival, void *to, size_t size)
{
    if (arrival->problem == NULL && arrival->left < size) {
        refuse(arrival, "its samples end too early");
    }
    if (arrival->problem != NULL) {
        memset(to, 0, size);
        return;
    }
    memcpy(to, arrival->at, size);
    arrival->at += size;
    arrival->left -= size;
}

static uint32_t take_u32(struct arrival *arrival)
{
    uint32_t value;

    take(arrival, &value, sizeof(value));
    return value;
}

static uint64_t take_u64(struct arrival *arrival)
{
    uint64_t value;

    take(arrival, &value, sizeof(value));
    return value;
}

/* A number of things, of `least` bytes each. */
static uint32_t take_count(struct arrival *arrival, size_t least)
{
    uint32_t count = take_u32(arrival);

    if (count > arrival->left / least) {
        refuse(arrival, "its samples end too early");
        return 0;
    }
    return count;
}

/* Child of `context`. NULL after a problem. */
static char *take_text(struct arrival *arrival, void *context)
{
    uint32_t length = take_u32(arrival);
    char *text;

    if (length > SAMPLES_TEXT_BYTES || length > arrival->left) {
        refuse(arrival, "a text of its samples is too long");
        return NULL;
    }
    text = talloc_zero_array(context, char, length + 1);
    assert(text != NULL);
    take(arrival, text, length);
    if (strlen(text) != length) {
        refuse(arrival, "a text of its samples holds a NUL");
    }
    return arrival->problem == NULL ? text : NULL;
}

static void take_texts(struct arrival *arrival)
{
    struct samples *samples = arrival->samples;
    uint32_t names = take_count(arrival, TEXT_LEAST);
    uint32_t notes;

    for (uint32_t i = 0; i < names && arrival->problem == NULL; i++) {
        const char *name = take_text(arrival, samples);

        if (name != NULL) {
            samples_add_name(samples, name);
        }
    }
    samples->note = NULL; /* each part has all of them */
    samples->note_count = 0;
    notes = take_count(arrival, NOTE_LEAST);
    for (uint32_t i = 0; i < notes && arrival->problem == NULL; i++) {
        const char *note = take_text(arrival, samples);

        if (note != NULL) {
            samples_add_note(samples, "%s", note);
            samples->note[samples->note_count - 1].times = take_u32(arrival);
        }
    }
}

static void take_size(struct arrival *arrival, struct row_value *value)
{
    uint32_t size = take_u32(arrival);

    if (size > UINT16_MAX) {
        refuse(arrival, "a counter of its samples is too large");
        return;
    }
    value->size = (uint16_t)size;
}

static void take_row(
    struct arrival *arrival, struct rows *rows, struct row *row)
{
    uint32_t units = take_u32(arrival);
    uint16_t *name;

    if (units > NAME_UNITS || units > arrival->left / sizeof(*name)) {
        refuse(arrival, "a name of an instance is too long");
        return;
    }
    name = talloc_array(rows, uint16_t, units + 1);
    assert(name != NULL);
    take(arrival, name, units * sizeof(*name));
    row->wide = (struct pcw_text){name, units};
    row->name = wide_text_utf8(rows, row->wide);
    row->id = take_u32(arrival);
    row->value_count = take_count(arrival, VALUE_LEAST);
    row->value = talloc_zero_array(
        rows, struct row_value, (unsigned)row->value_count + 1);
    assert(row->value != NULL);
    for (size_t i = 0; i < row->value_count; i++) {
        row->value[i].counter = take_u32(arrival);
        take_size(arrival, &row->value[i]);
        row->value[i].value = take_u64(arrival);
        if (row->value[i].counter > UINT16_MAX) {
            refuse(arrival, "a counter of its samples does not exist");
            row->value[i].counter = 0;
        }
    }
}

static void take_set(struct arrival *arrival)
{
    struct samples *samples = arrival->samples;
    struct rows *rows = talloc_zero(samples, struct rows);
    uint32_t appeared = take_u32(arrival);

    assert(rows != NULL);
    rows->cycles = take_u64(arrival);
    rows->count = take_count(arrival, ROW_LEAST);
    rows->item = talloc_zero_array(rows, struct row, (unsigned)rows->count + 1);
    assert(rows->item != NULL);
    for (size_t i = 0; i < rows->count && arrival->problem == NULL; i++) {
        take_row(arrival, rows, &rows->item[i]);
    }
    if (appeared >= samples->appeared_count) {
        refuse(arrival, "a counter set of its samples does not exist");
    }
    if (arrival->problem == NULL) {
        samples_add_set(samples, appeared, rows);
    }
}

static void take_sample(struct arrival *arrival)
{
    uint32_t sets = take_count(arrival, SET_LEAST);

    if (sets == 0) {
        refuse(arrival, "a sample is empty");
        return;
    }
    samples_add_sample(arrival->samples);
    for (uint32_t i = 0; i < sets && arrival->problem == NULL; i++) {
        take_set(arrival);
    }
}

static void take_mark(struct arrival *arrival)
{
    struct sample_mark mark = {.cycles = take_u64(arrival)};

    mark.processor = take_u32(arrival);
    mark.is_rule = take_u32(arrival) != 0;
    mark.what = take_u32(arrival);
    if (mark.is_rule && mark.what >= RULE_COUNT) {
        refuse(arrival, "a rule of its samples does not exist");
    }
    if (arrival->problem == NULL) {
        samples_add_mark(arrival->samples, &mark);
    }
}

/* Returns whether another part follows. One that is not whole leaves no samples
 * and no notes. */
static bool take_part(struct arrival *arrival)
{
    const struct samples before = *arrival->samples;
    uint32_t head = take_u32(arrival);
    uint32_t count;

    if (head != SAMPLES_HEAD && head != SAMPLES_LAST) {
        refuse(arrival, "its samples do not begin as such");
    }
    take_texts(arrival);
    count = take_count(arrival, SAMPLE_LEAST);
    for (uint32_t i = 0; i < count && arrival->problem == NULL; i++) {
        take_sample(arrival);
    }
    count = take_count(arrival, MARK_LEAST);
    for (uint32_t i = 0; i < count && arrival->problem == NULL; i++) {
        take_mark(arrival);
    }
    if (arrival->problem != NULL) {
        arrival->samples->count = before.count;
        arrival->samples->mark_count = before.mark_count;
        arrival->samples->note = before.note;
        arrival->samples->note_count = before.note_count;
    }
    return arrival->problem == NULL && head == SAMPLES_HEAD;
}

struct samples *samples_receive(void *context, const uint8_t *bytes,
    size_t length, size_t *taken, const char **problem)
{
    struct arrival arrival = {samples_new(context), bytes, length, NULL};

    while (take_part(&arrival)) {
    }
    *problem = arrival.problem;
    if (arrival.problem != NULL) {
        talloc_free(arrival.samples);
        return NULL;
    }
    *taken = length - arrival.left;
    return arrival.samples;
}

struct samples *samples_receive_cut(
    void *context, const uint8_t *bytes, size_t length)
{
    struct arrival arrival = {samples_new(context), bytes, length, NULL};

    while (take_part(&arrival)) {
    }
    return arrival.samples;
}
