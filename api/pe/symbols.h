/* symbols.h - the names of an image's functions, by address and by name.
 * Knows nothing of files or their formats; whoever reads one adds the names. */
#ifndef API_PE_SYMBOLS_H
#define API_PE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a name comes from: of several at one address the first kind wins, and
 * of one kind the name that sorts first. */
enum symbol_kind {
    SYMBOL_EXTERNAL, /* a function that other files of the driver see */
    SYMBOL_STATIC,   /* a function of one file */
    SYMBOL_LABEL,    /* external code that is not marked as a function */
    SYMBOL_EXPORT,
    SYMBOL_UNNAMED, /* from the function table; the name is its address */
};

struct symbol {
    uint32_t rva;
    uint32_t limit;   /* rva of the end of its section */
    const char *name; /* in the image's bytes; NULL: in `own` */
    char own[20];
    enum symbol_kind kind;
};

/* Empty when zeroed. */
struct symbols {
    struct symbol *item;
    size_t count, capacity;
};

/* Is true: ends the process where symbols in order are none. */
bool symbols_check(const struct symbols *symbols);

/* Makes room for as many in all. */
void symbols_reserve(struct symbols *symbols, size_t count);

/* Adds a name that outlives the symbols. */
void symbols_add(struct symbols *symbols, enum symbol_kind kind, uint32_t rva,
    uint32_t limit, const char *name);

/* Adds a name of at most 19 characters, which is copied. */
void symbols_add_short(struct symbols *symbols, enum symbol_kind kind,
    uint32_t rva, uint32_t limit, const char *name);

/* Puts them in order; due after the last addition and before any question. */
void symbols_sort(struct symbols *symbols);

/* The name of the nearest function at or below `rva` in the same section, and
 * how far behind its start `rva` lies. Returns NULL where there is none. The
 * name lives as long as the symbols and the image's bytes. */
const char *symbols_at(
    const struct symbols *symbols, uint32_t rva, uint32_t *offset);

/* Finds a function by its exact name; of several, the first kind and then the
 * lowest address. Returns false when there is none. */
bool symbols_find(
    const struct symbols *symbols, const char *name, uint32_t *rva);

void symbols_release(struct symbols *symbols);

#endif
