/* github_text.h - text as workflow commands of GitHub Actions take it: whatever
 * is in it, the command ends where its line does. */
#ifndef RUNNER_TEXT_GITHUB_TEXT_H
#define RUNNER_TEXT_GITHUB_TEXT_H

#include <stdio.h>

/* What stands behind a command's last ::, which keeps ends of lines. */
void github_text_data(const char *text, FILE *out);

/* The value of a property, such as file= or title=, without ends of lines. */
void github_text_property(const char *text, FILE *out);

#endif
