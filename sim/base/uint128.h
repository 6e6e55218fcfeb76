/* uint128.h - the product of two 64-bit numbers. */
#ifndef SIM_BASE_UINT128_H
#define SIM_BASE_UINT128_H

__extension__ typedef unsigned __int128 uint128;

#endif
