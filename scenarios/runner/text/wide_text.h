/* wide_text.h - text of a scenario as the kernel has text: UTF-16. */
#ifndef RUNNER_TEXT_WIDE_TEXT_H
#define RUNNER_TEXT_WIDE_TEXT_H

#include "api/pcw/text.h"

/* UTF-16 of right UTF-8; child of `context`. */
struct pcw_text wide_text(void *context, const char *utf8);

/* A copy; child of `context`. */
struct pcw_text wide_text_copy(void *context, struct pcw_text text);

/* In UTF-8; child of `context`. */
char *wide_text_utf8(void *context, struct pcw_text text);

#endif
