/* test_virtual_memory.c - memory of a program that a driver commits is probed
 * for the driver (IO-33c); and what nobody models of it. */
#include "api/boot/exports.h"
#include "api/mm/mdl.h"
#include "api/mm/probing.h"
#include "api/mm/user_memory.h"
#include "tests/api/booted_kernel.h"

#define THIS_PROCESS ((HANDLE)(intptr_t)-1)

enum {
    COMMIT = 0x1000,
    RESERVE = 0x2000,
    COMMIT_AND_RESERVE = 0x3000,
    RELEASE = 0x8000,
    PAGE_READ_AND_WRITE = 4,
};

/* In the driver's memory. */
struct scene {
    PVOID *base;
    ULONG64 *size;
    uint64_t *own;
    uint32_t status;
    SIZE_T same;
};

static void allocate(struct scene *scene, ULONG type, ULONG protection)
{
    *scene->size = 4096;
    scene->status = (uint32_t)ZwAllocateVirtualMemory(
        THIS_PROCESS, scene->base, 0, scene->size, type, protection);
}

static void init(struct booted_kernel *booted, struct scene *scene)
{
    booted_init_usual(booted);
    *scene = (struct scene){.base = booted_block(booted, sizeof(PVOID), 0),
        .size = booted_block(booted, sizeof(ULONG64), 0),
        .own = booted_block(booted, sizeof(uint64_t), 0)};
}

static void use_in_request(void *argument)
{
    struct scene *scene = argument;
    struct kernel *kernel = kernel_current();
    struct probing probing;

    probing_begin(kernel, &probing);
    allocate(scene, COMMIT_AND_RESERVE, PAGE_READ_AND_WRITE);
    scene->same =
        RtlCompareMemory(*scene->base, scene->own, sizeof(*scene->own));
    probing_end(kernel, &probing);
}

static void committed_memory_is_probed(void **state)
{
    struct booted_kernel booted;
    struct scene scene;

    (void)state;
    init(&booted, &scene);
    booted_run(&booted, 0, use_in_request, &scene);
    assert_int_equal(scene.status, 0x00000000);
    assert_int_equal(scene.same, 8);
    assert_int_equal(booted_broken(&booted, RULE_MM_UNPROBED), 0);
    booted_release(&booted);
}

/* What has been asked for so is known as probed, or not. */
static struct probed_row {
    const char *name;
    bool there; /* the base is that of other memory of the program's */
    ULONG type;
    uint32_t want;
    bool want_probed;
} probed_rows[] = {
    {"committed_memory_is_known_as_probed", false, COMMIT_AND_RESERVE,
        0x00000000, true},
    {"reserved_memory_is_not_probed", false, RESERVE, 0x00000000, false},
    {"memory_that_is_refused_is_not_probed", true, COMMIT, 0xC0000018, false},
};

struct probed {
    const struct probed_row *row;
    struct scene scene;
    bool probed;
};

static void ask_in_request(void *argument)
{
    struct probed *probed = argument;
    struct scene *scene = &probed->scene;
    struct kernel *kernel = kernel_current();
    struct probing probing;

    if (probed->row->there) {
        *scene->base = user_memory_allocate(kernel, 4096, 0);
    }
    probing_begin(kernel, &probing);
    allocate(scene, probed->row->type, PAGE_READ_AND_WRITE);
    probed->probed = probing.ranges != NULL;
    probing_end(kernel, &probing);
}

static void probed_row(void **state)
{
    struct probed probed = {.row = *state};
    struct booted_kernel booted;

    init(&booted, &probed.scene);
    booted_run(&booted, 0, ask_in_request, &probed);
    assert_int_equal(probed.scene.status, probed.row->want);
    assert_int_equal(probed.probed, probed.row->want_probed);
    booted_release(&booted);
}

static void free_it(struct scene *scene)
{
    *scene->size = 0;
    ZwFreeVirtualMemory(THIS_PROCESS, scene->base, scene->size, RELEASE);
}

static void ask_for_physical(void *argument)
{
    allocate(argument, COMMIT_AND_RESERVE | 0x400000, PAGE_READ_AND_WRITE);
}

static void ask_for_large_pages(void *argument)
{
    allocate(argument, COMMIT_AND_RESERVE | 0x20000000, PAGE_READ_AND_WRITE);
}

static void ask_for_watch(void *argument)
{
    allocate(argument, COMMIT_AND_RESERVE | 0x200000, PAGE_READ_AND_WRITE);
}

static void ask_for_guard(void *argument)
{
    allocate(argument, COMMIT_AND_RESERVE, PAGE_READ_AND_WRITE | 0x100);
}

static void free_buffer(void *argument)
{
    struct scene *scene = argument;

    *scene->base = user_memory_allocate(kernel_current(), 4096, 0);
    free_it(scene);
}

static void free_locked(void *argument)
{
    struct scene *scene = argument;
    MDL *mdl;

    allocate(scene, COMMIT_AND_RESERVE, PAGE_READ_AND_WRITE);
    mdl = IoAllocateMdl(*scene->base, 4096, 0, 0, NULL);
    MmProbeAndLockPages(mdl, 1, IO_WRITE_ACCESS); /* UserMode */
    free_it(scene);
}

static struct missing_row {
    const char *name;
    void (*function)(void *argument);
    const char *want;
} missing_rows[] = {
    {"physical_memory_is_not_modelled", ask_for_physical,
        "ZwAllocateVirtualMemory with MEM_PHYSICAL is not modelled"},
    {"large_pages_are_not_modelled", ask_for_large_pages,
        "ZwAllocateVirtualMemory with MEM_LARGE_PAGES is not modelled"},
    {"watching_writes_is_not_modelled", ask_for_watch,
        "ZwAllocateVirtualMemory with MEM_WRITE_WATCH is not modelled"},
    {"guard_pages_are_not_modelled", ask_for_guard,
        "ZwAllocateVirtualMemory with PAGE_GUARD is not modelled"},
    {"freeing_a_buffer_is_not_modelled", free_buffer,
        "ZwFreeVirtualMemory with a buffer that a program has of its own is "
        "not modelled"},
    {"freeing_locked_pages_is_not_modelled", free_locked,
        "ZwFreeVirtualMemory with pages that an MDL has locked is not "
        "modelled"},
};

static void missing_row(void **state)
{
    const struct missing_row *row = *state;
    struct booted_kernel booted;
    struct scene scene;

    init(&booted, &scene);
    booted_run_to_stop(&booted, 0, row->function, &scene);
    assert_int_equal(booted.kernel.end.kind, RUN_NOT_MODELLED);
    assert_string_equal(booted.kernel.end.reason, row->want);
    booted_release(&booted);
}

TEST_FILE(test_virtual_memory)
{
    test_add(
        list, "committed_memory_is_probed", committed_memory_is_probed, NULL);
    TEST_ADD_ROWS(list, probed_row, probed_rows);
    TEST_ADD_ROWS(list, missing_row, missing_rows);
}
