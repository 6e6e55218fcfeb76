/* pe_problems.h - why an image cannot be loaded: everything that was found. */
#ifndef API_PE_PE_PROBLEMS_H
#define API_PE_PE_PROBLEMS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum { PE_PROBLEMS = 32, PE_PROBLEM_TEXT = 240 };

struct pe_problem {
    uint32_t offset; /* in the file; 0: nowhere in particular */
    char text[PE_PROBLEM_TEXT];
};

/* All that is wrong, in the order in which it was found; where there is more
 * than fits, the last item says so. */
struct pe_problems {
    struct pe_problem item[PE_PROBLEMS];
    size_t count;
};

__attribute__((format(printf, 3, 4))) void pe_problem(
    struct pe_problems *problems, uint32_t offset, const char *format, ...);

__attribute__((format(printf, 3, 0))) void pe_problem_list(
    struct pe_problems *problems, uint32_t offset, const char *format,
    va_list arguments);

#endif
