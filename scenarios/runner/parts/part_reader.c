/* part_reader.c - a file of a part's results, taken apart: records with their
 * sums, the head, and where each result lies. */
#include "scenarios/runner/parts/part_reader.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/text/fnv.h"
#include "scenarios/runner/parts/part_writer.h"
#include "scenarios/runner/run/verdict_pipe.h"
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/text/key_index.h"

const struct part_kind part_of_results = {
    "ntpmu part 2\n\x1A\xFE\xFF", "it is no file of --results", false};
const struct part_kind part_of_log = {
    "ntpmu fail 2\n\x1A\xFE\xFF", "it is no file of --fail-log", true};

/* Bytes that are still to be read. */
struct rest {
    const uint8_t *at;
    size_t left;
    bool short_; /* more was asked for than there is */
};

/* NULL: there are not so many. */
static const uint8_t *take(struct rest *rest, uint64_t size)
{
    const uint8_t *taken = rest->at;

    if (rest->short_ || rest->left < size) {
        rest->short_ = true;
        return NULL;
    }
    rest->at += size;
    rest->left -= (size_t)size;
    return taken;
}

/* 0 where there is none. */
static uint64_t take_number(struct rest *rest, size_t size)
{
    const uint8_t *taken = take(rest, size);
    uint64_t value = 0;
    uint32_t half;

    if (taken == NULL) {
        return 0;
    }
    if (size == sizeof(value)) {
        memcpy(&value, taken, sizeof(value));
        return value;
    }
    memcpy(&half, taken, sizeof(half));
    return half;
}

static uint32_t take_u32(struct rest *rest)
{
    return (uint32_t)take_number(rest, sizeof(uint32_t));
}

static uint64_t take_u64(struct rest *rest)
{
    return take_number(rest, sizeof(uint64_t));
}

static const char *read_words(struct part *part, struct rest *rest)
{
    uint32_t count = take_u32(rest);
    const char **word;

    if (count == 0 || count > PART_WORDS) {
        return "its command has no such number of words";
    }
    word = talloc_array(part, const char *, count);
    assert(word != NULL);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = take_u32(rest);
        const uint8_t *bytes =
            length > PART_WORD_BYTES ? NULL : take(rest, length);

        if (bytes == NULL || memchr(bytes, '\0', length) != NULL) {
            return "a word of its command is none";
        }
        word[i] = talloc_strndup(word, (const char *)bytes, length);
    }
    part->head.word = word;
    part->head.words = count;
    return rest->left == 0 ? NULL : "its head is too long";
}

static const char *read_head(struct part *part, struct rest rest)
{
    struct part_head *head = &part->head;

    head->program = take_u64(&rest);
    head->suite = take_u64(&rest);
    head->drivers = take_u64(&rest);
    head->part = take_u32(&rest);
    head->parts = take_u32(&rest);
    if (head->part == 0 || head->part > head->parts ||
        head->parts > PART_PARTS) {
        return "it is no part of a run";
    }
    return read_words(part, &rest);
}

static const char *read_result(struct part *part, struct rest rest)
{
    uint32_t length = take_u32(&rest);
    const uint8_t *id = take(&rest, length);
    size_t at;

    if (id == NULL) {
        return "a result has no id";
    }
    if (key_index_find(part->ids, id, length, &at)) {
        return "an instance has two results";
    }
    key_index_add(part->ids, id, length, part->count);
    if (part->count == talloc_array_length(part->result)) {
        part->result = talloc_realloc(part, part->result, struct part_result,
            2 * (unsigned)part->count + 64);
        assert(part->result != NULL);
    }
    part->result[part->count++] =
        (struct part_result){(const char *)id, length, rest.at, rest.left};
    return NULL;
}

static const char *read_end(const struct part *part, struct rest rest)
{
    return take_u64(&rest) == part->count && rest.left == 0
               ? NULL
               : "it does not have the number of results that it says";
}

/* *kind is what was read. */
static const char *read_record(
    struct part *part, struct rest *rest, uint32_t *kind)
{
    uint64_t length;
    const uint8_t *bytes;
    bool first = *kind == 0;

    *kind = take_u32(rest);
    length = take_u64(rest);
    if (take_u32(rest) != part_record_sum(*kind, length) && !rest->short_) {
        return "it is damaged";
    }
    bytes = length > PART_RECORD_BYTES ? NULL : take(rest, length);
    if (bytes == NULL || take_u64(rest) != fnv1a_bytes(bytes, (size_t)length) ||
        rest->short_) {
        return rest->short_ ? "it ends too early" : "it is damaged";
    }
    if (first != (*kind == PART_HEAD)) {
        return "its head is not at its beginning";
    }
    switch (*kind) {
    case PART_HEAD:
        return read_head(part, (struct rest){bytes, (size_t)length, false});
    case PART_RESULT:
        return read_result(part, (struct rest){bytes, (size_t)length, false});
    case PART_END:
        return read_end(part, (struct rest){bytes, (size_t)length, false});
    default:
        return "it has a record of a kind that does not exist";
    }
}

struct part *part_read(void *context, const char *path,
    const struct part_kind *of, const uint8_t *bytes, size_t length,
    const char **problem)
{
    struct part *part = talloc_zero(context, struct part);
    struct rest rest = {bytes, length, false};
    const uint8_t *magic = take(&rest, PART_MAGIC_BYTES);
    uint32_t kind = 0;

    assert(part != NULL);
    part->path = path;
    part->ids = key_index_new(part);
    *problem = magic != NULL && memcmp(magic, of->magic, PART_MAGIC_BYTES) == 0
                   ? NULL
                   : of->none;
    while (*problem == NULL && kind != PART_END &&
           !(of->is_log && kind != 0 && rest.left == 0)) {
        bool first = kind == 0;

        part->whole = length - rest.left;
        *problem = read_record(part, &rest, &kind);
        if (of->is_log && !first && rest.short_) {
            *problem = NULL; /* who wrote it was ended amid this one */
            rest.left = 0;
            kind = PART_END;
        } else {
            part->whole = length - rest.left;
        }
    }
    if (*problem == NULL && rest.left > 0) {
        *problem = "something stands behind its end";
    }
    if (*problem != NULL) {
        TALLOC_FREE(part);
    }
    return part;
}

const struct part_result *part_find(const struct part *part, const char *key)
{
    size_t at;

    return key_index_find(part->ids, key, strlen(key), &at) ? &part->result[at]
                                                            : NULL;
}

bool part_has(const struct part *part, const struct instance *instance)
{
    size_t at;

    return key_index_find(part->ids, instance->id, strlen(instance->id), &at);
}

struct verdict *part_verdict(void *context, const struct part *part,
    const struct instance *instance, const struct requirements *requirements,
    const char **problem)
{
    size_t at = 0;
    bool found =
        key_index_find(part->ids, instance->id, strlen(instance->id), &at);

    assert(found);
    return verdict_receive(context, instance, requirements,
        part->result[at].verdict, part->result[at].length, problem);
}
