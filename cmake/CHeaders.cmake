# What drivers' headers are read with: libclang, which a process of its own loads
# when a scenario names a header, and where it finds what a driver is compiled
# with (NtpmuDriver.cmake). Nothing of it is needed to build.
set(clang_19 /usr/lib/llvm-19/lib)
find_file(NTPMU_CLANG_LIBRARY libclang-19.so.1 PATHS "${clang_19}"
  NO_DEFAULT_PATH)
find_path(NTPMU_CLANG_RESOURCES include/stdarg.h PATHS "${clang_19}/clang/19"
  NO_DEFAULT_PATH)
mark_as_advanced(NTPMU_CLANG_LIBRARY NTPMU_CLANG_RESOURCES)
set(clang_library "${NTPMU_CLANG_LIBRARY}")
if(NOT clang_library)
  set(clang_library libclang-19.so.1) # whoever asks for it is told
endif()
set(options ${NTPMU_DRIVER_CLANG_TARGET} ${NTPMU_DRIVER_WINDOWS}
  ${NTPMU_DRIVER_PROCESSOR})
list(TRANSFORM options REPLACE "(.+)" "\"\\1\"")
list(JOIN options ", " options) # words of C
set_property(SOURCE
  "${PROJECT_SOURCE_DIR}/scenarios/runner/headers/clang_library.c"
  "${PROJECT_SOURCE_DIR}/scenarios/runner/headers/header_unit.c"
  "${PROJECT_SOURCE_DIR}/scenarios/runner/headers/header_reading.c"
  APPEND PROPERTY COMPILE_DEFINITIONS
  "PROGRAM_FILE=\"${PROJECT_BINARY_DIR}/ntpmu\""
  "CLANG_LIBRARY_FILE=\"${clang_library}\""
  "CLANG_RESOURCES=\"${NTPMU_CLANG_RESOURCES}\""
  "DRIVER_OPTIONS=${options}"
  "DRIVER_INCLUDES=\"${PROJECT_SOURCE_DIR}/api/include\""
  "MINGW_INCLUDES=\"/usr/x86_64-w64-mingw32/include\"")
