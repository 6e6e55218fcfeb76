/* header_type.c - what a field's C type in a driver's header is called in a
 * scenario: ULONG64 for unsigned long long, say. */
#include "scenarios/runner/headers/header_type.h"

#include <stddef.h>
#include <talloc.h>

#include "scenarios/runner/language/type_name.h"

/* Whether Windows has a type of that name and size. */
static bool is_windows(
    const char *name, uint64_t size, struct header_type *found)
{
    enum nt_type type;

    if ((!type_find_alias(name, &type) && !type_find(name, &type)) ||
        nt_type_row(type)->size != size) {
        return false;
    }
    if (nt_type_tail(type) != NULL) {
        found->reason = "as long as its elements need";
    } else {
        found->name = nt_type_row(type)->name;
    }
    return true;
}

/* By the names that lead to the type: UINT8, and unsigned char behind it. */
static bool find_name(const struct clang_library *clang, void *context,
    CXType type, struct header_type *found)
{
    CXCursor decl = clang->clang_getTypeDeclaration(type);

    while (decl.kind == CXCursor_TypedefDecl) {
        const char *name =
            clang_text(clang, context, clang->clang_getCursorSpelling(decl));

        if (is_windows(name, found->size, found)) {
            return true;
        }
        decl = clang->clang_getTypeDeclaration(
            clang->clang_getTypedefDeclUnderlyingType(decl));
    }
    return false;
}

static const char *number_of(uint64_t size, bool is_signed)
{
    switch (size) {
    case 1:
        return is_signed ? "CHAR" : "UCHAR";
    case 2:
        return is_signed ? "CSHORT" : "USHORT";
    case 4:
        return is_signed ? "LONG" : "ULONG";
    default:
        return size != 8 ? NULL : is_signed ? "LONGLONG" : "ULONG64";
    }
}

static void name_number(int kind, struct header_type *found)
{
    switch (kind) {
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
    case CXType_Enum:
        found->name = number_of(found->size, true);
        break;
    case CXType_Bool:
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_WChar:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
        found->name = number_of(found->size, false);
        break;
    default:
        break;
    }
}

CXCursor header_record(const struct clang_library *clang, CXType record)
{
    return clang->clang_getCursorDefinition(
        clang->clang_getTypeDeclaration(clang->clang_getCanonicalType(record)));
}

static const char *why_not(int kind)
{
    switch (kind) {
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
        return "a floating-point number";
    case CXType_ConstantArray:
        return "an array of arrays";
    case CXType_IncompleteArray:
        return "an array without a size";
    default:
        return "of a type that scenarios do not have";
    }
}

struct header_type header_type_of(
    const struct clang_library *clang, void *context, CXType type)
{
    CXType canonical = clang->clang_getCanonicalType(type);
    long long size = clang->clang_Type_getSizeOf(type);
    struct header_type found = {
        .record = canonical, .size = size > 0 ? (uint64_t)size : 0};
    long long alignment = clang->clang_Type_getAlignOf(type);

    found.alignment = alignment > 0 ? (uint64_t)alignment : 1;
    if (find_name(clang, context, type, &found) ||
        (canonical.kind == CXType_Record && found.size > 0)) {
        return found;
    }
    if (canonical.kind == CXType_Pointer) {
        found.name = "PVOID";
    }
    name_number(canonical.kind, &found);
    if (found.name == NULL) {
        found.reason = why_not(canonical.kind);
    }
    return found;
}
