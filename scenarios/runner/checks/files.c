/* files.c - expect files: what is on the volume after the step. It costs no
 * time and counts nothing. */
#include <string.h>
#include <talloc.h>
#include <unistr.h>

#include "api/fs/volume.h"
#include "api/nt/file_access.h"
#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/language/file_content.h"
#include "scenarios/runner/language/match_accepts.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/stores.h"

enum { SHOWN_TEXT = 200, SHOWN_BYTES = 16 };

/* A number, or a list of bytes. */
static void read_match(struct reader *reader, const struct node *node,
    enum nt_type type, bool array)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};
    const struct actual actual = {.type = type, .count = 1, .array = array};

    if (node != NULL && !match_refuse_idle(&reader->scope, node,
                            match_domain_of(&reader->scope, type, array))) {
        match_values(&match, node, &actual);
    }
}

/* A directory has no bytes. */
static void check_directory(struct reader *reader, const struct node *node)
{
    static const char *const of_files[] = {"text", "bytes", "size"};
    const struct schema *schema = &reader->scope.schema;
    const struct node *directory = node_get(node, "directory");
    bool is = false;

    if (directory == NULL || !schema_bool(schema, directory, &is) || !is) {
        return;
    }
    for (size_t i = 0; i < sizeof(of_files) / sizeof(of_files[0]); i++) {
        if (node_get(node, of_files[i]) != NULL) {
            schema_error(schema, DIAGNOSTIC_CONFLICT,
                node_key(node, of_files[i]), "a directory has no '%s'",
                of_files[i]);
        }
    }
}

static void read_file(struct reader *reader, const struct entry *entry)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *node = entry->value;
    const struct node *text, *attributes;
    uint32_t bits;

    if (node_is_word(node, "none") ||
        !schema_mapping(schema, node, MAPPING_FILE_LEFT, entry->key)) {
        return;
    }
    if (node->count == 0) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node,
            "nothing is expected of the file");
        diagnostics_hint(schema->diagnostics,
            "write {size: {min: 1}}, {text: abc}, or {directory: false}");
    }
    text = node_get(node, "text");
    if (text != NULL && (text->kind != NODE_SCALAR || node_is_computed(text))) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, text, "expected a text");
    }
    attributes = node_get(node, "attributes");
    if (attributes != NULL) {
        file_attributes_read(schema, MAPPING_FILE_LEFT, attributes, &bits);
    }
    read_match(reader, node_get(node, "bytes"), NT_UCHAR, true);
    read_match(reader, node_get(node, "size"), NT_ULONG64, false);
    check_directory(reader, node);
}

static void read_files(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    const struct schema *schema = &reader->scope.schema;

    (void)step;
    (void)key;
    if (value->kind != NODE_MAPPING || value->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, value,
            "expected {'\\??\\C:\\Data\\a.txt': {text: abc}}");
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        struct stored_path path;

        stored_path_of_file(schema, value->entry[i].key, &path);
        read_file(reader, &value->entry[i]);
    }
}

/* As text where it is one, else byte by byte; child of the context. */
static char *show_bytes(void *context, const struct file_content *content)
{
    bool text = memchr(content->bytes, '\0', content->size) == NULL &&
                u8_check(content->bytes, content->size) == NULL;
    size_t most = text ? SHOWN_TEXT : SHOWN_BYTES;
    size_t shown = content->size < most ? content->size : most;
    char *said = talloc_strdup(context, "bytes");

    if (text) {
        said = talloc_asprintf(
            context, "'%.*s'", (int)shown, (const char *)content->bytes);
    }
    for (size_t i = 0; !text && i < shown; i++) {
        said = talloc_asprintf_append_buffer(said, " %02X", content->bytes[i]);
    }
    return shown == content->size
               ? said
               : talloc_asprintf_append_buffer(
                     said, ", ... %zu bytes in all", content->size);
}

static void evaluate_text(const struct evaluation *evaluation,
    const struct node *text, const struct file_content *content,
    const char *what)
{
    if (strlen(text->text) == content->size &&
        memcmp(text->text, content->bytes, content->size) == 0) {
        return;
    }
    evaluate_fail(evaluation, text, "%s: expected '%s', actual %s", what,
        text->text, show_bytes(evaluation->run->context, content));
}

/* The bytes of a file. */
static void evaluate_content(const struct evaluation *evaluation,
    const struct node *node, const struct file_content *content,
    const char *what)
{
    const struct node *text = node_get(node, "text");
    const struct node *bytes = node_get(node, "bytes");
    const struct node *size = node_get(node, "size");
    const struct actual actual = {.type = NT_UCHAR,
        .at = content->bytes,
        .count = content->size,
        .array = true};

    if (content->directory) {
        if (text != NULL || bytes != NULL || size != NULL) {
            evaluate_fail(evaluation, node, "%s: it is a directory", what);
        }
        return;
    }
    if (text != NULL) {
        evaluate_text(evaluation, text, content, what);
    }
    if (bytes != NULL) {
        evaluate_values(evaluation, bytes, &actual, what);
    }
    if (size != NULL) {
        evaluate_number(evaluation, size, NT_ULONG64, content->size,
            talloc_asprintf(evaluation->run->context, "%s, size", what));
    }
}

static void evaluate_attributes(const struct evaluation *evaluation,
    const struct node *node, const struct file_content *content,
    const char *what)
{
    const struct schema *schema = &evaluation->run->scope.schema;
    void *context = evaluation->run->context;
    uint32_t wanted;

    if (node != NULL &&
        file_attributes_read(schema, MAPPING_FILE_LEFT, node, &wanted) &&
        wanted != (content->attributes & FILE_ATTRIBUTES_KEPT)) {
        evaluate_fail(evaluation, node,
            "%s, attributes: expected %s, actual %s", what,
            node_show(context, node),
            file_attributes_show(context, content->attributes));
    }
}

static void evaluate_kind(const struct evaluation *evaluation,
    const struct node *node, const struct file_content *content,
    const char *what)
{
    bool wanted;

    if (node != NULL &&
        schema_bool(&evaluation->run->scope.schema, node, &wanted) &&
        wanted != content->directory) {
        evaluate_fail(evaluation, node, "%s: it is a %s", what,
            content->directory ? "directory" : "file");
    }
}

/* What is there, which is a fact. False: nothing is. */
static bool ask_file(
    const struct run *run, const struct node *key, struct file_content *content)
{
    struct facts *facts = run->scope.facts;
    const struct volume_file *file = NULL;
    struct stored_path path;

    *content = (struct file_content){.size = 0};
    if (!facts_heard(facts)) {
        stored_path_of_file(NULL, key, &path);
        file = stores_find_file(&run->session->kernel, &path);
    }
    if (!facts_flag(facts, file != NULL)) {
        return false;
    }
    if (file != NULL) {
        static const uint8_t none[1];

        *content = (struct file_content){file->directory,
            file->data == NULL ? none : file->data, file->size,
            file->attributes};
    }
    content->directory = facts_flag(facts, content->directory);
    content->attributes =
        (uint32_t)facts_below(facts, content->attributes, UINT64_C(1) << 32);
    content->size = facts_count(facts, content->size);
    content->bytes = facts_bytes(facts, content->bytes, content->size);
    return true;
}

static void evaluate_file(
    const struct evaluation *evaluation, const struct entry *entry)
{
    const struct node *node = entry->value;
    struct file_content content;
    bool there = ask_file(evaluation->run, entry->key, &content);
    const char *what = talloc_asprintf(
        evaluation->run->context, "files, %s", entry->key->text);

    if (!there) {
        if (!node_is_word(node, "none")) {
            evaluate_fail(evaluation, node, "%s: there is no such file", what);
        }
        return;
    }
    if (node_is_word(node, "none")) {
        evaluate_fail(
            evaluation, node, "%s: expected none, actual: it is there", what);
        return;
    }
    evaluate_kind(evaluation, node_get(node, "directory"), &content, what);
    evaluate_attributes(
        evaluation, node_get(node, "attributes"), &content, what);
    evaluate_content(evaluation, node, &content, what);
}

static void evaluate_files(const struct evaluation *evaluation)
{
    const struct node *value = evaluation->check->value;

    evaluate_cites(evaluation);
    for (size_t i = 0; i < value->count; i++) {
        evaluate_file(evaluation, &value->entry[i]);
    }
}

const struct check_code check_files = {
    .read = read_files,
    .evaluate = evaluate_files,
};
