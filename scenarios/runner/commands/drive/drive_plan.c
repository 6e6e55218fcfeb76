/* drive_plan.c - the steps of ntpmu drive, made of the devices that a run has
 * shown, and what came of each. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/drive/drive_plan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/command_line/drive_request.h"
#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/text/visible_text.h"
#include "scenarios/runner/yaml/yaml_out.h"

enum { DEVICES_MOST = 32 };

struct device {
    const char *name; /* as it is opened */
    bool refused;
};

struct planned {
    enum drive_phase phase;
    size_t device, request;
    const char *status, *information; /* as they are expected */
    bool reached;
};

enum stage { STAGE_START, STAGE_OPEN, STAGE_ASK };

struct drive_plan {
    const struct options *options;
    enum stage stage;
    struct device device[DEVICES_MOST];
    size_t device_count, unnamed;
    bool adds_devices;    /* it has an AddDevice routine */
    struct planned *step; /* between load and unload */
    size_t step_count;
    struct planned load, unload;
};

struct drive_plan *drive_plan_new(void *context, const struct options *options)
{
    struct drive_plan *plan = talloc_zero(context, struct drive_plan);

    assert(plan != NULL);
    plan->options = options;
    plan->load = (struct planned){.phase = PHASE_START};
    plan->unload = (struct planned){.phase = PHASE_UNLOAD};
    return plan;
}

/* The text in quotes behind `key` in a line; NULL: there is none. Child of the
 * plan. */
static char *quoted(
    struct drive_plan *plan, const char *line, size_t length, const char *key)
{
    const char *begin = memmem(line, length, key, strlen(key));
    const char *end;

    if (begin == NULL) {
        return NULL;
    }
    begin += strlen(key);
    end = memchr(begin, '"', length - (size_t)(begin - line));
    return end == NULL || end == begin
               ? NULL
               : talloc_strndup(plan, begin, (size_t)(end - begin));
}

static bool has(const char *line, size_t length, const char *text)
{
    return memmem(line, length, text, strlen(text)) != NULL;
}

/* \DosDevices\X and \??\X are what programs call \\.\X. */
static const char *link_name(struct drive_plan *plan, const char *link)
{
    static const char *const prefixes[] = {"\\DosDevices\\", "\\??\\"};

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        size_t length = strlen(prefixes[i]);

        if (strncasecmp(link, prefixes[i], length) == 0) {
            return talloc_asprintf(plan, "\\\\.\\%s", link + length);
        }
    }
    return link;
}

static void add_device(struct drive_plan *plan, const char *name)
{
    if (name == NULL) {
        plan->unnamed++;
    } else if (plan->device_count < DEVICES_MOST) {
        plan->device[plan->device_count++] = (struct device){.name = name};
    }
}

/* The first link to a device is what programs open it by. */
static void add_link(
    struct drive_plan *plan, const char *link, const char *target)
{
    for (size_t i = 0; target != NULL && i < plan->device_count; i++) {
        if (strcasecmp(plan->device[i].name, target) == 0) {
            plan->device[i].name = link_name(plan, link);
            return;
        }
    }
}

void drive_plan_devices(struct drive_plan *plan, const char *trace)
{
    const char *device = NULL, *link = NULL, *target = NULL;
    bool makes_device = false;

    if (plan->stage != STAGE_START) {
        return;
    }
    plan->device_count = plan->unnamed = 0;
    plan->adds_devices = false;
    while (*trace != '\0') {
        size_t length = strcspn(trace, "\n");

        if (has(trace, length, " call IoCreateDevice")) {
            makes_device = true;
            device = quoted(plan, trace, length, " DeviceName=\"");
        } else if (has(trace, length, " return api=IoCreateDevice") &&
                   has(trace, length, "status=STATUS_SUCCESS")) {
            if (makes_device) {
                add_device(plan, device);
            }
            makes_device = false;
        } else if (has(trace, length, " add_device_not_called ")) {
            plan->adds_devices = true;
        } else if (has(trace, length, " call IoCreateSymbolicLink(") ||
                   has(trace, length, " call IoCreateUnprotectedSym")) {
            link = quoted(plan, trace, length, "SymbolicLinkName=\"");
            target = quoted(plan, trace, length, " DeviceName=\"");
        } else if (has(trace, length, "SymbolicLink status=STATUS_SUCCESS") &&
                   link != NULL) {
            add_link(plan, link, target);
            link = NULL;
        } else if (has(trace, length, " driver_return ") &&
                   has(trace, length, " routine=DriverEntry ")) {
            return;
        }
        trace += length + (trace[length] == '\n');
    }
}

static void add_step(struct drive_plan *plan, enum drive_phase phase,
    size_t device, size_t request)
{
    plan->step = talloc_realloc(
        plan, plan->step, struct planned, (unsigned)plan->step_count + 1);
    assert(plan->step != NULL);
    plan->step[plan->step_count++] = (struct planned){.phase = phase,
        .device = device,
        .request = request,
        .status = "STATUS_SUCCESS",
        .information = "0"};
}

/* What an open has come to already. */
static const char *status_of_open(const struct drive_plan *plan, size_t device)
{
    for (size_t i = 0; i < plan->step_count; i++) {
        if (plan->step[i].phase == PHASE_OPEN &&
            plan->step[i].device == device) {
            return plan->step[i].status;
        }
    }
    return "STATUS_SUCCESS";
}

static void add_steps_of(
    struct drive_plan *plan, size_t device, bool asks, const char *open_status)
{
    bool opens = strcmp(open_status, "STATUS_SUCCESS") == 0;

    add_step(plan, PHASE_OPEN, device, 0);
    plan->step[plan->step_count - 1].status = open_status;
    for (size_t i = 0; opens && asks && i < plan->options->asked.count; i++) {
        add_step(plan, PHASE_REQUESTS, device, i);
    }
    if (opens) {
        add_step(plan, PHASE_CLOSE, device, 0);
    }
}

bool drive_plan_next(struct drive_plan *plan)
{
    const char *status[DEVICES_MOST];
    bool opened = false;

    if (plan->device_count == 0 || plan->stage == STAGE_ASK ||
        (plan->stage == STAGE_OPEN && plan->options->asked.count == 0)) {
        return false;
    }
    plan->stage = plan->stage == STAGE_START ? STAGE_OPEN : STAGE_ASK;
    for (size_t i = 0; i < plan->device_count; i++) {
        status[i] = status_of_open(plan, i);
        opened |= strcmp(status[i], "STATUS_SUCCESS") == 0;
    }
    if (!opened) {
        return false;
    }
    plan->step_count = 0;
    for (size_t i = 0; i < plan->device_count; i++) {
        add_steps_of(plan, i, plan->stage == STAGE_ASK, status[i]);
    }
    return true;
}

static struct drive_request request_of(
    const struct drive_plan *plan, const struct planned *step)
{
    struct drive_request request;
    const char *why;
    bool right = drive_request_read(plan->options->asked_kind[step->request],
        plan->options->asked.item[step->request], &request, &why);

    assert(right); /* its option's reader has seen to that */
    return request;
}

static void print_bytes(
    const struct drive_request *request, const char *before, FILE *out)
{
    for (size_t i = 0; i < request->digits; i += 2) {
        fprintf(out, "%s%s0x%.2s", i == 0 ? before : "",
            i == 0 ? "{bytes: [" : ", ", request->hex + i);
    }
    fputs(request->digits > 0 ? "]}" : "", out);
}

static void print_ask(
    const struct drive_plan *plan, const struct planned *step, FILE *out)
{
    struct drive_request request = request_of(plan, step);

    fputs("  - {as: program, driver: {", out);
    switch (request.kind) {
    case DRIVE_CONTROL:
        fprintf(out, "ioctl: 0x%" PRIX32 ", file: $file%zu", request.code,
            step->device + 1);
        print_bytes(&request, ", input: ", out);
        fprintf(out, ", output: %" PRIu32, request.output);
        break;
    case DRIVE_READ:
        fprintf(out, "read: %" PRIu32 ", file: $file%zu, offset: %" PRIu64,
            request.output, step->device + 1, request.offset);
        break;
    case DRIVE_WRITE:
        print_bytes(&request, "write: ", out);
        fprintf(out, ", file: $file%zu, offset: %" PRIu64, step->device + 1,
            request.offset);
        break;
    }
    fprintf(out, "}, expect: {status: %s, out: {Information: %s}}}\n",
        step->status, step->information);
}

static void print_step(
    const struct drive_plan *plan, const struct planned *step, FILE *out)
{
    if (step->phase == PHASE_REQUESTS) {
        print_ask(plan, step, out);
    } else if (step->phase == PHASE_CLOSE) {
        fprintf(out, "  - {as: program, driver: {close: $file%zu}}\n",
            step->device + 1);
    } else {
        fputs("  - {as: program, driver: {open: ", out);
        yaml_out_quoted(plan->device[step->device].name, out);
        fprintf(out, "}, expect: {status: %s}", step->status);
        if (strcmp(step->status, "STATUS_SUCCESS") == 0) {
            fprintf(out, ", save: {file%zu: out.FileHandle}", step->device + 1);
        }
        fputs("}\n", out);
    }
}

char *drive_plan_steps(struct drive_plan *plan)
{
    char *text = NULL, *copy;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    assert(out != NULL);
    for (size_t i = 0; i < plan->step_count; i++) {
        print_step(plan, &plan->step[i], out);
    }
    fclose(out);
    copy = talloc_strdup(plan, text);
    assert(copy != NULL);
    free(text);
    return copy;
}

size_t drive_plan_step_count(const struct drive_plan *plan)
{
    return plan->step_count;
}

/* The step, counted from 1, load being the first. */
static struct planned *step_at(struct drive_plan *plan, size_t step)
{
    if (step == 0 || step > plan->step_count + 2) {
        return NULL;
    }
    return step == 1                      ? &plan->load
           : step == plan->step_count + 2 ? &plan->unload
                                          : &plan->step[step - 2];
}

static void take_value(struct drive_plan *plan, struct planned *step,
    const struct literal *literal, bool is_status, bool *changed)
{
    const char *actual;

    if (!literal->differs || literal->actual == NULL) {
        return;
    }
    actual = talloc_strdup(plan, literal->actual);
    assert(actual != NULL);
    if (is_status) {
        step->status = actual;
    } else {
        step->information = actual;
    }
    *changed |= step != &plan->load && step != &plan->unload;
}

/* Of several steps that failed a close is one that says nothing of it. */
static void take_closes(struct drive_plan *plan)
{
    bool reached = plan->unload.reached;

    for (size_t i = plan->step_count; i-- > 0;) {
        if (plan->step[i].phase == PHASE_CLOSE) {
            plan->step[i].reached = reached;
        }
        reached |= plan->step[i].reached;
    }
}

bool drive_plan_take(struct drive_plan *plan,
    const struct driver_scenario *made, const struct verdict *verdict)
{
    const struct literals *literals = verdict->literals;
    bool changed = false;

    plan->load.reached = plan->unload.reached = false;
    plan->load.status = plan->unload.status = "STATUS_SUCCESS";
    for (size_t i = 0; i < plan->step_count; i++) {
        plan->step[i].reached = false;
    }
    for (size_t i = 0; literals != NULL && i < literals->count; i++) {
        const struct literal *literal = &literals->item[i];
        struct planned *step = step_at(
            plan, driver_scenario_step(made, literal->place->mark.line));
        bool is_status;

        if (step == NULL) {
            continue;
        }
        is_status = !step->reached; /* which is compared first */
        step->reached = true;
        take_value(plan, step, literal, is_status, &changed);
    }
    take_closes(plan);
    return changed;
}

static void print_asked(struct drive_request request, FILE *out)
{
    switch (request.kind) {
    case DRIVE_CONTROL:
        fprintf(out, "  request 0x%" PRIX32, request.code);
        break;
    case DRIVE_READ:
        fprintf(out, "  read of %" PRIu32 " at 0x%" PRIX64, request.output,
            request.offset);
        break;
    case DRIVE_WRITE:
        fprintf(out, "  write of %zu at 0x%" PRIX64, request.digits / 2,
            request.offset);
        break;
    }
}

void drive_plan_print(const struct drive_plan *plan, FILE *out)
{
    fputs("asked:\n", out);
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct planned *step = &plan->step[i];
        const char *name = visible_name(plan->device[step->device].name);
        const char *status = step->reached ? step->status : "not reached";

        if (step->phase == PHASE_OPEN) {
            fprintf(out, "  open %s: %s\n", name, status);
        } else if (step->phase == PHASE_CLOSE) {
            fprintf(out, "  close%s\n", step->reached ? "" : ": not reached");
        } else {
            print_asked(request_of(plan, step), out);
            fprintf(out, ": %s", status);
            fprintf(out, step->reached ? ", Information %s\n" : "\n",
                step->information);
        }
    }
    if (plan->step_count == 0) {
        fputs(plan->unnamed > 0 ? "  nothing: its devices have no names\n"
                                : "  nothing: it has made no device\n",
            out);
    }
    if (plan->adds_devices) {
        fputs("  its AddDevice routine is never called: no device of Plug and "
              "Play is reported to it\n",
            out);
    }
}

/* STATUS_SUCCESS comes from all of them, or the first that differs. */
const char *drive_plan_phase(
    const struct drive_plan *plan, enum drive_phase phase)
{
    bool started =
        plan->load.reached && strcmp(plan->load.status, "STATUS_SUCCESS") == 0;
    const char *word = "-";

    if (phase != PHASE_START && !started) {
        return word;
    }
    if (phase == PHASE_START || phase == PHASE_UNLOAD) {
        const struct planned *step =
            phase == PHASE_START ? &plan->load : &plan->unload;

        return !step->reached                                ? "stopped"
               : strcmp(step->status, "STATUS_SUCCESS") == 0 ? "ok"
                                                             : step->status;
    }
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct planned *step = &plan->step[i];

        if (step->phase != phase) {
            continue;
        }
        if (!step->reached) {
            return "stopped";
        }
        if (phase != PHASE_CLOSE &&
            strcmp(step->status, "STATUS_SUCCESS") != 0) {
            return step->status;
        }
        word = "ok";
    }
    return word;
}
