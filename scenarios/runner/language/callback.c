/* callback.c - the types of callbacks (callbacks.def), and the functions behind
 * their addresses: one an address, because a callback gets nothing that says
 * which one it is. */
#include "scenarios/runner/language/callback.h"

#include <assert.h>

#include "api/core/driver.h"
#include "api/ke/code.h"
#include "scenarios/runner/language/names.h"

/* Where the guest's code would lie; nothing is mapped there. */
#define CODE_ADDRESS UINT64_C(0x180300000000)
#define CODE_STEP UINT64_C(16)

static uint64_t (*on_call)(void *, size_t, const uint64_t[CODE_ARGUMENTS]);
static void *on_call_context;

#define PARAMETER(kind, spelling)                                              \
    {                                                                          \
#spelling, NT_##kind, NT_VOID, false                                   \
    }
#define POINTER(to, spelling)                                                  \
    {                                                                          \
#spelling, NT_PVOID, NT_##to, false                                    \
    }
#define ENTRIES(spelling)                                                      \
    {                                                                          \
#spelling, NT_PVOID, NT_VOID, true                                     \
    }

const struct callback_row callback_rows[CALLBACK_TYPE_COUNT] = {
#define CALLBACK_TYPE(name, gives, ...)                                        \
    [CALLBACK_##name] = {#name, NT_##name, NT_##gives, {__VA_ARGS__}},
#include "scenarios/runner/language/callbacks.def"
};

const char *name_of_callback_type(size_t n, const void *context)
{
    (void)context;
    return n < CALLBACK_TYPE_COUNT ? callback_rows[n].name : NULL;
}

static uint64_t callback_enter(
    size_t n, const uint64_t argument[CODE_ARGUMENTS])
{
    assert(on_call != NULL);
    return on_call(on_call_context, n, argument);
}

#define CALLBACKS(X)                                                           \
    X(0)                                                                       \
    X(1)                                                                       \
    X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

#define CALLBACK(n)                                                            \
    static uint64_t NTAPI callback_##n(uint64_t first, uint64_t second,        \
        uint64_t third, uint64_t fourth, uint64_t fifth, uint64_t sixth)       \
    {                                                                          \
        const uint64_t argument[CODE_ARGUMENTS] = {                            \
            first, second, third, fourth, fifth, sixth};                       \
                                                                               \
        return callback_enter(n, argument);                                    \
    }
CALLBACKS(CALLBACK)

#define CALLBACK_ROW(n) callback_##n,
static code_function *const callbacks[] = {CALLBACKS(CALLBACK_ROW)};

_Static_assert(sizeof(callbacks) / sizeof(callbacks[0]) == SCENARIO_CALLBACKS,
    "a function for each callback that a scenario can have");

uint64_t callback_address(size_t n)
{
    assert(n < SCENARIO_CALLBACKS);
    return CODE_ADDRESS + n * CODE_STEP;
}

code_function *callback_at(uint64_t address)
{
    uint64_t offset = address - CODE_ADDRESS;

    if (offset % CODE_STEP != 0 || offset / CODE_STEP >= SCENARIO_CALLBACKS) {
        return NULL;
    }
    return callbacks[offset / CODE_STEP];
}

void callback_on_call(uint64_t (*called)(void *context, size_t n,
                          const uint64_t argument[CODE_ARGUMENTS]),
    void *context)
{
    on_call = called;
    on_call_context = context;
}
