/* json_out.h - JSON, written as it comes, without a line's end in it: what is
 * open and where commas stand, not what it means. A byte that is no UTF-8
 * becomes U+FFFD. */
#ifndef RUNNER_TEXT_JSON_OUT_H
#define RUNNER_TEXT_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_out {
    FILE *out;
    unsigned depth; /* objects and arrays that are open */
    bool comma;     /* one stands before what comes next */
};

/* Each of these writes a value: a member of an object with its key, an element
 * of an array or the outermost one with `key` NULL. */
void json_out_object(struct json_out *json, const char *key);
void json_out_array(struct json_out *json, const char *key);
void json_out_string(struct json_out *json, const char *key, const char *text);
void json_out_number(struct json_out *json, const char *key, uint64_t number);
/* A number as text that is one in JSON, too. */
void json_out_figure(
    struct json_out *json, const char *key, const char *number);
void json_out_bool(struct json_out *json, const char *key, bool value);
void json_out_null(struct json_out *json, const char *key);

/* The text, or null where it is NULL. */
void json_out_string_or_null(
    struct json_out *json, const char *key, const char *text);

/* Close what was opened last; the outermost one ends its line. */
void json_out_object_end(struct json_out *json);
void json_out_array_end(struct json_out *json);

#endif
