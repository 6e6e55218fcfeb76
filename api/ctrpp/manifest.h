/* manifest.h - a counter manifest (.man) as it was read: what its provider
 * publishes, checked against every rule of facts.md 6.2. Knows nothing of what
 * is generated from it. */
#ifndef API_CTRPP_MANIFEST_H
#define API_CTRPP_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/ctrpp/problems.h"
#include "api/nt/counter_type.h"
#include "api/nt/rulings.h"

enum manifest_schema { MANIFEST_SCHEMA_1_1, MANIFEST_SCHEMA_2_0 };

enum manifest_instances {
    MANIFEST_SINGLE,
    MANIFEST_MULTIPLE,
    MANIFEST_GLOBAL_AGGREGATE,
    MANIFEST_MULTIPLE_AGGREGATE,
    MANIFEST_GLOBAL_AGGREGATE_HISTORY,
};

enum manifest_aggregate {
    MANIFEST_AGGREGATE_UNDEFINED,
    MANIFEST_SUM,
    MANIFEST_AVG,
    MANIFEST_MAX,
    MANIFEST_MIN,
};

/* Bits of manifest_counter.attributes. */
enum manifest_attribute {
    MANIFEST_REFERENCE = 1,
    MANIFEST_NO_DISPLAY = 2,
    MANIFEST_NO_DIGIT_GROUPING = 4,
    MANIFEST_DISPLAY_AS_HEX = 8,
    MANIFEST_DISPLAY_AS_REAL = 16,
};

struct manifest_guid {
    uint32_t data1;
    uint16_t data2, data3;
    uint8_t data4[8];
};

/* The number of another counter of the set, or of a text. */
struct manifest_number {
    bool given;
    uint32_t value;
};

struct manifest_struct {
    struct manifest_place place;
    const char *name; /* a C symbol, unique in its set */
    const char *type; /* a C identifier */
    struct manifest_place type_place;
};

/* Texts that a manifest left out are NULL. */
struct manifest_counter {
    struct manifest_place place;
    uint32_t id;
    enum counter_type type;
    const char *uri, *symbol, *name, *description;
    struct manifest_number name_id, description_id; /* 2.0 */
    struct manifest_number base_id, perf_time_id, perf_freq_id,
        multi_counter_id; /* ids of counters of the set */
    int default_scale;    /* -10 to 10 */
    bool advanced;        /* its detailLevel */
    enum manifest_aggregate aggregate;
    unsigned attributes; /* of enum manifest_attribute */
    size_t structure;    /* index in the set's; 0 where it has none */
    const char *field;   /* NULL: user mode */
    struct manifest_place symbol_place, field_place; /* where they are given */
};

struct manifest_set {
    struct manifest_place place;
    struct manifest_guid guid;
    const char *symbol, *uri, *name, *description;
    struct manifest_place symbol_place;
    struct manifest_number name_id, description_id; /* 2.0 */
    enum manifest_instances instances;
    struct manifest_struct *structure;
    size_t structure_count;
    struct manifest_counter *counter;
    size_t counter_count;
};

struct manifest {
    enum manifest_schema schema;
    struct manifest_place place; /* of the provider */
    struct manifest_guid guid;
    const char *application_identity, *symbol, *name;
    struct manifest_place symbol_place; /* where it is given */
    bool kernel_mode;
    bool custom_callback;
    uint32_t resource_base; /* 1.1; 1 where none is given */
    struct manifest_set *set;
    size_t set_count;
};

/* Reads a manifest of `size` bytes, in UTF-8 or UTF-16. The result and all that
 * hangs on it is a child of `context`. CTR-MAN-03c [C] is what `rulings` say,
 * which are looked at in this call alone. Adds every problem that it has to
 * `problems`; NULL when one of them is an error. Reads nothing but `text`: no
 * file, no network (CTR-MAN-01, CTR-MAN-02). */
struct manifest *manifest_read(void *context, const char *text, size_t size,
    const struct rulings *rulings, struct manifest_problems *problems);

struct ctrpp_settings;

/* The same of what manifest_text() has made of the bytes, `length` of them.
 * `settings` are those of the code that is wanted of it, NULL if it is only
 * looked at. With them a provider of user mode is an error [C], and so are
 * names that the generated headers cannot have (header_names.h). */
struct manifest *manifest_parse(void *context, const char *text, size_t length,
    const struct ctrpp_settings *settings, const struct rulings *rulings,
    struct manifest_problems *problems);

/* The counter of that id; NULL when the set has none. */
const struct manifest_counter *manifest_counter_by_id(
    const struct manifest_set *set, uint32_t id);

#endif
