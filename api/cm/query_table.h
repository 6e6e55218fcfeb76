/* query_table.h - what a call of RtlQueryRegistryValues goes through: the key
 * that an entry is about, and data that go to the driver. */
#ifndef API_CM_QUERY_TABLE_H
#define API_CM_QUERY_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "api/cm/registry.h"

struct kernel;

enum {
    REG_NONE = 0,
    REG_SZ = 1,
    REG_EXPAND_SZ = 2,
    REG_MULTI_SZ = 7,
};

/* Of a table's entry (wdm.h). */
enum {
    QUERY_SUBKEY = 0x1,
    QUERY_TOPKEY = 0x2,
    QUERY_REQUIRED = 0x4,
    QUERY_NOVALUE = 0x8,
    QUERY_NOEXPAND = 0x10,
    QUERY_DIRECT = 0x20,
    QUERY_DELETE = 0x40,
    QUERY_TYPECHECK = 0x100,
};

struct table_query {
    struct kernel *kernel;
    struct registry_key *top; /* that the call names; NULL: it is not there */
    struct registry_key *key; /* that entries are about; NULL: the same */
    ULONG access;             /* rights to the top one */
    PVOID context, environment;
};

/* What a value has, or an entry's default. */
struct query_data {
    ULONG type;
    size_t size;        /* bytes */
    const void *stored; /* here; NULL: the driver has them, at `given` */
    const void *given;
};

/* Copies data to where the driver wants them. It may raise, and then has
 * written nothing. */
void query_data_copy(const struct table_query *query,
    const struct query_data *data, void *to, size_t size);

/* Stores data where the entry's EntryContext points to (REG-10c).
 * STATUS_BUFFER_TOO_SMALL, STATUS_NO_MEMORY: nothing was written. It may raise,
 * and then has written nothing. */
NTSTATUS query_direct(const struct table_query *query,
    const RTL_QUERY_REGISTRY_TABLE *entry, const struct query_data *data);

/* Calls the entry's routine, for each string of a list (REG-10e). `name` is
 * what the value is called where the entry does not say; NULL: the entry does.
 * The routine's failure but STATUS_BUFFER_TOO_SMALL; STATUS_NO_MEMORY. It may
 * raise before the first call. */
NTSTATUS query_report(const struct table_query *query,
    const RTL_QUERY_REGISTRY_TABLE *entry, const struct registry_name *name,
    const struct query_data *data);

/* Makes another string of one: with what the environment has in place of its
 * names (REG-10k [C]). It lies where paths are read. STATUS_BUFFER_TOO_SMALL:
 * it is longer than that. It may raise. */
NTSTATUS query_expand(const struct table_query *query, struct query_data *data);

#endif
