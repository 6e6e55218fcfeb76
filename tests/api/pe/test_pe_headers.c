/* test_pe_headers.c - images that are refused for their headers, sections or
 * directories. */
#include <stdio.h>

#include "tests/api/pe/pe_refusal.h"

enum {
    COFF = AT_FILE_HEADER,
    OPTIONAL = AT_OPTIONAL_HEADER,
    TEXT = AT_SECTIONS,
    RDATA = AT_SECTIONS + 40,
    RELOC = AT_SECTIONS + 240,
};

static struct refusal_row header_rows[] = {
    {"without_MZ_it_is_no_PE_file", {{0, 2, 0x4D5A}}, 0,
        "not a PE file: it does not begin with MZ"},
    {"without_PE_it_is_no_PE_file", {{AT_PE, 4, 0x454E}}, 0x3C,
        "not a PE file: there is no PE signature at 0x80, where the MS-DOS "
        "header says"},
    {"signature_past_the_end", {{0x3C, 4, 0xFFFFFFFF}}, 0x3C,
        "not a PE file: there is no PE signature at 0xffffffff, where the "
        "MS-DOS header says"},
    {"x86_machine", {{COFF, 2, 0x14C}}, COFF,
        "the image is for x86 (32-bit): build the driver for x64"},
    {"x86_machine_and_its_optional_header_are_one_thing",
        {{COFF, 2, 0x14C}, {OPTIONAL, 2, 0x10B}}, COFF,
        "the image is for x86 (32-bit): build the driver for x64"},
    {"unknown_machine_and_optional_header_are_one_thing",
        {{COFF, 2, 0x1234}, {OPTIONAL, 2, 0x10B}}, COFF,
        "the image is for an unknown machine (0x1234): build the driver for "
        "x64"},
    {"ARM_machine", {{COFF, 2, 0x1C4}}, COFF,
        "the image is for ARM Thumb-2 (32-bit): build the driver for x64"},
    {"ARM64_machine", {{COFF, 2, 0xAA64}}, COFF,
        "the image is for ARM64: build the driver for x64"},
    {"ARM64EC_machine", {{COFF, 2, 0xA641}}, COFF,
        "the image is for ARM64EC: build the driver for x64"},
    {"ARM64EC_by_its_metadata",
        {{AT_LOAD_CONFIG, 4, 0xD0}, {AT_LOAD_CONFIG + 0xC8, 8, 1}}, 0x158,
        "the image is for ARM64EC: build the driver for x64"},
    {"unknown_machine", {{COFF, 2, 0x1234}}, COFF,
        "the image is for an unknown machine (0x1234): build the driver for "
        "x64"},
    {"image_of_a_failed_link", {{COFF + 18, 2, 0x20}}, COFF + 18,
        "not an executable image: the linker left errors in it"},
    {"PE32", {{OPTIONAL, 2, 0x10B}}, OPTIONAL,
        "a PE32 (32-bit) image: build the driver for x64, which is PE32+"},
    {"unknown_optional_header", {{OPTIONAL, 2, 0x107}}, OPTIONAL,
        "the optional header is of kind 0x107, not PE32+ (0x20b)"},
    {"optional_header_too_short", {{COFF + 16, 2, 0x6F}}, COFF + 16,
        "the optional header (0x6f bytes) is too short for PE32+"},
    {"optional_header_of_one_byte", {{COFF + 16, 2, 1}, {OPTIONAL, 2, 0x10B}},
        COFF + 16, "the optional header (0x1 bytes) is too short for PE32+"},
    {"PE32_by_two_bytes", {{COFF + 16, 2, 2}, {OPTIONAL, 2, 0x10B}}, OPTIONAL,
        "a PE32 (32-bit) image: build the driver for x64, which is PE32+"},
    {"optional_header_without_directories", {{COFF + 16, 2, 0x70}},
        OPTIONAL + 108,
        "the optional header (0x70 bytes) has no room for its 16 directories"},
    {"optional_header_past_the_end", {{COFF + 16, 2, 0xFFFF}}, COFF + 16,
        "the optional header (0xffff bytes) goes beyond the end of the file"},
    {"no_room_for_the_directories", {{COFF + 16, 2, 0xEF}}, OPTIONAL + 108,
        "the optional header (0xef bytes) has no room for its 16 directories"},
    {"console_program", {{OPTIONAL + 68, 2, 3}}, OPTIONAL + 68,
        "a user-mode program (subsystem 3), not a driver: link with /driver "
        "/subsystem:native or --subsystem,native"},
    {"windowed_program", {{OPTIONAL + 68, 2, 2}}, OPTIONAL + 68,
        "a user-mode program (subsystem 2), not a driver: link with /driver "
        "/subsystem:native or --subsystem,native"},
    {"EFI_program", {{OPTIONAL + 68, 2, 10}}, OPTIONAL + 68,
        "the subsystem is 10, a driver's is 1 (native): link with /driver "
        "/subsystem:native or --subsystem,native"},
    /* CI-04 */
    {"section_alignment_below_a_page", {{OPTIONAL + 32, 4, 0x800}},
        OPTIONAL + 32,
        "the section alignment 2048 is less than a page: sections would share "
        "pages, which have one protection each (Section Alignment Failures, "
        "0xC4/0x2004); link with /align:4096"},
    {"section_alignment_0", {{OPTIONAL + 32, 4, 0}}, OPTIONAL + 32,
        "the section alignment 0 is less than a page: sections would share "
        "pages, which have one protection each (Section Alignment Failures, "
        "0xC4/0x2004); link with /align:4096"},
    {"section_alignment_not_a_power_of_two", {{OPTIONAL + 32, 4, 0x3000}},
        OPTIONAL + 32, "the section alignment 0x3000 is not a power of two"},
    {"file_alignment_too_small", {{OPTIONAL + 36, 4, 0x100}}, OPTIONAL + 36,
        "the file alignment 0x100 is not a power of two from 512 to 65536"},
    {"file_alignment_0", {{OPTIONAL + 36, 4, 0}}, OPTIONAL + 36,
        "the file alignment 0x0 is not a power of two from 512 to 65536"},
    {"image_above_64_MiB", {{OPTIONAL + 56, 4, 0x4001000}}, OPTIONAL + 56,
        "the image has 0x4001000 bytes in memory, more than 64 MiB"},
    {"image_size_not_whole", {{OPTIONAL + 56, 4, 0x9001}}, OPTIONAL + 56,
        "the image size 0x9001 is not a multiple of the section alignment"},
    {"headers_past_the_end", {{OPTIONAL + 60, 4, 0x2000}}, OPTIONAL + 60,
        "the headers (0x2000 bytes) go beyond the end of the file"},
    {"no_entry", {{OPTIONAL + 16, 4, 0}}, OPTIONAL + 16,
        "no entry point: link with /entry:DriverEntry or -e DriverEntry"},
    {"entry_in_data", {{OPTIONAL + 16, 4, 0x3000}}, OPTIONAL + 16,
        "the entry point 0x3000 is not in an executable section"},
    {"entry_behind_the_last_section",
        {{OPTIONAL + 16, 4, 0x9000}, {RELOC + 36, 4, 0x60000020}},
        OPTIONAL + 16,
        "the entry point 0x9000 is not in an executable section"},
    {"entry_outside_of_the_image", {{OPTIONAL + 16, 4, 0xFFFFFFFF}},
        OPTIONAL + 16,
        "the entry point 0xffffffff is not in an executable section"},
    {"stripped_relocations_with_addresses",
        {{AT_DIRECTORIES + 40, 8, 0}, {COFF + 18, 2, 0x23}}, COFF + 18,
        "the relocations were stripped, and the image is not loaded at its "
        "preferred base: link with /dynamicbase or --dynamicbase"},
};

static struct refusal_row section_rows[] = {
    {"no_section", {{COFF + 2, 2, 0}}, COFF + 2,
        "0 sections: an image has from 1 to 96"},
    {"too_many_sections", {{COFF + 2, 2, 97}}, COFF + 2,
        "97 sections: an image has from 1 to 96"},
    {"section_headers_past_the_headers", {{COFF + 2, 2, 16}}, COFF + 2,
        "the section headers (16) go beyond the headers (0x400 bytes)"},
    {"empty_section", {{RELOC + 8, 4, 0}, {RELOC + 16, 4, 0}}, RELOC + 8,
        "section .reloc is empty"},
    {"section_off_its_alignment", {{RELOC + 12, 4, 0x8010}}, RELOC + 12,
        "section .reloc begins at 0x8010, not a multiple of the section "
        "alignment"},
    {"overlapping_sections", {{RELOC + 12, 4, 0x7000}}, RELOC + 12,
        "section .reloc begins at 0x7000, but what is before it ends at "
        "0x8000: they overlap or are out of order"},
    {"section_over_the_headers", {{TEXT + 12, 4, 0}, {TEXT + 8, 4, 0x2000}},
        TEXT + 12,
        "section .text begins at 0x0, but what is before it ends at 0x1000: "
        "they overlap or are out of order"},
    {"gap_between_sections",
        {{RELOC + 12, 4, 0x9000}, {OPTIONAL + 56, 4, 0xA000}}, RELOC + 12,
        "section .reloc begins at 0x9000 and leaves a gap after 0x8000"},
    {"section_past_the_image", {{RELOC + 8, 4, 0x1001}}, RELOC + 8,
        "section .reloc (0x1001 bytes at 0x8000) goes beyond the image size "
        "0x9000"},
    {"section_whose_end_overflows", {{RELOC + 8, 4, 0xFFFFFFFF}}, RELOC + 8,
        "section .reloc (0xffffffff bytes at 0x8000) goes beyond the image "
        "size 0x9000"},
    {"section_past_the_file", {{RELOC + 20, 4, 0x1400}}, RELOC + 16,
        "section .reloc (0x200 bytes at 0x1400 of the file) goes beyond the "
        "end of the file: was it cut off?"},
    {"section_off_the_file_alignment", {{RELOC + 20, 4, 0x1201}}, RELOC + 20,
        "section .reloc lies at 0x1201 of the file, not a multiple of the file "
        "alignment"},
    {"KMDF_section", {{RDATA, 8, UINT64_C(0x736C6366646D6B2E)}}, RDATA,
        "KMDF is not modelled: section .kmdfcls is its library's; only WDM "
        "drivers run here"},
};

static struct refusal_row directory_rows[] = {
    {"TLS", {{AT_DIRECTORIES + 72, 8, UINT64_C(0x2800002240)}},
        AT_DIRECTORIES + 72,
        "thread-local storage (TLS callbacks or data): the kernel has none; "
        "link without it"},
    {"delayed_imports", {{AT_DIRECTORIES + 104, 8, UINT64_C(0x2800002240)}},
        AT_DIRECTORIES + 104,
        "delayed imports: the kernel has none; link without /delayload"},
    {"managed_program", {{AT_DIRECTORIES + 112, 8, UINT64_C(0x2800002240)}},
        AT_DIRECTORIES + 112,
        "a managed (CLR) program: the kernel has no runtime for it"},
    {"directory_past_the_image",
        {{AT_DIRECTORIES + 16, 8, UINT64_C(0x100100008000)}},
        AT_DIRECTORIES + 16,
        "directory 2 (0x1001 bytes at 0x8000) goes beyond the image size "
        "0x9000"},
    {"directory_whose_end_overflows",
        {{AT_DIRECTORIES + 16, 8, UINT64_C(0xFFFFFFFF00008000)}},
        AT_DIRECTORIES + 16,
        "directory 2 (0xffffffff bytes at 0x8000) goes beyond the image size "
        "0x9000"},
    {"certificates_past_the_file",
        {{AT_DIRECTORIES + 32, 8, UINT64_C(0x600001500)}}, AT_DIRECTORIES + 32,
        "the certificates (0x6 bytes at 0x1500 of the file) go beyond the end "
        "of the file: was it cut off?"},
};

/* One pass tells of everything. */
static void all_problems_are_told_at_once(void **state)
{
    static const char *const want[] = {
        "a user-mode program (subsystem 3), not a driver: link with /driver "
        "/subsystem:native or --subsystem,native",
        "thread-local storage (TLS callbacks or data): the kernel has none; "
        "link without it",
        "the entry point 0x3000 is not in an executable section",
        "the name of a routine of ntoskrnl.exe, at 0x7ffffff0, is not a text "
        "that ends in its section",
    };
    struct pe_image file = image_build();
    struct pe_problems problems;
    struct pe pe;

    (void)state;
    image_put(&file, OPTIONAL + 16, 4, 0x3000);
    image_put(&file, OPTIONAL + 68, 2, 3);
    image_put(&file, AT_DIRECTORIES + 72, 8, UINT64_C(0x2800002240));
    image_put(&file, AT_LOOKUP, 8, 0x7FFFFFF0);
    assert_false(pe_read(&pe, file.bytes, file.size, &problems));
    assert_int_equal(problems.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(problems.item[i].text, want[i]);
    }
    pe_problems_release(&problems);
    free(file.bytes);
}

/* 56 names, of which none lies in a section. */
static void all_are_told_however_many(void **state)
{
    struct pe_image file = image_build();
    struct pe_problems problems;
    char want[128];
    struct pe pe;

    (void)state;
    for (size_t i = 0; i < 56; i++) {
        image_put(&file, AT_DATA + 8 * i, 8, UINT64_C(0x7FFF0000) + i);
    }
    image_put(&file, AT_IMPORTS, 4, 0x3000);
    assert_false(pe_read(&pe, file.bytes, file.size, &problems));
    assert_int_equal(problems.count, 56);
    for (unsigned i = 0; i < 56; i++) {
        snprintf(want, sizeof(want),
            "the name of a routine of ntoskrnl.exe, at 0x7fff%04x, is not a "
            "text that ends in its section",
            i);
        assert_string_equal(problems.item[i].text, want);
    }
    pe_problems_release(&problems);
    assert_int_equal(problems.count, 0);
    free(file.bytes);
}

/* As long as a name may be. */
static void long_text_is_whole(void **state)
{
    struct pe_problems problems = {.count = 0};
    char name[PE_NAME_MAX + 1] = "";

    (void)state;
    memset(name, 'x', PE_NAME_MAX);
    pe_problem(&problems, 7, "imports %s", name);
    assert_int_equal(problems.count, 1);
    assert_int_equal(problems.item[0].offset, 7);
    assert_int_equal(strlen(problems.item[0].text), 8 + PE_NAME_MAX);
    assert_string_equal(problems.item[0].text + 8, name);
    pe_problems_release(&problems);
}

static void file_of_4_GiB_is_refused_unread(void **state)
{
    uint8_t byte = 'M';
    struct pe_problems problems;
    struct pe pe;

    (void)state;
    assert_false(pe_read(&pe, &byte, UINT64_C(0x100000000), &problems));
    assert_int_equal(problems.count, 1);
    assert_string_equal(problems.item[0].text, "the file has 4 GiB or more");
    pe_problems_release(&problems);
}

TEST_FILE(test_pe_headers)
{
    TEST_ADD_ROWS(list, refusal_row, header_rows);
    TEST_ADD_ROWS(list, refusal_row, section_rows);
    TEST_ADD_ROWS(list, refusal_row, directory_rows);
    test_add(list, "all_problems_are_told_at_once",
        all_problems_are_told_at_once, NULL);
    test_add(
        list, "all_are_told_however_many", all_are_told_however_many, NULL);
    test_add(list, "long_text_is_whole", long_text_is_whole, NULL);
    test_add(list, "file_of_4_GiB_is_refused_unread",
        file_of_4_GiB_is_refused_unread, NULL);
}
