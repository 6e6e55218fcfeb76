/* wdmsec.h - what a driver gets for #include <wdmsec.h>: mingw-w64's header,
 * with the strings that it lacks. What is declared is linked from the library
 * that every driver gets (api/driver_support), as with Wdmsec.lib. */
#ifndef NTPMU_INCLUDE_WDMSEC_H
#define NTPMU_INCLUDE_WDMSEC_H

#include_next <wdmsec.h>

/* Descriptors for DefaultSDDLString (page SDDL for Device Objects): everything
 * for the system; and for administrators all, or read (R), write (W), execute
 * (X); likewise for everybody (WORLD) and restricted code (RES). */
extern const UNICODE_STRING SDDL_DEVOBJ_KERNEL_ONLY;
extern const UNICODE_STRING SDDL_DEVOBJ_SYS_ALL;
extern const UNICODE_STRING SDDL_DEVOBJ_SYS_ALL_ADM_ALL;
extern const UNICODE_STRING SDDL_DEVOBJ_SYS_ALL_ADM_RX;
extern const UNICODE_STRING SDDL_DEVOBJ_SYS_ALL_ADM_RWX_WORLD_R;
extern const UNICODE_STRING SDDL_DEVOBJ_SYS_ALL_ADM_RWX_WORLD_R_RES_R;
extern const UNICODE_STRING SDDL_DEVOBJ_SYS_ALL_ADM_RWX_WORLD_RW_RES_R;
extern const UNICODE_STRING SDDL_DEVOBJ_SYS_ALL_ADM_RWX_WORLD_RWX_RES_RWX;

#endif
