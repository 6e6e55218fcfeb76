/* pe_problems.c - what is wrong with an image: a list of messages, whole
 * however many there are and however long they get. */
#include "api/pe/pe_problems.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/pe/pe_reader.h"

void pe_problems_release(struct pe_problems *problems)
{
    for (size_t i = 0; i < problems->count; i++) {
        free(problems->item[i].text);
    }
    free(problems->item);
    *problems = (struct pe_problems){0};
}

__attribute__((format(printf, 1, 0))) static char *text_of(
    const char *format, va_list arguments)
{
    va_list again;
    char *text;
    int length;

    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    assert(length > 0);
    text = malloc((size_t)length + 1);
    assert(text != NULL);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

void pe_problem_list(struct pe_problems *problems, uint32_t offset,
    const char *format, va_list arguments)
{
    problems->item = pe_grow(problems->item, problems->count,
        &problems->capacity, sizeof(*problems->item));
    problems->item[problems->count++] =
        (struct pe_problem){offset, text_of(format, arguments)};
}

void pe_problem(
    struct pe_problems *problems, uint32_t offset, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    pe_problem_list(problems, offset, format, arguments);
    va_end(arguments);
}
