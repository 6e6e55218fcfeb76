/* type.c - NT types described: members, offsets, kinds, enumerators, expanded
 * from scalars.def and types.def. */
#include "api/nt/type.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/nt/nt.h"

/* Each structure's lines are an array of its own. */
#define NT_STRUCT_BEGIN(name) static const struct nt_member members_##name[] = {
#define NT_STRUCT_END(name, size)                                              \
    }                                                                          \
    ;
#define BRACKET(line, name, offset)                                            \
    {NT_LINE_##line, name, NT_VOID, offset, 1, NULL, NT_VOID, NULL},
#define NT_UNION_BEGIN(owner, name, offset) BRACKET(UNION, #name, offset)
#define NT_UNION_END(owner, name) BRACKET(END, #name, 0)
#define NT_OVERLAY_BEGIN(owner, offset) BRACKET(UNION, "", offset)
#define NT_OVERLAY_END(owner) BRACKET(END, "", 0)
#define NT_NESTED_BEGIN(owner, path, name, offset)                             \
    BRACKET(NESTED, #name, offset)
#define NT_NESTED_END(owner, name) BRACKET(END, #name, 0)
#define NT_MEMBER(owner, path, type, name, offset)                             \
    {NT_LINE_MEMBER, #name, NT_##type, offset, 1, NULL, NT_VOID, NULL},
#define NT_POINTER(owner, path, pointee, name, count, offset)                  \
    {NT_LINE_MEMBER, #name, NT_PVOID, offset, 1, NULL, NT_##pointee, #count},
#define NT_ARRAY(owner, path, type, name, length, offset)                      \
    {NT_LINE_MEMBER, #name, NT_##type, offset, length, NULL, NT_VOID, NULL},
#define NT_TAIL(owner, type, name, count, offset)                              \
    {NT_LINE_MEMBER, #name, NT_##type, offset, 1, #count, NT_VOID, NULL},
#include "api/nt/types.def"

static const struct nt_type_row rows[NT_TYPE_COUNT] = {
#define NT_SCALAR(name, c_type, kind)                                          \
    [NT_##name] = {#name, NT_KIND_##kind, sizeof(c_type), NULL, 0},
#include "api/nt/scalars.def"
#define NT_ENUM_BEGIN(name)                                                    \
    [NT_##name] = {#name, NT_KIND_ENUM, sizeof(name), NULL, 0},
#define NT_STRUCT_BEGIN(name)                                                  \
    [NT_##name] = {#name, NT_KIND_STRUCT, sizeof(name), members_##name,        \
        sizeof(members_##name) / sizeof(members_##name[0])},
#include "api/nt/types.def"
    [NT_VOID] = {"VOID", NT_KIND_NONE, 0, NULL, 0},
};

const struct nt_enumerator nt_enumerators[] = {
#define NT_ENUMERATOR(owner, name, value) {NT_##owner, #name, value},
#include "api/nt/types.def"
};

const size_t nt_enumerator_count =
    sizeof(nt_enumerators) / sizeof(nt_enumerators[0]);

const struct nt_type_row *nt_type_row(enum nt_type type)
{
    assert(type < NT_TYPE_COUNT);
    return &rows[type];
}

bool nt_member_is_overlay(const struct nt_member *line)
{
    return line->line != NT_LINE_MEMBER && line->name[0] == '\0';
}

size_t nt_member_step(const struct nt_member *line)
{
    return nt_member_is_overlay(line) ? 1 : nt_member_lines(line);
}

const struct nt_member *nt_type_member(enum nt_type type, const char *name)
{
    const struct nt_type_row *row = nt_type_row(type);
    size_t i = 0;

    for (; i < row->member_count; i += nt_member_step(&row->member[i])) {
        if (name[0] != '\0' && strcmp(row->member[i].name, name) == 0) {
            return &row->member[i];
        }
    }
    assert(i == row->member_count); /* each union ends inside of its owner */
    return NULL;
}

const struct nt_member *nt_type_tail(enum nt_type type)
{
    const struct nt_type_row *row = nt_type_row(type);
    const struct nt_member *last;

    if (row->kind != NT_KIND_STRUCT) {
        return NULL;
    }
    last = &row->member[row->member_count - 1];
    return last->count_member != NULL ? last : NULL;
}

const struct nt_member *nt_member_count(
    enum nt_type owner, const struct nt_member *member)
{
    const char *name = member->count_member != NULL ? member->count_member
                                                    : member->pointee_count;
    const struct nt_member *count = name == NULL || strcmp(name, "one") == 0
                                        ? NULL
                                        : nt_type_member(owner, name);

    assert(member->count_member == NULL || count != NULL);
    return count;
}

static const struct {
    enum nt_type type;
    const char *selector;
    uint32_t value;
    const char *member;
} cases[] = {
#define NT_CASE(owner, selector, value, member)                                \
    {NT_##owner, #selector, value, #member},
#include "api/nt/types.def"
};

/* Any line of the structure with this name, also one inside of a union. */
static const struct nt_member *line_named(enum nt_type type, const char *name)
{
    const struct nt_type_row *row = nt_type_row(type);

    for (size_t i = 0; i < row->member_count; i++) {
        if (row->member[i].line != NT_LINE_END &&
            strcmp(row->member[i].name, name) == 0) {
            return &row->member[i];
        }
    }
    return NULL;
}

const struct nt_member *nt_type_case(enum nt_type type, const void *at)
{
    assert(nt_type_row(type)->kind == NT_KIND_STRUCT);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct nt_member *selector;

        if (cases[i].type != type) {
            continue;
        }
        selector = nt_type_member(type, cases[i].selector);
        assert(selector != NULL);
        if (nt_load((const uint8_t *)at + selector->offset,
                nt_type_row(selector->type)->size) == cases[i].value) {
            return line_named(type, cases[i].member);
        }
    }
    return NULL;
}

size_t nt_member_lines(const struct nt_member *line)
{
    size_t count = 0, depth = 0;

    assert(line->line != NT_LINE_END); /* or it would run on behind the owner */
    do {
        if (line[count].line == NT_LINE_END) {
            depth--;
        } else if (line[count].line != NT_LINE_MEMBER) {
            depth++;
        }
        count++;
    } while (depth > 0);
    return count;
}

const char *nt_enumerator_name(enum nt_type type, uint32_t value)
{
    for (size_t i = 0; i < nt_enumerator_count; i++) {
        if (nt_enumerators[i].type == type &&
            nt_enumerators[i].value == value) {
            return nt_enumerators[i].name;
        }
    }
    return NULL;
}

const struct nt_status_row nt_statuses[] = {
#undef NT_STATUS
#define NT_STATUS(name, value) {#name, value},
#include "api/nt/ntstatus.def"
};

const size_t nt_status_count = sizeof(nt_statuses) / sizeof(nt_statuses[0]);

const char *nt_status_name(uint32_t status)
{
    for (size_t i = 0; i < nt_status_count; i++) {
        if (nt_statuses[i].value == status) {
            return nt_statuses[i].name;
        }
    }
    return NULL;
}

const char *nt_status_text(uint32_t status, char number[NT_STATUS_DIGITS])
{
    const char *name = nt_status_name(status);

    if (name != NULL) {
        return name;
    }
    snprintf(number, NT_STATUS_DIGITS, "0x%08" PRIx32, status);
    return number;
}

uint64_t nt_load(const void *at, size_t size)
{
    uint64_t value = 0;

    assert(size == 1 || size == 2 || size == 4 || size == 8);
    memcpy(&value, at, size); /* host and guest are little-endian */
    return value;
}

void nt_store(void *at, size_t size, uint64_t value)
{
    assert(size == 1 || size == 2 || size == 4 || size == 8);
    memcpy(at, &value, size);
}
