/* runner_scene.c - large texts made out of small ones. */
#define _DEFAULT_SOURCE
#include "tests/bench/runner_scene.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/yaml/yaml_tree.h"

enum { BRACKETS = 1000000, COUNTERS = 8 };

const char *runner_scene_overflow(void)
{
    return "ntpmu: 1\n"
           "id: bench.overflow\n"
           "title: An overflow reaches the handler of its set\n"
           "machine: {cpus: 2}\n"
           "callbacks:\n"
           "  ovf: {type: PPHYSICAL_COUNTER_OVERFLOW_HANDLER, do: []}\n"
           "steps:\n"
           "  - call: HalAllocateHardwareCounters\n"
           "    args:\n"
           "      GroupAffinty: null\n"
           "      GroupCount: 0\n"
           "      ResourceList:\n"
           "        Descriptors:\n"
           "          - {Type: ResourceTypeSingle, u: {CounterIndex: 0}}\n"
           "          - {Type: ResourceTypeOverflow, u: {OverflowHandler: "
           "$ovf}}\n"
           "    save: {set: out.CounterSetHandle}\n"
           "    expect: {status: STATUS_SUCCESS, covers: [HAL-ALLOC-12]}\n"
           "  - wrmsr: {cpu: 1, index: IA32_PERFEVTSEL0, value: 0x5300C0}\n"
           "  - overflow: {cpu: 1, counters: [0]}\n"
           "    expect:\n"
           "      - handler: {name: ovf, runs: 1, cpu: 1, irql: "
           "PROFILE_LEVEL, args: {OverflowBits: 0x1, OwningHandle: $set}}\n"
           "        covers: [HAL-OVF-01, HAL-OVF-04]\n"
           "  - wrmsr: {cpu: 1, index: IA32_PERFEVTSEL0, value: 0}\n"
           "  - call: HalFreeHardwareCounters\n"
           "    args: {CounterSetHandle: $set}\n"
           "    expect: {status: STATUS_SUCCESS, covers: [HAL-FREE-01]}\n";
}

/* Directories of files, until the program ends. */
static struct directory {
    size_t files;
    char path[32];
} directories[4];

void runner_scene_files_path(
    char *path, size_t size, const char *directory, size_t number)
{
    snprintf(path, size, "%s/n%zu.yaml", directory, number);
}

static void write_files(const struct directory *directory)
{
    const char *text = runner_scene_overflow();
    const char *id = strstr(text, ".overflow\n");

    for (size_t i = 0; i < directory->files; i++) {
        char path[64];
        FILE *file;

        runner_scene_files_path(path, sizeof(path), directory->path, i);
        file = fopen(path, "wb");
        assert(file != NULL);
        fprintf(file, "%.*s.n%zu%s", (int)(id - text), text, i, id);
        if (fclose(file) != 0) {
            assert(false && "the disk is full");
        }
    }
}

static void remove_directories(void)
{
    for (const struct directory *directory = directories; directory->files != 0;
         directory++) {
        for (size_t i = 0; i < directory->files; i++) {
            char path[64];

            runner_scene_files_path(path, sizeof(path), directory->path, i);
            unlink(path);
        }
        rmdir(directory->path);
    }
}

const char *runner_scene_files(size_t count)
{
    struct directory *directory = directories;

    while (directory->files != 0 && directory->files != count) {
        directory++;
    }
    if (directory->files == 0) {
        if (directory == directories) {
            atexit(remove_directories);
        }
        assert(directory + 1 < directories + 4); /* the last one ends them */
        strcpy(directory->path, "/tmp/ntpmu_bench_XXXXXX");
        if (mkdtemp(directory->path) == NULL) {
            assert(false && "no directory can be made");
        }
        directory->files = count;
        write_files(directory);
    }
    return directory->path;
}

static char *append_axis(char *text, const char *name, size_t values)
{
    text = talloc_asprintf_append_buffer(text, "%s: [", name);
    for (size_t i = 0; i < values; i++) {
        text =
            talloc_asprintf_append_buffer(text, "%s%zu", i == 0 ? "" : ", ", i);
    }
    return talloc_strdup_append_buffer(text, "]");
}

const char *runner_scene_instances(void *context, size_t count)
{
    const char *scene = runner_scene_overflow();
    const char *machine = strstr(scene, "machine:");
    const char *value = strstr(scene, "value: 0x5300C0");
    char *text = talloc_strndup(context, scene, (size_t)(machine - scene));

    text = talloc_strdup_append_buffer(text, "matrix: {");
    text = append_axis(text, "x", 100);
    text = talloc_strdup_append_buffer(text, ", ");
    text = append_axis(text, "z", count / 100);
    text = talloc_strdup_append_buffer(text, "}\n");
    text =
        talloc_strndup_append_buffer(text, machine, (size_t)(value - machine));
    text =
        talloc_strdup_append_buffer(text, "value: $(0x5300C0 + x * 0 + z * 0)");
    return talloc_strdup_append_buffer(text, strchr(value, '}'));
}

static char *append_step(char *text, size_t number)
{
    text = talloc_asprintf_append_buffer(text,
        "  - note: The step of number %zu of the largest file that there may "
        "be, "
        "which says at some length what it does and why it does it, as many "
        "authors like to do in theirs\n"
        "    call: KeSetHardwareCounterConfiguration\n"
        "    args: {Count: %d, CounterArray: [",
        number, COUNTERS);
    for (unsigned i = 0; i < COUNTERS; i++) {
        text = talloc_asprintf_append_buffer(
            text, "%s{Type: PMCCounter, Index: %u}", i == 0 ? "" : ",", i);
    }
    return talloc_strdup_append_buffer(
        text, "]}\n    expect: {status: STATUS_SUCCESS}\n");
}

char *runner_scene_large(void *context, size_t *length)
{
    char *text = talloc_strdup(context,
        "ntpmu: 1\n"
        "id: bench.large\n"
        "title: As large as a file may be\n"
        "steps:\n"
        "  - call: KeGetCurrentIrql\n"
        "    expect: {returns: PASSIVE_LEVEL, covers: [IRQL-03]}\n");
    size_t last = 0;

    for (size_t step = 1; step < SCENARIO_STEPS; step++) {
        size_t before = talloc_get_size(text) - 1;

        if (before + (before - last) + 8 > YAML_FILE_BYTES && last > 0) {
            break;
        }
        last = before;
        text = append_step(text, step + 1);
    }
    *length = talloc_get_size(text) - 1;
    assert(*length < YAML_FILE_BYTES);
    text = talloc_realloc(context, text, char, YAML_FILE_BYTES + 1);
    memset(text + *length, '#', YAML_FILE_BYTES - *length);
    text[YAML_FILE_BYTES - 1] = '\n';
    text[YAML_FILE_BYTES] = '\0';
    *length = YAML_FILE_BYTES;
    return text;
}

char *runner_scene_brackets(void *context, size_t *length)
{
    char *text = talloc_array(context, char, BRACKETS + 1);

    assert(text != NULL);
    memset(text, '[', BRACKETS);
    text[BRACKETS] = '\0';
    *length = BRACKETS;
    return text;
}

static int remove_file(char **path)
{
    return unlink(*path);
}

const char *runner_scene_file(void *context, const char *text, size_t length)
{
    char **path = talloc(context, char *);
    int file;

    assert(path != NULL);
    *path = talloc_strdup(path, "/tmp/ntpmu_bench_XXXXXX.yaml");
    file = mkstemps(*path, (int)strlen(".yaml"));
    assert(file >= 0);
    if (write(file, text, length) != (ssize_t)length || close(file) != 0) {
        assert(false && "the disk is full");
    }
    talloc_set_destructor(path, remove_file);
    return *path;
}
