/* literal.c - expected values that were compared, by their place in the file,
 * and what would have to stand there instead. */
#include "scenarios/runner/language/literal.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/form.h"
#include "scenarios/runner/language/match.h"

static struct literal *literal_at(
    struct literals *literals, const struct node *place)
{
    for (size_t i = 0; i < literals->count; i++) {
        if (literals->item[i].place == place) {
            return &literals->item[i];
        }
    }
    literals->item = talloc_realloc(literals, literals->item, struct literal,
        (unsigned)literals->count + 1);
    assert(literals->item != NULL);
    literals->item[literals->count] = (struct literal){.place = place};
    return &literals->item[literals->count++];
}

static bool same_text(const char *one, const char *other)
{
    return one == other ||
           (one != NULL && other != NULL && strcmp(one, other) == 0);
}

void literals_note(struct literals *literals, const struct node *place,
    bool met, const char *actual)
{
    struct literal *literal;

    if (literals == NULL) {
        return;
    }
    literal = literal_at(literals, place);
    if (met) {
        literal->met = true;
    } else if (!literal->differs) {
        literal->differs = true;
        literal->actual =
            actual == NULL ? NULL : talloc_strdup(literals, actual);
    } else if (!same_text(literal->actual, actual)) {
        literal->several = true;
    }
}

void literals_note_number(struct literals *literals, const struct node *place,
    enum nt_type type, enum arch arch, uint64_t number, bool met)
{
    char *text;

    if (literals == NULL) {
        return;
    }
    text = met ? NULL : literal_text(literals, type, arch, number, place);
    literals_note(literals, place, met, text);
    talloc_free(text);
}

static bool is_plain_value(const struct node *node)
{
    return node->kind == NODE_SCALAR && !node->quoted && node->text[0] != '$' &&
           !node_is_word(node, "any") && !node_is_word(node, "unchanged");
}

bool literal_is_list(const struct node *node, const struct actual *actual)
{
    bool plain = node->kind == NODE_SEQUENCE && node->count <= LITERAL_LIST &&
                 nt_type_row(actual->type)->kind != NT_KIND_STRUCT;

    for (size_t i = 0; plain && i < node->count; i++) {
        plain = is_plain_value(node->item[i]);
    }
    return plain;
}

/* Elements are written as the one that stands there, or as the last one is. */
static char *list_text(void *context, const struct node *place,
    const struct actual *actual, enum arch arch)
{
    size_t size = nt_type_row(actual->type)->size;
    char *text = talloc_strdup(context, "[");

    for (size_t i = 0; i < actual->count; i++) {
        size_t last = place->count == 0 ? 0 : place->count - 1;
        const struct node *like =
            place->count == 0 ? place : place->item[i < last ? i : last];
        char *one = literal_text(context, actual->type, arch,
            nt_load(actual->at + i * size, size), like);

        if (one == NULL) {
            talloc_free(text);
            return NULL;
        }
        text = talloc_asprintf_append_buffer(
            text, "%s%s", i == 0 ? "" : ", ", one);
        talloc_free(one);
    }
    return talloc_strdup_append_buffer(text, "]");
}

void literals_note_list(struct literals *literals, const struct node *place,
    const struct actual *actual, enum arch arch, bool met)
{
    char *text = NULL;

    if (literals == NULL) {
        return;
    }
    if (!met && actual->count <= LITERAL_LIST) {
        text = list_text(literals, place, actual, arch);
    }
    literals_note(literals, place, met, text);
    talloc_free(text);
}

static char *number_text(void *context, bool hex, uint64_t number)
{
    return talloc_asprintf(context, hex ? "0x%" PRIX64 : "%" PRIu64, number);
}

/* The name, or the number where it has none. */
static char *named_text(void *context, const char *name, uint64_t number)
{
    return name != NULL ? talloc_strdup(context, name)
                        : number_text(context, true, number);
}

char *literal_text(void *context, enum nt_type type, enum arch arch,
    uint64_t number, const struct node *replaced)
{
    bool hex = replaced->kind == NODE_SCALAR && !replaced->quoted &&
               strncmp(replaced->text, "0x", 2) == 0;

    switch (nt_type_row(type)->kind) {
    case NT_KIND_UNSIGNED:
    case NT_KIND_SIGNED:
        return number_text(context, hex, number);
    case NT_KIND_HEX:
        return number_text(context, true, number);
    case NT_KIND_BOOLEAN:
        return number > 1
                   ? number_text(context, true, number)
                   : talloc_strdup(context, number == 0 ? "false" : "true");
    case NT_KIND_IRQL:
        return named_text(
            context, irql_level_name(arch, (uint8_t)number), number);
    case NT_KIND_STATUS:
        return named_text(context, nt_status_name((uint32_t)number), number);
    case NT_KIND_ENUM:
        return named_text(
            context, nt_enumerator_name(type, (uint32_t)number), number);
    case NT_KIND_HANDLE:
    case NT_KIND_POINTER:
    case NT_KIND_CALLBACK:
        return number == 0 ? talloc_strdup(context, "null") : NULL;
    case NT_KIND_STRUCT:
    case NT_KIND_NONE:
        break;
    }
    return NULL;
}

/* A figure: -12.5. */
static bool is_figure(const char *text)
{
    const char *digits = "0123456789";
    const char *at = text + (text[0] == '-');
    size_t whole = strspn(at, digits);

    at += whole;
    if (*at == '.') {
        at += 1 + strspn(at + 1, digits);
        return whole > 0 && *at == '\0' && at[-1] != '.';
    }
    return whole > 0 && *at == '\0';
}

bool literal_is_text(const char *text)
{
    size_t length = strlen(text);
    size_t last = length - 1;
    const char *at = text + 1;

    if (length == 0 || length > LITERAL_TEXT_BYTES) {
        return false;
    }
    if (text[0] != '[') {
        return strspn(text, LETTERS_NAME) == length || is_figure(text);
    }
    /* [], or words with ", " between them. */
    while (strspn(at, LETTERS_NAME) > 0) {
        at += strspn(at, LETTERS_NAME);
        if (strncmp(at, ", ", 2) != 0) {
            break;
        }
        at += 2;
        if (strspn(at, LETTERS_NAME) == 0) {
            return false;
        }
    }
    return at == text + last && *at == ']';
}
