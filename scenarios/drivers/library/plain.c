/* plain.c - memcpy and its kin, _snprintf, DbgPrint: what the sample calls. */
#include "scenarios/drivers/library/plain.h"

#include <stdarg.h>

enum { ROOM = 40 };

int __cdecl _snprintf(char *to, size_t count, const char *format, ...);
int __cdecl _snwprintf(WCHAR *to, size_t count, const WCHAR *format, ...);

/* ntoskrnl's own: a driver's support library has them, too. */
static PVOID exported(PCWSTR name)
{
    UNICODE_STRING text;

    RtlInitUnicodeString(&text, name);
    return MmGetSystemRoutineAddress(&text);
}

static const unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 0x80};

typedef void *__cdecl copying(void *, const void *, size_t);
typedef void *__cdecl filling(void *, int, size_t);
typedef int __cdecl comparing(const void *, const void *, size_t);

int plain_bytes(unsigned which, unsigned char *to)
{
    static const unsigned char less[] = {1, 2, 3, 4, 5, 6, 7, 0x7F};
    copying *copy = exported(L"memcpy");
    copying *move = exported(L"memmove");
    filling *fill = exported(L"memset");
    comparing *compare = exported(L"memcmp");

    switch (which) {
    case 0:
        return copy(to, bytes, 4) == to;
    case 1:
        copy(to, bytes, 8);
        return move(to + 2, to, 4) == to + 2;
    case 2:
        return fill(to, 0x1FE, 3) == to;
    case 3:
        return compare(bytes, less, 8);
    case 4:
        return compare(less, bytes, 8);
    case 5:
        return compare(less, bytes, 7);
    case 6:
        return (int)RtlCompareMemory(bytes, less, 8);
    case 7:
        return (int)RtlCompareMemory(bytes, bytes, 8);
    case 9:
        return exported(L"NtpmuHasNoSuchRoutine") == NULL;
    default: /* of nothing nowhere */
        copy(NULL, NULL, 0);
        fill(NULL, 1, 0);
        return compare(NULL, NULL, 0);
    }
}

static void print_list(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vDbgPrintEx(DPFLTR_IHVDRIVER_ID, DPFLTR_ERROR_LEVEL, format, arguments);
    va_end(arguments);
}

int plain_print(unsigned which, KIRQL level)
{
    KIRQL before;

    KeRaiseIrql(level, &before);
    switch (which) {
    case 0:
        DbgPrint("");
        break;
    case 1:
        DbgPrint("a\tb\rc\nd\n");
        break;
    case 2:
        DbgPrint("%S", L"wide");
        break;
    case 3:
        DbgPrintEx(DPFLTR_IHVDRIVER_ID, DPFLTR_INFO_LEVEL, "ex %d", 7);
        break;
    default:
        print_list("list %d", 8);
        break;
    }
    KeLowerIrql(before);
    return 0;
}

static int format_wide(unsigned which, WCHAR *to)
{
    switch (which) {
    case 0:
        return _snwprintf(to, ROOM / 2, L"\x20AC%d\x0164|", 5);
    default:
        return _snwprintf(to, ROOM / 2, L"");
    }
}

static int format_counted(unsigned which, char *to)
{
    char characters[] = "abc";
    STRING narrow = {3, 3, characters}, none = {3, 3, NULL};
    WCHAR letters[] = L"xyz";
    UNICODE_STRING wide = {6, 6, letters};

    switch (which) {
    case 0:
        return _snprintf(
            to, ROOM, "%5Z|%-5.2Z|%.9Z", &narrow, &narrow, &narrow);
    case 1:
        return _snprintf(to, ROOM, "%wZ|%4wZ", &wide, &wide);
    case 2:
        return _snprintf(
            to, ROOM, "%Z|%8Z|%-8Z|%.3Z", NULL, &none, &none, &none);
    default:
        return _snprintf(to, 4, "%wZ%Z", &wide, &narrow);
    }
}

int plain_format(unsigned which, unsigned char *at)
{
    char *to = (char *)at;

    switch (which) {
    case 0:
        return _snprintf(to, ROOM, "%#o|%#.3o|%#o|%o", 8, 8, 0, 0777);
    case 1:
        return _snprintf(to, ROOM, "%-4c|%4c|%1c|", 'a', 'b', 'c');
    case 2:
        return _snprintf(
            to, ROOM, "%5s|%-5s|%.2s|%3.1s|", "abc", "abc", "abc", "abc");
    case 3:
        return _snprintf(to, ROOM, "%8s|%-8s|%.2s|", NULL, NULL, NULL);
    case 4:
        return _snprintf(to, ROOM, "%*d|%.*d|%.*d|", -5, 7, 3, 7, -1, 7);
    case 5:
        return _snprintf(to, ROOM, "%+d|% d|%05d|%-05d|%5.3d|", 7, 7, -7, 7, 7);
    case 6:
        return _snprintf(to, ROOM, "%#x|%#X|%#x|%08x|", 0xAB, 0xAB, 0, 0xAB);
    case 7: /* more than there is room for */
        return _snprintf(to, 6, "%3d|%9d", 7, 7);
    case 8:
        return _snprintf(to, 5, "%s", "abcdefgh");
    case 9:
        return _snprintf(to, ROOM, "");
    case 10: /* a piece of it is 64 characters */
        return _snprintf(to, ROOM,
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    case 11:
    case 12:
        return format_wide(which - 11, (WCHAR *)(PVOID)to);
    default:
        return format_counted(which - 13, to);
    }
}
