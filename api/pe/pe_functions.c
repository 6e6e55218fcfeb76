/* pe_functions.c - the function table of an image (.pdata) and its unwind
 * information, as in Microsoft's "x64 exception handling". */
#include <assert.h>
#include <stdlib.h>

#include "api/pe/pe_reader.h"

enum {
    ROW_SIZE = 12,
    CHAIN_MAX = 32, /* parts of one function */
    UNWIND_CHAINED = 4,
};

/* One UNWIND_INFO. */
struct unwind {
    const uint8_t *bytes;
    uint32_t size, flags;
    const uint8_t *tail; /* the handler's rva, or the row it goes on with */
};

/* Returns what is wrong with it, or NULL. */
static const char *find_unwind(
    const struct pe *pe, uint32_t rva, struct unwind *unwind)
{
    uint32_t version, tail = 0;

    unwind->bytes = pe_at_rva(pe, rva, 4);
    if (rva % 4 != 0 || unwind->bytes == NULL) {
        return "is not aligned to 4 or not in the file";
    }
    version = unwind->bytes[0] & 7;
    unwind->flags = unwind->bytes[0] >> 3;
    if (version != 1 && version != 2) {
        return "is of an unknown version";
    }
    unwind->size = 4 + 2 * ((unwind->bytes[2] + 1U) & ~1U);
    if (unwind->flags == UNWIND_CHAINED) {
        tail = ROW_SIZE;
    } else if ((unwind->flags & ~3U) != 0) {
        return "has flags that exclude each other or are unknown";
    } else if (unwind->flags != 0) {
        tail = 4;
    }
    unwind->tail = unwind->bytes + unwind->size;
    unwind->size += tail;
    assert(unwind->size % 4 == 0); /* so that it goes on aligned */
    if (pe_at_rva(pe, rva, unwind->size) == NULL) {
        return "goes beyond its section";
    }
    return NULL;
}

/* Follows a chain to its end. Returns what is wrong with it, or NULL. */
static const char *check_unwind(struct pe_reader *reader, uint32_t rva)
{
    const struct pe *pe = reader->pe;

    for (unsigned i = 0; i < CHAIN_MAX; i++) {
        struct unwind unwind;
        const char *wrong = find_unwind(pe, rva, &unwind);

        if (wrong != NULL) {
            return wrong;
        }
        if (i == 0) {
            pe_add_data(reader, rva, unwind.size);
        }
        if (unwind.flags != UNWIND_CHAINED) {
            return unwind.flags == 0 || pe_is_code(pe, pe_u32(unwind.tail), 1)
                       ? NULL
                       : "has a handler outside of code";
        }
        if (pe_u32(unwind.tail) >= pe_u32(unwind.tail + 4) ||
            !pe_is_code(pe, pe_u32(unwind.tail),
                (uint64_t)pe_u32(unwind.tail + 4) - pe_u32(unwind.tail))) {
            return "is chained to something outside of code";
        }
        rva = pe_u32(unwind.tail + 8);
    }
    return "is chained more than 32 times";
}

/* Returns false when the rest of the table is not worth reading. */
static bool check_function(struct pe_reader *reader, uint32_t at,
    const struct image_function *function, uint32_t least)
{
    const char *wrong;

    if (function->begin >= function->end ||
        !pe_is_code(
            reader->pe, function->begin, function->end - function->begin)) {
        pe_wrong(reader, at,
            "the function table has 0x%x to 0x%x, which is not in an "
            "executable section",
            function->begin, function->end);
        return false;
    }
    if (function->begin < least) {
        pe_wrong(reader, at,
            "the function table is not sorted: 0x%x follows one that ends at "
            "0x%x",
            function->begin, least);
        return false;
    }
    wrong = check_unwind(reader, function->unwind);
    if (wrong != NULL) {
        pe_wrong(reader, at + 8, "the unwind information of 0x%x, at 0x%x, %s",
            function->begin, function->unwind, wrong);
    }
    return true;
}

void pe_read_functions(struct pe_reader *reader)
{
    const struct pe_directory *entry =
        &reader->directory[PE_DIRECTORY_EXCEPTION];
    struct pe *pe = reader->pe;
    const uint8_t *row = pe_at_rva(pe, entry->rva, entry->size);
    size_t count = entry->size / ROW_SIZE;
    uint32_t least = 0;

    if (entry->rva == 0 || entry->size == 0) {
        return;
    }
    if (row == NULL || entry->size % ROW_SIZE != 0) {
        pe_wrong(reader, entry->offset,
            "the function table (0x%x bytes at 0x%x) is not in the file or not "
            "made of rows of 12 bytes",
            entry->size, entry->rva);
        return;
    }
    assert(pe->function == NULL && pe->function_count == 0);
    pe->function_rva = entry->rva;
    pe->function = calloc(count, sizeof(*pe->function));
    assert(pe->function != NULL);
    for (size_t i = 0; i < count; i++, row += ROW_SIZE) {
        struct image_function *function = &pe->function[i];

        *function = (struct image_function){
            pe_u32(row), pe_u32(row + 4), pe_u32(row + 8)};
        if (!check_function(reader, pe_offset_of(pe, row), function, least)) {
            return;
        }
        least = function->end;
        pe->function_count++;
    }
}
