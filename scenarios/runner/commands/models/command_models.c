/* command_models.c - ntpmu models: the processors that machine.pmu can name. */
#include "scenarios/runner/command_line/options.h"

#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/text/figure_text.h"
#include "scenarios/runner/text/json_out.h"

enum { COLUMNS = 9 };

struct line {
    const char *cell[COLUMNS];
};

static const struct line heading = {{"model", "vendor", "version", "general",
    "fixed", "bits", "full-width", "PEBS", "title"}};

static unsigned fixed_counters(const struct pmu_model *model)
{
    unsigned count = 0;

    for (uint64_t left = model_counters(model) >> 32; left != 0;
         left &= left - 1) {
        count++;
    }
    return count;
}

/* AMD's and Arm's are always so; Intel's where IA32_A_PMCn are. */
static bool is_written_whole(const struct pmu_model *model)
{
    return model->full_width ||
           (model->version != 0 && model->vendor != VENDOR_INTEL);
}

static struct line line_of(void *context, const struct pmu_model *model)
{
    const char *version = model_version(model);

    return (struct line){{
        model->name,
        vendor_rows[model->vendor].name,
        version == NULL ? "no PMU" : version,
        talloc_asprintf(context, "%u", (unsigned)model->general),
        talloc_asprintf(context, "%u", fixed_counters(model)),
        talloc_asprintf(context, "%u", (unsigned)model->width),
        is_written_whole(model) ? "yes" : "no",
        model->pebs ? talloc_asprintf(
                          context, "format %u", (unsigned)model->pebs_format)
                    : "no",
        model->title,
    }};
}

static void print_line(const struct line *line, const size_t width[COLUMNS])
{
    for (size_t i = 0; i + 1 < COLUMNS; i++) {
        printf("%-*s  ", (int)width[i], line->cell[i]);
    }
    printf("%s\n", line->cell[COLUMNS - 1]);
}

static void print_text(void *context)
{
    struct line line[MODEL_COUNT];
    size_t width[COLUMNS];

    for (size_t i = 0; i < COLUMNS; i++) {
        width[i] = strlen(heading.cell[i]);
    }
    for (enum model n = 0; n < MODEL_COUNT; n++) {
        line[n] = line_of(context, &pmu_models[n]);
        for (size_t i = 0; i < COLUMNS; i++) {
            size_t length = strlen(line[n].cell[i]);

            width[i] = length > width[i] ? length : width[i];
        }
    }
    print_line(&heading, width);
    for (enum model n = 0; n < MODEL_COUNT; n++) {
        print_line(&line[n], width);
    }
}

static void print_figure(void *context, struct json_out *json,
    const struct pmu_model *model, enum figure figure)
{
    const struct figure_row *row = &figure_rows[figure];

    switch (row->kind) {
    case FIGURE_KIND_NUMBER:
        json_out_number(json, row->name, figure_get(model, figure).p);
        break;
    case FIGURE_KIND_FLAG:
        json_out_bool(json, row->name, figure_get(model, figure).p != 0);
        break;
    case FIGURE_KIND_RATIO:
        json_out_string(
            json, row->name, model_figure_text(context, model, figure));
        break;
    }
}

/* Each with all its figures, by the names of machine.pmu. */
static void print_json(void *context)
{
    struct json_out json = {.out = stdout};

    json_out_array(&json, NULL);
    for (enum model n = 0; n < MODEL_COUNT; n++) {
        const struct pmu_model *model = &pmu_models[n];

        json_out_object(&json, NULL);
        json_out_string(&json, "model", model->name);
        json_out_string(&json, "title", model->title);
        json_out_string(&json, "vendor", vendor_rows[model->vendor].name);
        json_out_string_or_null(&json, "version_name", model_version(model));
        for (enum figure i = 0; i < FIGURE_COUNT; i++) {
            print_figure(context, &json, model, i);
        }
        json_out_object_end(&json);
    }
    json_out_array_end(&json);
}

enum exit_code command_models(const struct options *options)
{
    void *context;

    if (options->path_count != 0) {
        fprintf(stderr,
            "ntpmu: models takes no path: '%s'\n"
            "       all that is known of one: ntpmu explain MODEL\n",
            options->path[0]);
        return EXIT_USAGE;
    }
    context = talloc_new(NULL);
    if (options->format == FORMAT_JSON) {
        print_json(context);
    } else {
        print_text(context);
    }
    talloc_free(context);
    return EXIT_OK;
}
