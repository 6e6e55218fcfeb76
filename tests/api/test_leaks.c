/* test_leaks.c - what a driver holds, kind by kind, each thing in words; of
 * another driver nothing. */
#include "api/verifier/leaks.h"

#include <stdio.h>

#include "tests/api/allocation.h"

/* Driver code: takes one thing of each kind but the I/O manager's. */
struct taking {
    HANDLE *handle;
    PVOID block, tagless;
    KSPIN_LOCK *lock;
};

static void take(void *argument)
{
    struct taking *taking = argument;

    HalAllocateHardwareCounters(NULL, 0, NULL, taking->handle);
    taking->block = ExAllocatePool2(POOL_FLAG_NON_PAGED, 64, 0x31676154);
    taking->tagless = ExAllocatePool(0, 17);
    KeAcquireSpinLockRaiseToDpc(taking->lock);
}

static void give_back(void *argument)
{
    struct taking *taking = argument;

    KeReleaseSpinLock(taking->lock, 0);
    ExFreePool(taking->tagless);
    ExFreePool(taking->block);
    HalFreeHardwareCounters(*taking->handle);
}

static void note(void *context, enum leak leak, const char *text)
{
    char *noted = context;

    sprintf(noted + strlen(noted), "%s: %s\n", leak_names[leak], text);
}

static const char *held_by(
    struct booted_kernel *booted, const struct driver *driver)
{
    static char noted[1000];

    noted[0] = '\0';
    leaks_list(&booted->kernel, driver, note, noted);
    return noted;
}

static void everything_that_is_held_is_listed_until_it_is_given_back(
    void **state)
{
    static const struct driver other = {.name = "other"};
    struct booted_kernel booted;
    struct taking taking;

    (void)state;
    booted_init_usual(&booted);
    taking.handle = booted_block(&booted, sizeof(*taking.handle), 0);
    taking.lock = booted_block(&booted, sizeof(*taking.lock), 0);
    assert_string_equal(held_by(&booted, &booted.driver), "");

    booted_run(&booted, 1, take, &taking);
    assert_string_equal(held_by(&booted, &booted.driver),
        "counter_set: set#1\n"
        "pool_block: 64 bytes with tag 'Tag1'\n"
        "pool_block: 17 bytes\n"
        "spin_lock: acquired by KeAcquireSpinLockRaiseToDpc on cpu 1\n");
    assert_string_equal(held_by(&booted, &other), "");

    booted_run(&booted, 1, give_back, &taking);
    assert_string_equal(held_by(&booted, &booted.driver), "");
    booted_release(&booted);
}

int main(void)
{
    struct test_list list = {.count = 0};

    test_add(&list, "everything_that_is_held_is_listed_until_it_is_given_back",
        everything_that_is_held_is_listed_until_it_is_given_back, NULL);
    return test_run("api.leaks", &list);
}
