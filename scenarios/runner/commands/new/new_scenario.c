/* new_scenario.c - the text of a scenario to begin with, with a hint beside
 * each part: the example, or a call of one routine. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/new/new_scenario.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/yaml/yaml_out.h"

static void write_head(FILE *out, const char *id, const char *title)
{
    fprintf(out,
        "# A scenario that passes as it is: ntpmu run FILE. What any of its "
        "words means:\n"
        "# ntpmu explain WORD. All that there is of a kind: ntpmu explain "
        "keys, routines,\n"
        "# steps, checks, requirements, ...\n"
        "ntpmu: 1\n"
        "id: %s\n"
        "title: ",
        id);
    yaml_out_text(title, out);
    fputs("\n# Labels in CTest.\n"
          "tags: [example]\n"
          "# What it runs on. Left out: WIN11, x64, 4 processors, 8 general "
          "and 3 fixed\n"
          "# counters.\n"
          "machine: {cpus: 2}\n",
        out);
}

static char *finish(void *context, FILE *out, char **text)
{
    char *copy;

    fclose(out);
    copy = talloc_strdup(context, *text);
    free(*text);
    assert(copy != NULL);
    return copy;
}

char *new_scenario_example(void *context, const char *id, const char *title)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    assert(out != NULL);
    write_head(out, id,
        title != NULL ? title : "A counter is handed out and given back");
    fputs(
        "# One instance for each combination of the axes ...\n"
        "matrix:\n"
        "  os: [WIN10_1903, WIN11]\n"
        "# ... and for each row of cases, whose columns are $index and "
        "$status below.\n"
        "cases:\n"
        "  first: {index: 0, status: STATUS_SUCCESS}\n"
        "  last: {index: 7, status: STATUS_SUCCESS}\n"
        "steps:\n"
        "  # Arguments have the names and types of the WDK.\n"
        "  - call: HalAllocateHardwareCounters\n"
        "    args:\n"
        "      GroupAffinty: null # every processor; the name is the WDK's\n"
        "      GroupCount: 0\n"
        "      ResourceList:\n"
        "        Descriptors:\n"
        "          - {Type: ResourceTypeSingle, u: {CounterIndex: $index}}\n"
        "    # A result that later steps need: $set.\n"
        "    save: {set: out.CounterSetHandle}\n"
        "    # What has to be so after the step.\n"
        "    expect:\n"
        "      status: $status\n"
        "      out: {CounterSetHandle: {not: null}}\n"
        "      state: {counters: {owner: drv, cpu: all}, is: [$index]}\n"
        "\n"
        "  - call: HalFreeHardwareCounters\n"
        "    args: {CounterSetHandle: $set}\n"
        "    expect: {status: STATUS_SUCCESS, state: {owners: {cpu: all}, is: "
        "[]}, leaks: none}\n",
        out);
    return finish(context, out, &text);
}

/* What a parameter of this name is given where its type does not tell. */
static const char *usual_of_name(const char *name)
{
    static const struct {
        const char *name, *value;
    } usual[] = {
        {"NumberOfBytes", "64"},
        {"Tag", "0x206D7470 # the letters 'ptm '"},
    };

    for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
        if (strcmp(usual[i].name, name) == 0) {
            return usual[i].value;
        }
    }
    return NULL;
}

static const char *first_enumerator(enum nt_type type)
{
    for (size_t i = 0; i < nt_enumerator_count; i++) {
        if (nt_enumerators[i].type == type) {
            return nt_enumerators[i].name;
        }
    }
    return "0";
}

static const char *usual_of_type(enum nt_type type)
{
    if (type == NT_POOL_FLAGS) {
        return "POOL_FLAG_NON_PAGED";
    }
    switch (nt_type_row(type)->kind) {
    case NT_KIND_BOOLEAN:
        return "false";
    case NT_KIND_IRQL:
        return "PASSIVE_LEVEL";
    case NT_KIND_STATUS:
        return "STATUS_SUCCESS";
    case NT_KIND_HANDLE:
    case NT_KIND_POINTER:
    case NT_KIND_CALLBACK:
        return "null";
    case NT_KIND_ENUM:
        return first_enumerator(type);
    case NT_KIND_UNSIGNED:
    case NT_KIND_SIGNED:
    case NT_KIND_HEX:
    case NT_KIND_STRUCT:
    case NT_KIND_NONE:
        break;
    }
    return "0";
}

/* The pointer whose elements this parameter counts; NULL: none. */
static const struct parameter *counted_by(
    const struct routine_row *routine, const struct parameter *count)
{
    for (size_t i = 0; i < routine_parameter_count(routine); i++) {
        if (strcmp(routine->parameter[i].count, count->name) == 0) {
            return &routine->parameter[i];
        }
    }
    return NULL;
}

static void write_value(FILE *out, const struct routine_row *routine,
    const struct parameter *parameter)
{
    const struct parameter *array = counted_by(routine, parameter);
    const char *usual = usual_of_name(parameter->name);

    if (array != NULL) {
        fprintf(out, "%d # elements of %s\n",
            array->direction == PARAMETER_IN_OPT ? 0 : 1, array->name);
    } else {
        fprintf(out, "%s\n",
            usual != NULL ? usual : usual_of_type(parameter->type));
    }
}

/* The first member, which says what the others look like, and those that point
 * to a text, which is due. */
static void write_members(FILE *out, const struct nt_type_row *type)
{
    const struct nt_type_row *first = nt_type_row(type->member[0].type);

    fprintf(out, "%s: ", type->member[0].name);
    if (first->kind == NT_KIND_STRUCT) {
        fputc('{', out);
        write_members(out, first);
        fputc('}', out);
    } else {
        fputs(usual_of_type(type->member[0].type), out);
    }
    for (size_t i = 1; i < type->member_count; i++) {
        if (type->member[i].pointee == NT_UNICODE_STRING) {
            fprintf(out, ", %s: example", type->member[i].name);
        }
    }
}

/* What a driver has initialised before (new_objects.def). */
struct new_object {
    enum nt_type type;
    const char *memory, *word;
    enum routine routine;
    const char *arguments;
};

static const struct new_object objects[] = {
#define NEW_OBJECT(type, memory, word, routine, arguments)                     \
    {NT_##type, #memory, #word, ROUTINE_##routine, arguments},
#include "scenarios/runner/commands/new/new_objects.def"
};

/* NULL: nobody has to initialise such a thing. */
static const struct new_object *object_of(enum nt_type type)
{
    for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
        if (objects[i].type == type) {
            return &objects[i];
        }
    }
    return NULL;
}

/* A structure with some of its members. */
static void write_input(FILE *out, const struct parameter *parameter)
{
    const struct nt_type_row *type = nt_type_row(parameter->type);
    const struct new_object *object = object_of(parameter->type);
    bool array = strcmp(parameter->count, "one") != 0;

    if (parameter->direction == PARAMETER_IN_OPT) {
        fputs("null # it may be\n", out);
    } else if (object != NULL) {
        fprintf(out, "$%s\n", object->word);
    } else if (type->kind == NT_KIND_STRUCT) {
        fputs(array ? "[{" : "{", out);
        write_members(out, type);
        fputs(array ? "}]" : "}", out);
        fprintf(out, " # members that are not named are 0: ntpmu explain %s\n",
            type->name);
    } else {
        fprintf(out, array ? "[%s]\n" : "%s\n", usual_of_type(parameter->type));
    }
}

static void write_arguments(FILE *out, const struct routine_row *routine)
{
    bool first = true;

    for (size_t i = 0; i < routine_parameter_count(routine); i++) {
        const struct parameter *parameter = &routine->parameter[i];

        const struct new_object *object = object_of(parameter->type);

        if (parameter_is_out(parameter) && object == NULL) {
            continue; /* it gets a block of its own */
        }
        if (first) {
            fputs("    args:\n", out);
        }
        first = false;
        fprintf(out, "      %s: ", parameter->name);
        if (parameter_is_out(parameter)) {
            fprintf(out, "$%s\n", object->word);
        } else if (parameter_is_pointer(parameter)) {
            write_input(out, parameter);
        } else {
            write_value(out, routine, parameter);
        }
    }
}

static void write_violations(FILE *out, const struct rule_log *rules)
{
    bool first = true;

    for (size_t i = 0; i < rules->count; i++) {
        fprintf(out, "%s{rule: %s}", first ? ", violations: [" : ", ",
            rule_rows[rules->event[i].rule].id);
        first = false;
    }
    fputs(first ? "" : "]", out);
}

/* Until it is known what the call does: anything may happen. */
static void write_expectation(FILE *out, const struct routine_row *routine,
    const struct new_observed *observed)
{
    fputs("    # What has to be so after the step: this is what the call does "
          "on these\n    # arguments.\n"
          "    expect: {",
        out);
    if (observed != NULL && observed->stopped != BUGCHECK_NONE) {
        fprintf(out, "bugcheck: {code: %s}", bugcheck_text(observed->stopped));
    } else if (observed != NULL && observed->status != NULL) {
        fprintf(out, "status: %s", observed->status);
    } else {
        fprintf(out, "%sevents: {in_order: [{event: return, api: %s}]}",
            routine->returns == NT_NTSTATUS ? "status: any, " : "",
            routine->name);
    }
    if (observed != NULL) {
        write_violations(out, observed->rules);
    }
    fputs("}\n", out);
}

/* What it has made and nobody gives back. */
static void write_held(FILE *out, const struct new_observed *observed)
{
    bool first = true;

    for (enum leak leak = 0; leak < LEAK_COUNT; leak++) {
        for (size_t i = 0; i < observed->held[leak]; i++) {
            fprintf(out, "%s{kind: %s}",
                first
                    ? "finally:\n"
                      "  # What the call has made is held to the end. Give it "
                      "back here instead.\n"
                      "  - expect: {leaks: ["
                    : ", ",
                leak_names[leak]);
            first = false;
        }
    }
    fputs(first ? "" : "]}\n", out);
}

/* The object that the routine is called with; NULL: none. */
static const struct new_object *object_taken(const struct routine_row *routine)
{
    const struct new_object *object = NULL;

    for (size_t i = 0; object == NULL && i < routine_parameter_count(routine);
         i++) {
        object = object_of(routine->parameter[i].type);
    }
    return object;
}

static void write_object(FILE *out, const struct new_object *object)
{
    fprintf(out,
        "# Memory of the driver; $%s is its address.\n"
        "memory: {%s: {type: %s}}\n",
        object->word, object->word, object->memory);
}

char *new_scenario_call(void *context, const char *id, const char *title,
    const struct routine_row *routine, const struct new_observed *observed)
{
    const struct new_object *object = object_taken(routine);
    bool raised = routine->lowest > LEVEL_LOW_LEVEL;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    assert(out != NULL);
    write_head(out, id,
        title != NULL
            ? title
            : talloc_asprintf(context, "What %s does", routine->name));
    if (routine->image == IMAGE_KERNEL32) {
        fputs("# A program in user mode.\nprocesses: [app]\n", out);
    }
    if (object != NULL) {
        write_object(out, object);
    }
    fputs("steps:\n", out);
    if (object != NULL && routine != &routine_rows[object->routine]) {
        fprintf(out, "  - {call: %s, args: {%s}}\n\n",
            routine_rows[object->routine].name, object->arguments);
    }
    if (raised) {
        fprintf(out,
            "  - call: KfRaiseIrql\n"
            "    args: {NewIrql: %s}\n"
            "    save: {before: returns}\n\n",
            irql_level_spelling(routine->lowest));
    }
    fputs("  # Arguments have the names and types of the WDK; an output that "
          "is left out gets\n  # a block of its own.\n",
        out);
    fprintf(out, "  - call: %s\n", routine->name);
    write_arguments(out, routine);
    write_expectation(out, routine, observed);
    if (raised) {
        fputs("\n  - {call: KeLowerIrql, args: {NewIrql: $before}}\n", out);
    }
    if (observed != NULL) {
        write_held(out, observed);
    }
    return finish(context, out, &text);
}
