/* explain_machine.c - explains the trace's events, registers of x86 and of
 * arm64, and what can be counted. */
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands/explain/explain.h"
#include "scenarios/runner/language/event.h"
#include "scenarios/runner/language/event_field.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/text/figure_text.h"
#include "sim/machine/msr.h"
#include "sim/pmu/armv8_registers.h"
#include "sim/pmu/mix.h"

const char *name_event(const struct explain *explain, size_t n)
{
    (void)explain;
    return name_of_event(n, NULL);
}

/* The fields of one kind of record: index (register), value (number). */
static char *fields(
    const struct explain *explain, const struct trace_kind *kind)
{
    char *list = talloc_strdup(explain->context, "");
    struct trace_field field;

    for (unsigned i = 0; trace_field(kind, i, &field); i++) {
        char *one =
            talloc_strndup(explain->context, field.name, field.name_length);

        if (field.conversion == 0) {
            one = talloc_asprintf_append_buffer(
                one, " (%.*s)", (int)field.word_length, field.word);
        } else {
            one = talloc_asprintf_append_buffer(
                one, " (%s)", event_field_noun(&field));
        }
        list = explain_append(list, one);
    }
    return list;
}

/* The next kind of record of the n-th event, from *at on; NULL: no more. */
static const struct trace_kind *next_kind(size_t n, size_t *at)
{
    const char *name = name_of_event(n, NULL);
    const struct trace_kind *kind;

    while ((kind = event_kind((*at)++)) != NULL) {
        if (strcmp(kind->name, name) == 0) {
            return kind;
        }
    }
    return NULL;
}

const char *line_event(const struct explain *explain, size_t n)
{
    const struct trace_kind *kind;
    char *text = talloc_strdup(explain->context, "");
    size_t at = 0;

    while ((kind = next_kind(n, &at)) != NULL) {
        text = talloc_asprintf_append_buffer(text, "%s%s",
            text[0] == '\0' ? "" : "; or ", fields(explain, kind));
    }
    return text;
}

void show_event(const struct explain *explain, size_t n)
{
    const struct trace_kind *kind;
    const char *label = "fields";
    size_t at = 0;

    while ((kind = next_kind(n, &at)) != NULL) {
        explain_field(explain, label, "%s", fields(explain, kind));
        label = "or";
    }
    explain_field(explain, "and", "cpu (number), the processor");
    explain_field(explain, "written",
        "expect: {events: {in_order: [{event: %s}]}}", name_of_event(n, NULL));
}

const char *name_register(const struct explain *explain, size_t n)
{
    char name[40];

    return msr_name(n, name, sizeof(name))
               ? talloc_strdup(explain->context, name)
               : NULL;
}

static uint32_t address_of(size_t n)
{
    char name[40];
    uint32_t address = 0;

    if (msr_name(n, name, sizeof(name))) {
        msr_address(name, &address);
    }
    return address;
}

bool number_of_register(size_t n, uint64_t number)
{
    return address_of(n) == number;
}

static const struct msr_row *row_of(size_t n)
{
    uint32_t address = address_of(n);

    for (unsigned i = 0; i < MSR_COUNT; i++) {
        for (unsigned k = 0; k < msr_rows[i].most; k++) {
            if (msr_rows[i].address + k * msr_rows[i].stride == address) {
                return &msr_rows[i];
            }
        }
    }
    return NULL;
}

static const char *access_in_words(enum msr_access access)
{
    switch (access) {
    case MSR_RW:
    case MSR_RWV:
        return "read and written";
    case MSR_RO:
        return "read; a write raises #GP";
    case MSR_WO:
        return "written; a read raises #GP";
    case MSR_RWM:
        return "read and written; reserved bits are left out of what is "
               "written";
    case MSR_ROM:
        return "read; a write is ignored";
    case MSR_RWK:
        return "read, and written back as it is; other values are not "
               "modelled";
    }
    return "";
}

const char *line_register(const struct explain *explain, size_t n)
{
    return talloc_asprintf(explain->context, "0x%X, %s",
        (unsigned)address_of(n), access_in_words(row_of(n)->access));
}

void show_register(const struct explain *explain, size_t n)
{
    const struct msr_row *row = row_of(n);

    explain_field(explain, "address", "0x%X", (unsigned)address_of(n));
    explain_field(explain, "is", "%s", access_in_words(row->access));
    explain_mentioned(explain, name_register(explain, n));
}

const char *name_rate(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < EVENT_COUNT ? event_rows[n].name : NULL;
}

/* Its numbers on each vendor's counters; NULL when it has none. */
static const char *codes_of(const struct explain *explain, enum event event)
{
    const struct event_code *code;
    char *text = NULL;

    for (size_t i = 0; (code = model_code_at(i)) != NULL; i++) {
        if (code->event == event) {
            text = talloc_asprintf(explain->context,
                "%s%sselect 0x%02X, umask 0x%02X on %s",
                text == NULL ? "" : text, text == NULL ? "" : "; ",
                (unsigned)code->select, (unsigned)code->umask,
                vendor_rows[code->vendor].name);
        }
    }
    return text;
}

const char *line_rate(const struct explain *explain, size_t n)
{
    const char *codes = codes_of(explain, (enum event)n);

    return talloc_asprintf(explain->context, "%s%s",
        codes == NULL ? "no event select" : codes,
        event_rows[n].clock ? "; a clock, which runs by itself" : "");
}

void show_rate(const struct explain *explain, size_t n)
{
    const struct event_row *row = &event_rows[n];
    const char *codes = codes_of(explain, (enum event)n);

    explain_field(
        explain, "counted by", "%s", codes == NULL ? "no event select" : codes);
    if (row->clock) {
        explain_field(explain, "happens", "by itself: it is a clock");
    } else {
        explain_field(explain, "happens",
            "as often as a run says: {cycles: 3000, rates: {%s: 1/2}}",
            row->name);
    }
}

const char *name_mix(const struct explain *explain, size_t n)
{
    (void)explain;
    return name_of_mix(n, NULL);
}

const char *line_mix(const struct explain *explain, size_t n)
{
    (void)explain;
    return mix_rows[n].help;
}

void show_mix(const struct explain *explain, size_t n)
{
    const struct mix_rate *row;
    const char *label = "rates";

    explain_field(explain, "is", "%s", mix_rows[n].help);
    for (size_t i = 0; (row = mix_rate_at(i)) != NULL; i++) {
        if (row->mix == n) {
            explain_field(explain, label, "%s: %s", event_rows[row->event].name,
                rate_text(explain->context, &row->rate));
            label = "";
        }
    }
    explain_field(explain, "written", "run: {cycles: 1000000, mix: %s}",
        mix_rows[n].name);
}

const char *name_model(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < MODEL_COUNT ? pmu_models[n].name : NULL;
}

const char *line_model(const struct explain *explain, size_t n)
{
    const struct pmu_model *model = &pmu_models[n];
    const char *version = model_version(model);

    if (version == NULL) {
        return model->title;
    }
    return talloc_asprintf(explain->context,
        "%s: %s, %u general and %u fixed counters of %u bits", model->title,
        version, (unsigned)model->general, (unsigned)model->fixed,
        (unsigned)model->width);
}

/* Its figures by the names that machine.pmu has for them. */
void show_model(const struct explain *explain, size_t n)
{
    const struct pmu_model *model = &pmu_models[n];

    explain_field(explain, "is", "%s", line_model(explain, n));
    explain_field(explain, "vendor", "%s", vendor_rows[model->vendor].name);
    for (enum figure i = 0; i < FIGURE_COUNT; i++) {
        explain_field(explain, i == 0 ? "figures" : "", "%s: %s, %s",
            figure_rows[i].name, model_figure_text(explain->context, model, i),
            figure_rows[i].help);
    }
    explain_field(
        explain, "written", "machine: {pmu: {model: %s}}", model->name);
}

const char *name_sysreg(const struct explain *explain, size_t n)
{
    (void)explain;
    return name_of_sysreg(n, NULL);
}

static uint32_t sysreg_encoding(size_t n)
{
    uint32_t reg = 0;

    armv8_register_find(name_of_sysreg(n, NULL), &reg);
    return reg;
}

static const struct armv8_row *sysreg_row(size_t n)
{
    uint32_t reg = sysreg_encoding(n);
    const struct armv8_row *row = armv8_rows;

    while (reg < row->reg || reg - row->reg >= row->count) {
        row++;
    }
    return row;
}

static const char *sysreg_access(enum armv8_row_access access)
{
    switch (access) {
    case ARMV8_ACCESS_RW:
        return "read and written";
    case ARMV8_ACCESS_RO:
        return "read; a write is undefined";
    case ARMV8_ACCESS_WO:
        return "written; a read is undefined";
    }
    return "";
}

/* S3_3_C9_C12_0, as assemblers take it. */
static const char *sysreg_text(const struct explain *explain, size_t n)
{
    uint32_t reg = sysreg_encoding(n);

    return talloc_asprintf(explain->context, "S3_%u_C%u_C%u_%u",
        (unsigned)(reg >> 11 & 7), (unsigned)(reg >> 7 & 15),
        (unsigned)(reg >> 3 & 15), (unsigned)(reg & 7));
}

const char *line_sysreg(const struct explain *explain, size_t n)
{
    return talloc_asprintf(explain->context, "%s, %s", sysreg_text(explain, n),
        sysreg_access(sysreg_row(n)->access));
}

void show_sysreg(const struct explain *explain, size_t n)
{
    const struct armv8_row *row = sysreg_row(n);

    explain_field(explain, "encoding", "%s", sysreg_text(explain, n));
    explain_field(explain, "is", "%s", sysreg_access(row->access));
    explain_field(explain, "from", "EL%u on",
        row->op1 == 4                                 ? 2u
        : row->user_read == 0 && row->user_write == 0 ? 1u
                                                      : 0u);
    explain_mentioned(explain, name_sysreg(explain, n));
}
