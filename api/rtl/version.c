/* version.c - RtlGetVersion, RtlVerifyVersionInfo, VerSetConditionMask and
 * PsGetVersion: which Windows this is. */
#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/rules.h"
#include "api/mm/copy.h"

enum {
    PLATFORM_NT = 2,
    PRODUCT_WORKSTATION = 1,
    SUITE_SINGLE_USER = 0x100, /* [C]: what a workstation says */
    CONDITION_BITS = 3,
    CONDITION_MASK = 7,
};

/* In the order of their bits in a mask of types. */
enum version_part {
    PART_MINOR,
    PART_MAJOR,
    PART_BUILD,
    PART_PLATFORM,
    PART_SERVICE_MINOR,
    PART_SERVICE_MAJOR,
    PART_SUITE,
    PART_PRODUCT,
    PART_COUNT,
};

enum condition {
    CONDITION_NONE,
    CONDITION_EQUAL,
    CONDITION_GREATER,
    CONDITION_GREATER_EQUAL,
    CONDITION_LESS,
    CONDITION_LESS_EQUAL,
    CONDITION_AND,
    CONDITION_OR,
};

static RTL_OSVERSIONINFOEXW version_of(const struct kernel *kernel)
{
    return (RTL_OSVERSIONINFOEXW){
        .dwMajorVersion = kernel->os->major,
        .dwMinorVersion = kernel->os->minor,
        .dwBuildNumber = kernel->os->build,
        .dwPlatformId = PLATFORM_NT,
        .wSuiteMask = SUITE_SINGLE_USER,
        .wProductType = PRODUCT_WORKSTATION,
    };
}

/* There is no service pack, so that its text stays what it was (RTL-20a). */
NTSTATUS RtlGetVersion_body(PRTL_OSVERSIONINFOEXW VersionInformation)
{
    enum routine routine = ROUTINE_RtlGetVersion;
    const size_t text = offsetof(RTL_OSVERSIONINFOEXW, szCSDVersion);
    const size_t behind = offsetof(RTL_OSVERSIONINFOEXW, wServicePackMajor);
    struct kernel *kernel = kernel_current();
    RTL_OSVERSIONINFOEXW version = version_of(kernel);
    ULONG size;

    copy_in(kernel, routine, &size, VersionInformation, sizeof(size));
    if (size != sizeof(version) && size != sizeof(RTL_OSVERSIONINFOW)) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_RTL_VERSION_SIZE, routine);
    }
    version.dwOSVersionInfoSize = size;
    if (size == sizeof(version)) {
        copy_probe(kernel, routine, VersionInformation, size, true);
        copy_out(kernel, routine, (uint8_t *)VersionInformation + behind,
            (const uint8_t *)&version + behind, sizeof(version) - behind);
    }
    copy_out(kernel, routine, VersionInformation, &version, text);
    return STATUS_SUCCESS;
}

static uint32_t value_of(
    const RTL_OSVERSIONINFOEXW *version, enum version_part part)
{
    const uint32_t values[PART_COUNT] = {
        [PART_MINOR] = version->dwMinorVersion,
        [PART_MAJOR] = version->dwMajorVersion,
        [PART_BUILD] = version->dwBuildNumber,
        [PART_PLATFORM] = version->dwPlatformId,
        [PART_SERVICE_MINOR] = version->wServicePackMinor,
        [PART_SERVICE_MAJOR] = version->wServicePackMajor,
        [PART_SUITE] = version->wSuiteMask,
        [PART_PRODUCT] = version->wProductType,
    };

    assert(part < PART_COUNT);
    return values[part];
}

struct version_test {
    RTL_OSVERSIONINFOEXW is, wanted;
    ULONG types;
    ULONGLONG conditions;
};

static bool is_tested(const struct version_test *test, enum version_part part)
{
    return (test->types >> part & 1) != 0;
}

static enum condition condition_of(
    const struct version_test *test, enum version_part part)
{
    return (enum condition)(
        test->conditions >> part * CONDITION_BITS & CONDITION_MASK);
}

static bool holds(uint32_t is, enum condition condition, uint32_t wanted)
{
    switch (condition) {
    case CONDITION_EQUAL:
        return is == wanted;
    case CONDITION_GREATER:
        return is > wanted;
    case CONDITION_GREATER_EQUAL:
        return is >= wanted;
    case CONDITION_LESS:
        return is < wanted;
    case CONDITION_LESS_EQUAL:
        return is <= wanted;
    case CONDITION_AND:
        return (is & wanted) == wanted;
    case CONDITION_OR:
        return (is & wanted) != 0;
    case CONDITION_NONE:
        break;
    }
    return false;
}

static bool part_holds(const struct version_test *test, enum version_part part)
{
    return holds(value_of(&test->is, part), condition_of(test, part),
        value_of(&test->wanted, part));
}

/* Of the four numbers of a version the first that differs decides, and where
 * none does the last (RTL-21). */
static bool version_holds(const struct version_test *test)
{
    static const enum version_part order[] = {
        PART_MAJOR, PART_MINOR, PART_SERVICE_MAJOR, PART_SERVICE_MINOR};
    bool right = true;

    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        if (!is_tested(test, order[i])) {
            continue;
        }
        right = part_holds(test, order[i]);
        if (value_of(&test->is, order[i]) !=
            value_of(&test->wanted, order[i])) {
            return right;
        }
    }
    return right;
}

/* Whether the part has a condition that it can have. */
static bool condition_is_right(
    const struct version_test *test, enum version_part part)
{
    enum condition condition = condition_of(test, part);
    bool of_suite = condition == CONDITION_AND || condition == CONDITION_OR;

    return condition != CONDITION_NONE && of_suite == (part == PART_SUITE);
}

static NTSTATUS verify(const struct version_test *test)
{
    static const enum version_part others[] = {
        PART_BUILD, PART_PLATFORM, PART_SUITE, PART_PRODUCT};

    if ((test->types & ((1U << PART_COUNT) - 1)) == 0) {
        return STATUS_INVALID_PARAMETER;
    }
    for (enum version_part part = 0; part < PART_COUNT; part++) {
        if (is_tested(test, part) && !condition_is_right(test, part)) {
            return STATUS_INVALID_PARAMETER;
        }
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (is_tested(test, others[i]) && !part_holds(test, others[i])) {
            return STATUS_REVISION_MISMATCH;
        }
    }
    return version_holds(test) ? STATUS_SUCCESS : STATUS_REVISION_MISMATCH;
}

NTSTATUS RtlVerifyVersionInfo_body(
    PRTL_OSVERSIONINFOEXW VersionInfo, ULONG TypeMask, ULONGLONG ConditionMask)
{
    struct kernel *kernel = kernel_current();
    struct version_test test = {.is = version_of(kernel),
        .types = TypeMask,
        .conditions = ConditionMask};

    copy_in(kernel, ROUTINE_RtlVerifyVersionInfo, &test.wanted, VersionInfo,
        sizeof(test.wanted));
    return verify(&test);
}

ULONGLONG VerSetConditionMask_body(
    ULONGLONG ConditionMask, ULONG TypeMask, UCHAR Condition)
{
    for (enum version_part part = 0; part < PART_COUNT; part++) {
        if ((TypeMask >> part & 1) != 0) {
            ConditionMask |= (ULONGLONG)(Condition & CONDITION_MASK)
                             << part * CONDITION_BITS;
        }
    }
    return ConditionMask;
}

/* CSDVersion is filled while the system starts, where no driver of ours is
 * (PROC-01a); the build is a free one. */
BOOLEAN PsGetVersion_body(PULONG MajorVersion, PULONG MinorVersion,
    PULONG BuildNumber, PUNICODE_STRING CSDVersion)
{
    struct kernel *kernel = kernel_current();
    const ULONG values[] = {
        kernel->os->major, kernel->os->minor, kernel->os->build};
    const PULONG to[] = {MajorVersion, MinorVersion, BuildNumber};

    (void)CSDVersion;
    for (size_t i = 0; i < sizeof(to) / sizeof(to[0]); i++) {
        if (to[i] != NULL) {
            copy_probe(
                kernel, ROUTINE_PsGetVersion, to[i], sizeof(values[i]), true);
        }
    }
    for (size_t i = 0; i < sizeof(to) / sizeof(to[0]); i++) {
        if (to[i] != NULL) {
            copy_out(kernel, ROUTINE_PsGetVersion, to[i], &values[i],
                sizeof(values[i]));
        }
    }
    return 0;
}
