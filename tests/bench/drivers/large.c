/* large.c - a driver of 100 KiB: 640 functions of a few kinds, which call the
 * kernel and each other and stand in a table, so that there are imports,
 * function table entries and relocations in a usual number. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;

typedef ULONG64 work(ULONG64 value, ULONG64 *array);

static volatile ULONG64 counter;

/* Writes one(number) for 640 numbers. */
#define EIGHT(one, n)                                                          \
    one(n##0) one(n##1) one(n##2) one(n##3) one(n##4) one(n##5) one(n##6)      \
        one(n##7)
#define SIXTY_FOUR(one, n)                                                     \
    EIGHT(one, n##0)                                                           \
    EIGHT(one, n##1)                                                           \
    EIGHT(one, n##2)                                                           \
    EIGHT(one, n##3)                                                           \
    EIGHT(one, n##4) EIGHT(one, n##5) EIGHT(one, n##6) EIGHT(one, n##7)
#define EACH(one)                                                              \
    SIXTY_FOUR(one, 000)                                                       \
    SIXTY_FOUR(one, 001)                                                       \
    SIXTY_FOUR(one, 002)                                                       \
    SIXTY_FOUR(one, 003)                                                       \
    SIXTY_FOUR(one, 004)                                                       \
    SIXTY_FOUR(one, 005)                                                       \
    SIXTY_FOUR(one, 006)                                                       \
    SIXTY_FOUR(one, 007)                                                       \
    SIXTY_FOUR(one, 010)                                                       \
    SIXTY_FOUR(one, 011)

/* Four kinds, by the number's last digit; it is octal. */
#define WORK(number)                                                           \
    static ULONG64 work_##number(ULONG64 value, ULONG64 *array)                \
    {                                                                          \
        ULONG64 local[4] = {value, number, value ^ number, ~value};            \
        KIRQL irql = PASSIVE_LEVEL;                                            \
                                                                               \
        switch ((number) % 4) {                                                \
        case 0:                                                                \
            for (ULONG i = 0; i < 8 + (number) % 5; i++) {                     \
                local[i % 4] = local[i % 4] * 31 + array[i % 8] + counter;     \
                array[i % 8] ^= local[(i + 1) % 4] >> ((number) % 13);         \
            }                                                                  \
            break;                                                             \
        case 1:                                                                \
            if (value > (number)*7) {                                          \
                local[1] += KeQueryActiveProcessorCountEx(0);                  \
                array[(number) % 8] = local[1] + counter;                      \
            } else {                                                           \
                local[2] -= KeGetCurrentProcessorNumberEx(NULL);               \
                array[(number) % 4] -= local[2] * counter;                     \
            }                                                                  \
            break;                                                             \
        case 2:                                                                \
            RtlCopyMemory(array, local, sizeof(local));                        \
            counter += (number);                                               \
            local[3] = array[1] / ((number) + 1) + (counter << 3);             \
            array[2] = local[3] % ((value | 1) + (number));                    \
            break;                                                             \
        default:                                                               \
            irql = KeGetCurrentIrql();                                         \
            local[0] += irql > (number) % 3 ? value : counter;                 \
            for (ULONG i = 0; i < 9 && local[0] > (number); i++) {             \
                local[0] = local[0] / 3 + array[(local[0] + irql) % 8];        \
                array[5] += local[0] & 0xFF00FF;                               \
            }                                                                  \
            break;                                                             \
        }                                                                      \
        return local[0] + local[1] + local[2] + local[3] + irql;               \
    }
EACH(WORK)

#define POINTER(number) work_##number,
static work *const volatile table[] = {EACH(POINTER)};

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    ULONG64 array[8] = {0};

    UNREFERENCED_PARAMETER(path);
    for (ULONG i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        counter += table[i](i, array);
    }
    driver->DriverUnload = unload;
    return STATUS_SUCCESS;
}
