/* layout_comment.h - comments as fmt writes them. */
#ifndef RUNNER_LAYOUT_LAYOUT_COMMENT_H
#define RUNNER_LAYOUT_LAYOUT_COMMENT_H

#include <stddef.h>

/* A comment, from its # to the end of the line: without blanks at its end, a
 * tab made two blanks. Child of `context`. */
char *layout_comment_text(void *context, const char *comment, size_t length);

/* What comes behind a token on its line: the comment of this rest of the line,
 * as far behind as it was but at least one blank; "" when there is none. */
char *layout_comment_behind(void *context, const char *rest, size_t length);

#endif
