/* written_instance.c - an instance written out as a scenario: the keys of one,
 * one after another. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/expand/written_instance.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands/expand/writer.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/text/figure_text.h"

/* An id has no brackets: hal.x[os=WIN7] is hal.x.os_win7. */
static char *own_id(void *context, const char *id)
{
    char *made = talloc_strdup(context, id);
    size_t length = strlen(made);

    if (length > 0 && made[length - 1] == ']') {
        made[length - 1] = '\0';
    }
    for (char *at = made; *at != '\0'; at++) {
        if (*at == '[' || *at == ',') {
            *at = '.';
        } else if (!isalnum((unsigned char)*at) && *at != '.') {
            *at = '_';
        } else {
            *at = (char)tolower((unsigned char)*at);
        }
    }
    return made;
}

static void write_tags(struct writer *writer, const struct outline *outline)
{
    if (outline->tag_count == 0) {
        return;
    }
    fputs("tags: [", writer->out);
    for (size_t i = 0; i < outline->tag_count; i++) {
        fputs(i == 0 ? "" : ", ", writer->out);
        yaml_out_text(outline->tag[i], writer->out);
    }
    fputs("]\n", writer->out);
}

/* A key of the machine, with where it is set. */
static void write_machine_key(struct writer *writer, const struct node *mapping,
    const char *key, int indent, const char *value)
{
    const struct node *node = mapping == NULL ? NULL : node_get(mapping, key);

    fprintf(writer->out, "%*s%s: %s", indent, "", key, value);
    if (node == NULL) {
        fputs(" # default\n", writer->out);
        return;
    }
    writer_note_origin(writer, value, node->from != NULL ? node->from : node);
    writer_end_line(writer);
}

static void write_number(struct writer *writer, const struct node *mapping,
    const char *key, int indent, unsigned value)
{
    write_machine_key(writer, mapping, key, indent,
        talloc_asprintf(writer->context, "%u", value));
}

/* A part of the machine that is written as the scenario has it, if it does. */
static void write_part(
    struct writer *writer, const struct node *machine, const char *key)
{
    const struct node *part = machine == NULL ? NULL : node_get(machine, key);

    if (part != NULL) {
        fprintf(writer->out, "  %s: ", key);
        writer_flow(writer, part);
        writer_end_line(writer);
    }
}

/* The model, and what was set besides. */
static void write_pmu(struct writer *writer, const struct node *pmu)
{
    fputs("  pmu:\n", writer->out);
    write_machine_key(
        writer, pmu, "model", 4, writer->scenario->processor.name);
    for (enum figure i = 0; pmu != NULL && i < FIGURE_COUNT; i++) {
        if (node_get(pmu, figure_rows[i].name) != NULL) {
            write_machine_key(writer, pmu, figure_rows[i].name, 4,
                model_figure_text(
                    writer->context, &writer->scenario->processor, i));
        }
    }
}

/* Those that are given, by the keys of their places. */
static void write_msrs(struct writer *writer, const struct node *msrs)
{
    const struct machine_config *machine = &writer->scenario->machine;

    if (msrs == NULL) {
        return;
    }
    fputs("  msrs:\n", writer->out);
    for (size_t i = 0; i < machine->given_count; i++) {
        const struct msr_given *given = &machine->given[i];

        write_machine_key(writer, msrs, msrs->entry[i].key->text, 4,
            talloc_asprintf(writer->context,
                given->stored ? "{value: 0x%llX, stored: true}" : "0x%llX",
                (unsigned long long)given->value));
    }
}

/* How many there are, or how many processors each has. */
static void write_groups(struct writer *writer, const struct node *node)
{
    const struct machine_config *machine = &writer->scenario->machine;
    char *sizes;

    if (machine->group_size[0] == 0) {
        write_number(writer, node, "groups", 2, machine->groups);
        return;
    }
    sizes = talloc_asprintf(
        writer->context, "[%u", (unsigned)machine->group_size[0]);
    for (uint32_t i = 1; i < machine->groups; i++) {
        sizes = talloc_asprintf_append_buffer(
            sizes, ", %u", (unsigned)machine->group_size[i]);
    }
    write_machine_key(
        writer, node, "groups", 2, talloc_asprintf_append_buffer(sizes, "]"));
}

static void write_machine(struct writer *writer)
{
    const struct scenario *scenario = writer->scenario;
    const struct machine_config *machine = &scenario->machine;
    const struct node *node = scenario->machine_node;

    fputs("machine:\n", writer->out);
    write_machine_key(writer, node, "os", 2, os_rows[scenario->os].name);
    write_machine_key(writer, node, "arch", 2, arch_rows[scenario->arch].name);
    write_number(writer, node, "cpus", 2, machine->processors);
    if (machine->active != 0) {
        write_number(writer, node, "active", 2, machine->active);
    }
    write_groups(writer, node);
    if (scenario->pcw_not_ready) {
        write_machine_key(writer, node, "pcw_not_ready", 2, "true");
    }
    if (scenario->verifier) {
        write_machine_key(writer, node, "verifier", 2, "true");
    }
    write_part(writer, node, "claims");
    write_part(writer, node, "memory");
    write_part(writer, node, "pci");
    if (arch_rows[scenario->arch].model == MODEL_NONE) {
        return;
    }
    if (machine->virtualized != VIRTUALIZED_NOT) {
        write_machine_key(writer, node, "virtualized", 2,
            virtualized_rows[machine->virtualized].name);
    }
    if (scenario->no_pce) {
        write_machine_key(writer, node, "pce", 2, "false");
    }
    write_pmu(writer, node == NULL ? NULL : node_get(node, "pmu"));
    write_part(writer, node, "kinds");
    write_msrs(writer, node == NULL ? NULL : node_get(node, "msrs"));
}

/* skip and xfail, whose condition holds for the instance. */
static void write_verdict_key(
    struct writer *writer, const char *key, const struct node *node)
{
    bool first = true;

    if (node == NULL) {
        return;
    }
    fprintf(writer->out, "%s: {", key);
    for (size_t i = 0; i < node->count; i++) {
        if (strcmp(node->entry[i].key->text, "when") != 0) {
            fprintf(writer->out, "%s%s: ", first ? "" : ", ",
                node->entry[i].key->text);
            writer_flow(writer, node->entry[i].value);
            first = false;
        }
    }
    fputs("}\n", writer->out);
}

static bool is_memory_used(const struct writer *writer, const char *name)
{
    return writer_is_used(writer, 0, name, NULL);
}

static void write_memory(struct writer *writer, const struct node *memory)
{
    bool first = true;

    for (size_t i = 0; i < memory->count; i++) {
        const struct entry *entry = &memory->entry[i];

        if (!is_memory_used(writer, entry->key->text)) {
            continue;
        }
        fprintf(writer->out, "%s  %s: ", first ? "memory:\n" : "",
            entry->key->text);
        writer_flow(writer, entry->value);
        writer_end_line(writer);
        first = false;
    }
}

static void write_callback(
    struct writer *writer, const struct entry *entry, size_t n)
{
    const struct step_list *steps = &writer->scenario->callback[n].steps;

    fprintf(writer->out, "  %s:\n", entry->key->text);
    for (size_t i = 0; i < entry->value->count; i++) {
        const struct entry *part = &entry->value->entry[i];

        if (strcmp(part->key->text, "do") == 0 && part->value->count > 0) {
            fputs(writer_has_steps(steps) ? "    do:\n" : "    do: []\n",
                writer->out);
            writer_steps(writer, steps, writer_has_steps(steps) ? 6 : 4);
        } else {
            fprintf(writer->out, "    %s: ", part->key->text);
            writer_flow(writer, part->value);
            writer_end_line(writer);
        }
    }
}

static void write_callbacks(struct writer *writer, const struct node *callbacks)
{
    const struct callback_names *names = writer->scenario->callback_names;
    bool first = true;

    for (size_t i = 0; i < callbacks->count && i < names->count; i++) {
        if (names->item[i].used) {
            fputs(first ? "callbacks:\n" : "", writer->out);
            write_callback(writer, &callbacks->entry[i], i);
            first = false;
        }
    }
}

/* Those whose every step is left out are no actors of what is written, unless
 * one behind them is: an actor's place decides about its processor. */
static size_t written_actors(const struct scenario *scenario)
{
    size_t count = scenario->actor_count;

    while (count > 0 && !scenario->actor[count - 1].used) {
        count--;
    }
    return count;
}

/* actors or, with `user`, processes. */
static void write_actors(struct writer *writer, bool user)
{
    const struct scenario *scenario = writer->scenario;
    size_t count = written_actors(scenario);
    bool any = false;

    for (size_t i = 0; i < count; i++) {
        const struct actor *actor = &scenario->actor[i];

        /* The key `driver` makes the one that has an image, `threads` those
         * of others, the machine's `claims` those of Windows itself. */
        if (actor->defined != NULL && actor->image == NULL &&
            actor->owner == i && !actor->system && actor->driver.user == user) {
            fprintf(writer->out, "%s%s",
                any    ? ", "
                : user ? "processes: ["
                       : "actors: [",
                actor->driver.name);
            any = true;
        }
    }
    fputs(any ? "]\n" : "", writer->out);
}

/* A step for each that has none here and is an actor for its place, or because
 * the key `driver` makes it one: it asks what needs nothing to have run. */
static void write_places(struct writer *writer)
{
    const struct scenario *scenario = writer->scenario;
    size_t count = written_actors(scenario);

    for (size_t i = 0; i < scenario->actor_count; i++) {
        const struct actor *actor = &scenario->actor[i];

        if (!actor->used && actor->defined != NULL && !actor->system &&
            (i < count || actor->image != NULL)) {
            fprintf(writer->out,
                "  - {as: %s, expect: {violations: []}} # has no other here\n",
                actor->driver.name);
        }
    }
}

/* threads or silos, by names of actors: the entries of those that are written.
 */
static void write_of_actors(
    struct writer *writer, const char *key, const struct node *table)
{
    const struct scenario *scenario = writer->scenario;
    size_t count = written_actors(scenario);
    bool any = false;

    for (size_t i = 0; i < table->count; i++) {
        const struct entry *entry = &table->entry[i];

        for (size_t k = 0; k < count; k++) {
            if (strcmp(scenario->actor[k].driver.name, entry->key->text) == 0) {
                if (!any) {
                    fprintf(writer->out, "%s: {", key);
                }
                fprintf(
                    writer->out, "%s%s: ", any ? ", " : "", entry->key->text);
                writer_flow(writer, entry->value);
                any = true;
            }
        }
    }
    if (any) {
        fputc('}', writer->out);
        writer_end_line(writer);
    }
}

/* Keys that are written elsewhere, or that make instances. */
static bool is_done(const char *key)
{
    static const char *const keys[] = {"ntpmu", "id", "title", "tags",
        "machine", "params", "cases", "matrix", "requires", "skip", "xfail"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (strcmp(keys[i], key) == 0) {
            return true;
        }
    }
    return false;
}

/* Where this instance has none of its steps, the key has no value and goes. */
static void write_finally(struct writer *writer)
{
    const struct step_list *steps = &writer->scenario->finally;
    bool any = writer_has_steps(steps);

    if (any) {
        fputs("finally:\n", writer->out);
    }
    writer_steps(writer, steps, any ? 2 : 0);
}

/* Those that steps of this instance look at. */
static void write_manifests(struct writer *writer)
{
    const struct named_manifests *manifests = &writer->scenario->manifests;
    bool any = false;

    for (size_t i = 0; i < manifests->count; i++) {
        if (manifests->item[i].used) {
            fputs(any ? ", " : "manifests: [", writer->out);
            writer_flow(writer, manifests->item[i].name);
            any = true;
        }
    }
    if (any) {
        fputc(']', writer->out);
        writer_end_line(writer);
    }
}

/* The control codes that are named in this instance. */
static void write_codes(struct writer *writer, const struct node *codes)
{
    const struct named_codes *named = &writer->scenario->codes;
    bool any = false;

    for (size_t i = 0; i < codes->count && i < named->count; i++) {
        if (named->item[i].used) {
            fprintf(writer->out, "%s%s: ", any ? ", " : "codes: {",
                codes->entry[i].key->text);
            writer_flow(writer, codes->entry[i].value);
            any = true;
        }
    }
    if (any) {
        fputc('}', writer->out);
        writer_end_line(writer);
    }
}

/* The structures that this instance has. */
static void write_structures(struct writer *writer, const struct node *defined)
{
    const struct structures *structures = &writer->scenario->structures;
    bool any = false;

    for (size_t i = 0; i < structures->count; i++) {
        const char *name = structures->item[i].name;

        if (writer->kept[i] && !structures->item[i].in_header) {
            fprintf(writer->out, "%s  %s: ", any ? "" : "structures:\n", name);
            writer_flow(writer, node_get(defined, name));
            writer_end_line(writer);
            any = true;
        }
    }
}

static bool has_header(const struct writer *writer, const struct node *header)
{
    const struct structures *structures = &writer->scenario->structures;

    for (size_t i = 0; i < structures->count; i++) {
        if (writer->kept[i] && structures->item[i].defined == header) {
            return true;
        }
    }
    return false;
}

/* The headers that they are in. */
static void write_headers(struct writer *writer, const struct node *headers)
{
    bool any = false;

    for (size_t i = 0; i < headers->count; i++) {
        if (has_header(writer, headers->item[i])) {
            fputs(any ? ", " : "headers: [", writer->out);
            writer_flow(writer, headers->item[i]);
            any = true;
        }
    }
    if (any) {
        fputc(']', writer->out);
        writer_end_line(writer);
    }
}

static void write_key(struct writer *writer, const struct entry *entry)
{
    const char *key = entry->key->text;

    if (is_done(key)) {
        return;
    }
    if (strcmp(key, "actors") == 0) {
        write_actors(writer, false);
    } else if (strcmp(key, "processes") == 0) {
        write_actors(writer, true);
    } else if (strcmp(key, "silos") == 0 || strcmp(key, "threads") == 0) {
        write_of_actors(writer, key, entry->value);
    } else if (strcmp(key, "callbacks") == 0) {
        write_callbacks(writer, entry->value);
    } else if (strcmp(key, "memory") == 0) {
        write_memory(writer, entry->value);
    } else if (strcmp(key, "manifests") == 0) {
        write_manifests(writer);
    } else if (strcmp(key, "codes") == 0) {
        write_codes(writer, entry->value);
    } else if (strcmp(key, "structures") == 0) {
        write_structures(writer, entry->value);
    } else if (strcmp(key, "headers") == 0) {
        write_headers(writer, entry->value);
    } else if (strcmp(key, "steps") == 0) {
        fputs("steps:\n", writer->out);
        write_places(writer);
        writer_steps(writer, &writer->scenario->steps, 2);
    } else if (strcmp(key, "finally") == 0) {
        write_finally(writer);
    } else {
        fprintf(writer->out, "%s: ", key);
        writer_flow(writer, entry->value);
        writer_end_line(writer);
    }
}

/* All keys, of which a writer that keeps no structures writes none of those. */
static void write_keys(struct writer *writer)
{
    const struct node *root = writer->scenario->root;

    for (size_t i = 0; i < root->count; i++) {
        write_key(writer, &root->entry[i]);
    }
}

static struct writer open_writer(void *context, const struct scenario *scenario,
    const bool *kept, char **text, size_t *length)
{
    struct writer writer = {
        .context = talloc_new(context),
        .out = open_memstream(text, length),
        .scenario = scenario,
        .kept = kept,
    };

    assert(writer.out != NULL);
    writer.origins = talloc_strdup(writer.context, "");
    return writer;
}

/* Which structures stand in what else is written, or in one that does: a later
 * one has earlier ones. Memory and steps that are left out have used others. */
static const bool *kept_structures(
    void *context, const struct scenario *scenario)
{
    const struct structures *structures = &scenario->structures;
    bool *kept =
        talloc_zero_array(context, bool, (unsigned)structures->count + 1);
    char *others = NULL;
    size_t length = 0;
    struct writer writer =
        open_writer(context, scenario, kept, &others, &length);

    write_machine(&writer);
    write_keys(&writer);
    fclose(writer.out);
    for (size_t i = structures->count; i-- > 0;) {
        const struct structure *structure = &structures->item[i];

        kept[i] = structure->used &&
                  (kept[i] || writer_has_name(others, structure->name));
        for (size_t k = 0; kept[i] && k < structure->count; k++) {
            for (size_t inner = 0; inner < i; inner++) {
                kept[inner] |=
                    structure->field[k].own == &structures->item[inner];
            }
        }
    }
    free(others);
    talloc_free(writer.context);
    return kept;
}

char *written_instance(void *context, const struct instance *instance)
{
    const struct outline *outline = instance->outline;
    const struct scenario *scenario = instance->scenario;
    char *text = NULL;
    size_t length = 0;
    const bool *kept = kept_structures(context, scenario);
    struct writer writer = open_writer(context, scenario, kept, &text, &length);
    char *copy;

    fprintf(writer.out,
        "# %s of %s, written out.\nntpmu: 1\nid: %s\ntitle: ", instance->id,
        outline->source->path, own_id(writer.context, instance->id));
    yaml_out_text(outline->title, writer.out);
    fputc('\n', writer.out);
    write_tags(&writer, outline);
    write_verdict_key(&writer, "skip", instance->skip);
    write_verdict_key(&writer, "xfail", instance->xfail);
    write_machine(&writer);
    write_keys(&writer);
    fclose(writer.out);
    copy = talloc_strdup(context, text);
    free(text);
    talloc_free(writer.context);
    return copy;
}
