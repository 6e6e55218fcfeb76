/* update.c - ntpmu run --update: what was compared in all instances, sorted by
 * place, becomes changes of texts. */
#include "scenarios/runner/commands/run/update.h"
#include "scenarios/runner/commands/run/correction.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/layout/layout_file.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/text/text_edit.h"
#include "scenarios/runner/text/visible_text.h"
#include "scenarios/runner/yaml/yaml_tree.h"

struct update {
    struct corrections corrections;
    bool *mended; /* by number of the result: nothing in it is left to fail */
    bool *failed;
    size_t results;
    size_t updated, left, files;
    bool unwritten; /* a file could not be written */
};

struct update *update_new(void *context)
{
    struct update *update = talloc_zero(context, struct update);

    assert(update != NULL);
    return update;
}

static void take_literal(struct update *update,
    const struct batch_result *result, const struct literal *literal)
{
    const struct node *node = literal->place;
    bool expected = result->verdict->result == RESULT_XFAIL;
    bool fails = result->verdict->result == RESULT_FAIL || expected;
    struct correction correction = {
        .source = node->source,
        .mark = node->mark,
        .id = result->instance->id,
        .result = update->results,
        .met = literal->met,
        .differs = fails && literal->differs,
        .several = fails && literal->several,
        .expected = expected,
    };

    if (!correction.met && !correction.differs) {
        return;
    }
    correction.place =
        literal_place_find(update, result->verdict->scenario, node);
    if (literal->actual != NULL) {
        correction.actual = talloc_strdup(update, literal->actual);
    }
    corrections_add(update, &update->corrections, &correction);
}

static bool *add_flag(struct update *update, bool *flags, bool value)
{
    flags = talloc_realloc(update, flags, bool, (unsigned)update->results + 1);
    assert(flags != NULL);
    flags[update->results] = value;
    return flags;
}

void update_take(struct update *update, const struct batch_result *result)
{
    const struct verdict *verdict = result->verdict;
    const struct literals *literals = verdict->literals;

    for (size_t i = 0; literals != NULL && i < literals->count; i++) {
        take_literal(update, result, &literals->item[i]);
    }
    update->failed = add_flag(
        update, update->failed, verdict_result_failed(verdict->result));
    /* Until a place is found that stays as it is. */
    update->mended = add_flag(update, update->mended,
        verdict->result == RESULT_FAIL && literals != NULL &&
            literals->failures == verdict->failure_count);
    update->results++;
}

static void print_place(
    const struct correction *correction, const char *what, FILE *out)
{
    fprintf(out, "%s:%zu:%zu: %s", visible_name(correction->source->path),
        correction->mark.line, correction->mark.column, what);
}

/* Why the group's place stays as it is; those who wanted it otherwise go on
 * failing. */
static void leave(struct update *update, const struct correction_group *group,
    const struct correction *correction, const char *why, FILE *out)
{
    const char *problem = why != NULL ? why : correction->place.problem;

    for (size_t i = 0; i < group->count; i++) {
        if (group->first[i].differs && !group->first[i].expected) {
            update->mended[group->first[i].result] = false;
        }
    }
    update->left++;
    print_place(correction, "cannot be updated: ", out);
    if (problem != NULL) {
        fputs(problem, out);
    } else if (correction->actual == NULL && !correction->several) {
        fputs("no value that can be written was there", out);
    } else {
        corrections_print_conflict(group, out);
    }
    fputc('\n', out);
}

/* One file while its changes are collected. */
struct edited {
    struct update *update;
    const struct source *source;
    struct text_edits *edits;
    size_t end;          /* of the last change */
    const char *problem; /* why it cannot be changed at all; NULL: it can */
    FILE *out;
};

/* The file's text may have been changed since it was read. */
static void edited_begin(struct edited *edited, const struct source *source)
{
    const char *problem = NULL;
    const struct source *now = source_from_file(
        edited->update, source->path, YAML_FILE_BYTES, &problem);

    edited->source = source;
    edited->edits =
        text_edits_new(edited->update, source->text, source->length);
    edited->end = 0;
    edited->problem = NULL;
    if (now == NULL || now->length != source->length ||
        memcmp(now->text, source->text, source->length) != 0) {
        edited->problem = "the file was changed while its scenarios ran";
    }
}

static void edited_take(
    struct edited *edited, const struct correction_group *group)
{
    const struct correction *correction = corrections_unmet(group);

    if (correction == NULL) {
        return;
    }
    if (edited->problem != NULL || correction->place.offset < edited->end ||
        correction->place.problem != NULL ||
        !corrections_agree(group, correction)) {
        leave(edited->update, group, correction, edited->problem, edited->out);
        return;
    }
    text_edits_add(edited->edits, correction->place.offset,
        correction->place.length, correction->actual);
    edited->end = correction->place.offset + correction->place.length;
}

/* The changed text, laid out where the old one was; NULL: it would be no file
 * of ours any more. */
static const struct source *edited_text(const struct edited *edited)
{
    struct update *update = edited->update;
    struct diagnostics *diagnostics = diagnostics_new(update);
    const struct source *laid_out = NULL;
    const struct source *made;
    size_t length;
    char *text = text_edits_apply(update, edited->edits, &length);
    bool clean = layout_file_lay_out(update, edited->source, diagnostics,
                     &laid_out) == LAYOUT_CLEAN;

    made = source_from_text(update, edited->source->path, text, length);
    switch (layout_file_lay_out(update, made, diagnostics, &laid_out)) {
    case LAYOUT_CLEAN:
        return made;
    case LAYOUT_CHANGED:
        return clean ? laid_out : made;
    case LAYOUT_OTHER:
    case LAYOUT_INVALID:
    case LAYOUT_FAILED:
        break;
    }
    return NULL;
}

/* The text as one line, also where it takes several. */
static void print_flat(const char *text, size_t length, FILE *out)
{
    for (size_t i = 0; i < length; i++) {
        bool blank = strchr(" \r\n", text[i]) != NULL;

        if (!blank) {
            fputc(text[i], out);
        } else if (strchr(" \r\n", text[i - 1]) == NULL) {
            fputc(' ', out); /* no value begins with a blank */
        }
    }
}

static void print_edits(const struct edited *edited)
{
    for (size_t i = 0; i < edited->edits->count; i++) {
        const struct text_edit *edit = &edited->edits->item[i];
        struct mark mark = source_mark(edited->source, edit->offset);

        fprintf(edited->out, "%s:%zu:%zu: updated ",
            visible_name(edited->source->path), mark.line, mark.column);
        print_flat(
            edited->source->text + edit->offset, edit->length, edited->out);
        fprintf(edited->out, " -> %s\n", edit->with);
    }
}

static void edited_end(struct edited *edited)
{
    struct update *update = edited->update;
    const char *path = edited->source->path;
    const struct source *made;

    if (edited->edits->count == 0) {
        return;
    }
    made = edited_text(edited);
    if (made == NULL) {
        fprintf(stderr,
            "%s: internal error: with new values it would be no scenario; it "
            "is left as it was\n",
            visible_name(path));
        update->unwritten = true;
    } else if (!layout_file_replace(path, made->text, made->length)) {
        fprintf(stderr, "ntpmu: cannot write '%s': %s\n", visible_name(path),
            strerror(errno));
        update->unwritten = true;
    } else {
        print_edits(edited);
        update->updated += edited->edits->count;
        update->files++;
    }
}

static void apply_all(struct update *update, FILE *out)
{
    struct edited edited = {.update = update, .out = out};

    corrections_sort(&update->corrections);
    for (size_t i = 0; i < update->corrections.count;) {
        struct correction_group group =
            corrections_group(&update->corrections, i);

        if (edited.source == NULL ||
            strcmp(edited.source->path, group.first->source->path) != 0) {
            if (edited.source != NULL) {
                edited_end(&edited);
            }
            edited_begin(&edited, group.first->source);
        }
        edited_take(&edited, &group);
        i += group.count;
    }
    if (edited.source != NULL) {
        edited_end(&edited);
    }
}

enum exit_code update_apply(
    struct update *update, enum exit_code code, FILE *out)
{
    bool mended = true;

    apply_all(update, out);
    if (update->updated + update->left > 0) {
        fprintf(out, "updated: %zu (files: %zu), cannot be updated: %zu\n",
            update->updated, update->files, update->left);
    }
    for (size_t i = 0; i < update->results; i++) {
        mended &= !update->failed[i] || update->mended[i];
    }
    if (update->unwritten) {
        return EXIT_INTERNAL;
    }
    return code == EXIT_FAILED && mended ? EXIT_OK : code;
}
