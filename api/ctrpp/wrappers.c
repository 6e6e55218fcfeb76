/* wrappers.c - the functions that are generated for one counter set, and the
 * checks of its sizes: shapes and bodies as in the table of facts.md 6.3. In
 * each PAGED_CODE() is the first statement (CTR-GEN-06). */
#include "api/ctrpp/wrappers.h"

#include <assert.h>
#include <inttypes.h>

/* The heads of those that are force-inline, and of those that are inline. */
#define FORCED "\nCTRPP_LINKAGE FORCEINLINE "
#define PLAIN "\nCTRPP_LINKAGE __inline "

static const char *local(
    const struct set_names *names, enum generated_name name)
{
    return names->local[name];
}

/* Begins what the compiler says: whose field it is. */
static void add_subject(struct code_out *output, const struct manifest_set *set,
    const struct manifest_counter *counter)
{
    code_out_add(output, "        \"counter %" PRIu32, counter->id);
    if (counter->name != NULL) {
        code_out_add(output, " (");
        code_out_add_message(output, counter->name);
        code_out_add(output, ")");
    }
    code_out_add(output, " of %s: field %s of %s ", set->symbol, counter->field,
        set->structure[counter->structure].type);
}

static void add_size_check(struct code_out *output,
    const struct manifest_set *set, const struct manifest_counter *counter)
{
    const struct counter_type_row *row = &counter_type_rows[counter->type];

    if (row->bytes == 0) {
        return; /* CTR-MAN-05: no fixed size */
    }
    code_out_add(output,
        "    CTRPP_STATIC_ASSERT(sizeof(((%s *)0)->%s) == %u,\n",
        set->structure[counter->structure].type, counter->field, row->bytes);
    add_subject(output, set, counter);
    code_out_add(
        output, "has not the %u bytes of %s\");\n", row->bytes, row->word);
}

/* PCW-TYPE-03: Offset has 16 bits, which compilers cut it to. */
static void add_offset_check(struct code_out *output,
    const struct manifest_set *set, const struct manifest_counter *counter)
{
    code_out_add(output, "    CTRPP_STATIC_ASSERT(offsetof(%s, %s) <= 65535,\n",
        set->structure[counter->structure].type, counter->field);
    add_subject(output, set, counter);
    code_out_add(output, "lies beyond byte 65535\");\n");
}

/* CTRPP_VERIFY_COUNTER_SIZES: assertions of the compiler for each counter. */
static void add_size_checks(
    struct code_out *output, const struct manifest_set *set)
{
    code_out_add(output, "#if CTRPP_VERIFY_COUNTER_SIZES\n");
    for (size_t i = 0; i < set->counter_count; i++) {
        add_size_check(output, set, &set->counter[i]);
        add_offset_check(output, set, &set->counter[i]);
    }
    code_out_add(output, "#endif\n");
}

/* One line a counter: id, index of the structure, offset and size of the field.
 * There is no cast, so that the compiler reports what USHORT cannot hold. */
static void add_descriptors(struct code_out *output,
    const struct manifest_set *set, const struct set_names *names)
{
    code_out_add(output, "    static const PCW_COUNTER_DESCRIPTOR %s[] = {\n",
        local(names, GENERATED_COUNTERS));
    for (size_t i = 0; i < set->counter_count; i++) {
        const struct manifest_counter *counter = &set->counter[i];
        const char *type = set->structure[counter->structure].type;

        assert(counter->field != NULL); /* CTR-MAN-03a */
        code_out_add(output,
            "        {%" PRIu32 ", %zu, offsetof(%s, %s),\n"
            "            sizeof(((%s *)0)->%s)},\n",
            counter->id, counter->structure, type, counter->field, type,
            counter->field);
    }
    code_out_add(output, "    };\n");
}

static void add_tables(struct code_out *output, const struct manifest_set *set,
    const struct set_names *names)
{
    const char *text = local(names, GENERATED_NAME_TEXT);

    code_out_add(output, "    static const WCHAR %s[] =\n        ", text);
    code_out_add_wide(output, set->name);
    code_out_add(output,
        ";\n"
        "    static const UNICODE_STRING %s = {sizeof(%s) - sizeof(%s[0]),\n"
        "        sizeof(%s), (PWSTR)%s};\n",
        local(names, GENERATED_NAME), text, text, text, text);
    add_descriptors(output, set, names);
    add_size_checks(output, set);
}

static void add_init(struct code_out *output, const struct manifest_set *set,
    const struct set_names *names)
{
    const char *information = local(names, GENERATED_INFORMATION);
    const char *counters = local(names, GENERATED_COUNTERS);
    const char *callback = local(names, GENERATED_CALLBACK);
    const char *context = local(names, GENERATED_CONTEXT);

    code_out_add(output,
        FORCED "VOID %s(\n"
               "    _In_opt_ PPCW_CALLBACK %s, _In_opt_ PVOID %s,\n"
               "    _Out_ PCW_REGISTRATION_INFORMATION *%s)\n"
               "{\n",
        names->function[GENERATED_INIT], callback, context, information);
    add_tables(output, set, names);
    code_out_add(output,
        "\n"
        "    PAGED_CODE();\n"
        "    RtlZeroMemory(%s, sizeof(*%s));\n"
        "    %s->Version = PCW_CURRENT_VERSION;\n"
        "    %s->Name = &%s;\n",
        information, information, information, information,
        local(names, GENERATED_NAME));
    code_out_add(output,
        "    %s->CounterCount = sizeof(%s) / sizeof(%s[0]);\n"
        "    %s->Counters = (PPCW_COUNTER_DESCRIPTOR)%s;\n"
        "    %s->Callback = %s;\n"
        "    %s->CallbackContext = %s;\n"
        "}\n",
        information, counters, counters, information, counters, information,
        callback, information, context);
}

static void add_register(struct code_out *output, const struct set_names *names)
{
    const char *information = local(names, GENERATED_INFORMATION);
    const char *callback = local(names, GENERATED_CALLBACK);
    const char *context = local(names, GENERATED_CONTEXT);

    code_out_add(output,
        FORCED "NTSTATUS %s(\n"
               "    _In_opt_ PPCW_CALLBACK %s, _In_opt_ PVOID %s)\n"
               "{\n"
               "    PCW_REGISTRATION_INFORMATION %s;\n"
               "\n"
               "    PAGED_CODE();\n",
        names->function[GENERATED_REGISTER], callback, context, information);
    code_out_add(output,
        "    %s(%s, %s, &%s);\n"
        "    return %sPcwRegister(&%s, &%s);\n"
        "}\n",
        names->function[GENERATED_INIT], callback, context, information,
        names->routines, names->handle, information);
}

/* It leaves the handle as it is. */
static void add_unregister(
    struct code_out *output, const struct set_names *names)
{
    code_out_add(output,
        FORCED "VOID %s(VOID)\n"
               "{\n"
               "    PAGED_CODE();\n"
               "    %sPcwUnregister(%s);\n"
               "}\n",
        names->function[GENERATED_UNREGISTER], names->routines, names->handle);
}

/* The parameters of the blocks, which end a list. */
static void add_block_parameters(struct code_out *output,
    const struct manifest_set *set, const struct set_names *names,
    const char *annotation)
{
    for (size_t i = 0; i < set->structure_count; i++) {
        code_out_add(output, ",\n    %s const %s *%s", annotation,
            set->structure[i].type, names->block[i]);
    }
    code_out_add(output, ")\n");
}

/* A local array of what the blocks are, and PAGED_CODE(). */
static void add_data(struct code_out *output, const struct manifest_set *set,
    const struct set_names *names)
{
    const char *data = local(names, GENERATED_DATA);

    code_out_add(output,
        "{\n"
        "    PCW_DATA %s[%zu];\n"
        "\n"
        "    PAGED_CODE();\n",
        data, set->structure_count);
    for (size_t i = 0; i < set->structure_count; i++) {
        code_out_add(output,
            "    %s[%zu].Data = %s;\n"
            "    %s[%zu].Size = sizeof(*%s);\n",
            data, i, names->block[i], data, i, names->block[i]);
    }
}

static void add_create(struct code_out *output, const struct manifest_set *set,
    const struct set_names *names)
{
    const char *instance = local(names, GENERATED_INSTANCE);
    const char *name = local(names, GENERATED_NAME);

    code_out_add(output,
        PLAIN "NTSTATUS %s(\n"
              "    _Outptr_ PPCW_INSTANCE *%s, _In_ PCUNICODE_STRING %s",
        names->function[GENERATED_CREATE], instance, name);
    add_block_parameters(output, set, names, "_In_");
    add_data(output, set, names);
    code_out_add(output,
        "    return %sPcwCreateInstance(%s, %s, %s, %zu, %s);\n"
        "}\n",
        names->routines, instance, names->handle, name, set->structure_count,
        local(names, GENERATED_DATA));
}

static void add_close(struct code_out *output, const struct set_names *names)
{
    const char *instance = local(names, GENERATED_INSTANCE);

    code_out_add(output,
        FORCED "VOID %s(_In_ PPCW_INSTANCE %s)\n"
               "{\n"
               "    PAGED_CODE();\n"
               "    %sPcwCloseInstance(%s);\n"
               "}\n",
        names->function[GENERATED_CLOSE], instance, names->routines, instance);
}

static void add_add(struct code_out *output, const struct manifest_set *set,
    const struct set_names *names)
{
    const char *buffer = local(names, GENERATED_BUFFER);
    const char *name = local(names, GENERATED_NAME);
    const char *id = local(names, GENERATED_ID);

    code_out_add(output,
        PLAIN
        "NTSTATUS %s(\n"
        "    _In_ PPCW_BUFFER %s, _In_ PCUNICODE_STRING %s, _In_ ULONG %s",
        names->function[GENERATED_ADD], buffer, name, id);
    add_block_parameters(output, set, names, "_In_opt_");
    add_data(output, set, names);
    code_out_add(output,
        "    return %sPcwAddInstance(%s, %s, %s, %zu, %s);\n"
        "}\n",
        names->routines, buffer, name, id, set->structure_count,
        local(names, GENERATED_DATA));
}

void wrappers_add(struct code_out *output, const struct manifest_set *set,
    const struct set_names *names)
{
    add_init(output, set, names);
    add_register(output, names);
    add_unregister(output, names);
    add_create(output, set, names);
    add_close(output, names);
    add_add(output, set, names);
}
