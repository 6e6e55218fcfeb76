/* proofs.c - the record of proofs: key: value, one a line, and an empty line
 * between entries. */
#include "tests/mutation/proofs.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <talloc.h>

static const char after_key[] = "after:";

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

static bool read_line(void *context, const char *line, struct proof *proof)
{
    return value_of(context, line, "file:", &proof->file) ||
           value_of(context, line, "before:", &proof->before) ||
           value_of(context, line, after_key, &proof->after) ||
           value_of(context, line, "by:", &proof->by) ||
           read_proves(context, line, proof);
}

static bool is_whole(const struct proof *proof)
{
    return proof->file != NULL && proof->before != NULL &&
           proof->after != NULL && proof->by != NULL &&
           proof->proves[0] != NULL;
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
        "(up to %d requirements) once",
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

bool proof_locate(void *context, const struct proof *proof, const char *name,
    const char *text, size_t *at, size_t *length, const char **problem)
{
    size_t found = 0;

    for (const char *c = text; *c != '\0'; c++) {
        size_t bytes = matches(c, proof->before);

        if (bytes > 0) {
            found++;
            *at = (size_t)(c - text);
            *length = bytes;
        }
    }
    if (found != 1) {
        *problem = talloc_asprintf(context,
            "%s:%u: '%s' stands %s in %s: name text that stands there once, "
            "or choose another defect",
            name, proof->line, proof->before,
            found == 0 ? "no longer" : "more than once", proof->file);
    }
    return found == 1;
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
                "%s:%u: %s no longer cites %s: name a scenario that does", name,
                proof->line, proof->by, proof->proves[i]);
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
