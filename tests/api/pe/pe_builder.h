/* pe_builder.h - a small driver's image, built in memory: a valid file that
 * has one of each, for tests to spoil. All numbers below are its layout.
 *
 *   section  rva     file     holds
 *   .text    0x1000  0x400    functions 0x1000, 0x1010 (a part of the first)
 *                             and 0x1020; code without a row from 0x1030 on
 *   .rdata   0x2000  0x600    imports, unwinding, load configuration, exports
 *   .data    0x3000  0xA00    cookie, two addresses; mostly zero in memory
 *   .pdata   0x5000  0xC00    function table
 *   PAGE     0x6000  0xE00    function 0x6000
 *   INIT     0x7000  0x1000   function 0x7000, the entry
 *   .reloc   0x8000  0x1200   relocations
 *   symbols          0x1400   and their strings
 */
#ifndef TESTS_API_PE_PE_BUILDER_H
#define TESTS_API_PE_PE_BUILDER_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Offsets in the file. */
enum {
    AT_PE = 0x80,
    AT_FILE_HEADER = 0x84,
    AT_OPTIONAL_HEADER = 0x98,
    AT_DIRECTORIES = 0x108, /* 8 bytes each */
    AT_SECTIONS = 0x188,    /* 40 bytes each */
    AT_RDATA = 0x600,
    AT_IMPORTS = 0x600, /* two descriptors of 20 bytes and the end */
    AT_LOOKUP = 0x640,
    AT_IMAGE_NAME = 0x690,
    AT_UNWIND = 0x700,
    AT_LOAD_CONFIG = 0x740,
    AT_EXPORTS = 0x890,
    AT_DATA = 0xA00,
    AT_FUNCTIONS = 0xC00,
    AT_RELOCATIONS = 0x1200,
    AT_SYMBOLS = 0x1400, /* 18 bytes each */
    AT_STRINGS = 0x14D8,
    BUILT_SIZE = 0x1505,
    BUILT_STRIPPED_SIZE = 0x1400,
};

#define BUILT_BASE UINT64_C(0x140000000)

struct pe_image {
    uint8_t *bytes; /* the caller frees them */
    size_t size;
};

static inline void image_put(
    struct pe_image *image, size_t at, unsigned width, uint64_t value)
{
    assert(at + width <= image->size);
    for (unsigned i = 0; i < width; i++) {
        image->bytes[at + i] = (uint8_t)(value >> (8 * i));
    }
}

static inline void image_put_text(
    struct pe_image *image, size_t at, const char *text)
{
    assert(at + strlen(text) <= image->size);
    memcpy(image->bytes + at, text, strlen(text));
}

/* `count` numbers of 4 bytes. */
static inline void image_put_list(
    struct pe_image *image, size_t at, const uint32_t *value, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        image_put(image, at + 4 * i, 4, value[i]);
    }
}

static inline void build_headers(struct pe_image *image)
{
    static const uint32_t directory[] = {0x2290, 0x70, 0x2000, 0x3C, 0, 0,
        0x5000, 0x30, 0, 0, 0x8000, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0x2140, 0x94,
        0, 0, 0x2068, 0x28};

    image_put_text(image, 0, "MZ");
    image_put(image, 0x3C, 4, AT_PE);
    image_put_text(image, AT_PE, "PE");
    image_put(image, AT_FILE_HEADER, 2, 0x8664);
    image_put(image, AT_FILE_HEADER + 2, 2, 7);
    image_put(image, AT_FILE_HEADER + 8, 4, AT_SYMBOLS);
    image_put(image, AT_FILE_HEADER + 12, 4, 12);
    image_put(image, AT_FILE_HEADER + 16, 2, 240);
    image_put(image, AT_FILE_HEADER + 18, 2, 0x22);
    image_put(image, AT_OPTIONAL_HEADER, 2, 0x20B);
    image_put(image, AT_OPTIONAL_HEADER + 16, 4, 0x7000);
    image_put(image, AT_OPTIONAL_HEADER + 24, 8, BUILT_BASE);
    image_put(image, AT_OPTIONAL_HEADER + 32, 4, 0x1000);
    image_put(image, AT_OPTIONAL_HEADER + 36, 4, 0x200);
    image_put(image, AT_OPTIONAL_HEADER + 56, 4, 0x9000);
    image_put(image, AT_OPTIONAL_HEADER + 60, 4, 0x400);
    image_put(image, AT_OPTIONAL_HEADER + 64, 4, 0x1A2B3);
    image_put(image, AT_OPTIONAL_HEADER + 68, 2, 1);
    image_put(image, AT_OPTIONAL_HEADER + 70, 2, 0x4160);
    image_put(image, AT_OPTIONAL_HEADER + 108, 4, 16);
    image_put_list(image, AT_DIRECTORIES, directory,
        sizeof(directory) / sizeof(directory[0]));
}

static inline void build_sections(struct pe_image *image)
{
    static const struct {
        const char *name;
        uint32_t place[4]; /* size, rva, size and offset in the file */
        uint32_t flags;
    } sections[7] = {
        {".text", {0x40, 0x1000, 0x200, 0x400}, 0x60000020},
        {".rdata", {0x300, 0x2000, 0x400, AT_RDATA}, 0x40000040},
        {".data", {0x1800, 0x3000, 0x200, AT_DATA}, 0xC0000040},
        {".pdata", {0x30, 0x5000, 0x200, AT_FUNCTIONS}, 0x40000040},
        {"PAGE", {0x10, 0x6000, 0x200, 0xE00}, 0x60000020},
        {"INIT", {0x10, 0x7000, 0x200, 0x1000}, 0x62000020},
        {".reloc", {0x1C, 0x8000, 0x200, AT_RELOCATIONS}, 0x42000040},
    };

    for (size_t i = 0; i < 7; i++) {
        size_t at = AT_SECTIONS + 40 * i;

        image_put_text(image, at, sections[i].name);
        image_put_list(image, at + 8, sections[i].place, 4);
        image_put(image, at + 36, 4, sections[i].flags);
    }
    memset(image->bytes + 0x400, 0xC3, 0x40);
    memset(image->bytes + 0xE00, 0xC3, 0x10);
    memset(image->bytes + 0x1000, 0xC3, 0x10);
}

static inline void build_imports(struct pe_image *image)
{
    static const uint32_t descriptor[] = {
        0x2040, 0, 0, 0x2090, 0x2068, 0x2058, 0, 0, 0x20A0, 0x2080};
    static const uint64_t lookup[] = {0x20B0, 0x20C0, 0, 0x20E0, 0};

    image_put_list(image, AT_IMPORTS, descriptor, 10);
    for (size_t i = 0; i < 5; i++) {
        image_put(image, AT_LOOKUP + 8 * i, 8, lookup[i]);
        image_put(image, AT_LOOKUP + 0x28 + 8 * i, 8, lookup[i]);
    }
    image_put_text(image, AT_IMAGE_NAME, "ntoskrnl.exe");
    image_put_text(image, AT_IMAGE_NAME + 0x10, "HAL.dll");
    image_put_text(image, AT_RDATA + 0xB2, "DbgPrint");
    image_put_text(image, AT_RDATA + 0xC2, "IoDeleteDevice");
    image_put_text(image, AT_RDATA + 0xE2, "HalAllocateHardwareCounters");
}

static inline void build_functions(struct pe_image *image)
{
    static const uint32_t function[] = {0x1000, 0x1010, 0x2100, 0x1010, 0x1020,
        0x2110, 0x6000, 0x6010, 0x2108, 0x7000, 0x7010, 0x2100};
    static const uint32_t chained[] = {0x21, 0x1000, 0x1010, 0x2100};

    image_put_list(image, AT_FUNCTIONS, function, 12);
    image_put(image, AT_UNWIND, 4, 0x01);
    image_put(image, AT_UNWIND + 8, 4, 0x09); /* with a handler */
    image_put(image, AT_UNWIND + 12, 4, 0x1030);
    image_put_list(image, AT_UNWIND + 16, chained, 4);
}

static inline void build_exports(struct pe_image *image)
{
    static const uint32_t table[] = {0, 0, 0, 0x22F0, 1, 2, 2, 0x22B8, 0x22C0,
        0x22C8, 0x1020, 0x3008, 0x22D0, 0x22E0};

    image_put_list(image, AT_EXPORTS, table, 14);
    image_put(image, AT_EXPORTS + 0x3A, 2, 1);
    image_put_text(image, AT_EXPORTS + 0x40, "Exported");
    image_put_text(image, AT_EXPORTS + 0x50, "Variable");
    image_put_text(image, AT_EXPORTS + 0x60, "pe.sys");
}

/* The load configuration, the addresses and their relocations. */
static inline void build_addresses(struct pe_image *image)
{
    static const uint32_t relocation[] = {
        0x2000, 16, 0xA1B0A198, 0x0000A1B8, 0x3000, 12, 0xA010A008};

    image_put(image, AT_LOAD_CONFIG, 4, 0x94);
    image_put(image, AT_LOAD_CONFIG + 0x58, 8, BUILT_BASE + 0x3000);
    image_put(image, AT_LOAD_CONFIG + 0x70, 8, BUILT_BASE + 0x2280);
    image_put(image, AT_LOAD_CONFIG + 0x78, 8, BUILT_BASE + 0x2288);
    image_put(image, AT_DATA, 8, UINT64_C(0x2B992DDFA232));
    image_put(image, AT_DATA + 8, 8, BUILT_BASE + 0x1010);
    image_put(image, AT_DATA + 16, 8, BUILT_BASE + 0x3800);
    image_put_list(image, AT_RELOCATIONS, relocation, 7);
}

static inline void build_symbols(struct pe_image *image)
{
    static const struct {
        const char *name; /* NULL: that of 4 zeros and `string` */
        uint32_t string, value;
        uint16_t section, type;
        uint8_t class, more;
    } symbols[] = {
        {".file", 0, 0, 0xFFFE, 0, 103, 1},
        {"pe.c", 0, 0, 0, 0, 0, 0},
        {".text", 0, 0, 1, 0, 3, 1},
        {"", 0, 0, 0, 0, 0, 0},
        {"first", 0, 0, 1, 0x20, 2, 0},
        {NULL, 4, 0x20, 1, 0x20, 3, 0},
        {"z_global", 0, 0x20, 1, 0x20, 2, 0},
        {"middle", 0, 8, 1, 0, 2, 0},
        {"assembly", 0, 0x30, 1, 0, 2, 0},
        {".refptr", 0, 0x38, 1, 0, 2, 0},
        {NULL, 18, 0x68, 2, 0, 2, 0},
        {NULL, 33, 0, 6, 0x20, 2, 0},
    };

    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
        size_t at = AT_SYMBOLS + 18 * i;

        if (symbols[i].name != NULL) {
            image_put_text(image, at, symbols[i].name);
        } else {
            image_put(image, at + 4, 4, symbols[i].string);
        }
        image_put(image, at + 8, 4, symbols[i].value);
        image_put(image, at + 12, 2, symbols[i].section);
        image_put(image, at + 14, 2, symbols[i].type);
        image_put(image, at + 16, 1, symbols[i].class);
        image_put(image, at + 17, 1, symbols[i].more);
    }
    image_put(image, AT_STRINGS, 4, BUILT_SIZE - AT_STRINGS);
    image_put_text(image, AT_STRINGS + 4, "static_helper");
    image_put_text(image, AT_STRINGS + 18, "__imp_DbgPrint");
    image_put_text(image, AT_STRINGS + 33, "DriverEntry");
}

static inline struct pe_image image_build(void)
{
    struct pe_image image = {calloc(1, BUILT_SIZE), BUILT_SIZE};

    assert(image.bytes != NULL);
    build_headers(&image);
    build_sections(&image);
    build_imports(&image);
    build_functions(&image);
    build_exports(&image);
    build_addresses(&image);
    build_symbols(&image);
    return image;
}

/* The same without symbols, function table, exports, load configuration and
 * relocations, as some release builds are. */
static inline struct pe_image image_build_stripped(void)
{
    static const unsigned gone[] = {0, 3, 5, 10};
    struct pe_image image = image_build();

    image.size = BUILT_STRIPPED_SIZE;
    image_put(&image, AT_FILE_HEADER + 8, 8, 0);
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
        image_put(&image, AT_DIRECTORIES + 8 * gone[i], 8, 0);
    }
    memset(image.bytes + AT_LOAD_CONFIG, 0, 0x94);
    memset(image.bytes + AT_DATA, 0, 0x18);
    return image;
}

/* A copy that ends where its memory does, so that a read past it is seen. */
static inline struct pe_image image_copy(
    const struct pe_image *image, size_t size)
{
    struct pe_image copy = {malloc(size == 0 ? 1 : size), size};

    assert(copy.bytes != NULL && size <= image->size);
    memcpy(copy.bytes, image->bytes, size);
    return copy;
}

#endif
