/* manifest_scene.h - a manifest in memory, what was read of it, and its
 * problems as a text of codes and places. Who includes it defines
 * _POSIX_C_SOURCE. */
#ifndef TESTS_API_CTRPP_MANIFEST_SCENE_H
#define TESTS_API_CTRPP_MANIFEST_SCENE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/manifest.h"
#include "tests/rows.h"

struct manifest_scene {
    void *memory;
    struct manifest_problems *problems;
    struct manifest *manifest;
};

static inline void scene_read(
    struct manifest_scene *scene, const char *text, size_t size)
{
    const struct rulings rulings = rulings_default();
    char *exact = malloc(size + (size == 0)); /* reading past it is seen */

    scene->memory = talloc_new(NULL);
    scene->problems = manifest_problems_new(scene->memory);
    assert_non_null(exact);
    memcpy(exact, text, size);
    scene->manifest =
        manifest_read(scene->memory, exact, size, &rulings, scene->problems);
    free(exact);
    assert_int_equal(scene->manifest == NULL, scene->problems->errors > 0);
}

static inline void scene_release(struct manifest_scene *scene)
{
    talloc_free(scene->memory);
}

/* "CTR104@4:8 CTR201@5:9"; "" when there are none. */
static inline char *scene_problems(const struct manifest_scene *scene)
{
    char *text = talloc_strdup(scene->memory, "");

    for (size_t i = 0; i < scene->problems->count; i++) {
        const struct manifest_problem *problem = &scene->problems->item[i];

        text = talloc_asprintf_append_buffer(text, "%s%s@%u:%u",
            i == 0 ? "" : " ", manifest_problem_rows[problem->code].code,
            (unsigned)problem->place.line, (unsigned)problem->place.column);
    }
    return text;
}

/* The text with the first `old` made `new`, child of the context. */
static inline char *text_with(
    void *context, const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);

    assert_non_null(at);
    return talloc_asprintf(
        context, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
}

#endif
