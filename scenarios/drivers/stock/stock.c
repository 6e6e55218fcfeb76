/* stock.c - a driver that has blocks of one size in stock, in lookaside lists
 * of each kind; its own code takes them from the lists' heads. */
#include <ntddk.h>

#include "scenarios/drivers/stock/defects.h"

DRIVER_INITIALIZE DriverEntry;

#define TAG 0x6B637453 /* Stck */

enum { BLOCKS = 6, BLOCK_BYTES = 96 };

static struct {
    DECLSPEC_ALIGN(64) NPAGED_LOOKASIDE_LIST nonpaged;
    DECLSPEC_ALIGN(64) PAGED_LOOKASIDE_LIST paged;
    DECLSPEC_ALIGN(16) LOOKASIDE_LIST_EX own;
    UCHAR block[BLOCKS][BLOCK_BYTES];
    ULONG used, given_back;
} stock;

static PVOID NTAPI allocate(
    POOL_TYPE type, SIZE_T bytes, ULONG tag, PLOOKASIDE_LIST_EX list)
{
    if (type != NonPagedPoolNx || bytes != BLOCK_BYTES || tag != TAG ||
        list != &stock.own || stock.used == BLOCKS) {
        return NULL;
    }
    return stock.block[stock.used++];
}

static VOID NTAPI release(PVOID block, PLOOKASIDE_LIST_EX list)
{
    if (block != NULL && list == &stock.own) {
        stock.given_back++;
    }
}

/* As many blocks as there is memory for, up to six. */
static int take_nonpaged(PVOID *block)
{
    int count = 0;

    while (count < BLOCKS) {
        block[count] = ExAllocateFromNPagedLookasideList(&stock.nonpaged);
        if (block[count] == NULL) {
            break;
        }
        count++;
    }
    return count;
}

/* Whether of six blocks that are given back the list keeps the first four, and
 * gives out the last of them first. */
static BOOLEAN use_nonpaged(VOID)
{
    PVOID block[BLOCKS];
    int count = take_nonpaged(block);
    BOOLEAN right;
    int i;

    for (i = 0; i < count; i++) {
        ExFreeToNPagedLookasideList(&stock.nonpaged, block[i]);
    }
    if (count < BLOCKS) {
        return FALSE;
    }
    block[0] = ExAllocateFromNPagedLookasideList(&stock.nonpaged);
    right = block[0] == block[3] && stock.nonpaged.L.TotalAllocates == 7 &&
            stock.nonpaged.L.AllocateMisses == 6;
    if (DEFECT != DEFECT_BLOCK_LEFT && block[0] != NULL) {
        ExFreeToNPagedLookasideList(&stock.nonpaged, block[0]);
    }
    return right;
}

static BOOLEAN use_paged(VOID)
{
    PVOID block = ExAllocateFromPagedLookasideList(&stock.paged);
    PVOID again;

    if (block == NULL) {
        return FALSE;
    }
    ExFreeToPagedLookasideList(&stock.paged, block);
    again = ExAllocateFromPagedLookasideList(&stock.paged);
    if (again != NULL) {
        ExFreeToPagedLookasideList(&stock.paged, again);
    }
    return again == block;
}

static BOOLEAN use_own(VOID)
{
    PVOID block[BLOCKS];
    int i;

    for (i = 0; i < BLOCKS; i++) {
        block[i] = ExAllocateFromLookasideListEx(&stock.own);
        if (block[i] == NULL) {
            break;
        }
    }
    while (--i >= 0) {
        ExFreeToLookasideListEx(&stock.own, block[i]);
    }
    if (stock.used != BLOCKS || stock.given_back != 2) {
        return FALSE;
    }
    ExFlushLookasideListEx(&stock.own);
    return stock.given_back == BLOCKS;
}

static VOID delete_lists(VOID)
{
    if (DEFECT != DEFECT_LIST_LEFT) {
        ExDeleteNPagedLookasideList(&stock.nonpaged);
    }
    ExDeletePagedLookasideList(&stock.paged);
    ExDeleteLookasideListEx(&stock.own);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    delete_lists();
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    status = ExInitializeLookasideListEx(
        &stock.own, allocate, release, NonPagedPoolNx, 0, BLOCK_BYTES, TAG, 0);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    ExInitializeNPagedLookasideList(
        &stock.nonpaged, NULL, NULL, POOL_NX_ALLOCATION, BLOCK_BYTES, TAG, 0);
    ExInitializePagedLookasideList(
        &stock.paged, NULL, NULL, 0, BLOCK_BYTES, TAG, 0);
    if (use_nonpaged() && use_paged() && use_own()) {
        return STATUS_SUCCESS;
    }
    delete_lists();
    return STATUS_UNSUCCESSFUL;
}
