/* file_content.h - what a scenario writes of a file: its bytes, as text or one
 * by one, and its attributes. */
#ifndef RUNNER_LANGUAGE_FILE_CONTENT_H
#define RUNNER_LANGUAGE_FILE_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/language/scope.h"

struct file_content {
    bool directory;
    const uint8_t *bytes;
    size_t size;
    uint32_t attributes;
};

/* A file that is given, {text: abc} or {bytes: [..]} or {directory: true};
 * `bytes` are a child of the context, or of the node. Returns false after
 * reporting. */
bool file_content_read(struct scope *scope, void *context,
    const struct node *node, struct file_content *content);

/* Attributes by their words. Returns false after reporting. */
bool file_attributes_read(const struct schema *schema, enum mapping mapping,
    const struct node *node, uint32_t *attributes);

/* [hidden, system]; child of the context. */
char *file_attributes_show(void *context, uint32_t attributes);

#endif
