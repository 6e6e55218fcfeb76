/* coverage_print.c - an account of coverage printed: tables and lists that are
 * read at 80 columns, or JSON, an object a requirement. */
#include "scenarios/runner/commands/coverage/coverage_print.h"

#include <string.h>
#include <talloc.h>

#include "api/text/utf8.h"
#include "scenarios/runner/text/json_out.h"
#include "scenarios/runner/text/text_width.h"

enum {
    COLUMNS = 80,
    CELL = 6,    /* columns of a place: an architecture's name and a blank */
    LISTED = 10, /* requirements of a long list */
};

/* What is printed, and how wide its first column is. */
struct coverage_text {
    const struct coverage *coverage;
    struct coverage_family *family;
    size_t family_count;
    int family_width, id_width;
    FILE *out;
};

static int wider(int width, const char *text)
{
    int length = (int)strlen(text);

    return length > width ? length : width;
}

/* None is a dot, so that the others are seen. */
static void print_number(size_t number, int width, FILE *out)
{
    if (number == 0) {
        fprintf(out, "%*s", width, ".");
    } else {
        fprintf(out, "%*zu", width, number);
    }
}

static void print_share(unsigned share, int width, FILE *out)
{
    fprintf(out, "%*u.%u%%", width, share / 10, share % 10);
}

static void print_totals(const struct coverage_text *text)
{
    size_t counts[COVERAGE_STATUS_COUNT];

    coverage_count(
        text->coverage, 0, text->coverage->requirements->count, counts);
    fprintf(text->out, "requirements: %zu, tested ",
        text->coverage->requirements->count);
    print_share(coverage_share(counts), 1, text->out);
    fprintf(text->out, " of the %zu that can be, proven ",
        coverage_testable(counts));
    print_share(coverage_share_proven(counts), 1, text->out);
    coverage_count_documented(text->coverage, counts);
    fprintf(text->out, "\nin documents and headers: %zu that can be, proven ",
        coverage_testable(counts));
    print_share(coverage_share_proven(counts), 1, text->out);
    fputc('\n', text->out);
}

/* One row; the word's own length is the width of a column. */
static void print_counts(const struct coverage_text *text, const char *name,
    size_t first, size_t end)
{
    size_t counts[COVERAGE_STATUS_COUNT];

    coverage_count(text->coverage, first, end, counts);
    fprintf(text->out, "%-*s", text->family_width, name);
    for (unsigned i = 0; i < COVERAGE_STATUS_COUNT; i++) {
        print_number(
            counts[i], 1 + (int)strlen(coverage_status_word(i)), text->out);
    }
    fputs("  ", text->out);
    if (counts[COVERAGE_UNTESTABLE] == end - first) {
        fputs("     -", text->out);
    } else {
        print_share(coverage_share(counts), 3, text->out);
    }
    fputc('\n', text->out);
}

static void print_families(const struct coverage_text *text)
{
    fprintf(text->out, "\n%-*s", text->family_width, "family");
    for (unsigned i = 0; i < COVERAGE_STATUS_COUNT; i++) {
        fprintf(text->out, " %s", coverage_status_word(i));
    }
    fputc('\n', text->out);
    for (size_t i = 0; i < text->family_count; i++) {
        const struct coverage_family *family = &text->family[i];

        print_counts(text, family->name, family->first, family->end);
    }
    print_counts(text, "all", 0, text->coverage->requirements->count);
}

/* Columns that the places of a Windows version take. */
static int os_width(const struct coverage *coverage, enum os os)
{
    int width = 0;

    for (unsigned arch = 0; arch < ARCH_COUNT; arch++) {
        width += coverage->ran[os][arch] ? CELL : 0;
    }
    /* Its name stands above them, behind a blank. */
    return width == 0 ? 0 : wider(width - 1, os_rows[os].name) + 1;
}

static bool is_tested_by(enum coverage_status status)
{
    return status == COVERAGE_PROVEN || status == COVERAGE_CITED;
}

/* An expectation was met there that could have failed; what a unit test has
 * proven is tested nowhere. */
static bool is_tested_on(
    const struct coverage *coverage, size_t number, enum os os, enum arch arch)
{
    return coverage_is_cited_on(coverage, number, os, arch) &&
           is_tested_by(coverage_status_on(coverage, number, os, arch));
}

static size_t count_tested_on(const struct coverage *coverage,
    const struct coverage_family *family, enum os os, enum arch arch)
{
    size_t tested = 0;

    for (size_t i = family->first; i < family->end; i++) {
        tested += is_tested_on(coverage, i, os, arch);
    }
    return tested;
}

/* A row's cells of one version, the last at its right edge; of the head
 * (`family` NULL) the architectures' names. */
static void print_cells(const struct coverage_text *text,
    const struct coverage_family *family, enum os os)
{
    const struct coverage *coverage = text->coverage;
    int left = os_width(coverage, os);

    for (unsigned arch = 0; arch < ARCH_COUNT; arch++) {
        left -= coverage->ran[os][arch] ? CELL : 0;
    }
    fprintf(text->out, "%*s", left, "");
    for (unsigned arch = 0; arch < ARCH_COUNT; arch++) {
        if (!coverage->ran[os][arch]) {
            continue;
        }
        if (family == NULL) {
            fprintf(text->out, "%*s", CELL, arch_rows[arch].name);
        } else {
            print_number(
                count_tested_on(coverage, family, os, arch), CELL, text->out);
        }
    }
}

static bool is_tested_somewhere(const struct coverage *coverage, size_t number)
{
    for (unsigned os = 0; os < OS_COUNT; os++) {
        for (unsigned arch = 0; arch < ARCH_COUNT; arch++) {
            if (is_tested_on(coverage, number, os, arch)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_tested(
    const struct coverage *coverage, const struct coverage_family *family)
{
    for (size_t i = family->first; i < family->end; i++) {
        if (is_tested_by(coverage_status(coverage, i)) &&
            is_tested_somewhere(coverage, i)) {
            return true;
        }
    }
    return false;
}

/* The versions from `first` on, before `end`, side by side. */
static void print_block(
    const struct coverage_text *text, unsigned first, unsigned end)
{
    fprintf(text->out, "\n%-*s", text->family_width, "tested on");
    for (unsigned os = first; os < end; os++) {
        if (os_width(text->coverage, os) > 0) {
            fprintf(text->out, "%*s", os_width(text->coverage, os),
                os_rows[os].name);
        }
    }
    fprintf(text->out, "\n%-*s", text->family_width, "");
    for (unsigned os = first; os < end; os++) {
        print_cells(text, NULL, os);
    }
    fputc('\n', text->out);
    for (size_t i = 0; i < text->family_count; i++) {
        if (!is_tested(text->coverage, &text->family[i])) {
            continue;
        }
        fprintf(text->out, "%-*s", text->family_width, text->family[i].name);
        for (unsigned os = first; os < end; os++) {
            print_cells(text, &text->family[i], os);
        }
        fputc('\n', text->out);
    }
}

/* As many versions side by side as a line takes. */
static void print_places(const struct coverage_text *text)
{
    unsigned first = 0;

    while (first < OS_COUNT) {
        unsigned end = first;
        int width = text->family_width;

        while (end < OS_COUNT &&
               (end == first ||
                   width + os_width(text->coverage, end) <= COLUMNS)) {
            width += os_width(text->coverage, end);
            end++;
        }
        if (width > text->family_width) {
            print_block(text, first, end);
        }
        first = end;
    }
}

/* What a list says of a requirement with this status. */
static const char *words_of(
    const struct requirement *requirement, enum coverage_status status)
{
    if (status == COVERAGE_UNIT) {
        return requirement->unit;
    }
    if (status == COVERAGE_UNTESTED && requirement->awaits != NULL) {
        return requirement->awaits;
    }
    return status == COVERAGE_UNTESTABLE ? requirement->untestable
                                         : requirement->text;
}

/* Its text, its unit test, or why it cannot be tested or not yet, on one line,
 * cut where that ends. */
static void print_requirement(const struct coverage_text *text,
    const struct requirement *requirement, enum coverage_status status)
{
    const char *words = words_of(requirement, status);
    size_t room = (size_t)(COLUMNS - text->id_width - 4);
    size_t length = utf8_bytes(words, strlen(words), room);
    const char *cut = "";

    if (words[length] != '\0') {
        length = utf8_bytes(words, strlen(words), room - 3);
        cut = "...";
    }
    fprintf(text->out, "  %-*s  ", text->id_width, requirement->id);
    text_width_print(words, length, text->out);
    fprintf(text->out, "%s\n", cut);
}

/* Those that await what is not modelled yet, or those that do not. */
static void print_list_of(const struct coverage_text *text, const char *head,
    enum coverage_status status, bool awaiting, size_t listed)
{
    const struct requirements *requirements = text->coverage->requirements;
    size_t count = 0;

    for (size_t i = 0; i < requirements->count; i++) {
        if (coverage_status(text->coverage, i) != status ||
            (status == COVERAGE_UNTESTED &&
                (requirement_at(requirements, i)->awaits != NULL) !=
                    awaiting)) {
            continue;
        }
        if (count == 0) {
            fprintf(text->out, "\n%s:\n", head);
        }
        if (count++ < listed) {
            print_requirement(text, requirement_at(requirements, i), status);
        }
    }
    if (count > listed) {
        fprintf(text->out, "  and %zu more, which --verbose lists\n",
            count - listed);
    }
}

static void print_list(const struct coverage_text *text,
    enum coverage_status status, size_t listed)
{
    print_list_of(text, coverage_status_word(status), status, false, listed);
}

void coverage_print_text(
    const struct coverage *coverage, bool verbose, FILE *out)
{
    const struct requirements *requirements = coverage->requirements;
    size_t listed = verbose ? requirements->count : LISTED;
    struct coverage_text text = {.coverage = coverage,
        .family_width = (int)strlen("tested on"),
        .out = out};

    text.family = coverage_families(NULL, coverage, &text.family_count);
    for (size_t i = 0; i < text.family_count; i++) {
        text.family_width = wider(text.family_width, text.family[i].name);
    }
    for (size_t i = 0; i < requirements->count; i++) {
        text.id_width =
            wider(text.id_width, requirement_at(requirements, i)->id);
    }
    print_totals(&text);
    print_families(&text);
    print_places(&text);
    print_list(&text, COVERAGE_FAILING, requirements->count);
    print_list(&text, COVERAGE_HOLLOW, requirements->count);
    print_list(&text, COVERAGE_XFAIL, listed);
    print_list(&text, COVERAGE_UNTESTED, listed);
    print_list_of(&text, "untested until that is modelled", COVERAGE_UNTESTED,
        true, listed);
    if (verbose) {
        print_list(&text, COVERAGE_CITED, listed);
        print_list(&text, COVERAGE_UNIT, listed);
        print_list(&text, COVERAGE_UNTESTABLE, listed);
    }
    talloc_free(text.family);
}

static void print_json_places(
    struct json_out *json, const struct coverage *coverage, size_t number)
{
    json_out_object(json, "on");
    for (unsigned os = 0; os < OS_COUNT; os++) {
        for (unsigned arch = 0; arch < ARCH_COUNT; arch++) {
            char *place;

            if (!coverage_is_cited_on(coverage, number, os, arch)) {
                continue;
            }
            place = talloc_asprintf(
                NULL, "%s/%s", os_rows[os].name, arch_rows[arch].name);
            json_out_string(json, place,
                coverage_status_word(
                    coverage_status_on(coverage, number, os, arch)));
            talloc_free(place);
        }
    }
    json_out_object_end(json);
}

static void print_json_same(
    struct json_out *json, const struct requirement *requirement)
{
    json_out_array(json, "same");
    for (size_t i = 0; requirement->same[i] != NULL; i++) {
        json_out_string(json, NULL, requirement->same[i]);
    }
    json_out_array_end(json);
}

static void print_json_requirement(
    struct json_out *json, const struct coverage *coverage, size_t number)
{
    const struct requirement *requirement =
        requirement_at(coverage->requirements, number);
    const char tag[] = {requirement->tag, '\0'};
    char *family = requirement_family(NULL, requirement->id);

    json_out_object(json, NULL);
    json_out_string(json, "id", requirement->id);
    json_out_string(json, "family", family);
    json_out_string(json, "tag", tag);
    json_out_string(json, "status",
        coverage_status_word(coverage_status(coverage, number)));
    if (requirement->untestable != NULL) {
        json_out_string(json, "untestable", requirement->untestable);
    }
    if (requirement->awaits != NULL) {
        json_out_string(json, "awaits", requirement->awaits);
    }
    if (requirement->unit != NULL) {
        json_out_string(json, "unit", requirement->unit);
    }
    if (requirement->same[0] != NULL) {
        print_json_same(json, requirement);
    }
    print_json_places(json, coverage, number);
    json_out_object_end(json);
    talloc_free(family);
}

void coverage_print_json(const struct coverage *coverage, FILE *out)
{
    struct json_out json = {.out = out};

    json_out_array(&json, NULL);
    for (size_t i = 0; i < coverage->requirements->count; i++) {
        print_json_requirement(&json, coverage, i);
    }
    json_out_array_end(&json);
}
