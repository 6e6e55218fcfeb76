/* devices_collect.c - the callback, in another file than the registration. */
#include "devices_driver.h"

NTSTATUS NTAPI devices_collect(PCW_CALLBACK_TYPE type,
    PPCW_CALLBACK_INFORMATION information, PVOID context)
{
    static const WCHAR text[] = DemoDevicesName;
    static const UNICODE_STRING name = {
        sizeof(text) - sizeof(text[0]), sizeof(text), (PWSTR)text};
    DEVICE_TOTALS totals = {.Reads = DEVICES_READS};
    DEVICE_TIMES times = {.Latency = DEVICES_LATENCY};

    (void)context;
    if (type == PcwCallbackAddCounter || type == PcwCallbackRemoveCounter ||
        DemoDevices == NULL) {
        return STATUS_SUCCESS;
    }
    return DemoAddDevices(
        information->CollectData.Buffer, &name, 0, &totals, &times);
}
