/* stuck.c - drivers whose DriverEntry waits for ever: DEEP below a hundred
 * calls of its own, FILTER in the filter of an exception, NOTIFIED in a routine
 * that it has the kernel call, and BY_ACTOR in an actor's. For clang only. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static void stick(void);

#if !defined(BY_ACTOR)
static void wait_for_ever(void);

static void wait_for_ever(void)
{
    KEVENT event;

    KeInitializeEvent(&event, NotificationEvent, FALSE);
    KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, NULL);
}
#endif

#if defined(DEEP)
static ULONG descend(ULONG left);

static ULONG descend(ULONG left)
{
    if (left == 0) {
        wait_for_ever();
        return 0;
    }
    return descend(left - 1) * 3 + left; /* and so no jump */
}

static void stick(void)
{
    descend(100);
}
#elif defined(FILTER)
static LONG filter(void);

static LONG filter(void)
{
    wait_for_ever();
    return EXCEPTION_EXECUTE_HANDLER;
}

static void stick(void)
{
    __try {
        (void)__readmsr(0xFFFFFFFF);
    } __except (filter()) {
    }
}
#else
static void enlist(PCALLBACK_OBJECT object);

#if defined(NOTIFIED)
static CALLBACK_FUNCTION notified;

static void NTAPI notified(PVOID context, PVOID first, PVOID second)
{
    UNREFERENCED_PARAMETER(context);
    UNREFERENCED_PARAMETER(first);
    UNREFERENCED_PARAMETER(second);
    wait_for_ever();
}

static void enlist(PCALLBACK_OBJECT object)
{
    ExRegisterCallback(object, notified, NULL);
}
#elif defined(BY_ACTOR)
static void enlist(PCALLBACK_OBJECT object)
{
    UNREFERENCED_PARAMETER(object); /* the actor is there before */
}
#endif

static void stick(void)
{
    UNICODE_STRING name = RTL_CONSTANT_STRING(L"\\Callback\\Stuck");
    OBJECT_ATTRIBUTES attributes;
    PCALLBACK_OBJECT object;

    InitializeObjectAttributes(&attributes, &name, 0, NULL, NULL);
    if (!NT_SUCCESS(ExCreateCallback(&object, &attributes, TRUE, TRUE))) {
        return;
    }
    enlist(object);
    ExNotifyCallback(object, NULL, NULL);
}
#endif

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(driver);
    UNREFERENCED_PARAMETER(path);
    stick();
    return STATUS_SUCCESS;
}
