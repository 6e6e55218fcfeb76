/* command_ctrpp.c - ntpmu ctrpp -o FILE -rc FILE [-ch FILE] [-prefix NAME]
 * [-backcompat] [-ruling ID=VALUE]... MANIFEST.man, or -migrate FILE
 * MANIFEST.man. */
#include "scenarios/runner/command_line/options.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/encoding.h"
#include "api/ctrpp/generate.h"
#include "scenarios/runner/commands/ctrpp/ctrpp_options.h"
#include "scenarios/runner/commands/ctrpp/output_files.h"
#include "scenarios/runner/counters/manifest_file.h"

struct compilation {
    void *context;
    struct ctrpp_options options;
    struct ctrpp_settings settings; /* that the options ask for */
    struct manifest_file file;
    struct output_file output[3];
    size_t outputs;
};

static struct ctrpp_settings settings_of(const struct ctrpp_options *options)
{
    const char *slash = strrchr(options->input, '/');
    const char *prefix = options->value[CTRPP_PREFIX];

    return (struct ctrpp_settings){
        .prefix = prefix == NULL ? "" : prefix,
        .source = slash == NULL ? options->input : slash + 1,
        .backcompat = options->value[CTRPP_BACKCOMPAT] != NULL,
        .symbols = options->value[CTRPP_SYMBOLS] != NULL,
    };
}

static bool read_manifest(struct compilation *compilation)
{
    const struct ctrpp_options *options = &compilation->options;

    manifest_file_read(compilation->context, &compilation->file,
        options->value[CTRPP_MIGRATE] != NULL ? NULL : &compilation->settings,
        &options->rulings);
    return manifest_file_report(&compilation->file, stderr);
}

static void add_output(
    struct compilation *compilation, enum ctrpp_option option, const char *text)
{
    assert(text != NULL);
    compilation->output[compilation->outputs++] = (struct output_file){
        compilation->options.value[option], text, strlen(text)};
}

/* In the encoding that the manifest came in. */
static void add_migrated(struct compilation *compilation)
{
    const struct manifest_file *file = &compilation->file;
    const char *text = ctrpp_migrated(compilation->context, file->manifest,
        file->text->text, file->text->length);
    struct output_file *output = &compilation->output[compilation->outputs++];

    output->path = compilation->options.value[CTRPP_MIGRATE];
    output->text = encoding_encoded(compilation->context, text, strlen(text),
        encoding_of(file->source->text, file->source->length), &output->length);
}

/* What the options ask for, in memory. */
static void generate(struct compilation *compilation)
{
    const struct ctrpp_options *options = &compilation->options;
    const struct ctrpp_settings *settings = &compilation->settings;
    void *context = compilation->context;
    const struct manifest *manifest = compilation->file.manifest;

    if (options->value[CTRPP_MIGRATE] != NULL) {
        add_migrated(compilation);
        return;
    }
    add_output(
        compilation, CTRPP_CODE, ctrpp_header(context, manifest, settings));
    add_output(compilation, CTRPP_RESOURCES,
        ctrpp_resources(context, manifest, settings));
    if (settings->symbols) {
        add_output(compilation, CTRPP_SYMBOLS,
            ctrpp_symbols(context, manifest, settings));
    }
}

static enum exit_code check_outputs(const struct ctrpp_options *options)
{
    struct output_file output[CTRPP_OPTIONS];
    size_t count = 0;

    for (unsigned i = 0; i < CTRPP_OPTIONS; i++) {
        if (ctrpp_option_is_file(i) && options->value[i] != NULL) {
            output[count++] = (struct output_file){options->value[i], "", 0};
        }
    }
    return output_files_check(output, count, options->input);
}

static enum exit_code compile(struct compilation *compilation)
{
    enum exit_code code;

    compilation->settings = settings_of(&compilation->options);
    if (!manifest_file_open(compilation->context, &compilation->file,
            compilation->options.input, stderr)) {
        return EXIT_INVALID;
    }
    code = check_outputs(&compilation->options);
    if (code != EXIT_OK) {
        return code;
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
    if (ctrpp_options_read(
            &compilation.options, options->path, options->path_count, stderr)) {
        code = compile(&compilation);
    }
    talloc_free(compilation.context);
    return code;
}
