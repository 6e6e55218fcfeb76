/* json_out.c - JSON as it is written, value after value (RFC 8259). By hand:
 * jansson keeps a number as a long long or a double, so that counts from 2^63
 * on, and a figure with just its decimals, would be others; and a value that it
 * writes is whole in memory before. */
#include "scenarios/runner/text/json_out.h"

#include <assert.h>
#include <string.h>

#include "api/text/character.h"
#include "api/text/utf8.h"

/* Controls, as JSON wants, and what cannot be seen or some readers refuse. */
static bool is_escaped(uint32_t code)
{
    return character_is_hidden(code) || code == 0xFFFE || code == 0xFFFF;
}

/* Beyond the first plane as two surrogates (RFC 8259, section 7). */
static void put_escape(uint32_t code, FILE *out)
{
    if (code > 0xFFFF) {
        code -= 0x10000;
        fprintf(out, "\\u%04x", 0xD800 | (unsigned)(code >> 10));
        code = 0xDC00 | (code & 0x3FF);
    }
    fprintf(out, "\\u%04x", (unsigned)code);
}

/* Logs of GitHub's workflows take ##[ for the beginning of a command. */
static bool ends_command(const char *start, const char *at)
{
    return *at == '[' && at - start >= 2 && strncmp(at - 2, "##", 2) == 0;
}

/* What JSON does not take as it is, is escaped; a byte that is no UTF-8 becomes
 * U+FFFD. */
static void put_text(const char *text, FILE *out)
{
    const char *start = text;
    size_t left = strlen(text);

    fputc('"', out);
    while (left > 0) {
        uint32_t code;
        size_t length = utf8_decode(text, left, &code);

        if (code == UTF8_REPLACEMENT) {
            fputs(UTF8_REPLACEMENT_TEXT, out);
        } else if (code == '"' || code == '\\') {
            fprintf(out, "\\%c", (char)code);
        } else if (code == '\n') {
            fputs("\\n", out);
        } else if (code == '\t') {
            fputs("\\t", out);
        } else if (is_escaped(code) || ends_command(start, text)) {
            put_escape(code, out);
        } else {
            fwrite(text, 1, length, out);
        }
        text += length;
        left -= length;
    }
    fputc('"', out);
}

static void begin_value(struct json_out *json, const char *key)
{
    if (json->comma) {
        fputc(',', json->out);
    }
    if (key != NULL) {
        put_text(key, json->out);
        fputc(':', json->out);
    }
    json->comma = true;
}

static void open_value(struct json_out *json, const char *key, char bracket)
{
    begin_value(json, key);
    fputc(bracket, json->out);
    json->depth++;
    json->comma = false;
}

static void close_value(struct json_out *json, char bracket)
{
    assert(json->depth > 0);
    fputc(bracket, json->out);
    json->depth--;
    json->comma = json->depth > 0;
    if (json->depth == 0) {
        fputc('\n', json->out);
    }
}

void json_out_object(struct json_out *json, const char *key)
{
    open_value(json, key, '{');
}

void json_out_array(struct json_out *json, const char *key)
{
    open_value(json, key, '[');
}

void json_out_object_end(struct json_out *json)
{
    close_value(json, '}');
}

void json_out_array_end(struct json_out *json)
{
    close_value(json, ']');
}

void json_out_string(struct json_out *json, const char *key, const char *text)
{
    begin_value(json, key);
    put_text(text, json->out);
}

void json_out_number(struct json_out *json, const char *key, uint64_t number)
{
    begin_value(json, key);
    fprintf(json->out, "%llu", (unsigned long long)number);
}

void json_out_figure(struct json_out *json, const char *key, const char *number)
{
    begin_value(json, key);
    fputs(number, json->out);
}

void json_out_bool(struct json_out *json, const char *key, bool value)
{
    begin_value(json, key);
    fputs(value ? "true" : "false", json->out);
}

void json_out_null(struct json_out *json, const char *key)
{
    begin_value(json, key);
    fputs("null", json->out);
}

void json_out_string_or_null(
    struct json_out *json, const char *key, const char *text)
{
    if (text == NULL) {
        json_out_null(json, key);
    } else {
        json_out_string(json, key, text);
    }
}
