/* gate.c - the page through which a driver's code leaves for the kernel, which
 * has no address of ours: the host's kernel keeps it. */
#define _GNU_SOURCE
#include "api/image/gate.h"

#include <assert.h>

#if defined(__x86_64__)

#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "api/image/guest.h"

/* guest_x64.S. */
extern const uint8_t gate_code[], gate_code_return[], gate_code_knock[],
    gate_code_end[];

static bool is_open, knocks;

static uint64_t gate_at(const uint8_t *code)
{
    return GATE_ADDRESS + (uint64_t)(code - gate_code);
}

uint64_t gate_system_call(void)
{
    return gate_at(gate_code_knock);
}

uint64_t gate_import(void)
{
    return GATE_ADDRESS;
}

uint64_t gate_return(void)
{
    return gate_at(gate_code_return);
}

/* Whether the host's kernel keeps the number. The library's prctl() returns an
 * int. */
static bool host_keeps(uint64_t number)
{
    return syscall(SYS_prctl, PR_SET_TIMERSLACK, number, 0, 0, 0) == 0 &&
           (uint64_t)syscall(SYS_prctl, PR_GET_TIMERSLACK, 0, 0, 0, 0) ==
               number;
}

static void write_code(uint8_t *page)
{
    static const uint8_t fault[] = {0x0F, 0x0B}; /* UD2 */
    size_t size = (size_t)(gate_code_end - gate_code);

    assert(size <= GATE_BYTES);
    memset(page, 0xCC, GATE_BYTES);
    memcpy(page, gate_code, size);
    if (knocks) {
        memcpy(page + (gate_code_knock - gate_code), fault, sizeof(fault));
    }
}

bool gate_open(void)
{
    void *wanted = (void *)(uintptr_t)GATE_ADDRESS;
    void *page;

    if (is_open) {
        return true;
    }
    page = mmap(wanted, GATE_BYTES, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (page != wanted) {
        return false;
    }
    knocks = !host_keeps((uintptr_t)guest_cross_entry);
    write_code(page);
    is_open = mprotect(page, GATE_BYTES, PROT_READ | PROT_EXEC) == 0;
    if (!is_open) {
        munmap(page, GATE_BYTES);
    }
    return is_open;
}

void gate_close(void)
{
    if (is_open) {
        munmap((void *)(uintptr_t)GATE_ADDRESS, GATE_BYTES);
        prctl(PR_SET_TIMERSLACK, 0UL); /* the default */
    }
    is_open = false;
}

bool gate_knocks(uint64_t rip)
{
    return is_open && knocks && rip == gate_system_call();
}

bool gate_holds(uint64_t address)
{
    return is_open && address - GATE_ADDRESS < GATE_BYTES;
}

#endif
