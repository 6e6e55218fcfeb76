/* layouts.h - a driver's structures in all the ways in which C lays them out.
 * Drivers include <ntddk.h> first. */
#ifndef LAYOUTS_H
#define LAYOUTS_H

typedef struct _INNER {
    UCHAR Flag;
    ULONG64 Limit;
} INNER, *PINNER;

typedef enum _WAY { WayOut, WayIn } WAY;

typedef struct _OUTER {
    BOOLEAN First;
    USHORT List[3];
    INNER Inner;
    struct _INNER More[2];
    PINNER Pointer;
    void (*Function)(void);
    WAY Way;
    LARGE_INTEGER When;
    GROUP_AFFINITY Affinity;
    struct {
        ULONG Low, High;
    } Range[2];
    WCHAR Name[4];
} OUTER;

#pragma pack(push, 1)
struct packed {
    UINT8 First;
    DWORD64 Value;
    INNER Inner;
    ULONG Low : 20, High : 12;
    CHAR Last;
};
#pragma pack(pop)

#pragma pack(push, 4)
struct half {
    UCHAR First;
    long long Value;
    unsigned short Last;
};
#pragma pack(pop)

typedef union _SELECT {
    ULONG64 All;
    struct {
        ULONG64 Event : 8;
        ULONG64 Unit : 8;
        ULONG64 User : 1;
        ULONG64 Os : 1;
        ULONG64 : 4;
        ULONG64 Enable : 1;
        ULONG64 Wide : 33;
    };
    struct {
        ULONG Low, High;
    } Half;
} SELECT;

struct __declspec(align(32)) apart {
    UCHAR First;
    ULONG Second;
};

struct holder {
    UCHAR First;
    struct apart Apart;
    UCHAR Last;
};

typedef struct _PARTLY {
    ULONG Known;
    float Ratio;
    double Precise;
    ULONG Matrix[2][3];
    struct {
        float Only;
    } Lost;
    GROUP_AFFINITY Behind;
    PHYSICAL_COUNTER_RESOURCE_LIST List;
    ULONG Elements[];
} PARTLY;

#endif
