/* described_sets.c - a list. */
#include "scenarios/runner/commands/counters/described_sets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/guid_text.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/counters/manifest_file.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/text/visible_text.h"

static void add(struct counter_manifests *manifests, void *context,
    const struct described *described)
{
    manifests->item = talloc_realloc(context, manifests->item, struct described,
        (unsigned)manifests->count + 1);
    assert(manifests->item != NULL);
    manifests->item[manifests->count++] = *described;
}

/* The file could be read. */
static const char *resolve(void *context, const char *path)
{
    char *resolved = realpath(path, NULL);
    const char *copy =
        talloc_strdup(context, resolved == NULL ? path : resolved);

    assert(copy != NULL);
    free(resolved);
    return copy;
}

enum exit_code counter_manifests_read(struct counter_manifests *manifests,
    void *context, const struct options *options, FILE *errors)
{
    const struct rulings rulings = rulings_default();
    enum exit_code code = EXIT_OK;

    *manifests = (struct counter_manifests){.item = NULL};
    for (size_t i = 0; i < options->manifest.count; i++) {
        struct manifest_file file;
        bool right = manifest_file_open(
            context, &file, options->manifest.item[i], errors);

        if (right) {
            manifest_file_read(context, &file, NULL, &rulings);
            /* Warnings are the manifest's author's. */
            right = file.problems->errors == 0 ||
                    manifest_file_report(&file, errors);
        }
        if (right) {
            add(manifests, context,
                &(struct described){.path = file.path,
                    .resolved = resolve(context, file.path),
                    .manifest = file.manifest,
                    .asked = true});
        } else {
            code = EXIT_INVALID;
        }
    }
    return code;
}

/* Says what the sets of two manifests share. Returns whether it is nothing. */
static bool are_sets_apart(const struct described *one,
    const struct manifest_set *set, const struct described *other,
    const struct manifest_set *other_set, FILE *errors)
{
    struct code_out guid;

    switch (counter_names_share(set, other_set)) {
    case COUNTER_NAMES_APART:
        return true;
    case COUNTER_NAMES_SHARE_NAME:
        fprintf(errors,
            "ntpmu: counter set '%s' is in '%s' and in '%s'\n"
            "       leave one of them out\n",
            visible_name(counter_names_call(set)), visible_name(one->path),
            visible_name(other->path));
        return false;
    case COUNTER_NAMES_SHARE_GUID:
        break;
    }
    guid = code_out_new(NULL);
    guid_add(&guid, &set->guid);
    fprintf(errors,
        "ntpmu: counter sets '%s' in '%s' and '%s' in '%s' have the same guid "
        "%s\n"
        "       give one of the two a new guid\n",
        visible_name(counter_names_call(set)), visible_name(one->path),
        visible_name(counter_names_call(other_set)), visible_name(other->path),
        guid.text);
    talloc_free(guid.text);
    return false;
}

/* Returns whether the two have no set in common. */
static bool are_apart(
    const struct described *one, const struct described *other, FILE *errors)
{
    bool apart = true;

    if (strcmp(one->resolved, other->resolved) == 0) {
        fprintf(errors,
            other->asked ? "ntpmu: manifest '%s' is given twice\n"
                           "       keep one of the two\n"
                         : "ntpmu: the scenario names manifest '%s' already\n"
                           "       leave --manifest out\n",
            visible_name(one->path));
        return false;
    }
    for (size_t i = 0; i < one->manifest->set_count; i++) {
        for (size_t k = 0; k < other->manifest->set_count; k++) {
            apart &= are_sets_apart(one, &one->manifest->set[i], other,
                &other->manifest->set[k], errors);
        }
    }
    return apart;
}

bool counter_manifests_add(struct counter_manifests *manifests, void *context,
    const struct scenario *scenario, FILE *errors)
{
    bool apart = true;

    for (size_t i = 0; i < scenario->manifests.count; i++) {
        add(manifests, context,
            &(struct described){.path = scenario->manifests.item[i].name->text,
                .resolved = scenario->manifests.item[i].path,
                .manifest = scenario->manifests.item[i].manifest});
    }
    for (size_t i = 0; i < manifests->count; i++) {
        for (size_t k = i + 1; k < manifests->count; k++) {
            /* Those that the scenario alone has were compared before. */
            if (manifests->item[i].asked || manifests->item[k].asked) {
                apart &=
                    are_apart(&manifests->item[i], &manifests->item[k], errors);
            }
        }
    }
    return apart;
}

const struct manifest_set *counter_manifests_find(
    struct counter_manifests *manifests, const char *name)
{
    for (size_t i = 0; i < manifests->count; i++) {
        const struct manifest_set *set =
            counter_names_registered(manifests->item[i].manifest, name);

        if (set != NULL) {
            manifests->item[i].used = true;
            return set;
        }
    }
    return NULL;
}

size_t counter_manifests_single(const struct counter_manifests *manifests,
    void *context, const char *const **name)
{
    const char **list = talloc_array(context, const char *, 0);
    size_t count = 0;

    for (size_t i = 0; i < manifests->count; i++) {
        const struct manifest *manifest = manifests->item[i].manifest;

        for (size_t k = 0; k < manifest->set_count; k++) {
            const struct manifest_set *set = &manifest->set[k];

            if (set->instances == MANIFEST_SINGLE && set->name != NULL) {
                list = talloc_realloc(
                    context, list, const char *, (unsigned)(count + 1));
                assert(list != NULL);
                list[count++] = set->name;
            }
        }
    }
    *name = list;
    return count;
}

static bool is_name(const struct counter_manifests *manifests, const char *word)
{
    bool found = false;

    for (size_t i = 0; i < manifests->count && !found; i++) {
        found = counter_names_registered(manifests->item[i].manifest, word);
    }
    return found;
}

size_t counter_manifests_names(const struct counter_manifests *manifests,
    const char *word, const char **name)
{
    size_t count = 0;

    name[count++] = word;
    for (size_t i = 0; i < manifests->count && !is_name(manifests, word); i++) {
        const struct manifest_set *set =
            counter_names_symbol(manifests->item[i].manifest, word);

        if (set != NULL && set->name != NULL) {
            name[count++] = set->name;
        }
    }
    return count;
}

bool counter_manifests_means(const struct counter_manifests *manifests,
    const char *word, const char *registered)
{
    const char **name =
        talloc_array(NULL, const char *, (unsigned)manifests->count + 1);
    size_t count;
    bool means = false;

    assert(name != NULL);
    count = counter_manifests_names(manifests, word, name);
    for (size_t i = 0; i < count; i++) {
        means |= counter_names_equal(name[i], registered);
    }
    talloc_free(name);
    return means;
}

bool counter_manifests_check_use(
    const struct counter_manifests *manifests, FILE *errors)
{
    bool used = true;

    for (size_t i = 0; i < manifests->count; i++) {
        const struct described *described = &manifests->item[i];
        const struct manifest *manifest = described->manifest;

        if (!described->asked || described->used) {
            continue;
        }
        used = false;
        fprintf(errors, "ntpmu: no counter set of '%s' appeared",
            visible_name(described->path));
        for (size_t k = 0; k < manifest->set_count; k++) {
            const struct manifest_set *set = &manifest->set[k];

            fprintf(errors, "%s'%s'", k == 0 ? ": " : ", ",
                visible_name(counter_names_call(set)));
        }
        fputc('\n', errors);
    }
    return used;
}
