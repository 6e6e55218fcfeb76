/* test_descriptor.c - descriptors put into one block and together, in memory
 * that held something else before (SEC-04, SEC-06). */
#include "api/se/descriptor.h"

#include "api/se/acl.h"
#include "api/se/sid.h"
#include "api/se/well_known.h"
#include "tests/api/booted_kernel.h"

enum {
    OWNER = 1 << DESCRIPTOR_OWNER,
    GROUP = 1 << DESCRIPTOR_GROUP,
    SACL = 1 << DESCRIPTOR_SACL,
    DACL = 1 << DESCRIPTOR_DACL,
    ALL_PARTS = OWNER | GROUP | SACL | DACL,
    LIST_BYTES = 36, /* of no entry: 28 bytes of room */
};

/* Of each part: its offset, or 0. A head has 20 bytes, a list 36, an owner
 * (S-1-5-32-544) 16 and a group (S-1-5-18) 12. */
struct layout {
    uint16_t control;
    uint32_t size, owner, group, sacl, dacl;
};

static void check_layout(
    const struct descriptor_block *block, const struct layout *want)
{
    struct descriptor_relative head;

    memcpy(&head, block->bytes, sizeof(head));
    assert_int_equal(head.head.revision, 1);
    assert_int_equal(head.head.reserved, 0);
    assert_int_equal(head.head.control, want->control);
    assert_int_equal(head.part[DESCRIPTOR_OWNER], want->owner);
    assert_int_equal(head.part[DESCRIPTOR_GROUP], want->group);
    assert_int_equal(head.part[DESCRIPTOR_SACL], want->sacl);
    assert_int_equal(head.part[DESCRIPTOR_DACL], want->dacl);
    assert_int_equal(block->size, want->size);
}

/* At the offsets is what has to be there. */
static void check_parts(const struct descriptor_block *block)
{
    static const size_t sizes[DESCRIPTOR_PARTS] = {16, 12, 36, 36};

    for (enum descriptor_part i = 0; i < DESCRIPTOR_PARTS; i++) {
        const uint8_t *part = descriptor_part(block, i);

        assert_int_equal(
            descriptor_part_size(block, i), part == NULL ? 0 : sizes[i]);
        if (part != NULL) {
            assert_int_equal(part[0], i < DESCRIPTOR_SACL ? 1 : ACL_REVISION);
        }
    }
}

static struct copy_row {
    const char *name;
    unsigned has;
    uint16_t control;
    struct layout want;
} copy_rows[] = {
    {"nothing", 0, 0, {0x8000, 20, 0, 0, 0, 0}},
    {"owner_alone", OWNER, 1, {0x8001, 36, 20, 0, 0, 0}},
    {"group_alone", GROUP, 2, {0x8002, 32, 0, 20, 0, 0}},
    {"audit_list_alone", SACL, 0x30, {0x8030, 56, 0, 0, 20, 0}},
    {"list_alone", DACL, 0xC, {0x800C, 56, 0, 0, 0, 20}},
    {"lists_come_first", ALL_PARTS, 0x14, {0x8014, 120, 92, 108, 20, 56}},
};

struct copying {
    struct descriptor descriptor;
    struct descriptor_block block;
    NTSTATUS status;
};

static void copy(void *argument)
{
    struct copying *copying = argument;

    copying->status =
        descriptor_copy(kernel_current(), ROUTINE_RtlAbsoluteToSelfRelativeSD,
            &copying->descriptor, &copying->block);
}

/* Where there are those parts, in the driver's memory. */
static void give_parts(
    struct booted_kernel *booted, struct descriptor *descriptor, unsigned has)
{
    const uint8_t list[LIST_BYTES] = {ACL_REVISION, 0, LIST_BYTES};
    const struct {
        const void *bytes;
        size_t size;
    } parts[DESCRIPTOR_PARTS] = {{well_known_sid(WELL_KNOWN_BA), 16},
        {well_known_sid(WELL_KNOWN_SY), 12}, {list, LIST_BYTES},
        {list, LIST_BYTES}};

    for (unsigned i = 0; i < DESCRIPTOR_PARTS; i++) {
        if ((has >> i & 1) != 0) {
            descriptor->part[i] =
                (uintptr_t)booted_copy(booted, parts[i].bytes, parts[i].size);
        }
    }
}

static void copy_to(
    struct copying *copying, unsigned has, uint16_t control, uint8_t fill)
{
    struct booted_kernel booted;

    booted_init_usual(&booted);
    memset(copying, fill, sizeof(*copying));
    copying->descriptor = (struct descriptor){
        .head = {.revision = DESCRIPTOR_REVISION, .control = control}};
    give_parts(&booted, &copying->descriptor, has);
    booted_run(&booted, 0, copy, copying);
    assert_int_equal(copying->status, 0);
    booted_release(&booted);
}

static void copy_row(void **state)
{
    const struct copy_row *row = *state;
    static struct copying copying;

    copy_to(&copying, row->has, row->control, 0xFF);
    check_layout(&copying.block, &row->want);
    check_parts(&copying.block);
}

/* Of the first what is wanted of it, else of the second, if there is one. Both
 * have all parts, the first with control 0x15 and the second with 0x2A. */
static struct merge_row {
    const char *name;
    unsigned wanted;
    bool alone;
    struct layout want;
} merge_rows[] = {
    {"nothing_of_one", 0, true, {0x8000, 20, 0, 0, 0, 0}},
    {"owner_of_one", OWNER, true, {0x8001, 36, 20, 0, 0, 0}},
    {"group_of_one", GROUP, true, {0x8000, 32, 0, 20, 0, 0}},
    {"list_of_one", DACL, true, {0x8004, 56, 0, 0, 0, 20}},
    {"audit_list_of_one", SACL, true, {0x8010, 56, 0, 0, 20, 0}},
    {"all_of_the_first", ALL_PARTS, false, {0x8015, 120, 92, 108, 20, 56}},
    {"all_of_the_second", 0, false, {0x802A, 120, 92, 108, 20, 56}},
    {"owner_of_the_first", OWNER, false, {0x802B, 120, 92, 108, 20, 56}},
    {"list_of_the_first", DACL, false, {0x8026, 120, 92, 108, 20, 56}},
};

static void merge_row(void **state)
{
    const struct merge_row *row = *state;
    static struct copying first, second;
    static struct descriptor_block merged;

    copy_to(&first, ALL_PARTS, 0x15, 0);
    copy_to(&second, ALL_PARTS, 0x2A, 0);
    memset(&merged, 0xFF, sizeof(merged));
    assert_true(descriptor_merge(
        &first.block, row->wanted, row->alone ? NULL : &second.block, &merged));
    check_layout(&merged, &row->want);
    check_parts(&merged);
}

static void one_is_made_of_a_list_an_owner_and_a_group(void **state)
{
    static const struct layout want = {0x8004, 84, 56, 72, 0, 20};
    const uint8_t list[LIST_BYTES] = {ACL_REVISION, 0, LIST_BYTES};
    static struct descriptor_block block;

    (void)state;
    memset(&block, 0xFF, sizeof(block));
    descriptor_make(&block, list, LIST_BYTES, well_known_sid(WELL_KNOWN_BA),
        well_known_sid(WELL_KNOWN_SY));
    check_layout(&block, &want);
    check_parts(&block);
}

struct reading {
    const void *address;
    struct descriptor descriptor;
    uint64_t behind;
    NTSTATUS status;
};

static void read_it(void *argument)
{
    struct reading *reading = argument;

    reading->status =
        descriptor_read(kernel_current(), ROUTINE_RtlLengthSecurityDescriptor,
            &reading->descriptor, reading->address);
}

static void offsets_are_read_as_addresses(void **state)
{
    const struct descriptor_relative relative = {
        {DESCRIPTOR_REVISION, 0, 0x8004}, {20, 0, 1, 60}};
    struct reading reading = {.behind = 0x5555555555555555};
    struct booted_kernel booted;
    uintptr_t start;

    (void)state;
    booted_init_usual(&booted);
    reading.address = booted_copy(&booted, &relative, sizeof(relative));
    start = (uintptr_t)reading.address;
    booted_run(&booted, 0, read_it, &reading);
    assert_int_equal(reading.status, 0);
    assert_int_equal(reading.descriptor.head.control, 0x8004);
    assert_int_equal(reading.descriptor.part[DESCRIPTOR_OWNER], start + 20);
    assert_int_equal(reading.descriptor.part[DESCRIPTOR_GROUP], 0);
    assert_int_equal(reading.descriptor.part[DESCRIPTOR_SACL], start + 1);
    assert_int_equal(reading.descriptor.part[DESCRIPTOR_DACL], start + 60);
    assert_int_equal(reading.behind, 0x5555555555555555);
    booted_release(&booted);
}

TEST_FILE(test_descriptor)
{
    test_add(list, "offsets_are_read_as_addresses",
        offsets_are_read_as_addresses, NULL);
    TEST_ADD_ROWS(list, copy_row, copy_rows);
    TEST_ADD_ROWS(list, merge_row, merge_rows);
    test_add(list, "one_is_made_of_a_list_an_owner_and_a_group",
        one_is_made_of_a_list_an_owner_and_a_group, NULL);
}
