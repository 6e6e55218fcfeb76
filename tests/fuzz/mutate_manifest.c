/* mutate_manifest.c - many changed copies of counter manifests, some of them as
 * UTF-16: each is compiled or refused; none may crash or take long.
 *
 * usage: mutate_manifest PATH... [--seed N] [--from N] [--count N]
 *        mutate_manifest PATH... [--seed N] --one N
 *
 * Prints the counts as a line of JSON, and each crash with the number that
 * replays it; --one prints the text and what came of it. Exits with 0 when
 * there was no crash. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/batches.h"
#include "tests/fuzz/manifest_check.h"
#include "tests/fuzz/numbers.h"
#include "tests/fuzz/text_mutation.h"

enum {
    SECONDS = 10, /* for one text: more is a finding */
    UTF16_EVERY = 8,
};

static const char *const words[] = {
#define ELEMENT(name, word, ...) word,
#include "api/ctrpp/elements.def"
#define ATTRIBUTE(element, name, word, ...) word,
#include "api/ctrpp/attributes.def"
#define WORD(kind, word, value) word,
#include "api/ctrpp/words.def"
#define COUNTER_TYPE(name, word, ...) word,
#include "api/nt/counter_types.def"
    "xmlns",
    "xml:lang",
    "x:y",
    "http://schemas.microsoft.com/win/2005/12/counters",
    "{00000000-0000-0000-0000-000000000000}",
    "0",
    "1",
    "2",
    "3",
    "63",
    "64",
    "65535",
    "65536",
    "0x10",
    "0xFFFFFFFF",
    "4294967296",
    "-10",
    "-11",
    "\"\"",
    "\"x\"",
    "\"",
    "'",
    "<",
    ">",
    "/",
    "=",
    "&",
    "&amp;",
    "&#10;",
    "&#x0;",
    "&nbsp;",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]>",
    "<?xml version=\"1.0\" encoding=\"utf-16\"?>",
    "<counter/>",
    "</counterSet>",
    "<structs><struct name=\"A\" type=\"A\"/></structs>",
    "\xC3\xA9",
    "\xF0\x9F\x99\x82",
};

/* What a process of a batch has done; shared with its parent. */
struct progress {
    uint64_t number; /* the one that it is at */
    uint64_t crashed, valid, invalid;
};

struct work {
    struct text_corpus corpus;
    struct numbers numbers; /* one alone says how it ended */
    struct progress *progress;
};

static bool read_arguments(struct work *work, char **argument)
{
    for (; *argument != NULL; argument++) {
        enum numbers_found found = numbers_read(&work->numbers, &argument);

        if (found == NUMBERS_BAD ||
            (found == NUMBERS_OTHER &&
                ((*argument)[0] == '-' ||
                    !text_corpus_add(&work->corpus, *argument)))) {
            return false;
        }
    }
    text_corpus_sort(&work->corpus);
    return work->corpus.count > 0;
}

/* Each byte as a unit of UTF-16, which makes of UTF-8 other letters; the mark
 * and the last unit may be missing half. */
static char *as_utf16(const char *text, uint64_t number, size_t *size)
{
    bool big = number / UTF16_EVERY % 2 == 0;
    char *units;

    *size = 2 * strlen(text) + 2;
    units = talloc_zero_array(text, char, (unsigned)*size);
    assert(units != NULL);
    memcpy(units, big ? "\xFE\xFF" : "\xFF\xFE", 2);
    for (size_t i = 0; text[i] != '\0'; i++) {
        units[2 + 2 * i + big] = text[i];
    }
    *size -= number / UTF16_EVERY % 16 == 0;
    return units;
}

static void try_number(struct work *work)
{
    struct progress *progress = work->progress;
    char *text = text_mutation_make(
        NULL, &work->corpus, work->numbers.seed, progress->number);
    size_t size = strlen(text), printed_size = 0;
    const char *bytes = progress->number % UTF16_EVERY == 0
                            ? as_utf16(text, progress->number, &size)
                            : text;
    char *printed = NULL;
    FILE *out = open_memstream(&printed, &printed_size);

    assert(out != NULL);
    if (work->numbers.one) {
        fprintf(stderr, "%s", text);
    }
    alarm(SECONDS);
    if (manifest_check(bytes, size, out)) {
        progress->valid++;
    } else {
        progress->invalid++;
    }
    alarm(0);
    fclose(out);
    if (work->numbers.one) {
        fprintf(stderr, "%s", printed);
    }
    free(printed);
    talloc_free(text);
}

static void run_batch(void *argument, uint64_t end)
{
    struct work *work = argument;

    for (; work->progress->number < end; work->progress->number++) {
        try_number(work);
    }
    _exit(EXIT_SUCCESS);
}

int main(int count, char **argument)
{
    static struct work work = {
        .numbers = {.seed = 1, .count = 1000},
        .corpus = {.suffix = ".man",
            .word = words,
            .words = sizeof(words) / sizeof(words[0])},
    };
    struct progress *progress = mmap(NULL, sizeof(*progress),
        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct batches batches;
    bool whole;

    if (count < 2 || !read_arguments(&work, argument + 1)) {
        fprintf(stderr,
            "usage: %s PATH... [--seed N] [--from N] [--count N] [--one N]\n",
            argument[0]);
        return 2;
    }
    if (progress == MAP_FAILED) {
        return EXIT_FAILURE;
    }
    progress->number = work.numbers.from;
    work.progress = progress;
    batches = (struct batches){"mutate_manifest", work.numbers.seed,
        &progress->number, &progress->crashed,
        work.numbers.from + work.numbers.count};
    whole = batches_run(&batches, run_batch, &work);
    if (whole) {
        printf("{\"seed\": %" PRIu64 ", \"from\": %" PRIu64
               ", \"count\": %" PRIu64 ", \"crashed\": %" PRIu64
               ", \"valid\": %" PRIu64 ", \"invalid\": %" PRIu64 "}\n",
            work.numbers.seed, work.numbers.from, work.numbers.count,
            progress->crashed, progress->valid, progress->invalid);
    }
    text_corpus_release(&work.corpus);
    return whole && progress->crashed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
