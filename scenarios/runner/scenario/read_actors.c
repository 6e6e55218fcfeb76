/* read_actors.c - actors, driver, threads, silos: who makes calls. Nothing here
 * opens a driver's image. */
#include "scenarios/runner/scenario/read_actors.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

static void add_actor(struct reader *reader, const struct node *node, bool user)
{
    struct scenario *scenario = reader->scenario;
    const char *name;

    if (!schema_text(&reader->scope.schema, node, &name)) {
        return;
    }
    for (size_t i = 0; i < scenario->actor_count; i++) {
        if (strcmp(scenario->actor[i].driver.name, name) == 0) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, node,
                "%s '%s' stands twice", user ? "process" : "actor", name);
            return;
        }
    }
    if (!scope_check_name(
            &reader->scope, node, user ? "a process" : "an actor")) {
        return;
    }
    scenario->actor[scenario->actor_count] =
        (struct actor){.driver = {.name = name, .user = user},
            .owner = scenario->actor_count,
            .defined = node};
    scenario->actor_count++;
    scenario->asks_threads |= user;
}

void read_actors(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct node *node = node_get(scenario->root, "actors");

    scenario->actor =
        talloc_zero_array(scenario, struct actor, SCENARIO_ACTORS);
    if (node == NULL && node_get(scenario->root, "processes") != NULL) {
        return; /* they are the ones that play */
    }
    if (node == NULL || !schema_sequence(&reader->scope.schema, node)) {
        scenario->actor[0] = (struct actor){.driver = {.name = "drv"}};
        scenario->actor_count = 1;
        return;
    }
    if (node->count > SCENARIO_ACTORS) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_LIMIT, node,
            "more than %d actors", SCENARIO_ACTORS);
    }
    for (size_t i = 0; i < node->count && i < SCENARIO_ACTORS; i++) {
        add_actor(reader, node->item[i], false);
    }
}

void read_processes(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct node *node = node_get(scenario->root, "processes");

    if (node == NULL || !schema_sequence(&reader->scope.schema, node)) {
        return;
    }
    if (scenario->actor_count + node->count > SCENARIO_ACTORS) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_LIMIT, node,
            "more than %d actors and processes", SCENARIO_ACTORS);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        add_actor(reader, node->item[i], true);
    }
}

static const char *name_of_actor(size_t n, const void *context)
{
    const struct scenario *scenario = context;

    return n < scenario->actor_count ? scenario->actor[n].driver.name : NULL;
}

bool read_actor(struct reader *reader, const struct node *node, size_t *actor)
{
    return schema_name(&reader->scope.schema, node, "actor", name_of_actor,
        reader->scenario, actor);
}

bool read_player(struct reader *reader, const struct node *node, size_t *actor)
{
    size_t found;

    if (!read_actor(reader, node, &found)) {
        return false;
    }
    if (reader->scenario->actor[found].system) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, node,
            "'%s' is Windows itself, which plays no steps", node->text);
        diagnostics_hint(reader->scope.schema.diagnostics,
            "claim: %s and release: %s are nobody's", node->text, node->text);
        return false;
    }
    *actor = found;
    return true;
}

/* The name of the file without its suffix. */
static const char *stem(struct reader *reader, const char *image)
{
    const char *dot = strrchr(image, '.');

    return dot == NULL || dot == image
               ? image
               : talloc_strndup(reader->scenario, image, (size_t)(dot - image));
}

/* A name with a directory is an error, but the driver that is meant is known:
 * the steps that ask it are not to blame. */
static bool read_image(
    struct reader *reader, const struct node *node, const char **image)
{
    if (!schema_text(&reader->scope.schema, node, image)) {
        return false;
    }
    if (strpbrk(*image, "/\\") != NULL) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, node,
            "a driver's image is named without its directory");
        diagnostics_hint(reader->scope.schema.diagnostics,
            "--allow-driver says where it is");
        while (strpbrk(*image, "/\\") != NULL) {
            *image = strpbrk(*image, "/\\") + 1;
        }
    }
    return true;
}

static void read_native(struct reader *reader, const struct node *node)
{
    struct scenario *scenario = reader->scenario;
    const struct node *as, *file, *defined;
    struct actor *actor = &scenario->actor[scenario->actor_count];
    const char *image, *name;

    if (!schema_mapping(&reader->scope.schema, node, MAPPING_NATIVE, node)) {
        return;
    }
    as = node_get(node, "as");
    file = node_get(node, "image");
    defined = as != NULL ? as : file;
    if (file == NULL || !read_image(reader, file, &image)) {
        return;
    }
    name = stem(reader, image);
    if (as != NULL && !schema_text(&reader->scope.schema, as, &name)) {
        return;
    }
    for (size_t i = 0; i < scenario->actor_count; i++) {
        if (strcmp(scenario->actor[i].driver.name, name) == 0) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, defined,
                "there is an actor '%s' already", name);
            return;
        }
    }
    if (as != NULL && !scope_check_name(&reader->scope, as, "a driver")) {
        return;
    }
    *actor = (struct actor){.driver = {.name = name},
        .image = image,
        .owner = scenario->actor_count,
        .defined = defined};
    scenario->actor_count++;
}

void read_drivers(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct node *node = node_get(scenario->root, "driver");
    size_t count;

    if (node == NULL) {
        return;
    }
    scenario->native = true;
    if (node->kind == NODE_SEQUENCE &&
        !schema_sequence(&reader->scope.schema, node)) {
        return;
    }
    count = node->kind == NODE_SEQUENCE ? node->count : 1;
    if (scenario->actor_count + count > SCENARIO_ACTORS) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_LIMIT, node,
            "more than %d actors and drivers", SCENARIO_ACTORS);
        return;
    }
    if (scenario->arch != ARCH_X64) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE,
            node_key(scenario->root, "driver"),
            "a driver's image is x64 code and cannot run on %s",
            arch_rows[scenario->arch].name);
    }
    if (node->kind != NODE_SEQUENCE) {
        read_native(reader, node);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        read_native(reader, node->item[i]);
    }
}

/* A name of its own, and whose thread it is: no other thread's. */
static void read_thread(
    struct reader *reader, const struct entry *entry, size_t owners)
{
    struct scenario *scenario = reader->scenario;
    const struct node *name = entry->key;
    size_t owner;

    for (size_t i = 0; i < scenario->actor_count; i++) {
        if (strcmp(scenario->actor[i].driver.name, name->text) == 0) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, name,
                "there is an actor '%s' already", name->text);
            return;
        }
    }
    if (!scope_check_name(&reader->scope, name, "a thread") ||
        !read_actor(reader, entry->value, &owner)) {
        return;
    }
    if (owner >= owners) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, entry->value,
            "'%s' is a thread, and a thread is a driver's or a process's",
            entry->value->text);
        diagnostics_hint(reader->scope.schema.diagnostics, "write %s",
            scenario_driver(scenario, owner)->name);
        return;
    }
    scenario->actor[scenario->actor_count++] =
        (struct actor){.driver = {.name = name->text},
            .image = scenario->actor[owner].image,
            .owner = owner,
            .defined = name};
}

void read_threads(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct schema *schema = &reader->scope.schema;
    const struct node *node = node_get(scenario->root, "threads");
    size_t owners = scenario->actor_count;

    if (node == NULL) {
        return;
    }
    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(
            schema, DIAGNOSTIC_WRONG_TYPE, node, "expected {name: actor}");
        diagnostics_hint(schema->diagnostics,
            "each is another thread of that actor's driver: {worker: %s}",
            scenario->actor[0].driver.name);
        return;
    }
    if (owners + node->count > SCENARIO_ACTORS) {
        schema_error(schema, DIAGNOSTIC_LIMIT, node,
            "more than %d actors, drivers and threads", SCENARIO_ACTORS);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        read_thread(reader, &node->entry[i], owners);
    }
}

void read_use_of_actor(struct scenario *scenario, size_t actor)
{
    scenario->actor[actor].used = true;
    scenario->actor[scenario->actor[actor].owner].used = true;
}

void read_owner(struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    const char *owner;
    size_t actor;

    if (!read_actor(reader, node, &actor) ||
        reader->scenario->actor[actor].owner == actor) {
        return;
    }
    owner = scenario_driver(reader->scenario, actor)->name;
    schema_error(schema, DIAGNOSTIC_CONFLICT, node,
        "'%s' is a thread of %s, which is the one that holds things",
        node->text, owner);
    diagnostics_hint(schema->diagnostics, "write %s", owner);
}

/* By the names of actors, native drivers and threads too. */
void read_silos(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct node *node = node_get(scenario->root, "silos");

    if (node == NULL) {
        return;
    }
    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected {actor: number}");
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        uint64_t silo;
        size_t actor;

        if (read_player(reader, node->entry[i].key, &actor) &&
            schema_key_number(&reader->scope.schema, MAPPING_SCENARIO, "silos",
                node->entry[i].value, &silo)) {
            scenario->actor[actor].silo = (uint32_t)silo;
        }
    }
}
