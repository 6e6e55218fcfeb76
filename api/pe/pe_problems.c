/* pe_problems.c - what is wrong with an image: a list of messages that ends
 * with "and more". */
#include "api/pe/pe_problems.h"

#include <assert.h>
#include <stdio.h>

void pe_problem_list(struct pe_problems *problems, uint32_t offset,
    const char *format, va_list arguments)
{
    struct pe_problem *problem = &problems->item[problems->count];

    assert(problems->count <= PE_PROBLEMS);
    if (problems->count == PE_PROBLEMS) {
        return;
    }
    problem->offset = offset;
    if (problems->count == PE_PROBLEMS - 1) {
        snprintf(problem->text, sizeof(problem->text), "and more");
    } else {
        vsnprintf(problem->text, sizeof(problem->text), format, arguments);
    }
    problems->count++;
}

void pe_problem(
    struct pe_problems *problems, uint32_t offset, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    pe_problem_list(problems, offset, format, arguments);
    va_end(arguments);
}
