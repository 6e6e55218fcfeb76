/* test_io_watched.c - for whose requests it is watched what drivers touch of a
 * program's memory: a program's own alone (IO-33c). */
#include "api/io/shutdown.h"
#include "api/mm/claim.h"
#include "tests/api/io/io_scene.h"

enum { CONTROL_CODE = 0x222000, SHUTDOWN = 0x10 };

struct watched {
    struct io_scene scene;
    HANDLE *handle;
    OBJECT_ATTRIBUTES *named;
    IO_STATUS_BLOCK *block;
};

static const struct io_plan usual = {.device = {"\\Device\\Watched"}};

static struct seen {
    unsigned came, watched; /* bits: by IRP_MJ_* */
} seen;

static uint64_t NTAPI note(uint64_t device, uint64_t irp, uint64_t third,
    uint64_t fourth, uint64_t fifth, uint64_t sixth)
{
    PIRP request = (PIRP)(uintptr_t)irp;
    const IO_STACK_LOCATION *location =
        request->Tail.Overlay.CurrentStackLocation;
    unsigned bit = 1u << location->MajorFunction;

    (void)device;
    (void)third;
    (void)fourth;
    (void)fifth;
    (void)sixth;
    seen.came |= bit;
    if (kernel_current()->claims->probings.first != NULL) {
        seen.watched |= bit;
    }
    request->IoStatus.Status = STATUS_SUCCESS;
    request->IoStatus.Information = 0;
    IofCompleteRequest(request, 0);
    return 0;
}

static void by_program(struct watched *watched)
{
    struct kernel *kernel = kernel_current();

    scene_open_now(&watched->scene);
    program_control(kernel, watched->scene.file, CONTROL_CODE, NULL, 0, NULL, 0,
        &watched->scene.result);
    scene_close_now(&watched->scene);
}

static void by_handle(struct watched *watched)
{
    ZwOpenFile(
        watched->handle, 0x100003, watched->named, watched->block, 7, 0x20);
    ZwDeviceIoControlFile(*watched->handle, NULL, NULL, NULL, watched->block,
        CONTROL_CODE, NULL, 0, NULL, 0);
    ZwClose(*watched->handle);
}

static void by_shutdown(struct watched *watched)
{
    IoRegisterShutdownNotification(watched->scene.notes.device[0]);
    shutdown_system(kernel_current());
}

static struct asker_row {
    const char *name;
    void (*asks)(struct watched *watched);
    unsigned came, watched;
} asker_rows[] = {
    {"program", by_program,
        1u << IRP_MJ_CREATE | 1u << IRP_MJ_DEVICE_CONTROL |
            1u << IRP_MJ_CLEANUP | 1u << IRP_MJ_CLOSE,
        1u << IRP_MJ_CREATE | 1u << IRP_MJ_DEVICE_CONTROL |
            1u << IRP_MJ_CLEANUP | 1u << IRP_MJ_CLOSE},
    {"driver_with_a_handle", by_handle,
        1u << IRP_MJ_CREATE | 1u << IRP_MJ_DEVICE_CONTROL |
            1u << IRP_MJ_CLEANUP | 1u << IRP_MJ_CLOSE,
        0},
    {"system_that_is_shut_down", by_shutdown, 1u << SHUTDOWN, 0},
};

static const struct asker_row *row_now;

static void ask_now(void *argument)
{
    row_now->asks(argument);
}

static void asker_row(void **state)
{
    struct watched watched;
    struct booted_kernel *booted = &watched.scene.booted;
    code_function *code = note;

    row_now = *state;
    seen = (struct seen){.came = 0};
    scene_init(&watched.scene, &usual);
    scene_load(&watched.scene);
    for (unsigned i = 0; i < IRP_MAJORS; i++) {
        watched.scene.driver->guest->MajorFunction[i] = (void *)(uintptr_t)code;
    }
    watched.handle = booted_block(booted, sizeof(*watched.handle), 0);
    watched.block = booted_block(booted, sizeof(*watched.block), 0);
    watched.named = booted_block(booted, sizeof(*watched.named), 0);
    watched.named->Length = sizeof(*watched.named);
    watched.named->ObjectName = watched.scene.name[0];
    watched.named->Attributes = 0x200; /* OBJ_KERNEL_HANDLE */
    booted_run(booted, 0, ask_now, &watched);
    assert_int_equal(seen.came, row_now->came);
    assert_int_equal(seen.watched, row_now->watched);
    scene_release(&watched.scene);
}

TEST_FILE(test_io_watched)
{
    TEST_ADD_ROWS(list, asker_row, asker_rows);
}
