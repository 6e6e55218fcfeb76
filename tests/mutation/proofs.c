/* proofs.c - the record of proofs: key: value, one a line, and an empty line
 * between entries. */
#include "tests/mutation/proofs.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <talloc.h>

static const char before_key[] = "before:", after_key[] = "after:";

static bool value_of(
    void *context, const char *line, const char *key, const char **value)
{
    size_t length = strlen(key);

    if (strncmp(line, key, length) != 0 || *value != NULL) {
        return false;
    }
    *value = talloc_strdup(context, line + length + strspn(line + length, " "));
    /* Nothing at all is what a removed text becomes. */
    return **value != '\0' || strcmp(key, after_key) == 0;
}

static bool read_proves(void *context, const char *line, struct proof *proof)
{
    const char *ids = NULL;
    char *rest;
    size_t count = 0;

    if (proof->proves[0] != NULL || !value_of(context, line, "proves:", &ids)) {
        return false;
    }
    for (char *id = strtok_r(talloc_strdup(context, ids), " ", &rest);
         id != NULL; id = strtok_r(NULL, " ", &rest)) {
        if (count == PROOF_REQUIREMENTS || strchr(id, '-') == NULL) {
            return false;
        }
        proof->proves[count++] = id;
    }
    return true;
}

/* The first that is not whole; NULL: all of them are. */
static struct proof_place *open_place(struct proof *proof)
{
    for (size_t i = 0; i < PROOF_PLACES; i++) {
        if (proof->place[i].after == NULL) {
            return &proof->place[i];
        }
    }
    return NULL;
}

/* A place without a file of its own is in that of the one before. */
static bool read_before(void *context, const char *line, struct proof *proof)
{
    struct proof_place *place = open_place(proof);

    if (place->file == NULL && place > proof->place) {
        place->file = place[-1].file;
    }
    return place->file != NULL &&
           value_of(context, line, before_key, &place->before);
}

static bool read_place(void *context, const char *line, struct proof *proof)
{
    struct proof_place *place = open_place(proof);

    if (place == NULL) {
        return false;
    }
    if (strncmp(line, before_key, strlen(before_key)) == 0) {
        return read_before(context, line, proof);
    }
    return value_of(context, line, "file:", &place->file) ||
           (place->before != NULL &&
               value_of(context, line, after_key, &place->after));
}

static bool read_line(void *context, const char *line, struct proof *proof)
{
    return read_place(context, line, proof) ||
           value_of(context, line, "by:", &proof->by) ||
           read_proves(context, line, proof);
}

static bool is_whole(const struct proof *proof)
{
    for (size_t i = 0; i < PROOF_PLACES; i++) {
        const struct proof_place *place = &proof->place[i];

        if ((i == 0 || place->file != NULL) && place->after == NULL) {
            return false;
        }
    }
    return proof->by != NULL && proof->proves[0] != NULL;
}

/* An empty line, or the end: the entry has to be whole, if one was begun. */
static bool end_entry(struct proofs *proofs, struct proof *proof)
{
    if (proof->line == 0) {
        return true;
    }
    if (!is_whole(proof)) {
        return false;
    }
    proofs->item = talloc_realloc(
        proofs, proofs->item, struct proof, (unsigned)proofs->count + 1);
    assert(proofs->item != NULL);
    proofs->item[proofs->count++] = *proof;
    *proof = (struct proof){0};
    return true;
}

static const char *not_whole(
    void *context, const char *name, const struct proof *proof)
{
    return talloc_asprintf(context,
        "%s:%u: an entry has each of file:, before:, after:, by: and proves: "
        "(up to %d requirements) once, another file: before: and after: at "
        "most",
        name, proof->line, PROOF_REQUIREMENTS);
}

struct proofs *proofs_read(
    void *context, const char *name, const char *text, const char **problem)
{
    struct proofs *proofs = talloc_zero(context, struct proofs);
    struct proof proof = {0};
    unsigned number = 0;

    assert(proofs != NULL);
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        char *line = talloc_strndup(proofs, text, length);

        number++;
        text += length + (text[length] == '\n');
        if (line[0] == '#') {
            continue;
        }
        if (line[0] == '\0' ? end_entry(proofs, &proof)
                            : read_line(proofs, line, &proof)) {
            proof.line =
                line[0] != '\0' && proof.line == 0 ? number : proof.line;
            continue;
        }
        proof.line = number;
        *problem = not_whole(context, name, &proof);
        return NULL;
    }
    if (!end_entry(proofs, &proof)) {
        *problem = not_whole(context, name, &proof);
        return NULL;
    }
    return proofs;
}

/* How many bytes at the start of the text are the words, blanks of any kind and
 * number being one; 0: it begins otherwise. */
static size_t matches(const char *text, const char *words)
{
    const char *at = text;

    while (*words != '\0') {
        if (*at == '\0' ||
            !isspace((unsigned char)*words) != !isspace((unsigned char)*at)) {
            return 0;
        }
        if (!isspace((unsigned char)*words)) {
            if (*at++ != *words++) {
                return 0;
            }
            continue;
        }
        words += strspn(words, " \t");
        while (isspace((unsigned char)*at)) {
            at++;
        }
    }
    return (size_t)(at - text);
}

/* Where a place is in the file's text. */
struct span {
    size_t at, end;
    const char *after;
};

static bool find_place(void *context, const struct proof *proof,
    const struct proof_place *place, const char *name, const char *text,
    struct span *span, const char **problem)
{
    size_t found = 0;

    for (const char *c = text; *c != '\0'; c++) {
        size_t bytes = matches(c, place->before);

        if (bytes > 0) {
            found++;
            span->at = (size_t)(c - text);
            span->end = span->at + bytes;
        }
    }
    span->after = place->after;
    if (found != 1) {
        *problem = talloc_asprintf(context,
            "%s:%u: '%s' stands %s in %s: name text that stands there once, "
            "or choose another defect",
            name, proof->line, place->before,
            found == 0 ? "no longer" : "more than once", place->file);
    }
    return found == 1;
}

/* Joins them: from the first to the last, what is between them unchanged. */
static bool join(void *context, const char *text, struct span *span,
    const struct span *other)
{
    const struct span *first = other->at < span->at ? other : span;
    const struct span *last = first == span ? other : span;

    if (last->at < first->end) {
        return false;
    }
    *span = (struct span){.at = first->at,
        .end = last->end,
        .after = talloc_asprintf(context, "%s%.*s%s", first->after,
            (int)(last->at - first->end), text + first->end, last->after)};
    return true;
}

bool proof_locate(void *context, const struct proof *proof, const char *file,
    const char *name, const char *text, struct mutant *mutant,
    const char **problem)
{
    struct span span = {.after = NULL}, other;

    for (size_t i = 0; i < PROOF_PLACES && proof->place[i].file != NULL; i++) {
        const struct proof_place *place = &proof->place[i];

        if (strcmp(place->file, file) != 0) {
            continue;
        }
        if (!find_place(context, proof, place, name, text, &other, problem)) {
            return false;
        }
        if (span.after == NULL) {
            span = other;
        } else if (!join(context, text, &span, &other)) {
            *problem = talloc_asprintf(context,
                "%s:%u: the two places in %s overlap: make them one", name,
                proof->line, file);
            return false;
        }
    }
    assert(span.after != NULL);
    *mutant = (struct mutant){.kind = MUTANT_STATEMENT,
        .at = span.at,
        .length = span.end - span.at,
        .line = mutant_line(text, span.at),
        .column = 1,
        .after = span.after};
    return true;
}

const char *proof_file(const struct proof *proof, size_t n)
{
    const struct proof_place *place = proof->place;

    if (n == 0) {
        return place[0].file;
    }
    return n == 1 && place[1].file != NULL &&
                   strcmp(place[0].file, place[1].file) != 0
               ? place[1].file
               : NULL;
}

bool proof_is_by_unit(const struct proof *proof)
{
    return strchr(proof->by, '/') == NULL &&
           strstr(proof->by, ".test_") != NULL;
}

char *proof_source(void *context, const struct proof *proof)
{
    const char *stem = strstr(proof->by, ".test_");
    char *path;

    if (!proof_is_by_unit(proof)) {
        return talloc_strdup(context, proof->by);
    }
    path =
        talloc_asprintf(context, "tests/%.*s/%.*s.c", (int)(stem - proof->by),
            proof->by, (int)strcspn(stem + 1, "."), stem + 1);
    for (char *dot = strchr(path, '.'); dot < strrchr(path, '/');
         dot = strchr(dot, '.')) {
        *dot = '/';
    }
    return path;
}

/* The id as a whole: PCW-REG-01 is not in PCW-REG-01a. */
static bool names(const char *text, const char *id)
{
    size_t length = strlen(id);

    for (const char *c = strstr(text, id); c != NULL; c = strstr(c + 1, id)) {
        if ((c == text || (!isalnum((unsigned char)c[-1]) && c[-1] != '-')) &&
            !isalnum((unsigned char)c[length])) {
            return true;
        }
    }
    return false;
}

bool proof_is_cited(void *context, const struct proof *proof, const char *name,
    const char *text, const char **problem)
{
    for (size_t i = 0; i < PROOF_REQUIREMENTS && proof->proves[i] != NULL;
         i++) {
        if (!names(text, proof->proves[i])) {
            *problem = talloc_asprintf(context,
                "%s:%u: %s no longer cites %s: name %s that does", name,
                proof->line, proof->by, proof->proves[i],
                proof_is_by_unit(proof) ? "a unit test" : "a scenario");
            return false;
        }
    }
    return true;
}

bool proof_is_asked_for(
    const struct proof *proof, char *const *id, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < PROOF_REQUIREMENTS && proof->proves[k] != NULL;
             k++) {
            if (strcmp(proof->proves[k], id[i]) == 0) {
                return true;
            }
        }
    }
    return count == 0;
}

static bool are_kin(const char *id, const char *other)
{
    size_t length = (size_t)(strrchr(id, '-') - id);

    return strncmp(id, other, length) == 0 &&
           strrchr(other, '-') == other + length;
}

bool proofs_is_first(const struct proofs *proofs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (are_kin(proofs->item[n].proves[0], proofs->item[i].proves[0])) {
            return false;
        }
    }
    return true;
}
