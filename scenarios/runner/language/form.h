/* form.h - what stands behind a key: the column `form` of keys.def. The JSON
 * Schema is made of it, and readers take limits and words from it. */
#ifndef RUNNER_LANGUAGE_FORM_H
#define RUNNER_LANGUAGE_FORM_H

#include "api/nt/type.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/schema.h"

enum shape {
    SHAPE_TEXT,
    SHAPE_NUMBER,
    SHAPE_BOOL,
    SHAPE_CONDITION,
    SHAPE_NAME,  /* of `names`, or a number where it has limits */
    SHAPE_WORDS, /* one of `words` */
    SHAPE_MAPPING,
    SHAPE_ACTOR,
    SHAPE_TYPE,
    SHAPE_REGISTER,
    SHAPE_VALUE, /* as value_scalar() reads it */
    SHAPE_MATCH, /* as match_values() does */
    SHAPE_BLOCK, /* as value_block() does, of an array */
    SHAPE_ANY,   /* what other keys of its mapping say, or the reader alone */
    SHAPE_PROBE, /* `mapping`, or the word system where that is STATE */
    SHAPE_REQUIREMENTS,
    SHAPE_RULINGS,
    SHAPE_AXES,
    SHAPE_ROWS,
    SHAPE_RATE,  /* p or p/q */
    SHAPE_RATES, /* of events, by name */
    SHAPE_TOTALS,
    SHAPE_DRIVER,
    SHAPE_BRANCHES,
    SHAPE_NAMED_VALUES,
    SHAPE_HANDLER_ARGUMENTS,
    SHAPE_PATTERN,
    SHAPE_COLLECTED, /* rows of `mapping`, or how many */
    SHAPE_LAYOUT,    /* as value_layout_add() reads it */
    SHAPE_BUGCHECK_CODE,
    SHAPE_BUGCHECK_PARAMETER,
    SHAPE_CYCLES,   /* a number, or a time: 10us */
    SHAPE_CPUS,     /* a processor, a range, a list of these, or all */
    SHAPE_GROUPS,   /* how many processor groups, or the size of each */
    SHAPE_GIVEN,    /* a register's value: a number, or `mapping` */
    SHAPE_KEY,      /* of the registry: its values, each `mapping` or `word` */
    SHAPE_STORED,   /* a file: `mapping` or `word` */
    SHAPE_OWN_TYPE, /* a type, or one of `structures` */
    SHAPE_FIELD,    /* that, or an array: `mapping` */
    SHAPE_CODE,     /* a control code: a number, `mapping`, or a name */
    SHAPE_COUNT
};

enum arrangement {
    ARRANGE_ALONE,
    ARRANGE_LIST,
    ARRANGE_ALONE_OR_LIST,
    ARRANGE_TABLE, /* a mapping of names to such values */
};

struct form {
    enum shape shape;
    enum arrangement arrangement;
    bool written;        /* before there are instances, so never $ */
    bool timed;          /* of a pattern: it has a cycle */
    bool empty;          /* of a text: it may be empty */
    bool unique;         /* of a list: nothing stands twice */
    uint64_t least;      /* elements of a list or table */
    uint64_t most;       /* 0: any number */
    uint64_t low, high;  /* of a number */
    const char *pattern; /* of a text; NULL: any that is not empty */
    const char *keys;    /* the pattern of a table's names; NULL: any */
    const char *word;    /* may stand instead; NULL: none */
    enum mapping mapping;
    enum nt_type type;
    schema_nth *names;
    const char *const *words; /* then NULL */
};

/* The letters of names, ids and tags, and of the words of rows and axes. */
#define LETTERS_LOWER "abcdefghijklmnopqrstuvwxyz"
#define LETTERS_UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LETTERS_ROW LETTERS_LOWER "0123456789_"
#define LETTERS_NAME LETTERS_LOWER LETTERS_UPPER "0123456789_"
#define LETTERS_ID LETTERS_ROW "."
#define LETTERS_TAG LETTERS_ID "-"
#define LETTERS_AXIS LETTERS_LOWER LETTERS_UPPER "0123456789_.-"

/* Patterns have what regular expressions of JavaScript and Python share.
 * scope_check_name() and scope_is_variable_name() read the first two. */
#define PATTERN_NAME "^[A-Za-z_][A-Za-z0-9_]*$"
#define PATTERN_VARIABLE "^[a-z][A-Za-z0-9_]*$"
#define PATTERN_ADDRESS "^(0|[1-9][0-9]*|0x[0-9A-Fa-f]+)$"
#define PATTERN_HEX "^[0-9A-Fa-f]{2}( ?[0-9A-Fa-f]{2})*$"
#define PATTERN_REQUIREMENT "^[A-Z]+(-[A-Z]+)*-[0-9]{2}[a-z]?$"
#define PATTERN_UNIT "^[a-z]+(\\.[a-z]+)*\\.test_[a-z0-9_]+$"
#define PATTERN_MANIFEST "^(?!/)(?!.*\\.\\.).+$"
#define PATTERN_HEADER "^(?!/).+$"
#define PATTERN_KEY "^\\\\[Rr][Ee][Gg][Ii][Ss][Tt][Rr][Yy]\\\\.+$"
#define PATTERN_FILE "^\\\\.+$"
#define PATTERN_FRAGMENT "^(?!/)(?!.*\\.\\.)[^#]+#.+$"

/* The forms by the names that keys.def gives them. */
#define FORM_TEXT .shape = SHAPE_TEXT
#define FORM_TEXT_OR_NONE FORM_TEXT, .empty = true
#define FORM_LIKE(like) .shape = SHAPE_TEXT, .pattern = (like)
#define FORM_LETTERS(letters)                                                  \
    .shape = SHAPE_TEXT, .pattern = "^[" LETTERS_##letters "]+$"
#define FORM_TAGS FORM_LETTERS(TAG), FORM_LIST_OF, .unique = true
#define FORM_LIST_OF .arrangement = ARRANGE_LIST, .least = 1
#define FORM_NUMBER(from, to) .shape = SHAPE_NUMBER, .low = (from), .high = (to)
#define FORM_NUMBERS(from, to) FORM_NUMBER(from, to), FORM_LIST_OF
#define FORM_NUMBERS_OR_ALL(from, to) FORM_NUMBERS(from, to), .word = "all"
#define FORM_CYCLES(from, to) .shape = SHAPE_CYCLES, .low = (from), .high = (to)
#define FORM_CPUS                                                              \
    .shape = SHAPE_CPUS, .high = LIMIT_PROCESSORS - 1, .word = "all"
#define FORM_BOOL .shape = SHAPE_BOOL
#define FORM_CONDITION .shape = SHAPE_CONDITION
#define FORM_CONDITIONS                                                        \
    FORM_CONDITION, .arrangement = ARRANGE_ALONE_OR_LIST, .least = 1
#define FORM_NAME(list) .shape = SHAPE_NAME, .names = name_of_##list
/* By name or number, one or a list. */
#define FORM_RIGHTS(list)                                                      \
    FORM_NAME(list), .high = UINT32_MAX, .arrangement = ARRANGE_ALONE_OR_LIST, \
                     .least = 1, .unique = true
#define FORM_WORDS(...)                                                        \
    .shape = SHAPE_WORDS, .words = (const char *const[])                       \
    {                                                                          \
        __VA_ARGS__, NULL                                                      \
    }
#define FORM_ONE(of) .shape = SHAPE_MAPPING, .mapping = MAPPING_##of
#define FORM_LIST(of) FORM_ONE(of), FORM_LIST_OF
#define FORM_LIST_UP_TO(of, limit) FORM_LIST(of), .most = (limit)
#define FORM_LIST_OR_NONE(of) FORM_ONE(of), .arrangement = ARRANGE_LIST
#define FORM_LIST_OR_WORD(of, instead) FORM_LIST(of), .word = (instead)
#define FORM_ONE_OR_LIST(of)                                                   \
    FORM_ONE(of), .arrangement = ARRANGE_ALONE_OR_LIST, .least = 1
#define FORM_TABLE(of, names, limit)                                           \
    FORM_ONE(of), .arrangement = ARRANGE_TABLE, .least = 1, .most = (limit),   \
                  .keys = (names)
#define FORM_TABLE_OR_NONE(of, names)                                          \
    FORM_ONE(of), .arrangement = ARRANGE_TABLE, .keys = (names)
#define FORM_ACTOR .shape = SHAPE_ACTOR
#define FORM_ACTORS(from)                                                      \
    FORM_ACTOR, .arrangement = ARRANGE_LIST, .least = (from),                  \
                .most = SCENARIO_ACTORS
#define FORM_THREADS                                                           \
    FORM_ACTOR, .arrangement = ARRANGE_TABLE, .least = 1,                      \
                .most = SCENARIO_ACTORS, .keys = PATTERN_NAME
#define FORM_VARIABLES FORM_LIKE(PATTERN_VARIABLE), FORM_LIST_OF
#define FORM_TYPE .shape = SHAPE_TYPE
#define FORM_REGISTER .shape = SHAPE_REGISTER, .high = UINT32_MAX
#define FORM_REGISTER_NAME .shape = SHAPE_REGISTER
#define FORM_VALUE(of) .shape = SHAPE_VALUE, .type = NT_##of
#define FORM_VALUE_OR_WORD(of, instead) FORM_VALUE(of), .word = (instead)
#define FORM_MATCH(of) .shape = SHAPE_MATCH, .type = NT_##of
#define FORM_BLOCK(of) .shape = SHAPE_BLOCK, .type = NT_##of
#define FORM_LAYOUT .shape = SHAPE_LAYOUT, FORM_LIST_OF
#define FORM_SILOS                                                             \
    FORM_NUMBER(0, UINT32_MAX), .arrangement = ARRANGE_TABLE, .least = 1,      \
                                .most = SCENARIO_ACTORS, .keys = PATTERN_NAME
#define FORM_LIST_OR_WORD_OF_TEXTS(instead)                                    \
    FORM_TEXT, FORM_LIST_OF, .unique = true, .word = (instead)
#define FORM_MANIFESTS                                                         \
    FORM_LIKE(PATTERN_MANIFEST), FORM_LIST_OF, .most = SCENARIO_MANIFESTS,     \
                                               .unique = true
#define FORM_HEADERS                                                           \
    FORM_LIKE(PATTERN_HEADER), FORM_LIST_OF, .most = SCENARIO_HEADERS,         \
                                             .unique = true
#define FORM_TEXTS_BY_NAME                                                     \
    FORM_TEXT, .arrangement = ARRANGE_TABLE, .least = 1, .keys = PATTERN_NAME
#define FORM_COLLECTED .shape = SHAPE_COLLECTED, .mapping = MAPPING_ROW
#define FORM_COUNTER_VALUES                                                    \
    FORM_MATCH(ULONG64), .word = "none", .arrangement = ARRANGE_TABLE,         \
                         .least = 1
#define FORM_COUNTER_FIGURES FORM_ANY, .arrangement = ARRANGE_TABLE, .least = 1
#define FORM_ANY .shape = SHAPE_ANY
#define FORM_PROBE(of) .shape = SHAPE_PROBE, .mapping = MAPPING_##of
#define FORM_COVERS                                                            \
    .shape = SHAPE_REQUIREMENTS, FORM_LIST_OF, .most = CHECK_COVERS,           \
    .unique = true
#define FORM_SAME                                                              \
    FORM_LIKE(PATTERN_REQUIREMENT), FORM_LIST_OF, .most = REQUIREMENT_SAME,    \
                                                  .unique = true
#define FORM_RULINGS .shape = SHAPE_RULINGS
#define FORM_AXES .shape = SHAPE_AXES
#define FORM_ROWS .shape = SHAPE_ROWS
/* Those of model_fields.def; NUMBER is one, too. */
#define FORM_FLAG(from, to) FORM_BOOL
#define FORM_RATIO(from, to) .shape = SHAPE_RATE
#define FORM_RATES .shape = SHAPE_RATES
#define FORM_TOTALS(from, to) .shape = SHAPE_TOTALS, .low = (from), .high = (to)
#define FORM_DRIVER .shape = SHAPE_DRIVER, .mapping = MAPPING_IOCTL
#define FORM_BRANCHES .shape = SHAPE_BRANCHES, .mapping = MAPPING_STEP
#define FORM_NAMED_VALUES .shape = SHAPE_NAMED_VALUES, .keys = PATTERN_VARIABLE
#define FORM_HANDLER_ARGUMENTS .shape = SHAPE_HANDLER_ARGUMENTS
#define FORM_PATTERNS .shape = SHAPE_PATTERN, FORM_LIST_OF
#define FORM_TIMED_PATTERNS                                                    \
    .shape = SHAPE_PATTERN, .timed = true,                                     \
    .arrangement = ARRANGE_ALONE_OR_LIST, .least = 1
#define FORM_BUGCHECK_CODE .shape = SHAPE_BUGCHECK_CODE
#define FORM_BUGCHECK_PARAMETER .shape = SHAPE_BUGCHECK_PARAMETER
#define FORM_GROUPS .shape = SHAPE_GROUPS, .low = 1, .high = LIMIT_GROUPS
#define FORM_MSRS                                                              \
    .shape = SHAPE_GIVEN, .mapping = MAPPING_GIVEN_MSR,                        \
    .arrangement = ARRANGE_TABLE, .least = 1, .most = LIMIT_GIVEN_MSRS,        \
    .keys = PATTERN_ADDRESS
#define FORM_KEYS(of)                                                          \
    .shape = SHAPE_KEY, .mapping = MAPPING_##of, .arrangement = ARRANGE_TABLE, \
    .least = 1, .most = SCENARIO_STORED, .keys = PATTERN_KEY
#define FORM_KEYS_OR_WORD(of, instead) FORM_KEYS(of), .word = (instead)
#define FORM_FILES(of)                                                         \
    .shape = SHAPE_STORED, .mapping = MAPPING_##of,                            \
    .arrangement = ARRANGE_TABLE, .least = 1, .most = SCENARIO_STORED,         \
    .keys = PATTERN_FILE
#define FORM_FILES_OR_WORD(of, instead) FORM_FILES(of), .word = (instead)
#define FORM_TEXTS_OR_NONE FORM_TEXT, .arrangement = ARRANGE_LIST
#define FORM_WORD_LIST(...)                                                    \
    FORM_WORDS(__VA_ARGS__), .arrangement = ARRANGE_LIST, .unique = true
#define FORM_WORD_OR_LIST(...)                                                 \
    FORM_WORDS(__VA_ARGS__), .arrangement = ARRANGE_ALONE_OR_LIST, .least = 1, \
                             .unique = true
#define FORM_OWN_TYPE .shape = SHAPE_OWN_TYPE
#define FORM_FIELDS                                                            \
    .shape = SHAPE_FIELD, .mapping = MAPPING_FIELD,                            \
    .arrangement = ARRANGE_TABLE, .least = 1, .keys = PATTERN_NAME
#define FORM_CODE                                                              \
    .shape = SHAPE_CODE, .mapping = MAPPING_CODE, .pattern = PATTERN_NAME
#define FORM_CODES                                                             \
    .shape = SHAPE_CODE, .mapping = MAPPING_CODE,                              \
    .arrangement = ARRANGE_TABLE, .least = 1, .keys = PATTERN_NAME
#define FORM_WRITTEN(form) FORM_##form, .written = true

#endif
