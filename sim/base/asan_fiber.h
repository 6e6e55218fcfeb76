/* asan_fiber.h - tells AddressSanitizer that the stack changes. Without the
 * sanitizer every function here is empty. */
#ifndef SIM_BASE_ASAN_FIBER_H
#define SIM_BASE_ASAN_FIBER_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define ASAN_FIBER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN_FIBER 1
#endif
#endif

#ifdef ASAN_FIBER

#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

/* Before the switch: `save` keeps what the stack being left will need again,
 * NULL if it will not run again; the other two name the stack to come. */
static inline void asan_fiber_leave(
    void **save, const void *bottom, size_t size)
{
    __sanitizer_start_switch_fiber(save, bottom, size);
}

/* After the switch: the stack that was left comes back in the last two. */
static inline void asan_fiber_enter(
    void *saved, const void **old_bottom, size_t *old_size)
{
    __sanitizer_finish_switch_fiber(saved, old_bottom, old_size);
}

/* A stack that was abandoned in the middle of a call is clean again. */
static inline void asan_fiber_clean(const void *bottom, size_t size)
{
    __asan_unpoison_memory_region(bottom, size);
}

#else

static inline void asan_fiber_leave(
    void **save, const void *bottom, size_t size)
{
    (void)save;
    (void)bottom;
    (void)size;
}

static inline void asan_fiber_enter(
    void *saved, const void **old_bottom, size_t *old_size)
{
    (void)saved;
    (void)old_bottom;
    (void)old_size;
}

static inline void asan_fiber_clean(const void *bottom, size_t size)
{
    (void)bottom;
    (void)size;
}

#endif
#endif
