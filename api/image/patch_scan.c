/* patch_scan.c - finding the instructions of an image that the host would
 * execute without telling us.
 *
 * A wrong patch changes data, which is worse than a missing one. So a site
 * counts only once the instructions behind it reach a return or a jump, or the
 * end of their .pdata function, without an error; what an unbroken decode from
 * a .pdata function's first byte reaches is certain. Each byte is decoded once,
 * functions first, so sites cannot overlap. */
#include "api/image/patch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/image/byte_marks.h"
#include "api/image/instruction.h"
#include "api/image/instruction_common.h"

enum {
    /* Marks of a byte. */
    MARK_CODE = 1,     /* in an executable section, not excluded as data */
    MARK_FUNCTION = 2, /* in a .pdata function */
    MARK_TARGET = 4,   /* between functions: a branch, an export or the entry */
    MARK_DONE = 8,     /* decoded */

    ALIGNMENT = 16, /* of functions; where decoding goes on after an error */
    TABLE_ENTRY = 4,
    TABLE_SHORTEST = 2, /* entries */
    ZEROS_SHORTEST = 2,
    SITES_AT_FIRST = 64,
    MEMO_ENTRIES = 256,
};

struct scan {
    const struct patch_input *input;
    struct patch *patch;
    struct byte_marks marks;
    struct instruction_memo *memo;
    size_t capacity;
    size_t kept; /* how many sites are past doubt */
    bool full;   /* no memory, or none for another site */
};

/* What is decoded in one go: a function, or an executable section's gaps. */
struct area {
    uint32_t begin, end;
    bool gaps;
    struct patch_range owner; /* whose jump table may come next */
    uint32_t stretch; /* the end of what is known to be open; 0: nothing is */
};

static struct patch_range clip(
    const struct scan *scan, const struct patch_range *range)
{
    uint32_t size = scan->input->image_size;
    struct patch_range clipped = {range->begin, range->end};

    if (clipped.end > size) {
        clipped.end = size;
    }
    if (clipped.begin > clipped.end) {
        clipped.begin = clipped.end;
    }
    return clipped;
}

static void mark_ranges(struct scan *scan, const struct patch_range *ranges,
    size_t count, unsigned marks)
{
    for (size_t i = 0; i < count; i++) {
        struct patch_range range = clip(scan, &ranges[i]);

        byte_marks_add(&scan->marks, range.begin, range.end, marks);
    }
}

static void exclude_data(struct scan *scan)
{
    for (size_t i = 0; i < scan->input->data_count; i++) {
        struct patch_range range = clip(scan, &scan->input->data[i]);

        byte_marks_remove(&scan->marks, range.begin, range.end, MARK_CODE);
    }
}

static bool is_marked(const struct scan *scan, uint32_t at, unsigned mark)
{
    return byte_marks_are(&scan->marks, at, mark, mark);
}

static void mark_target(struct scan *scan, int64_t rva)
{
    if (rva >= 0 && rva < scan->input->image_size &&
        byte_marks_are(&scan->marks, (uint32_t)rva, MARK_CODE | MARK_FUNCTION,
            MARK_CODE)) {
        byte_marks_add(
            &scan->marks, (uint32_t)rva, (uint32_t)rva + 1, MARK_TARGET);
    }
}

/* Whether this area may decode the byte. */
static bool is_open(
    const struct scan *scan, const struct area *area, uint32_t at)
{
    return byte_marks_are(&scan->marks, at, MARK_CODE | MARK_DONE, MARK_CODE) &&
           !(area->gaps && is_marked(scan, at, MARK_FUNCTION));
}

/* Past the bytes of functions that begin at `at`, which own what comes next. */
static uint32_t skip_functions(
    const struct scan *scan, struct area *area, uint32_t at)
{
    bool goes_on = area->owner.end == at && at != area->begin;

    area->owner.begin = goes_on ? area->owner.begin : at;
    area->owner.end = byte_marks_first_other(
        &scan->marks, at, area->end, MARK_FUNCTION, MARK_FUNCTION);
    return area->owner.end;
}

/* Past what this area may not decode. */
static uint32_t skip_closed(
    const struct scan *scan, struct area *area, uint32_t at)
{
    while (at < area->end && !is_open(scan, area, at)) {
        bool function = is_marked(scan, at, MARK_FUNCTION);

        at = area->gaps && function ? skip_functions(scan, area, at) : at + 1;
    }
    return at;
}

static uint32_t entry_at(const struct scan *scan, uint32_t at)
{
    const uint8_t *bytes = scan->input->image + at;

    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* What compilers align a table with: INT3, NOP, 66 NOP and 0F 1F 00. */
static bool is_filler(const uint8_t *bytes, uint32_t count)
{
    static const uint8_t fillers[] = {0xCC, 0x90, 0x66, 0x0F, 0x1F, 0x00};

    for (uint32_t i = 0; i < count; i++) {
        if (memchr(fillers, bytes[i], sizeof(fillers)) == NULL) {
            return false;
        }
    }
    return true;
}

/* Whether an RVA stands there that a table of that function could have. */
static bool is_entry(
    const struct scan *scan, const struct area *area, uint32_t at)
{
    uint32_t entry = entry_at(scan, at);

    return entry >= area->owner.begin && entry < area->owner.end;
}

/* Past a switch's table of RVAs: some compilers put it behind the function.
 * Nearly always there is none, which its first entry tells. */
static uint32_t skip_table(
    const struct scan *scan, const struct area *area, uint32_t at)
{
    uint32_t first = (at + TABLE_ENTRY - 1) / TABLE_ENTRY * TABLE_ENTRY;
    uint32_t next = first;

    if (first > area->end || area->end - first < TABLE_SHORTEST * TABLE_ENTRY ||
        !is_entry(scan, area, first) ||
        !is_filler(scan->input->image + at, first - at)) {
        return at;
    }
    while (area->end - next >= TABLE_ENTRY && is_entry(scan, area, next)) {
        next += TABLE_ENTRY;
    }
    return next - first >= TABLE_SHORTEST * TABLE_ENTRY ? next : at;
}

/* Past CC, 90 and zeros, which are padding between functions; a single zero
 * begins an ADD. */
static uint32_t skip_padding(
    const struct scan *scan, const struct area *area, uint32_t at)
{
    const uint8_t *image = scan->input->image;
    uint32_t from;

    do {
        uint32_t zeros = at;

        from = at;
        while (at < area->end && is_open(scan, area, at) &&
               (image[at] == 0xCC || image[at] == 0x90)) {
            at++;
        }
        for (zeros = at; zeros < area->end && is_open(scan, area, zeros) &&
                         image[zeros] == 0;) {
            zeros++;
        }
        if (zeros - at >= ZEROS_SHORTEST) {
            at = zeros;
        }
    } while (at != from);
    return at;
}

/* Where the next instruction may begin, behind an area's begin, a jump or an
 * error. */
static uint32_t skip(const struct scan *scan, struct area *area, uint32_t at)
{
    uint32_t from;

    do {
        from = at;
        at = skip_closed(scan, area, at);
        at = skip_table(scan, area, at);
        if (area->gaps) {
            at = skip_padding(scan, area, at);
        }
        assert(at >= from && at <= area->end);
    } while (at != from);
    return at;
}

static uint32_t resume_after_error(
    const struct scan *scan, const struct area *area, uint32_t at)
{
    do {
        at++;
    } while (at < area->end && at % ALIGNMENT != 0 &&
             !is_marked(scan, at, MARK_TARGET));
    assert(at <= area->end);
    return at;
}

/* The end of what lies open from `at` on, and begins nothing that is known. */
static uint32_t stretch_end(
    const struct scan *scan, const struct area *area, uint32_t at)
{
    uint32_t end = byte_marks_first_other(&scan->marks, at + 1, area->end,
        MARK_CODE | MARK_DONE | MARK_TARGET, MARK_CODE);

    return area->gaps ? byte_marks_first_other(
                            &scan->marks, at + 1, end, MARK_FUNCTION, 0)
                      : end;
}

/* Past instructions that are no sites, and where it goes on behind each. */
static uint32_t pass_common(struct scan *scan, struct area *area, uint32_t at)
{
    struct patch_counts *counts = &scan->patch->counts;
    struct instruction_targets targets;
    uint32_t passed;

    if (at >= area->stretch) {
        area->stretch = stretch_end(scan, area, at);
    }
    passed = (uint32_t)instruction_common_run(scan->input->image + at,
        area->stretch - at, scan->input->image_size - at, &targets);
    for (size_t i = 0; i < targets.count && !area->gaps; i++) {
        mark_target(scan, at + targets.to[i]);
    }
    *(area->gaps ? &counts->gap_bytes : &counts->function_bytes) += passed;
    return at + passed;
}

/* Decodes one instruction; all its bytes have to be the area's, and nothing
 * known may begin inside of it. */
static bool decode_at(const struct scan *scan, const struct area *area,
    uint32_t at, struct instruction *out)
{
    const uint8_t *bytes = scan->input->image + at;
    uint32_t available = scan->input->image_size - at;

    assert(at < area->stretch);
    return (instruction_common(bytes, available, out) ||
               instruction_memo_decode(
                   scan->memo, MEMO_ENTRIES, bytes, available, out)) &&
           out->length <= area->stretch - at;
}

static bool is_site(const struct scan *scan, enum instruction_kind kind)
{
    if (kind == INSTRUCTION_OTHER) {
        return false;
    }
    return instruction_rows[kind].host == INSTRUCTION_PATCHED ||
           (instruction_rows[kind].host == INSTRUCTION_MAY_TRAP &&
               scan->input->with_may_trap);
}

static void add_site(
    struct scan *scan, uint32_t at, const struct instruction *found)
{
    struct patch *patch = scan->patch;
    struct patch_site *site;

    assert(scan->kept <= patch->count && patch->count <= scan->capacity);
    if (patch->count == scan->capacity) {
        size_t more = scan->capacity != 0 ? 2 * scan->capacity : SITES_AT_FIRST;

        site = realloc(patch->site, more * sizeof(*site));
        if (site == NULL) {
            scan->full = true;
            return;
        }
        patch->site = site;
        scan->capacity = more;
    }
    site = &patch->site[patch->count++];
    *site = (struct patch_site){
        .rva = at, .kind = found->kind, .length = found->length};
    memcpy(site->bytes, scan->input->image + at, found->length);
}

static void take(struct scan *scan, const struct area *area, uint32_t at,
    const struct instruction *found)
{
    struct patch_counts *counts = &scan->patch->counts;

    if (area->gaps) {
        counts->gap_bytes += found->length;
    } else {
        counts->function_bytes += found->length;
        if (found->branches) {
            mark_target(scan, (int64_t)at + found->length + found->relative);
        }
    }
    if (is_site(scan, found->kind)) {
        add_site(scan, at, found);
    }
}

static void drop_doubtful(struct scan *scan)
{
    assert(scan->kept <= scan->patch->count);
    scan->patch->counts.doubtful += (uint32_t)(scan->patch->count - scan->kept);
    scan->patch->count = scan->kept;
}

/* What was decoded in one go, each byte once. */
static void mark_done(struct scan *scan, uint32_t begin, uint32_t end)
{
    assert(
        byte_marks_first_other(&scan->marks, begin, end, MARK_DONE, 0) == end);
    byte_marks_add(&scan->marks, begin, end, MARK_DONE);
}

static void decode_area(struct scan *scan, struct area *area)
{
    struct patch_counts *counts = &scan->patch->counts;
    bool certain = !area->gaps, fresh = true;
    uint32_t at = area->begin, done = at;

    assert(area->begin <= area->end);
    assert(scan->kept == scan->patch->count);
    while (at < area->end && !scan->full) {
        struct instruction found;

        if (fresh || !is_open(scan, area, at)) {
            uint32_t end = at;

            if (!fresh) {
                drop_doubtful(scan); /* it ran into something else */
            }
            at = skip(scan, area, at);
            if (at != end) {
                mark_done(scan, done, end);
                done = at;
            }
            certain = certain && at == area->begin;
            fresh = false;
            continue;
        }
        at = pass_common(scan, area, at);
        if (at == area->stretch) {
            continue;
        }
        if (decode_at(scan, area, at, &found)) {
            take(scan, area, at, &found);
            at += found.length;
            if (certain || found.ends) {
                scan->kept = scan->patch->count;
            }
            fresh = found.ends;
        } else {
            *(area->gaps ? &counts->gap_errors : &counts->function_errors) += 1;
            drop_doubtful(scan);
            mark_done(scan, done, at);
            done = at = resume_after_error(scan, area, at);
            fresh = true;
        }
        certain = certain && !fresh;
    }
    mark_done(scan, done, at);
    if (area->gaps) {
        drop_doubtful(scan);
    }
    scan->kept = scan->patch->count;
}

static void decode_functions(struct scan *scan)
{
    for (size_t i = 0; i < scan->input->function_count; i++) {
        struct patch_range range = clip(scan, &scan->input->function[i]);
        struct area area = {range.begin, range.end, false, range, 0};

        if (range.begin < range.end && is_open(scan, &area, range.begin)) {
            scan->patch->counts.functions++;
            decode_area(scan, &area);
        }
    }
}

static void decode_gaps(struct scan *scan)
{
    for (size_t i = 0; i < scan->input->code_count; i++) {
        struct patch_range range = clip(scan, &scan->input->code[i]);
        struct area area = {range.begin, range.end, true, {0, 0}, 0};

        decode_area(scan, &area);
    }
}

static void decode(struct scan *scan)
{
    const struct patch_input *input = scan->input;

    mark_ranges(scan, input->code, input->code_count, MARK_CODE);
    exclude_data(scan);
    mark_ranges(scan, input->function, input->function_count, MARK_FUNCTION);
    for (size_t i = 0; i < input->start_count; i++) {
        mark_target(scan, input->start[i]);
    }
    decode_functions(scan);
    decode_gaps(scan);
}

bool patch_scan(struct patch *out, const struct patch_input *input)
{
    struct scan scan = {.input = input, .patch = out};

    *out = (struct patch){.site = NULL};
    if (input->image_size > INT32_MAX) {
        return false;
    }
    scan.full = !byte_marks_init(&scan.marks, input->image_size);
    scan.memo = calloc(MEMO_ENTRIES, sizeof(*scan.memo));
    scan.full = scan.full || scan.memo == NULL;
    if (!scan.full) {
        decode(&scan);
    }
    byte_marks_release(&scan.marks);
    free(scan.memo);
    if (scan.full) {
        patch_release(out);
        return false;
    }
    assert(scan.kept == out->count); /* nothing is left in doubt */
    patch_sort(out);
    assert(patch_check(out, input->image_size));
    return true;
}
