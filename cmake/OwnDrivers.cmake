# How this project's own drivers are compiled. clang's headers declare what every
# processor has, AVX-512 and all, which is two thirds of a compilation; with this
# they declare what the target has, and these drivers need no more.
set(NTPMU_DRIVER_OPTIONS -D__SCE__)
include("${CMAKE_CURRENT_LIST_DIR}/NtpmuDriver.cmake")
