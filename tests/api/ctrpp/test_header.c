/* test_header.c - the header of a kernel-mode provider (facts.md 6.3). That it
 * compiles, and in which shapes, is for the tests ctrpp.header.* to say. */
#include "tests/rows.h"

#include <string.h>
#include <talloc.h>

#include "tests/api/ctrpp/scenes.h"

static const char *header_of(void *context, const char *scene_name)
{
    const struct scene *scene = scene_find(context, scene_name);
    const struct ctrpp_settings settings = {.prefix = scene->prefix,
        .source = "name.man",
        .backcompat = scene->backcompat};

    return ctrpp_header(context, &scene->manifest, &settings);
}

/* `once` stands there, once; `never` does not. */
static struct row {
    const char *name, *scene, *once, *never;
} rows[] = {
    {"says_of_what_it_is_made", "one_struct",
        "/* Made by ntpmu ctrpp of \"name.man\". DO NOT EDIT:", NULL},
    {"guard_is_of_provider_and_prefix", "one_struct",
        "#ifndef CTRPP_HEADER_5AF80A04_2B1C_4D3E_8F01_00A0C9112200_Kcs\n",
        NULL},
    {"guard_without_prefix", "three_structs",
        "#ifndef CTRPP_HEADER_5AF80A04_2B1C_4D3E_8F01_00A0C9112200\n", NULL},
    /* CTR-CLI-03, CTR-GEN-01, A40 */
    {"handle_is_prefix_and_symbol", "one_struct",
        "\nDECLSPEC_SELECTANY PPCW_REGISTRATION KcsGeometricWave = NULL;\n",
        "PPCW_REGISTRATION GeometricWave"},
    {"handle_without_prefix", "three_structs",
        "\nDECLSPEC_SELECTANY PPCW_REGISTRATION MyDevice = NULL;\n", NULL},
    {"init_is_forced_inline", "one_struct",
        "FORCEINLINE VOID KcsInitRegistrationInformationGeometricWave(\n"
        "    _In_opt_ PPCW_CALLBACK Callback, _In_opt_ PVOID Context,\n"
        "    _Out_ PCW_REGISTRATION_INFORMATION *Information)\n",
        NULL},
    {"register_is_forced_inline", "one_struct",
        "FORCEINLINE NTSTATUS KcsRegisterGeometricWave(\n"
        "    _In_opt_ PPCW_CALLBACK Callback, _In_opt_ PVOID Context)\n",
        NULL},
    {"unregister_is_forced_inline", "one_struct",
        "FORCEINLINE VOID KcsUnregisterGeometricWave(VOID)\n", NULL},
    /* CTR-GEN-02, A22: each verb is there, and none with Instance. */
    {"create_is_inline", "one_struct",
        "CTRPP_LINKAGE __inline NTSTATUS KcsCreateGeometricWave(\n"
        "    _Outptr_ PPCW_INSTANCE *Instance, _In_ PCUNICODE_STRING Name,\n"
        "    _In_ const WAVE_VALUES *Values)\n",
        "KcsCreateInstance"},
    {"close_is_forced_inline", "one_struct",
        "FORCEINLINE VOID KcsCloseGeometricWave(_In_ PPCW_INSTANCE Instance)\n",
        "KcsCloseInstance"},
    {"add_is_inline", "one_struct",
        "CTRPP_LINKAGE __inline NTSTATUS KcsAddGeometricWave(\n"
        "    _In_ PPCW_BUFFER Buffer, _In_ PCUNICODE_STRING Name, _In_ ULONG "
        "Id,\n"
        "    _In_opt_ const WAVE_VALUES *Values)\n",
        NULL},
    /* CTR-GEN-03: what a driver alters is left to it. */
    {"version_is_the_current_one", "one_struct",
        "    Information->Version = PCW_CURRENT_VERSION;\n", "->Flags"},
    {"name_is_that_of_the_set", "one_struct", "L\"Geometric Waves\";\n", NULL},
    {"descriptor_of_the_first_counter", "one_struct",
        "        {1, 0, offsetof(WAVE_VALUES, Triangle),\n"
        "            sizeof(((WAVE_VALUES *)0)->Triangle)},\n",
        NULL},
    {"descriptor_of_the_second_counter", "one_struct",
        "        {7, 0, offsetof(WAVE_VALUES, Square),\n"
        "            sizeof(((WAVE_VALUES *)0)->Square)},\n",
        NULL},
    {"descriptor_of_another_structure", "three_structs",
        "        {65535, 1, offsetof(DEVICE_DETAILS, Inner.Delta),\n", NULL},
    /* CTR-GEN-06 */
    {"create_passes_count_and_handle", "one_struct",
        "    PCW_DATA Data[1];\n"
        "\n"
        "    PAGED_CODE();\n"
        "    Data[0].Data = Values;\n"
        "    Data[0].Size = sizeof(*Values);\n"
        "    return PcwCreateInstance(Instance, KcsGeometricWave, Name, 1, "
        "Data);\n",
        NULL},
    {"create_with_three_structures", "three_structs",
        "    _In_ const DEVICE_TOTALS *Totals,\n"
        "    _In_ const DEVICE_DETAILS *Details,\n"
        "    _In_ const DEVICE_STATE *State)\n"
        "{\n"
        "    PCW_DATA Data[3];\n",
        NULL},
    {"create_passes_three", "three_structs",
        "    return PcwCreateInstance(Instance, MyDevice, Name, 3, Data);\n",
        NULL},
    {"add_passes_three", "three_structs",
        "    return PcwAddInstance(Buffer, Name, Id, 3, Data);\n", NULL},
    {"register_passes_its_handle", "one_struct",
        "    return PcwRegister(&KcsGeometricWave, &Information);\n", NULL},
    {"unregister_leaves_the_handle", "one_struct",
        "    PAGED_CODE();\n"
        "    PcwUnregister(KcsGeometricWave);\n"
        "}\n",
        "KcsGeometricWave = NULL;\n}"},
    /* CTR-MAN-05 */
    {"checks_four_bytes", "one_struct",
        "    CTRPP_STATIC_ASSERT(sizeof(((WAVE_VALUES *)0)->Triangle) == 4,\n",
        NULL},
    {"checks_eight_bytes", "one_struct",
        "    CTRPP_STATIC_ASSERT(sizeof(((WAVE_VALUES *)0)->Square) == 8,\n",
        NULL},
    {"names_counter_and_field", "one_struct",
        "        \"counter 7 (Square) of GeometricWave: field Square of "
        "WAVE_VALUES has not the 8 bytes of perf_counter_large_rawcount\");\n",
        NULL},
    {"names_a_counter_without_name", "three_structs",
        "\"counter 65535 of MyDevice: field Inner.Delta of "
        "DEVICE_DETAILS has",
        NULL},
    {"checks_no_text", "three_structs", "sizeof(((DEVICE_STATE *)0)->Text)",
        "perf_counter_text"},
    /* PCW-TYPE-03 */
    {"checks_an_offset", "one_struct",
        "    CTRPP_STATIC_ASSERT(offsetof(WAVE_VALUES, Square) <= 65535,\n"
        "        \"counter 7 (Square) of GeometricWave: field Square of "
        "WAVE_VALUES lies beyond byte 65535\");\n",
        NULL},
    {"checks_the_offset_of_a_text", "three_structs",
        "    CTRPP_STATIC_ASSERT(offsetof(DEVICE_STATE, Text) <= 65535,\n",
        NULL},
    {"checks_are_off", "one_struct", "#define CTRPP_VERIFY_COUNTER_SIZES 0\n",
        NULL},
    /* What a manifest takes is left to it. */
    {"parameter_is_not_the_handle", "awkward",
        "    return PcwRegister(&Information, &Information_);\n", NULL},
    {"parameter_is_no_type", "awkward",
        "    return PcwCreateInstance(Instance, Information, Name_, 11, "
        "Data_);\n",
        NULL},
    {"parameter_may_be_a_part_of_a_type", "awkward",
        "    _In_ PPCW_BUFFER Buffer, _In_ PCUNICODE_STRING", "Buffer_"},
    {"parameter_is_no_keyword", "awkward", "    _In_ const Context *int_,\n",
        "Context *int,"},
    {"parameter_is_no_other_parameter", "awkward",
        "    _In_ const Name *Instance_,\n", "Name *Instance,"},
    {"parameters_differ", "awkward", "    _In_ const Name *Instance__,\n",
        NULL},
    /* CTR-CLI-07: no routine of the kernel is called by name. */
    {"backcompat_registers_by_address", "backcompat",
        "    return CtrppPcwRegister(&KcsGeometricWave, &Information);\n",
        " PcwRegister("},
    {"backcompat_unregisters_by_address", "backcompat",
        "    CtrppPcwUnregister(KcsGeometricWave);\n", " PcwUnregister("},
    {"backcompat_creates_by_address", "backcompat",
        "    return CtrppPcwCreateInstance(Instance, KcsGeometricWave, Name, "
        "1, Data);\n",
        " PcwCreateInstance("},
    {"backcompat_closes_by_address", "backcompat",
        "    CtrppPcwCloseInstance(Instance);\n", " PcwCloseInstance("},
    {"backcompat_adds_by_address", "backcompat",
        "    return CtrppPcwAddInstance(Buffer, Name, Id, 1, Data);\n",
        " PcwAddInstance("},
    {"without_it_nothing_is_looked_up", "one_struct", "#include <wdm.h>\n",
        "MmGetSystemRoutineAddress"},
    {"no_sets_no_functions", "no_sets", "#include <wdm.h>\n", "FORCEINLINE"},
};

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = strstr(text, part); at != NULL;
         at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

static void header_has_row(void **state)
{
    const struct row *row = *state;
    void *context = talloc_new(NULL);
    const char *header = header_of(context, row->scene);

    if (count_of(header, row->once) != 1) {
        fail_msg("not there once: %s\nin:\n%s", row->once, header);
    }
    if (row->never != NULL && strstr(header, row->never) != NULL) {
        fail_msg("there: %s\nin:\n%s", row->never, header);
    }
    talloc_free(context);
}

/* CTR-GEN-06: after what is declared, which is no statement. */
static void paged_code_is_the_first_statement(void **state)
{
    void *context = talloc_new(NULL);
    const char *header = header_of(context, "three_structs");
    size_t functions = 0;

    (void)state;
    for (const char *at = strstr(header, "\n{\n"); at != NULL;
         at = strstr(at, "\n{\n")) {
        const char *paged = strstr(at, "\n    PAGED_CODE();\n");
        const char *call = strstr(at, "\n    Pcw");
        const char *assignment = strstr(at, "] = ");
        const char *result = strstr(at, "\n    return ");
        const char *end = strstr(at, "\n}\n");

        assert_true(paged != NULL && end != NULL && paged < end);
        assert_true(call == NULL || call > paged);
        assert_true(assignment == NULL || assignment > paged ||
                    strncmp(assignment, "] = {", 5) == 0);
        assert_true(result == NULL || result > paged);
        functions++;
        at = end;
    }
    assert_int_equal(functions, 6);
    talloc_free(context);
}

static void the_same_manifest_gives_the_same_text(void **state)
{
    void *context = talloc_new(NULL);
    const char *one = header_of(context, "many");
    const char *other = header_of(context, "many");

    (void)state;
    assert_string_equal(one, other);
    assert_int_equal(count_of(one, "DECLSPEC_SELECTANY"), SCENE_MANY_SETS);
    talloc_free(context);
}

TEST_FILE(test_header)
{
    TEST_ADD_ROWS(list, header_has_row, rows);
    test_add(list, "paged_code_is_the_first_statement",
        paged_code_is_the_first_statement, NULL);
    test_add(list, "the_same_manifest_gives_the_same_text",
        the_same_manifest_gives_the_same_text, NULL);
}
