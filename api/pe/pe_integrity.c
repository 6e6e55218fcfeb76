/* pe_integrity.c - what of an image memory integrity and compilers' guards want
 * otherwise: its sections, its import slots, its cookie, its guard data. */
#include "api/pe/pe_integrity.h"

#include <assert.h>

#include "api/pe/pe_reader.h"

static size_t find_write_execute(
    const struct pe *pe, struct pe_finding *finding)
{
    size_t count = 0;

    for (size_t i = 0; i < pe->section_count; i++) {
        const struct pe_section *section = &pe->section[i];

        if (section->writable && section->executable) {
            finding[count++] = (struct pe_finding){
                .kind = PE_WRITE_EXECUTE, .section = section};
        }
    }
    return count;
}

static bool has_slots(const struct pe *pe, const struct pe_section *section)
{
    for (size_t i = 0; i < pe->import_count; i++) {
        if (pe_section_at(pe, pe->import[i].slot_rva, 8) == section) {
            return true;
        }
    }
    return false;
}

static size_t find_import_table(const struct pe *pe, struct pe_finding *finding)
{
    size_t count = 0;

    for (size_t i = 0; i < pe->section_count; i++) {
        const struct pe_section *section = &pe->section[i];

        if (section->executable && has_slots(pe, section)) {
            finding[count++] = (struct pe_finding){
                .kind = PE_IMPORT_TABLE, .section = section};
        }
    }
    return count;
}

/* What is wrong with the cookie; NULL: nothing. A loader puts another number in
 * place of the one that the compiler's library has there, which is not 0. */
static const char *cookie_problem(const struct pe *pe)
{
    const uint8_t *cookie;

    if (!pe->has_load_config) {
        return "it has no load configuration";
    }
    if (pe->cookie_rva == 0) {
        return "its load configuration names none";
    }
    cookie = pe_at_rva(pe, pe->cookie_rva, sizeof(uint64_t));
    return cookie == NULL || pe_u64(cookie) == 0 ? "it is 0 in the file" : NULL;
}

static const char *guard_problem(const struct pe *pe)
{
    if (!pe->guarded) {
        return "its header does not say that it has it";
    }
    if (!pe->has_load_config) {
        return "it has no load configuration";
    }
    if (pe->guard_check_rva == 0) {
        return "its load configuration names no check function";
    }
    return pe->guarded_functions == 0
               ? "its load configuration has no table of functions"
               : NULL;
}

static size_t find_words(
    const char *why, enum pe_integrity kind, struct pe_finding *finding)
{
    if (why == NULL) {
        return 0;
    }
    *finding = (struct pe_finding){.kind = kind, .why = why};
    return 1;
}

size_t pe_integrity(
    const struct pe *pe, struct pe_finding finding[PE_FINDINGS_MAX])
{
    size_t count = 0;

    assert(pe_check(pe));
    count += find_write_execute(pe, finding + count);
    count += find_import_table(pe, finding + count);
    count += find_words(cookie_problem(pe), PE_COOKIE, finding + count);
    count += find_words(guard_problem(pe), PE_CONTROL_FLOW, finding + count);
    assert(count <= PE_FINDINGS_MAX);
    return count;
}
