/* requirements_text.h - the files of scenarios/requirements/ as the build put
 * them into the program, so that it needs no files of its own. */
#ifndef RUNNER_REQUIREMENTS_TEXT_H
#define RUNNER_REQUIREMENTS_TEXT_H

#include <stddef.h>

struct requirements_text {
    const char *path; /* in the project */
    const char *text;
};

extern const struct requirements_text requirements_texts[];
extern const size_t requirements_text_count;

#endif
