/* shell_word.h - a text as one word of a command that a shell reads. */
#ifndef RUNNER_TEXT_SHELL_WORD_H
#define RUNNER_TEXT_SHELL_WORD_H

#include <stdio.h>

/* As it is where nothing in it is special, else in single quotes; what cannot
 * be seen, and bytes that are no UTF-8, by their numbers in $'...', which
 * shells know since POSIX 2024, bash and zsh for long. */
void shell_word_print(const char *text, FILE *out);

/* The same, in quotes also where none are needed. */
void shell_word_print_quoted(const char *text, FILE *out);

#endif
