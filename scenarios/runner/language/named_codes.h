/* named_codes.h - control codes of a driver, which a scenario writes as
 * numbers, by the parts of CTL_CODE, or by names that it gives them:
 * codes: {IOCTL_PMU_SET: {device: 0x22, function: 0x800,
 * method: METHOD_BUFFERED, access: FILE_ANY_ACCESS}} (IO-30a). */
#ifndef RUNNER_LANGUAGE_NAMED_CODES_H
#define RUNNER_LANGUAGE_NAMED_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct node;
struct schema;

struct named_code {
    const char *name;
    const struct node *defined;
    uint32_t code;
    bool used;
};

struct named_codes {
    struct named_code *item;
    size_t count;
};

/* Reads `codes` of a scenario, a child of `context`; reports what is wrong. */
void named_codes_read(const struct schema *schema, void *context,
    const struct node *node, struct named_codes *codes);

/* A code where one is asked for; its name is used from now on. Returns false
 * after reporting. */
bool named_code_read(const struct schema *schema,
    const struct named_codes *codes, const struct node *node, uint32_t *code);

#endif
