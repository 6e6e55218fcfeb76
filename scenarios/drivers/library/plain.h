/* plain.h - bytes that are copied, filled and compared, texts that are printed
 * and formatted, each as `which` says. */
#ifndef PLAIN_H
#define PLAIN_H

#include <ntddk.h>

/* memcpy, memmove, memset, memcmp and RtlCompareMemory: what the first three
 * make of some bytes is at `to`, and how the fourth and the fifth end is
 * returned. */
int plain_bytes(unsigned which, unsigned char *to);

/* DbgPrint, DbgPrintEx or vDbgPrintEx, at this level. */
int plain_print(unsigned which, KIRQL level);

/* One of the formats; room for 40 characters is at `to`. */
int plain_format(unsigned which, unsigned char *to);

#endif
