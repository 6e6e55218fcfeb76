/* test_io_link.c - how far a chain of links is followed (IO-11b): 31 links lead
 * to what is at their end, and more are taken for a chain that has none. */
#include "tests/api/io/io_scene.h"

enum { MOST = 31 };

struct chain {
    struct io_scene scene;
    int links;
    UNICODE_STRING *name, *target;
    PVOID *object;
    NTSTATUS opened, referenced;
};

static const struct io_plan usual = {.device = {"\\Device\\Last"}};

/* \??\0 is the first, \??\1 the one that it leads to, and so on. */
static void set_text(UNICODE_STRING *string, int number, const char *last)
{
    char letter[] = "\\?\?\\0";
    const char *text = last == NULL ? letter : last;

    WCHAR *unit = string->Buffer;

    letter[4] = (char)('0' + number);
    for (size_t i = 0; text[i] != '\0'; i++) {
        unit[i] = (WCHAR)text[i];
        string->Length = (USHORT)(2 * i + 2);
    }
}

static void follow_now(void *argument)
{
    struct chain *chain = argument;
    struct kernel *kernel = kernel_current();

    for (int i = 0; i < chain->links; i++) {
        set_text(chain->name, i, NULL);
        set_text(chain->target, i + 1,
            i + 1 < chain->links ? NULL : "\\Device\\Last");
        IoCreateSymbolicLink(chain->name, chain->target);
    }
    chain->opened = program_open(
        kernel, chain->scene.driver, "\\?\?\\0", &chain->scene.file);
    set_text(chain->name, 0, NULL);
    chain->referenced = ObReferenceObjectByName(chain->name, 0x40, NULL, 0,
        object_type_address(kernel, OBJECT_TYPE_DEVICE), 0, NULL,
        chain->object);
}

static struct chain_row {
    const char *name;
    int links;
    uint32_t want;
} chain_rows[] = {
    {"one_link", 1, 0},
    {"as_many_links_as_are_followed", MOST, 0},
    {"one_link_more", MOST + 1, 0xC0000034},
};

static void chain_row(void **state)
{
    const struct chain_row *row = *state;
    struct chain chain = {.links = row->links};
    struct booted_kernel *booted = &chain.scene.booted;

    scene_init(&chain.scene, &usual);
    scene_load(&chain.scene);
    chain.name = scene_string(booted, "\\Device\\Last");
    chain.target = scene_string(booted, "\\Device\\Last");
    chain.object = booted_block(booted, sizeof(*chain.object), 0);
    booted_run(booted, 0, follow_now, &chain);
    assert_int_equal((uint32_t)chain.opened, row->want);
    assert_int_equal((uint32_t)chain.referenced, row->want);
    scene_release(&chain.scene);
}

TEST_FILE(test_io_link)
{
    TEST_ADD_ROWS(list, chain_row, chain_rows);
}
