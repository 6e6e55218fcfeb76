/* test_subject.c - captured contexts of subjects take memory while they are
 * captured, and no longer (SEC-09c). */
#include "api/se/subject.h"

#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

struct capturing {
    void *context, *other;
    const struct subject *first, *second, *again, *left;
};

static void capture(void *argument)
{
    struct capturing *capturing = argument;
    const struct subjects *subjects = kernel_current()->subjects;

    SeCaptureSubjectContext(capturing->context);
    capturing->first = subjects->first;
    SeCaptureSubjectContext(capturing->other);
    capturing->second = subjects->first;
    SeReleaseSubjectContext(capturing->context);
    SeCaptureSubjectContext(capturing->context);
    capturing->again = subjects->first;
    SeReleaseSubjectContext(capturing->context);
    SeReleaseSubjectContext(capturing->other);
    capturing->left = subjects->first;
}

static void memory_of_what_is_released_is_used_again(void **state)
{
    struct booted_kernel booted;
    struct capturing capturing;

    (void)state;
    booted_init_usual(&booted);
    capturing.context = booted_block(&booted, 32, 0);
    capturing.other = booted_block(&booted, 32, 0);
    booted_run(&booted, 0, capture, &capturing);
    assert_non_null(capturing.first);
    assert_ptr_not_equal(capturing.second, capturing.first);
    assert_ptr_equal(capturing.again, capturing.first);
    assert_null(capturing.left);
    booted_release(&booted);
}

TEST_FILE(test_subject)
{
    test_add(list, "memory_of_what_is_released_is_used_again",
        memory_of_what_is_released_is_used_again, NULL);
}
