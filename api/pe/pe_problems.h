/* pe_problems.h - why an image cannot be loaded: everything that was found. */
#ifndef API_PE_PE_PROBLEMS_H
#define API_PE_PE_PROBLEMS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct pe_problem {
    uint32_t offset; /* in the file; 0: nowhere in particular */
    char *text;
};

/* All that is wrong, in the order in which it was found. Begins zeroed; one
 * that is empty holds no memory. */
struct pe_problems {
    struct pe_problem *item;
    size_t count, capacity;
};

/* The list is empty then. */
void pe_problems_release(struct pe_problems *problems);

__attribute__((format(printf, 3, 4))) void pe_problem(
    struct pe_problems *problems, uint32_t offset, const char *format, ...);

__attribute__((format(printf, 3, 0))) void pe_problem_list(
    struct pe_problems *problems, uint32_t offset, const char *format,
    va_list arguments);

#endif
