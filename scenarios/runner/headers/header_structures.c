/* header_structures.c - a C header's structures, as libclang has laid them out,
 * written as a scenario's `structures`. */
#include "scenarios/runner/headers/header_structures.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/headers/header_body.h"
#include "scenarios/runner/language/form.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/structures.h"

enum { PACK_MOST = 16 };

/* A structure with its name in C, or one that was written, with its own. */
struct record {
    CXCursor decl;
    const char *name;
    uint64_t size, alignment; /* of one that was written */
    const char *reason;       /* it was not; NULL: it was */
};

struct records {
    struct record *item;
    size_t count;
};

struct walk {
    const struct clang_library *clang;
    void *context;
    FILE *out;
    struct records called, written;
};

/* The fields of one structure, and of those without a name inside of it. */
struct field_walk {
    struct walk *walk;
    struct header_body *body;
    const char *owner;
    uint64_t base; /* bits */
};

static const struct record *write_record(
    struct walk *walk, CXType type, const char *otherwise);

/* Whether scenarios can have the name; C has letters of all languages. */
static bool name_is_plain(const char *name)
{
    return name[0] != '\0' && strspn(name, LETTERS_NAME) == strlen(name);
}

static struct record *add(void *context, struct records *records)
{
    records->item = talloc_realloc(
        context, records->item, struct record, (unsigned)records->count + 1);
    assert(records->item != NULL);
    return &records->item[records->count++];
}

static const struct record *find(const struct clang_library *clang,
    const struct records *records, CXCursor decl)
{
    for (size_t i = 0; i < records->count; i++) {
        if (clang->clang_equalCursors(records->item[i].decl, decl)) {
            return &records->item[i];
        }
    }
    return NULL;
}

/* A field of a structure of the header's own: its name and place. */
static const struct record *inner_record(
    struct field_walk *fields, const char *name, struct header_type *element)
{
    char *otherwise =
        talloc_asprintf(fields->walk->context, "%s_%s", fields->owner, name);
    const struct record *inner =
        write_record(fields->walk, element->record, otherwise);

    element->size = inner->size;
    element->alignment = inner->alignment;
    return inner;
}

static void add_field(
    struct field_walk *fields, const char *name, CXType type, uint64_t at)
{
    const struct clang_library *clang = fields->walk->clang;
    CXType canonical = clang->clang_getCanonicalType(type);
    struct header_type element;
    uint64_t count = 0;

    if (canonical.kind == CXType_ConstantArray) {
        type = type.kind == CXType_ConstantArray ? type : canonical;
        count = (uint64_t)clang->clang_getArraySize(type);
        type = clang->clang_getArrayElementType(type);
        if (count == 0) {
            header_body_leave_out(
                fields->body, name, "an array without a size");
            return;
        }
    }
    element = header_type_of(clang, fields->walk->context, type);
    if (element.reason == NULL && element.name == NULL) {
        const struct record *inner = inner_record(fields, name, &element);

        element.name = inner->name;
        element.reason = inner->reason;
    }
    if (element.reason != NULL) {
        header_body_leave_out(fields->body, name, element.reason);
    } else {
        header_body_add(fields->body, name, element.name, &element, count, at);
    }
}

static int visit_field(CXCursor cursor, CXClientData data)
{
    struct field_walk *fields = data;
    const struct clang_library *clang = fields->walk->clang;
    CXType type = clang->clang_getCursorType(cursor);
    CXCursor decl = clang->clang_getTypeDeclaration(type);
    const char *name = clang_text(
        clang, fields->walk->context, clang->clang_getCursorSpelling(cursor));
    uint64_t bit =
        fields->base + (uint64_t)clang->clang_Cursor_getOffsetOfField(cursor);

    if (clang->clang_Cursor_isAnonymousRecordDecl(decl)) {
        struct field_walk inner = *fields;

        inner.base = bit;
        clang->clang_Type_visitFields(type, visit_field, &inner);
    } else if (name_is_plain(name) && clang->clang_Cursor_isBitField(cursor)) {
        header_body_add_bits(fields->body, name, bit,
            (uint64_t)clang->clang_getFieldDeclBitWidth(cursor));
    } else if (name_is_plain(name)) {
        add_field(fields, name, type, bit / 8);
    }
    return CXVisit_Continue;
}

/* What C calls a structure: by a typedef, or by its tag; "": nothing. */
static const char *name_in_c(struct walk *walk, CXCursor decl)
{
    const struct record *called = find(walk->clang, &walk->called, decl);

    if (called != NULL) {
        return called->name;
    }
    return walk->clang->clang_Cursor_isAnonymous(decl)
               ? ""
               : clang_text(walk->clang, walk->context,
                     walk->clang->clang_getCursorSpelling(decl));
}

static bool is_taken(const struct walk *walk, const char *name)
{
    for (size_t i = 0; i < walk->written.count; i++) {
        if (strcmp(walk->written.item[i].name, name) == 0) {
            return true;
        }
    }
    return structure_name_is_taken(name);
}

static const char *choose_name(
    struct walk *walk, CXCursor decl, const char *otherwise)
{
    const char *name = name_in_c(walk, decl);

    name = name_is_plain(name) ? name : otherwise;
    while (is_taken(walk, name)) {
        name = talloc_asprintf(walk->context, "%s_", name);
    }
    return name;
}

static void write_entry(FILE *out, const char *name,
    const struct header_body *body, const char *fields, const char *left_out)
{
    uint64_t unit = body->alignment;

    fprintf(out, "  %s: {", name);
    if (body->natural > body->pack) {
        fprintf(out, "pack: %" PRIu64 ", ", body->pack);
    }
    if ((body->end + unit - 1) / unit * unit != body->size) {
        fprintf(out, "bytes: %" PRIu64 ", ", body->size);
    }
    fprintf(out, "fields: {%s}", fields);
    if (body->left > 0) {
        fprintf(out, ", left_out: {%s}", left_out);
    }
    fputs("}\n", out);
}

static void write_fields(struct walk *walk, CXType type, struct record *record)
{
    char *text[2] = {NULL, NULL};
    size_t length[2];
    long long alignment = walk->clang->clang_Type_getAlignOf(type);
    struct header_body body = {
        .fields = open_memstream(&text[0], &length[0]),
        .left_out = open_memstream(&text[1], &length[1]),
        .pack = alignment > PACK_MOST ? PACK_MOST : (uint64_t)alignment,
        .size = record->size,
        .alignment = 1,
    };
    struct field_walk fields = {walk, &body, record->name, 0};

    assert(body.fields != NULL && body.left_out != NULL);
    walk->clang->clang_Type_visitFields(type, visit_field, &fields);
    fclose(body.fields);
    fclose(body.left_out);
    record->alignment = body.alignment;
    if (body.count == 0) {
        record->reason = "a structure without a field that scenarios have";
    } else {
        write_entry(walk->out, record->name, &body, text[0], text[1]);
    }
    free(text[0]);
    free(text[1]);
}

static const struct record *write_record(
    struct walk *walk, CXType type, const char *otherwise)
{
    CXCursor decl = header_record(walk->clang, type);
    const struct record *known = find(walk->clang, &walk->written, decl);
    struct record made = {.decl = decl, .alignment = 1};

    if (known != NULL) {
        return known;
    }
    made.name = choose_name(walk, decl, otherwise);
    made.size = (uint64_t)walk->clang->clang_Type_getSizeOf(type);
    if (made.size > IOCTL_OUTPUT_BYTES) {
        made.reason = "larger than an output can be";
    } else {
        write_fields(walk, walk->clang->clang_getCanonicalType(type), &made);
    }
    if (made.reason != NULL) {
        fprintf(walk->out, "  # not %s: %s\n", made.name, made.reason);
    }
    *add(walk->context, &walk->written) = made;
    return &walk->written.item[walk->written.count - 1];
}

static int visit_typedef(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct walk *walk = data;
    const struct clang_library *clang = walk->clang;
    CXType type;
    struct record record;

    (void)parent;
    if (cursor.kind != CXCursor_TypedefDecl) {
        return CXChildVisit_Continue;
    }
    type = clang->clang_getCanonicalType(
        clang->clang_getTypedefDeclUnderlyingType(cursor));
    if (type.kind == CXType_Record) {
        record = (struct record){.decl = header_record(clang, type)};
        if (find(clang, &walk->called, record.decl) == NULL) {
            record.name = clang_text(
                clang, walk->context, clang->clang_getCursorSpelling(cursor));
            *add(walk->context, &walk->called) = record;
        }
    }
    return CXChildVisit_Continue;
}

static int visit_record(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct walk *walk = data;
    const struct clang_library *clang = walk->clang;
    bool is_record =
        cursor.kind == CXCursor_StructDecl || cursor.kind == CXCursor_UnionDecl;
    const char *name;
    CXType type;

    (void)parent;
    if (!is_record || !clang->clang_isCursorDefinition(cursor) ||
        clang->clang_Location_isInSystemHeader(
            clang->clang_getCursorLocation(cursor))) {
        return CXChildVisit_Continue;
    }
    type = clang->clang_getCursorType(cursor);
    name = name_in_c(walk, cursor);
    if (clang->clang_Type_getSizeOf(type) > 0 && name_is_plain(name) &&
        !structure_name_is_taken(name)) {
        write_record(walk, type, name);
    }
    return CXChildVisit_Continue;
}

size_t header_structures_write(const struct clang_library *clang, void *context,
    CXTranslationUnit unit, FILE *out)
{
    struct walk walk = {.clang = clang, .context = context, .out = out};
    CXCursor root = clang->clang_getTranslationUnitCursor(unit);
    size_t count = 0;

    fputs("structures:\n", out);
    clang->clang_visitChildren(root, visit_typedef, &walk);
    clang->clang_visitChildren(root, visit_record, &walk);
    for (size_t i = 0; i < walk.written.count; i++) {
        count += walk.written.item[i].reason == NULL ? 1 : 0;
    }
    return count;
}
