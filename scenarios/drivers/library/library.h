/* library.h - what a program asks the driver library for. */
#ifndef LIBRARY_H
#define LIBRARY_H

enum library_wish {
    LIBRARY_SNPRINTF,
    LIBRARY_SNWPRINTF,
    LIBRARY_VSNPRINTF,
    LIBRARY_VSNWPRINTF,
    LIBRARY_SPRINTF,
    LIBRARY_SWPRINTF,
    LIBRARY_VSPRINTF,
    LIBRARY_COUNT_ONLY, /* _snprintf without a buffer */
    LIBRARY_LONG,       /* text of 200 characters, and a field of 300 */
    LIBRARY_FLOAT,      /* what is not supported */
    LIBRARY_NARROW,     /* UTF-16 in bytes */
    LIBRARY_PROCESSORS,
    LIBRARY_ASSERT,
    LIBRARY_ASSERT_CAUGHT,
    LIBRARY_UNWIND,
    LIBRARY_UNWIND_NOWHERE,
    LIBRARY_FLOAT_PAIR,
    LIBRARY_FLOAT_LEFT, /* saved, and not restored */
    LIBRARY_REGISTRY,   /* the value Level of its own key */
    LIBRARY_QUERY,      /* the same, and the strings of Names, by a table */
    LIBRARY_WRITE,      /* Level becomes `count`, Note is written, Names go */
    LIBRARY_PROPERTY,   /* asks for property `count` of its own device */
    LIBRARY_BYTES,      /* case `count` of plain_bytes() */
    LIBRARY_PRINT,      /* that of plain_print(), with the level above 8 bits */
    LIBRARY_FORMAT,     /* that of plain_format() */
};

struct library_request {
    unsigned wish;
    unsigned count; /* characters of room */
};

struct library_answer {
    int result;
    unsigned char text[60];
};

#endif
