/* symbols.c - names of functions by address: a sorted table. */
#include "api/pe/symbols.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct symbol *symbols_grow(struct symbols *symbols)
{
    assert(symbols->count <= symbols->capacity);
    if (symbols->count == symbols->capacity) {
        symbols->capacity = symbols->capacity == 0 ? 64 : 2 * symbols->capacity;
        symbols->item =
            realloc(symbols->item, symbols->capacity * sizeof(*symbols->item));
        assert(symbols->item != NULL);
    }
    return &symbols->item[symbols->count++];
}

void symbols_reserve(struct symbols *symbols, size_t count)
{
    if (count > symbols->capacity) {
        symbols->item = realloc(symbols->item, count * sizeof(*symbols->item));
        assert(symbols->item != NULL);
        symbols->capacity = count;
    }
}

void symbols_add(struct symbols *symbols, enum symbol_kind kind, uint32_t rva,
    uint32_t limit, const char *name)
{
    assert(name != NULL && name[0] != '\0');
    assert(kind <= SYMBOL_UNNAMED && rva < limit);
    *symbols_grow(symbols) =
        (struct symbol){.rva = rva, .limit = limit, .name = name, .kind = kind};
}

void symbols_add_short(struct symbols *symbols, enum symbol_kind kind,
    uint32_t rva, uint32_t limit, const char *name)
{
    struct symbol *symbol = symbols_grow(symbols);
    size_t length = strlen(name);

    assert(length > 0 && length < sizeof(symbol->own));
    assert(kind <= SYMBOL_UNNAMED && rva < limit);
    *symbol = (struct symbol){.rva = rva, .limit = limit, .kind = kind};
    memcpy(symbol->own, name, length);
}

static const char *symbol_name(const struct symbol *symbol)
{
    return symbol->name != NULL ? symbol->name : symbol->own;
}

static int symbol_compare(const void *left, const void *right)
{
    const struct symbol *a = left, *b = right;

    if (a->rva != b->rva) {
        return a->rva < b->rva ? -1 : 1;
    }
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    return strcmp(symbol_name(a), symbol_name(b));
}

bool symbols_check(const struct symbols *symbols)
{
    assert(symbols->count <= symbols->capacity);
    for (size_t i = 0; i < symbols->count; i++) {
        const struct symbol *symbol = &symbols->item[i];

        assert(symbol->rva < symbol->limit);
        assert(symbol_name(symbol)[0] != '\0');
        assert(i == 0 || symbol_compare(symbol - 1, symbol) <= 0);
    }
    return true;
}

/* The end of the symbols from `from` on that are in order. */
static size_t run_end(const struct symbols *symbols, size_t from)
{
    size_t end = from + 1;

    while (end < symbols->count &&
           symbol_compare(&symbols->item[end - 1], &symbols->item[end]) <= 0) {
        end++;
    }
    return end;
}

/* Puts the run from `first` and the one from `second` to `end` together where
 * they are. The first is copied, and of it only what the second goes before:
 * linkers write a few names that belong further behind, then all others. */
static void merge_runs(
    struct symbols *symbols, size_t first, size_t second, size_t end)
{
    struct symbol *item = symbols->item, *left;
    size_t right = second, count, taken = 0;

    while (symbol_compare(&item[first], &item[second]) <= 0) {
        first++;
    }
    count = second - first;
    left = malloc(count * sizeof(*left));
    assert(first < second && count > 0 && left != NULL);
    memcpy(left, &item[first], count * sizeof(*left));
    while (taken < count) {
        bool takes_left =
            right == end || symbol_compare(&left[taken], &item[right]) <= 0;

        item[first++] = takes_left ? left[taken++] : item[right++];
    }
    free(left);
}

/* Puts each two runs together. Returns how many are left. */
static size_t merge_all(struct symbols *symbols)
{
    size_t runs = 0;

    for (size_t at = 0; at < symbols->count; runs++) {
        size_t second = run_end(symbols, at), end = second;

        if (second < symbols->count) {
            end = run_end(symbols, second);
            merge_runs(symbols, at, second, end);
        }
        at = end;
    }
    return runs;
}

/* Linkers write them in order but for a few, so there are few runs. */
void symbols_sort(struct symbols *symbols)
{
    size_t runs = symbols->count;

    while (runs > 1) {
        runs = merge_all(symbols);
    }
    assert(symbols_check(symbols));
}

/* The number of symbols below `rva`. */
static size_t symbols_below(const struct symbols *symbols, uint64_t rva)
{
    size_t low = 0, high = symbols->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (symbols->item[middle].rva < rva) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const char *symbols_at(
    const struct symbols *symbols, uint32_t rva, uint32_t *offset)
{
    size_t above = symbols_below(symbols, (uint64_t)rva + 1);
    const struct symbol *symbol;

    if (above == 0) {
        return NULL;
    }
    symbol =
        &symbols->item[symbols_below(symbols, symbols->item[above - 1].rva)];
    if (rva >= symbol->limit) {
        return NULL;
    }
    assert(symbol->rva <= rva);
    *offset = rva - symbol->rva;
    return symbol_name(symbol);
}

bool symbols_find(
    const struct symbols *symbols, const char *name, uint32_t *rva)
{
    const struct symbol *found = NULL;

    for (size_t i = 0; i < symbols->count; i++) {
        const struct symbol *symbol = &symbols->item[i];

        if (strcmp(symbol_name(symbol), name) == 0 &&
            (found == NULL || symbol->kind < found->kind)) {
            found = symbol;
        }
    }
    if (found == NULL) {
        return false;
    }
    *rva = found->rva;
    return true;
}

void symbols_release(struct symbols *symbols)
{
    free(symbols->item);
    *symbols = (struct symbols){0};
}
