/* generate_header.c - generates the header of a kernel-mode provider (-o,
 * facts.md 6.3). Its functions are those of wrappers.c. */
#include <assert.h>
#include <talloc.h>

#include "api/ctrpp/backcompat.h"
#include "api/ctrpp/code_out.h"
#include "api/ctrpp/generate.h"
#include "api/ctrpp/guid_text.h"
#include "api/ctrpp/set_names.h"
#include "api/ctrpp/wrappers.h"

/* What a driver's author has to know (CTR-GEN-03, CTR-GEN-04), and switches. */
static void add_head(struct code_out *output)
{
    code_out_add(output,
        "/* Include it after the definitions of the structures.\n"
        " *\n"
        " * Where Register does not do, because of Version or Flags or since\n"
        " * there are several registrations, call\n"
        " * InitRegistrationInformation, change what it has set, and call\n"
        " * PcwRegister. */\n"
        "#include <stddef.h>\n"
        "#include <wdm.h>\n"
        "\n"
        "/* 1: a field whose size is not the one that its counter's type\n"
        " * demands, or that lies beyond byte 65535, is an error. */\n"
        "#ifndef CTRPP_VERIFY_COUNTER_SIZES\n"
        "#define CTRPP_VERIFY_COUNTER_SIZES 0\n"
        "#endif\n");
}

/* Inline functions are one in the program where the compiler merges them, as
 * that of Microsoft does, and each file's own elsewhere. */
static void add_macros(struct code_out *output)
{
    code_out_add(output, "\n"
                         "#ifndef CTRPP_LINKAGE\n"
                         "#if defined(_MSC_VER) || defined(__cplusplus)\n"
                         "#define CTRPP_LINKAGE\n"
                         "#else\n"
                         "#define CTRPP_LINKAGE static\n"
                         "#endif\n"
                         "#endif\n"
                         "\n"
                         "#ifndef CTRPP_STATIC_ASSERT\n"
                         "#ifdef __cplusplus\n"
                         "#define CTRPP_STATIC_ASSERT static_assert\n"
                         "#else\n"
                         "#define CTRPP_STATIC_ASSERT _Static_assert\n"
                         "#endif\n"
                         "#endif\n"
                         "\n"
                         "#ifdef __cplusplus\n"
                         "extern \"C\" {\n"
                         "#endif\n");
}

static void add_foot(struct code_out *output)
{
    code_out_add(output, "\n"
                         "#ifdef __cplusplus\n"
                         "}\n"
                         "#endif\n"
                         "\n"
                         "#endif\n");
}

/* The handle is one in the program, however many files include the header. */
static void add_handle(struct code_out *output, const struct manifest_set *set,
    const struct set_names *names)
{
    code_out_add(output, "\n/* Counter set \"");
    code_out_add_comment(output, set->name);
    code_out_add(output,
        "\". */\n"
        "DECLSPEC_SELECTANY PPCW_REGISTRATION %s = NULL;\n",
        names->handle);
}

char *ctrpp_header(void *context, const struct manifest *manifest,
    const struct ctrpp_settings *settings)
{
    struct code_out output = code_out_new(context);

    assert(manifest->kernel_mode);
    code_out_add_origin(&output, settings->source);
    guid_add_guard(&output, &manifest->guid, settings->prefix, "HEADER");
    add_head(&output);
    add_macros(&output);
    if (settings->backcompat) {
        backcompat_add(&output);
    }
    for (size_t i = 0; i < manifest->set_count; i++) {
        const struct manifest_set *set = &manifest->set[i];
        struct set_names *names = set_names_of(NULL, set, settings);

        assert(set->structure_count > 0); /* CTR-MAN-03a */
        add_handle(&output, set, names);
        wrappers_add(&output, set, names);
        talloc_free(names);
    }
    add_foot(&output);
    return output.text;
}
