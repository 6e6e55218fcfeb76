/* backcompat.c - code that is generated for -backcompat: routines that ask the
 * kernel for its own by name, so that a driver has no import that an old kernel
 * lacks. Several generated headers in one program share them. */
#include "api/ctrpp/backcompat.h"

static void add_types(struct code_out *output)
{
    code_out_add(output,
        "\n"
        "#ifndef CTRPP_ROUTINES\n"
        "#define CTRPP_ROUTINES\n"
        "\n"
        "typedef NTSTATUS NTAPI CTRPP_REGISTER(\n"
        "    PPCW_REGISTRATION *, PPCW_REGISTRATION_INFORMATION);\n"
        "typedef VOID NTAPI CTRPP_UNREGISTER(PPCW_REGISTRATION);\n"
        "typedef NTSTATUS NTAPI CTRPP_CREATE(PPCW_INSTANCE *,\n"
        "    PPCW_REGISTRATION, PCUNICODE_STRING, ULONG, PPCW_DATA);\n"
        "typedef VOID NTAPI CTRPP_CLOSE(PPCW_INSTANCE);\n"
        "typedef NTSTATUS NTAPI CTRPP_ADD(\n"
        "    PPCW_BUFFER, PCUNICODE_STRING, ULONG, ULONG, PPCW_DATA);\n");
    code_out_add(output,
        "\n"
        "/* NULL: not looked for, or not there. */\n"
        "DECLSPEC_SELECTANY CTRPP_REGISTER *CtrppRegister = NULL;\n"
        "DECLSPEC_SELECTANY CTRPP_UNREGISTER *CtrppUnregister = NULL;\n"
        "DECLSPEC_SELECTANY CTRPP_CREATE *CtrppCreate = NULL;\n"
        "DECLSPEC_SELECTANY CTRPP_CLOSE *CtrppClose = NULL;\n"
        "DECLSPEC_SELECTANY CTRPP_ADD *CtrppAdd = NULL;\n");
}

static void add_search(struct code_out *output)
{
    code_out_add(output,
        "\n"
        "CTRPP_LINKAGE __inline ULONG_PTR CtrppFind(PCWSTR Name)\n"
        "{\n"
        "    UNICODE_STRING String;\n"
        "\n"
        "    RtlInitUnicodeString(&String, Name);\n"
        "    return (ULONG_PTR)MmGetSystemRoutineAddress(&String);\n"
        "}\n"
        "\n"
        "/* Whether the kernel has all of them. */\n"
        "CTRPP_LINKAGE __inline BOOLEAN CtrppFindAll(VOID)\n"
        "{\n");
    code_out_add(output,
        "    CtrppRegister = (CTRPP_REGISTER *)CtrppFind(L\"PcwRegister\");\n"
        "    CtrppUnregister =\n"
        "        (CTRPP_UNREGISTER *)CtrppFind(L\"PcwUnregister\");\n"
        "    CtrppCreate = (CTRPP_CREATE *)CtrppFind(L\"PcwCreateInstance\");\n"
        "    CtrppClose = (CTRPP_CLOSE *)CtrppFind(L\"PcwCloseInstance\");\n"
        "    CtrppAdd = (CTRPP_ADD *)CtrppFind(L\"PcwAddInstance\");\n"
        "    return CtrppRegister != NULL && CtrppUnregister != NULL &&\n"
        "        CtrppCreate != NULL && CtrppClose != NULL && CtrppAdd != "
        "NULL;\n"
        "}\n");
}

static void add_registration(struct code_out *output)
{
    code_out_add(output,
        "\n"
        "CTRPP_LINKAGE FORCEINLINE NTSTATUS CtrppPcwRegister(\n"
        "    _Out_ PPCW_REGISTRATION *Registration,\n"
        "    _In_ PPCW_REGISTRATION_INFORMATION Info)\n"
        "{\n"
        "    if (!CtrppFindAll()) {\n"
        "        *Registration = NULL;\n"
        "        return STATUS_SUCCESS;\n"
        "    }\n"
        "    return CtrppRegister(Registration, Info);\n"
        "}\n"
        "\n"
        "CTRPP_LINKAGE FORCEINLINE VOID CtrppPcwUnregister(\n"
        "    _In_opt_ PPCW_REGISTRATION Registration)\n"
        "{\n"
        "    if (Registration != NULL) {\n"
        "        CtrppUnregister(Registration);\n"
        "    }\n"
        "}\n");
}

static void add_instances(struct code_out *output)
{
    code_out_add(output,
        "\n"
        "CTRPP_LINKAGE FORCEINLINE NTSTATUS CtrppPcwCreateInstance(\n"
        "    _Outptr_ PPCW_INSTANCE *Instance,\n"
        "    _In_opt_ PPCW_REGISTRATION Registration,\n"
        "    _In_ PCUNICODE_STRING Name, _In_ ULONG Count, _In_ PPCW_DATA "
        "Data)\n"
        "{\n"
        "    if (Registration == NULL) {\n"
        "        *Instance = NULL;\n"
        "        return STATUS_SUCCESS;\n"
        "    }\n"
        "    return CtrppCreate(Instance, Registration, Name, Count, Data);\n"
        "}\n"
        "\n"
        "CTRPP_LINKAGE FORCEINLINE VOID CtrppPcwCloseInstance(\n"
        "    _In_opt_ PPCW_INSTANCE Instance)\n"
        "{\n"
        "    if (Instance != NULL) {\n"
        "        CtrppClose(Instance);\n"
        "    }\n"
        "}\n");
    code_out_add(output,
        "\n"
        "CTRPP_LINKAGE FORCEINLINE NTSTATUS CtrppPcwAddInstance(\n"
        "    _In_ PPCW_BUFFER Buffer, _In_ PCUNICODE_STRING Name, _In_ ULONG "
        "Id,\n"
        "    _In_ ULONG Count, _In_ PPCW_DATA Data)\n"
        "{\n"
        "    if (CtrppAdd == NULL) {\n"
        "        return STATUS_SUCCESS;\n"
        "    }\n"
        "    return CtrppAdd(Buffer, Name, Id, Count, Data);\n"
        "}\n"
        "\n"
        "#endif\n");
}

void backcompat_add(struct code_out *output)
{
    add_types(output);
    add_search(output);
    add_registration(output);
    add_instances(output);
}
