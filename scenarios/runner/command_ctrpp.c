/* command_ctrpp.c - ntpmu ctrpp -o FILE -rc FILE [-ch FILE] [-prefix NAME]
 * [-backcompat] [-ruling ID=VALUE]... MANIFEST.man, or -migrate FILE
 * MANIFEST.man. */
#include "scenarios/runner/commands.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/generate.h"
#include "api/ctrpp/limits.h"
#include "api/ctrpp/manifest_text.h"
#include "scenarios/runner/ctrpp_options.h"
#include "scenarios/runner/diagnostics.h"
#include "scenarios/runner/output_files.h"
#include "scenarios/runner/problem_report.h"

struct compilation {
    void *context;
    struct ctrpp_options options;
    const struct source *source; /* the file's bytes */
    const struct source *text;   /* as UTF-8; NULL: it is none */
    struct manifest_problems *problems;
    struct manifest *manifest;
    struct output_file output[3];
    size_t outputs;
};

static enum exit_code refuse_input(
    const struct compilation *compilation, const char *problem)
{
    const char *path = compilation->options.input;
    struct diagnostics *diagnostics = diagnostics_new(compilation->context);

    if (problem == source_too_large) {
        manifest_problem_add(compilation->problems, MANIFEST_PROBLEM_LIMIT,
            (struct manifest_place){1, 1, 1},
            "the file is larger than the limit of %d bytes",
            MANIFEST_MOST_BYTES);
        manifest_problem_hint(compilation->problems, "%s",
            manifest_limit_rows[MANIFEST_LIMIT_BYTES].hint);
        problem_report(compilation->problems, path, NULL, stderr);
    } else {
        diagnostics_add_file(
            diagnostics, DIAGNOSTIC_UNREADABLE, path, "%s", problem);
        diagnostics_print(diagnostics, stderr);
    }
    return EXIT_INVALID;
}

/* The text for showing places and for -migrate: what is wrong with it the
 * manifest's reader says. */
static void find_text(struct compilation *compilation)
{
    struct manifest_problems *ignored =
        manifest_problems_new(compilation->context);
    size_t length;
    char *text = manifest_text(compilation->context, compilation->source->text,
        compilation->source->length, ignored, &length);

    if (text != NULL) {
        compilation->text = source_from_text(
            compilation->context, compilation->options.input, text, length);
    }
}

/* Providers of user mode are only migrated [C]. */
static void refuse_user_mode(struct compilation *compilation)
{
    manifest_problem_add(compilation->problems, MANIFEST_PROBLEM_USER_MODE,
        compilation->manifest->place,
        "the provider is one of user mode: code is generated for kernel mode "
        "alone");
    manifest_problem_hint(compilation->problems,
        "write providerType=\"kernelMode\", or use Microsoft's ctrpp");
}

static bool read_manifest(struct compilation *compilation)
{
    find_text(compilation);
    compilation->manifest = manifest_read(compilation->context,
        compilation->source->text, compilation->source->length,
        &compilation->options.rulings, compilation->problems);
    if (compilation->manifest != NULL && !compilation->manifest->kernel_mode &&
        compilation->options.value[CTRPP_MIGRATE] == NULL) {
        refuse_user_mode(compilation);
    }
    problem_report(compilation->problems, compilation->options.input,
        compilation->text, stderr);
    return compilation->problems->errors == 0;
}

static void add_output(
    struct compilation *compilation, enum ctrpp_option option, const char *text)
{
    assert(text != NULL);
    compilation->output[compilation->outputs++] =
        (struct output_file){compilation->options.value[option], text};
}

/* What the options ask for, in memory. */
static void generate(struct compilation *compilation)
{
    const struct ctrpp_options *options = &compilation->options;
    const char *slash = strrchr(options->input, '/');
    const char *prefix = options->value[CTRPP_PREFIX];
    const struct ctrpp_settings settings = {
        .prefix = prefix == NULL ? "" : prefix,
        .source = slash == NULL ? options->input : slash + 1,
        .backcompat = options->value[CTRPP_BACKCOMPAT] != NULL,
    };
    void *context = compilation->context;
    const struct manifest *manifest = compilation->manifest;

    if (options->value[CTRPP_MIGRATE] != NULL) {
        add_output(compilation, CTRPP_MIGRATE,
            manifest_text_declare_utf8(context,
                ctrpp_migrated(context, manifest, compilation->text->text,
                    compilation->text->length)));
        return;
    }
    add_output(
        compilation, CTRPP_CODE, ctrpp_header(context, manifest, &settings));
    add_output(compilation, CTRPP_RESOURCES,
        ctrpp_resources(context, manifest, &settings));
    if (options->value[CTRPP_SYMBOLS] != NULL) {
        add_output(compilation, CTRPP_SYMBOLS,
            ctrpp_symbols(context, manifest, &settings));
    }
}

static bool check_outputs(const struct ctrpp_options *options)
{
    static const enum ctrpp_option files[] = {
        CTRPP_CODE, CTRPP_RESOURCES, CTRPP_SYMBOLS, CTRPP_MIGRATE};
    struct output_file output[sizeof(files) / sizeof(files[0])];
    size_t count = 0;

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (options->value[files[i]] != NULL) {
            output[count++] =
                (struct output_file){options->value[files[i]], ""};
        }
    }
    return output_files_check(output, count, options->input);
}

static enum exit_code compile(struct compilation *compilation)
{
    const char *problem = NULL;

    compilation->source = source_from_file(compilation->context,
        compilation->options.input, MANIFEST_MOST_BYTES, &problem);
    if (compilation->source == NULL) {
        return refuse_input(compilation, problem);
    }
    if (!check_outputs(&compilation->options)) {
        return EXIT_USAGE;
    }
    if (!read_manifest(compilation)) {
        return EXIT_INVALID;
    }
    generate(compilation);
    return output_files_write(compilation->output, compilation->outputs);
}

enum exit_code command_ctrpp(const struct options *options)
{
    struct compilation compilation = {.context = talloc_new(NULL)};
    enum exit_code code = EXIT_USAGE;

    assert(compilation.context != NULL);
    compilation.problems = manifest_problems_new(compilation.context);
    if (ctrpp_options_read(
            &compilation.options, options->path, options->path_count, stderr)) {
        code = compile(&compilation);
    }
    talloc_free(compilation.context);
    return code;
}
