/* call_site.c - a place that calls a routine which can fail: made of the
 * addresses of native code, or of the step of an actor. */
#include "scenarios/runner/failures/call_site.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/yaml/source.h"

/* What stands behind the routine's name where an actor calls it. */
static const char of_step[] = "step:";

/* Adds to a text, as much as fits. */
__attribute__((format(printf, 3, 4))) static void add(
    char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;

    assert(length < size);
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

static void add_result(
    struct call_site *site, enum routine routine, const struct fault_way *way)
{
    enum nt_type type = routine_rows[routine].returns;
    char number[NT_STATUS_DIGITS];
    const char *result = type == NT_BOOLEAN ? "FALSE" : "NULL";

    if (way->raises) {
        result = "STATUS_INSUFFICIENT_RESOURCES";
    } else if (type == NT_NTSTATUS) {
        result = nt_status_text((uint32_t)way->result, number);
    }
    add(site->place, sizeof(site->place), "%s %s %s at ",
        routine_rows[routine].name, way->raises ? "raised" : "returned",
        result);
}

/* Image and offset are its name; the function is for people alone. */
static void add_address(struct call_site *site, struct kernel *kernel,
    uint64_t address, size_t depth)
{
    char text[PLACE_BYTES];

    place_name(kernel, address, text, sizeof(text));
    add(site->place, sizeof(site->place), "%s%s",
        depth == 0   ? ""
        : depth == 1 ? ", called from "
                     : ", from ",
        text);
    if (strchr(text, '(') != NULL) {
        *strrchr(text, '(') = '\0';
    }
    while (text[0] != '\0' && text[strlen(text) - 1] == ' ') {
        text[strlen(text) - 1] = '\0';
    }
    add(site->name, sizeof(site->name), "%s%s", depth == 0 ? "" : ",", text);
}

static void add_step(struct call_site *site, struct kernel *kernel,
    const struct scenario *scenario)
{
    const struct step *step = scenario_step(scenario, thread_step(kernel));

    if (step == NULL) {
        add(site->name, sizeof(site->name), "no_step");
        add(site->place, sizeof(site->place), "no step");
        return;
    }
    add(site->name, sizeof(site->name), "%s%s", of_step, step->number);
    add(site->place, sizeof(site->place), "step %s, %s:%zu", step->number,
        step->key->source->path, step->key->mark.line);
}

void call_site_make(struct call_site *site, struct kernel *kernel,
    const struct scenario *scenario, enum routine routine,
    const struct fault_way *way)
{
    uint64_t address[CALL_SITE_DEPTH];
    size_t depth = place_callers(kernel, address, CALL_SITE_DEPTH);

    site->name[0] = site->place[0] = '\0';
    add(site->name, sizeof(site->name), "%s@", routine_rows[routine].name);
    add_result(site, routine, way);
    for (size_t i = 0; i < depth; i++) {
        add_address(site, kernel, address[i], i);
    }
    if (depth == 0) {
        add_step(site, kernel, scenario);
    }
    for (char *at = site->name; *at != '\0'; at++) {
        *at = *at == ' ' ? '_' : *at;
    }
}

bool call_site_is_step(const char *name)
{
    const char *at = strchr(name, '@');

    return at != NULL && strncmp(at + 1, of_step, strlen(of_step)) == 0;
}
