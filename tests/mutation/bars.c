/* bars.c - counts the lines that lie in a bar's places. */
#include "tests/mutation/bars.h"

#include <string.h>
#include <talloc.h>
#include <unistd.h>

struct bar {
    char by[8];
    const char *places;
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text == NULL ? "" : text;
}

/* Of `word`, which is no string of its own. */
static bool lies_in(const char *file, const char *word, size_t length)
{
    return strncmp(file, word, length) == 0 &&
           (file[length] == '\0' || file[length] == '/');
}

static bool lies_in_any(const char *file, const char *places)
{
    while (*places != '\0') {
        size_t length = strcspn(places, " ");

        if (lies_in(file, places, length)) {
            return true;
        }
        places += length + strspn(places + length, " ");
    }
    return false;
}

static bool is_noticed(const json_t *line, bool by_suite)
{
    return strcmp(text_of(line, "end"), "caught") == 0 &&
           !(by_suite && strcmp(text_of(line, "how"), "module_tests") == 0);
}

static json_t *measure(const struct bar *bar, int percent, const json_t *lines)
{
    bool by_suite = strcmp(bar->by, "suite") == 0;
    int ran = 0, noticed = 0;
    const json_t *line;
    size_t i;

    json_array_foreach(lines, i, line)
    {
        const char *end = text_of(line, "end");

        if (lies_in_any(text_of(line, "file"), bar->places) &&
            (strcmp(end, "caught") == 0 || strcmp(end, "survived") == 0)) {
            ran++;
            noticed += is_noticed(line, by_suite);
        }
    }
    return json_pack("{si ss ss si si sb}", "percent", percent, "by", bar->by,
        "places", bar->places, "ran", ran, "noticed", noticed, "held",
        100 * noticed >= percent * ran);
}

/* What is wrong with it; NULL: nothing. */
static const char *fault_of(
    void *context, const struct bar *bar, int percent, int read)
{
    const char *places = bar->places;

    if (read < 2 || percent < 0 || percent > 100 || *places == '\0' ||
        (strcmp(bar->by, "suite") != 0 && strcmp(bar->by, "some") != 0)) {
        return "a bar is PERCENT, suite or some, and places";
    }
    while (*places != '\0') {
        size_t length = strcspn(places, " ");
        const char *place = talloc_strndup(context, places, length);

        if (access(place, F_OK) != 0) {
            return talloc_asprintf(context, "there is no %s", place);
        }
        places += length + strspn(places + length, " ");
    }
    return NULL;
}

json_t *bars_measure(void *context, const char *name, const char *text,
    const json_t *lines, const char **problem)
{
    json_t *bars = json_array();

    for (unsigned number = 1; *text != '\0'; number++) {
        size_t length = strcspn(text, "\n");
        const char *line = talloc_strndup(context, text, length);
        struct bar bar = {"", ""};
        const char *fault;
        int percent = -1, used = 0, read;

        text += length + (text[length] == '\n');
        if (line[0] == '#' || line[0] == '\0') {
            continue;
        }
        read = sscanf(line, "%3d %7s %n", &percent, bar.by, &used);
        bar.places = line + used;
        fault = fault_of(context, &bar, percent, read);
        if (fault != NULL) {
            *problem =
                talloc_asprintf(context, "%s:%u: %s", name, number, fault);
            json_decref(bars);
            return NULL;
        }
        json_array_append_new(bars, measure(&bar, percent, lines));
    }
    return bars;
}

bool bars_print(const json_t *bars, FILE *out)
{
    bool held = true;
    const json_t *bar;
    size_t i;

    fprintf(out, "\nbars\n");
    json_array_foreach(bars, i, bar)
    {
        int ran = (int)json_integer_value(json_object_get(bar, "ran"));
        int noticed = (int)json_integer_value(json_object_get(bar, "noticed"));
        bool is_held = json_is_true(json_object_get(bar, "held"));

        fprintf(out, "  %-6s %4d of %4d, %3d %% by %s: %s\n",
            ran == 0   ? "-"
            : !is_held ? "MISSED"
                       : "held",
            noticed, ran,
            (int)json_integer_value(json_object_get(bar, "percent")),
            text_of(bar, "by"), text_of(bar, "places"));
        held = held && is_held;
    }
    return held;
}
