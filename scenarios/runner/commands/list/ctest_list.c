/* ctest_list.c - ntpmu list --format ctest: instances as tests of CTest, in
 * bracket arguments, which take every id and path. */
#include "scenarios/runner/commands/list/ctest_list.h"

#include <string.h>
#include <talloc.h>

/* No last results: each test would leave those of its own instance, where a
 * person's run looks for all of them. */
static void print_tags(const struct outline *scenario, FILE *out)
{
    fprintf(out, "set_tests_properties(\"${name}\" PROPERTIES TIMEOUT 60 "
                 "SKIP_RETURN_CODE 77 "
                 "ENVIRONMENT XDG_CACHE_HOME=/dev/null LABELS \"scenario");
    for (size_t i = 0; i < scenario->tag_count; i++) {
        fprintf(out, ";%s", scenario->tag[i]);
    }
    fprintf(out, "\")\n");
}

/* In a bracket argument that the text does not end before its end: its own end
 * and the first bracket behind it count as text. */
static void print_bracket(const char *text, FILE *out)
{
    char *inside = talloc_asprintf(NULL, "%s]", text);
    char *close = talloc_strdup(inside, "]==]");

    while (strstr(inside, close) != NULL) {
        close[strlen(close) - 1] = '=';
        close = talloc_strdup_append(close, "]");
    }
    fprintf(out, "[%.*s[%s%s", (int)strlen(close) - 2, close + 1, text, close);
    talloc_free(inside);
}

static void print_name(const char *kind, const char *text, FILE *out)
{
    fprintf(out, "string(CONCAT name \"${NTPMU_PREFIX}%s\" ", kind);
    print_bracket(text, out);
    fputs(")\nadd_test(\"${name}\" \"${NTPMU_PROGRAM}\" ", out);
}

void ctest_list(const struct suite *suite, FILE *out)
{
    for (size_t i = 0; i < suite->instances->count; i++) {
        const struct instance *instance = &suite->instances->item[i];

        print_name("", instance->id, out);
        fputs("run ${NTPMU_OPTIONS} ", out);
        print_bracket(instance->outline->source->path, out);
        fputs(" --id ", out);
        print_bracket(instance->id, out);
        fputs(")\n", out);
        print_tags(instance->outline, out);
    }
    for (size_t i = 0; i < suite->broken_count; i++) {
        print_name("invalid ", suite->broken[i], out);
        fputs("validate ", out);
        print_bracket(suite->broken[i], out);
        fputs(")\n", out);
    }
}
