/* test_image_scanner.c - what a process that scans leaves with those that load
 * the image. */
#include "scenarios/runner/run/image_scanner.h"

#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/image/image_scan.h"
#include "tests/rows.h"

static struct order_row {
    const char *name;
    int orders; /* more than take as many bytes as a process costs */
    size_t cut; /* bytes that the file lacks */
    bool want;
} order_rows[] = {
    {"image_that_is_run_seldom_is_not_scanned", -1, 0, false},
    {"image_that_is_run_often_is_scanned", 0, 0, true},
    {"image_that_is_run_more_often_stays_scanned", 5, 0, true},
    {"image_that_is_cut_off_is_not_known", 0, 600, false},
};

/* Every site, and what is counted. */
static void assert_known(const struct driver_file *file)
{
    struct patch own;

    assert_true(image_scan_file(file->bytes, file->size, &own));
    assert_true(own.count > 0);
    assert_int_equal(file->known->count, own.count);
    assert_memory_equal(&file->known->counts, &own.counts, sizeof(own.counts));
    for (size_t i = 0; i < own.count; i++) {
        assert_int_equal(file->known->site[i].rva, own.site[i].rva);
        assert_int_equal(file->known->site[i].kind, own.site[i].kind);
    }
    patch_release(&own);
}

static void order_row(void **state)
{
    static const char *const allowed[] = {NATIVE_DRIVERS};
    const struct order_row *row = *state;
    struct driver_files *files = driver_files_new(NULL, allowed, 1);
    struct driver_file *file = driver_files_find(files, "native.sys");
    size_t enough;

    assert_non_null(file);
    assert_null(file->error);
    file->size -= row->cut;
    enough = (IMAGE_SCANNER_BYTES + file->size - 1) / file->size;
    for (size_t i = 0; i < enough + (size_t)row->orders; i++) {
        image_scanner_ordered(file);
    }
    assert_int_equal(file->known != NULL, row->want);
    if (row->want) {
        assert_known(file);
    }
    talloc_free(files);
}

TEST_FILE(test_image_scanner)
{
    TEST_ADD_ROWS(list, order_row, order_rows);
}
