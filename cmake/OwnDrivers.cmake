# How this project's own drivers are compiled. The compilers' headers declare what
# every processor has, AVX-512 and all, which is two thirds of a compilation. These
# drivers need what the target has: the first is for clang's headers, the others
# are the guards of gcc's.
set(NTPMU_DRIVER_OPTIONS -D__SCE__
  -D_IMMINTRIN_H_INCLUDED -D_FMA4INTRIN_H_INCLUDED -D_XOPMMINTRIN_H_INCLUDED)
include("${CMAKE_CURRENT_LIST_DIR}/NtpmuDriver.cmake")
