/* code_page.h - the system's ANSI code page: 1252 (RTL-04d [C]). */
#ifndef API_RTL_CODE_PAGE_H
#define API_RTL_CODE_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"
#include "api/rtl/units.h"

/* The character of a byte, and the byte of a character; '?' where there is
 * none. The upper-case letter of a byte, if the page has it. */
uint16_t code_page_wide(uint8_t c);
uint8_t code_page_narrow(uint16_t c);
uint8_t code_page_upper(uint8_t c);

/* What is done with each character on its way. */
enum code_page_case { CASE_KEPT, CASE_UPPER, CASE_LOWER };

struct code_page_copy {
    enum routine routine;
    void *to; /* a driver's, as `from` is */
    enum unit to_unit;
    const void *from;
    enum unit from_unit;
    size_t length; /* characters */
    enum code_page_case fold;
};

/* Copies characters from a driver's memory to another place of it. It may
 * raise, before it has written anything. */
void code_page_copy(struct kernel *kernel, const struct code_page_copy *copy);

#endif
