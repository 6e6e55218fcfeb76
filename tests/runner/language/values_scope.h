/* values_scope.h - a scope with variables and a callback, as a scenario has at
 * some place in it. It checks, or runs once scope_run() was called. */
#ifndef TESTS_RUNNER_LANGUAGE_VALUES_SCOPE_H
#define TESTS_RUNNER_LANGUAGE_VALUES_SCOPE_H

#include "scenarios/runner/language/scope.h"
#include "tests/runner/text_file.h"

enum { SCOPE_BINDINGS = 8 };

struct values_scope {
    struct text_file file;
    struct scope scope;
    struct variables variables;
    struct variable variable[SCOPE_BINDINGS];
    struct callback_names callbacks;
    struct callback_name callback;
    struct binding binding[SCOPE_BINDINGS];
    struct node defined; /* where everything was defined */
};

/* A variable of that type in the branch of `parallel`; 0: everywhere. */
static inline void scope_add(struct values_scope *made, const char *name,
    enum nt_type type, unsigned branch)
{
    made->variable[made->variables.count++] = (struct variable){.name = name,
        .type = type,
        .pointee = NT_VOID,
        .defined = &made->defined,
        .branch = branch};
}

/* Variables: count (ULONG), wide (ULONG64), h (HANDLE), st (NTSTATUS) and, in
 * branch 2, own (ULONG); the callback ovf, whose address is 1234H. */
static inline void scope_init(struct values_scope *made, const char *text)
{
    *made = (struct values_scope){.defined = {.mark = {1, 1}, .width = 1}};
    text_file_init(&made->file, text);
    made->defined.source = made->file.source;
    made->variables.item = made->variable;
    made->callbacks.item = &made->callback;
    made->callbacks.count = 1;
    made->callback = (struct callback_name){.name = "ovf",
        .type = NT_PPHYSICAL_COUNTER_OVERFLOW_HANDLER,
        .address = 0x1234,
        .defined = &made->defined};
    scope_add(made, "count", NT_ULONG, 0);
    scope_add(made, "wide", NT_ULONG64, 0);
    scope_add(made, "h", NT_HANDLE, 0);
    scope_add(made, "st", NT_NTSTATUS, 0);
    scope_add(made, "own", NT_ULONG, 2);
    made->scope = (struct scope){
        .schema = {made->file.diagnostics},
        .variables = &made->variables,
        .callbacks = &made->callbacks,
        .arch = ARCH_X64,
    };
}

/* From now on it runs: count is 3, wide is 10^10, h is 1004H, st is
 * C000000DH, own is 5. */
static inline void scope_run(struct values_scope *made)
{
    static const uint64_t values[] = {3, 10000000000, 0x1004, 0xC000000D, 5};

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        made->binding[i] = (struct binding){.value = values[i], .set = true};
    }
    made->scope.binding = made->binding;
}

static inline void scope_release(struct values_scope *made)
{
    text_file_release(&made->file);
}

#endif
