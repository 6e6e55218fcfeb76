/* part_writer.c - the results of a part of a run as a file, for ntpmu merge. */
#include "scenarios/runner/parts/part_writer.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/text/fnv.h"
#include "scenarios/runner/parts/part_head.h"
#include "scenarios/runner/run/verdict_pipe.h"
#include "scenarios/runner/scenario/instance.h"

static void put_u32(FILE *out, uint32_t value)
{
    fwrite(&value, sizeof(value), 1, out);
}

static void put_u64(FILE *out, uint64_t value)
{
    fwrite(&value, sizeof(value), 1, out);
}

static void put_text(FILE *out, const char *text)
{
    size_t length = strlen(text);

    put_u32(out, (uint32_t)length);
    fwrite(text, 1, length, out);
}

/* A record while its bytes are put together. */
struct record {
    FILE *stream;
    char *bytes;
    size_t length;
};

static FILE *begin_record(struct record *record)
{
    record->stream = open_memstream(&record->bytes, &record->length);
    assert(record->stream != NULL);
    return record->stream;
}

uint32_t part_record_sum(uint32_t kind, uint64_t length)
{
    const uint64_t head[] = {kind, length};

    return (uint32_t)fnv1a_bytes(head, sizeof(head));
}

static void end_record(FILE *out, struct record *record, enum part_record kind)
{
    fclose(record->stream);
    put_u32(out, kind);
    put_u64(out, record->length);
    put_u32(out, part_record_sum(kind, record->length));
    fwrite(record->bytes, 1, record->length, out);
    put_u64(out, fnv1a_bytes(record->bytes, record->length));
    free(record->bytes);
}

struct part_writer part_writer_begin(
    FILE *out, const struct part_kind *kind, const struct part_head *head)
{
    struct record record;
    FILE *to = begin_record(&record);

    assert(head->words <= PART_WORDS);
    put_u64(to, head->program);
    put_u64(to, head->suite);
    put_u64(to, head->drivers);
    put_u32(to, head->part);
    put_u32(to, head->parts);
    put_u32(to, (uint32_t)head->words);
    for (size_t i = 0; i < head->words; i++) {
        put_text(to, head->word[i]);
    }
    fwrite(kind->magic, 1, PART_MAGIC_BYTES, out);
    end_record(out, &record, PART_HEAD);
    return (struct part_writer){.out = out};
}

void part_writer_add(struct part_writer *writer,
    const struct instance *instance, const struct verdict *verdict)
{
    struct record record;
    FILE *to = begin_record(&record);

    put_text(to, instance->id);
    verdict_send(to, verdict);
    end_record(writer->out, &record, PART_RESULT);
    writer->results++;
}

void part_writer_add_bytes(struct part_writer *writer, const char *key,
    const void *bytes, size_t length)
{
    struct record record;
    FILE *to = begin_record(&record);

    put_text(to, key);
    fwrite(bytes, 1, length, to);
    end_record(writer->out, &record, PART_RESULT);
    writer->results++;
}

void part_writer_end(struct part_writer *writer)
{
    struct record record;

    put_u64(begin_record(&record), writer->results);
    end_record(writer->out, &record, PART_END);
}
