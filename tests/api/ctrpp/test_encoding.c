/* test_encoding.c - what is written anew is in the encoding that it came in,
 * and says so. */
#define _POSIX_C_SOURCE 200809L
#include "tests/api/ctrpp/manifest_scene.h"

#include "api/ctrpp/encoding.h"
#include "api/ctrpp/manifest_text.h"

#define BLANKS_50 "                                                  "
#define BLANKS_350                                                             \
    BLANKS_50 BLANKS_50 BLANKS_50 BLANKS_50 BLANKS_50 BLANKS_50 BLANKS_50

/* `size` 0: that of the text. */
static struct of_row {
    const char *name, *bytes;
    size_t size;
    enum encoding want;
} of_rows[] = {
    {"nothing", "", 0, ENCODING_UTF8},
    {"not_declared", "<?xml version='1.0'?><a/>", 0, ENCODING_UTF8},
    {"declared_in_small_letters", "<?xml encoding='utf-8'?>", 0, ENCODING_UTF8},
    {"ascii", "<?xml encoding='US-ASCII'?>", 0, ENCODING_UTF8},
    {"latin1", "<?xml encoding='iso-8859-1'?>", 0, ENCODING_LATIN1},
    {"of_the_host", "<?xml encoding='EBCDIC-US'?>", 0, ENCODING_OTHER},
    {"declaration_of_nearly_400_characters",
        "<?xml " BLANKS_350 "encoding='latin1'?>", 0, ENCODING_LATIN1},
    {"declaration_that_ends_too_far",
        "<?xml " BLANKS_350 "encoding='latin1'" BLANKS_50 "?>", 0,
        ENCODING_UTF8},
    {"utf16_in_words_alone", "<?xml encoding='UTF-16'?>", 0, ENCODING_OTHER},
    {"mark", "\xEF\xBB\xBF<a/>", 0, ENCODING_UTF8_MARK},
    {"mark_and_words", "\xEF\xBB\xBF<?xml encoding='iso-8859-1'?>", 0,
        ENCODING_UTF8_MARK},
    {"half_a_mark", "\xEF\xBB", 0, ENCODING_UTF8},
    {"utf16", "\xFF\xFE<\0", 4, ENCODING_UTF16_LITTLE},
    {"utf16_big", "\xFE\xFF\0<", 4, ENCODING_UTF16_BIG},
};

static void of_row(void **state)
{
    const struct of_row *row = *state;

    assert_int_equal(encoding_of(row->bytes,
                         row->size == 0 ? strlen(row->bytes) : row->size),
        row->want);
}

/* `size` 0: that of what is wanted. */
static struct encoded_row {
    const char *name, *text;
    enum encoding encoding;
    const char *want;
    size_t size;
} encoded_rows[] = {
    {"declared_as_another", "<?xml version='1.0' encoding='UTF-16' ?>\n<a/>",
        ENCODING_UTF8, "<?xml version='1.0' encoding='utf-8' ?>\n<a/>", 0},
    {"declared_in_double_quotes", "<?xml encoding = \"ISO-8859-1\"?><a/>",
        ENCODING_UTF8, "<?xml encoding = \"utf-8\"?><a/>", 0},
    {"declared_as_it_is", "<?xml version='1.0' encoding='UTF-8'?><a/>",
        ENCODING_UTF8, "<?xml version='1.0' encoding='UTF-8'?><a/>", 0},
    {"declared_as_ascii", "<?xml encoding='us-ascii'?><a/>", ENCODING_UTF8,
        "<?xml encoding='us-ascii'?><a/>", 0},
    {"declared_as_ascii_and_is_not", "<?xml encoding='us-ascii'?>\xC3\xA4",
        ENCODING_UTF8, "<?xml encoding='utf-8'?>\xC3\xA4", 0},
    {"not_declared", "<?xml version='1.0'?><a encoding='UTF-16'/>",
        ENCODING_UTF8, "<?xml version='1.0'?><a encoding='UTF-16'/>", 0},
    {"no_declaration", "<a encoding='UTF-16'/>", ENCODING_UTF8,
        "<a encoding='UTF-16'/>", 0},
    {"mark", "\xE2\x82\xAC", ENCODING_UTF8_MARK, "\xEF\xBB\xBF\xE2\x82\xAC", 0},
    {"mark_and_declared_as_another", "<?xml encoding='LATIN1'?>",
        ENCODING_UTF8_MARK, "\xEF\xBB\xBF<?xml encoding='utf-8'?>", 0},
    {"latin1", "<?xml encoding='latin1'?>a\xC2\x80\xC3\xBF", ENCODING_LATIN1,
        "<?xml encoding='latin1'?>a\x80\xFF", 0},
    {"utf16", "a\xE2\x82\xAC\xF0\x9F\x98\x80", ENCODING_UTF16_LITTLE,
        "\xFF\xFE"
        "a\0\xAC\x20\x3D\xD8\x00\xDE",
        10},
    {"utf16_big", "a\xE2\x82\xAC\xF0\x9F\x98\x80", ENCODING_UTF16_BIG,
        "\xFE\xFF\0a\x20\xAC\xD8\x3D\xDE\x00", 10},
    {"utf16_declared", "<?xml encoding='UTF-16'?>", ENCODING_UTF16_BIG,
        "\xFE\xFF\0<\0?\0x\0m\0l\0 \0e\0n\0c\0o\0d\0i\0n\0g\0=\0'\0U\0T\0F\0-"
        "\0001\0006\0'\0?\0>",
        52},
    {"utf16_declared_as_another", "<?xml encoding='UTF-8'?>",
        ENCODING_UTF16_BIG,
        "\xFE\xFF\0<\0?\0x\0m\0l\0 \0e\0n\0c\0o\0d\0i\0n\0g\0=\0'\0u\0t\0f\0-"
        "\0001\0006\0'\0?\0>",
        52},
};

static void encoded_row(void **state)
{
    const struct encoded_row *row = *state;
    size_t want = row->size == 0 ? strlen(row->want) : row->size, size;
    char *bytes = encoding_encoded(
        NULL, row->text, strlen(row->text), row->encoding, &size);

    assert_int_equal(size, want);
    assert_memory_equal(bytes, row->want, want);
    talloc_free(bytes);
}

/* Files of tests/manifests in each encoding come out as they went in. */
static struct file_row {
    const char *name, *file;
    enum encoding want;
} file_rows[] = {
    {"file_of_utf8", "valid_1_1.man", ENCODING_UTF8},
    {"file_of_utf8_with_a_mark", "valid_utf8_mark.man", ENCODING_UTF8_MARK},
    {"file_of_utf16", "valid_utf16.man", ENCODING_UTF16_LITTLE},
    {"file_of_utf16_big", "valid_utf16_big.man", ENCODING_UTF16_BIG},
    {"file_of_latin1", "valid_latin1.man", ENCODING_LATIN1},
};

static void file_row(void **state)
{
    const struct file_row *row = *state;
    void *memory = talloc_new(NULL);
    char bytes[8192];
    char *path =
        talloc_asprintf(memory, "%s/tests/manifests/%s", REPOSITORY, row->file);
    FILE *file = fopen(path, "rb");
    size_t size, length, again;
    char *text, *made;

    assert_non_null(file);
    size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    assert_in_range(size, 1, sizeof(bytes) - 1);
    assert_int_equal(encoding_of(bytes, size), row->want);
    text = manifest_text(
        memory, bytes, size, manifest_problems_new(memory), &length);
    assert_non_null(text);
    made = encoding_encoded(memory, text, length, row->want, &again);
    assert_int_equal(again, size);
    assert_memory_equal(made, bytes, size);
    talloc_free(memory);
}

static struct read_row {
    const char *name, *bytes, *want;
} read_rows[] = {
    {"utf8_as_it_is", "<a>\xC2\xB0</a>", "<a>\xC2\xB0</a>"},
    {"first_half_of_latin1", "<?xml encoding='latin1'?>\x80\xB0\xBF",
        "<?xml encoding='latin1'?>\xC2\x80\xC2\xB0\xC2\xBF"},
    {"second_half_of_latin1", "<?xml encoding='latin1'?>\xC0\xE9\xFF",
        "<?xml encoding='latin1'?>\xC3\x80\xC3\xA9\xC3\xBF"},
};

static void read_row(void **state)
{
    const struct read_row *row = *state;
    void *memory = talloc_new(NULL);
    size_t length;
    char *text = manifest_text(memory, row->bytes, strlen(row->bytes),
        manifest_problems_new(memory), &length);

    assert_non_null(text);
    assert_string_equal(text, row->want);
    assert_int_equal(length, strlen(row->want));
    talloc_free(memory);
}

TEST_FILE(test_encoding)
{
    TEST_ADD_GROUP(list, "of", of_row, of_rows);
    TEST_ADD_GROUP(list, "encoded", encoded_row, encoded_rows);
    TEST_ADD_GROUP(list, "file", file_row, file_rows);
    TEST_ADD_GROUP(list, "read", read_row, read_rows);
}
