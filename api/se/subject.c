/* subject.c - SeCaptureSubjectContext and what is done with the context:
 * locked, unlocked, asked by SeAccessCheck, released; SeSinglePrivilegeCheck.
 */
#include "api/se/subject.h"

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/mm/copy.h"
#include "api/ob/handle.h"
#include "api/ob/object_type.h"
#include "api/se/descriptor.h"
#include "sim/base/arena.h"

/* What lies there is the driver's to look at, and not to change. */
struct subject_context {
    uint64_t client_token; /* 0: nobody is impersonated */
    uint64_t impersonation_level;
    uint64_t primary_token;
    uint64_t process_audit_id;
};

_Static_assert(sizeof(struct subject_context) == 32, "wdm.h");

/* The last one that was captured there; where none was, the link is NULL. */
static struct subject **find(struct kernel *kernel, const void *address)
{
    struct subject **link = &kernel->subjects->first;

    while (*link != NULL && (*link)->address != (uintptr_t)address) {
        link = &(*link)->next;
    }
    return link;
}

static void warn_lock(struct kernel *kernel, enum routine routine)
{
    rule_warn(kernel, kernel_cpu(kernel), RULE_SE_SUBJECT_LOCK, routine);
}

/* The same, where a routine was given it: without, a rule event. */
static struct subject **find_given(
    struct kernel *kernel, enum routine routine, const void *address)
{
    struct subject **link = find(kernel, address);

    if (*link == NULL) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_SE_SUBJECT_UNKNOWN, routine);
    }
    return link;
}

VOID SeCaptureSubjectContext_body(PVOID SubjectContext)
{
    const enum routine routine = ROUTINE_SeCaptureSubjectContext;
    struct kernel *kernel = kernel_current();
    enum user user = user_current(kernel);
    struct subject_context context = {
        .primary_token = token_of(kernel, user)->object.address};
    struct subject *subject;

    copy_out(kernel, routine, SubjectContext, &context, sizeof(context));
    subject = record_take(kernel, &kernel->subjects->pool, sizeof(*subject),
        "contexts of subjects");
    *subject = (struct subject){.next = kernel->subjects->first,
        .address = (uintptr_t)SubjectContext,
        .user = user,
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel)};
    kernel->subjects->first = subject;
}

VOID SeReleaseSubjectContext_body(PVOID SubjectContext)
{
    const enum routine routine = ROUTINE_SeReleaseSubjectContext;
    struct kernel *kernel = kernel_current();
    struct subject **link = find_given(kernel, routine, SubjectContext);
    struct subject *subject = *link;

    if (subject == NULL) {
        return;
    }
    if (subject->locks > 0) {
        warn_lock(kernel, routine);
    }
    *link = subject->next;
    record_give(&kernel->subjects->pool, subject);
}

VOID SeLockSubjectContext_body(PVOID SubjectContext)
{
    struct subject *subject = *find_given(
        kernel_current(), ROUTINE_SeLockSubjectContext, SubjectContext);

    if (subject != NULL) {
        subject->locks++;
    }
}

VOID SeUnlockSubjectContext_body(PVOID SubjectContext)
{
    const enum routine routine = ROUTINE_SeUnlockSubjectContext;
    struct kernel *kernel = kernel_current();
    struct subject *subject = *find_given(kernel, routine, SubjectContext);

    if (subject != NULL && subject->locks == 0) {
        warn_lock(kernel, routine);
    } else if (subject != NULL) {
        subject->locks--;
    }
}

/* What SeAccessCheck was asked, and what comes of it. */
struct check {
    struct generic_rights generic;
    ULONG desired, before; /* granted before */
    ULONG granted;
    NTSTATUS status;
};

/* Of kernel mode nobody is asked (SEC-09). */
static void grant_all(struct check *check)
{
    check->granted =
        check->before | generic_access(&check->generic, check->desired);
}

/* Without a list MAXIMUM_ALLOWED gives GENERIC_ALL, as that routine has it. */
static void check_user(
    struct check *check, enum user user, const struct descriptor_block *block)
{
    bool maximum = (check->desired & MAXIMUM_ALLOWED) != 0;
    ULONG asked = generic_access(&check->generic,
                      check->desired & ~(ULONG)MAXIMUM_ALLOWED) &
                  ~check->before;
    ULONG wanted =
        generic_access(&check->generic, check->desired) & ~check->before;
    ULONG given = user_granted(
        user, block, &check->generic, wanted & ~(ULONG)ACCESS_SYSTEM_SECURITY);

    if ((asked & ~given) != 0 || (maximum && given == 0 && wanted != 0)) {
        check->status = STATUS_ACCESS_DENIED;
        return;
    }
    check->granted = check->before | given;
    if (maximum && descriptor_part(block, DESCRIPTOR_DACL) == NULL) {
        check->granted = check->before | asked | GENERIC_ALL;
    }
}

/* The subject that was captured; the context may not be locked as is said. */
static enum user subject_user(
    struct kernel *kernel, const void *context, BOOLEAN locked)
{
    const enum routine routine = ROUTINE_SeAccessCheck;
    const struct subject *subject = *find_given(kernel, routine, context);

    if (subject == NULL) {
        return user_current(kernel);
    }
    if (locked != 0 && subject->locks == 0) {
        warn_lock(kernel, routine);
    }
    return subject->user;
}

static NTSTATUS read_descriptor(
    struct kernel *kernel, const void *address, struct descriptor_block *block)
{
    const enum routine routine = ROUTINE_SeAccessCheck;
    struct descriptor descriptor;
    NTSTATUS status = descriptor_read(kernel, routine, &descriptor, address);

    return NT_SUCCESS(status)
               ? descriptor_copy(kernel, routine, &descriptor, block)
               : status;
}

/* A driver's: what it has for a generic right is not mapped again (SEC-09e). */
static void check_mapping(
    struct kernel *kernel, const struct generic_rights *generic)
{
    uint32_t means =
        generic->read | generic->write | generic->execute | generic->all;

    if ((means & GENERIC_RIGHTS) != 0) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_SE_GENERIC_MAPPING,
            ROUTINE_SeAccessCheck);
    }
}

BOOLEAN SeAccessCheck_body(PVOID SecurityDescriptor,
    PVOID SubjectSecurityContext, BOOLEAN SubjectContextLocked,
    ULONG DesiredAccess, ULONG PreviouslyGrantedAccess, PVOID *Privileges,
    PGENERIC_MAPPING GenericMapping, KPROCESSOR_MODE AccessMode,
    PULONG GrantedAccess, PNTSTATUS AccessStatus)
{
    const enum routine routine = ROUTINE_SeAccessCheck;
    struct kernel *kernel = kernel_current();
    struct check check = {
        .desired = DesiredAccess, .before = PreviouslyGrantedAccess};
    struct descriptor_block block;
    PVOID used = NULL; /* no privilege gives access here [C] */

    copy_probe(kernel, routine, GrantedAccess, sizeof(ULONG), true);
    copy_probe(kernel, routine, AccessStatus, sizeof(NTSTATUS), true);
    copy_in(
        kernel, routine, &check.generic, GenericMapping, sizeof(check.generic));
    check_mapping(kernel, &check.generic);
    if (AccessMode == KERNEL_MODE) {
        grant_all(&check);
    } else {
        enum user user =
            subject_user(kernel, SubjectSecurityContext, SubjectContextLocked);

        check.status = read_descriptor(kernel, SecurityDescriptor, &block);
        if (NT_SUCCESS(check.status)) {
            check_user(&check, user, &block);
        }
    }
    if (Privileges != NULL) {
        copy_out(kernel, routine, Privileges, &used, sizeof(used));
    }
    copy_out(
        kernel, routine, GrantedAccess, &check.granted, sizeof(check.granted));
    copy_out(
        kernel, routine, AccessStatus, &check.status, sizeof(check.status));
    return NT_SUCCESS(check.status);
}

BOOLEAN SeSinglePrivilegeCheck_body(
    ULONG64 PrivilegeValue, KPROCESSOR_MODE PreviousMode)
{
    struct kernel *kernel = kernel_current();

    return PreviousMode == KERNEL_MODE ||
           user_has_privilege(user_current(kernel), PrivilegeValue);
}

static void list_subjects(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct subject *subject = kernel->subjects->first;
         subject != NULL; subject = subject->next) {
        if (subject->driver == listing->driver) {
            leaks_found(listing, LEAK_SUBJECT, "captured context of a subject",
                subject->step);
        }
    }
}

static void report_subjects(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    for (struct subject *subject = kernel->subjects->first; subject != NULL;
         subject = subject->next) {
        if (subject->driver == driver && leaks_is_news(&subject->reported)) {
            rule_warn_at(kernel, cpu, RULE_LEAK_SUBJECT,
                ROUTINE_SeCaptureSubjectContext, subject->place);
        }
    }
}

const struct leak_source subject_leaks = {
    LEAK_SUBJECT, list_subjects, report_subjects, NULL};
