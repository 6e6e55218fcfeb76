# What is true of drivers that are built, and of the headers that they are built
# with. None of it asks anything of the host's compiler.
ntpmu_driver_tool(LLVM_READOBJ llvm-19 llvm-readobj-19)
set(drivers "${PROJECT_SOURCE_DIR}/tests/drivers")

# ntpmu_driver_test(NAME [PLACED symbol:section...]
#                   [IMPORTS image:symbol...]): tests the image.
function(ntpmu_driver_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PLACED;IMPORTS")
  list(JOIN arg_PLACED "," placed)
  list(JOIN arg_IMPORTS "," imports)
  add_test(NAME driver.image.${name} COMMAND "${CMAKE_COMMAND}"
    -D "READOBJ=${LLVM_READOBJ}"
    -D "FILE=${NTPMU_DRIVER_BUILD}/tests/drivers/${name}.sys"
    -D "PLACED=${placed}" -D "IMPORTS=${imports}"
    -P "${PROJECT_SOURCE_DIR}/cmake/CheckDriver.cmake")
endfunction()

foreach(compiler IN ITEMS clang mingw)
  ntpmu_driver_test(hello_${compiler}
    PLACED DriverEntry:INIT prepare:PAGE unload:PAGE unloads:.*data)
  ntpmu_driver_test(imports_${compiler}
    PLACED DriverEntry:INIT unload:PAGE
    IMPORTS HAL.dll:HalAllocateHardwareCounters
      HAL.dll:HalFreeHardwareCounters
      ntoskrnl.exe:KeQueryHardwareCounterConfiguration)
endforeach()
ntpmu_driver_test(hello_seh PLACED DriverEntry:INIT unload:PAGE
  IMPORTS ntoskrnl.exe:__C_specific_handler)

# ntpmu_header_test(NAME SOURCE DEFINITION...): both compilers take the source
# without a warning.
function(ntpmu_header_test name source)
  foreach(compiler IN ITEMS clang mingw)
    ntpmu_driver_compile_command(command ${compiler} ${ARGN})
    add_test(NAME driver.${name}.${compiler}
      COMMAND ${command} "-I${PROJECT_SOURCE_DIR}" -Werror -fsyntax-only
        "${drivers}/${source}")
  endforeach()
endfunction()

ntpmu_header_test(layout layout.c)
ntpmu_header_test(layout_windows7 layout_windows7.c NTDDI_VERSION=NTDDI_WIN7)
ntpmu_header_test(routines routines.c)
ntpmu_header_test(test_counter_sets.win7 test_counter_sets.c
  NTDDI_VERSION=NTDDI_WIN7 WANT_CURRENT=0x0100)
ntpmu_header_test(test_counter_sets.vb test_counter_sets.c
  NTDDI_VERSION=NTDDI_WIN10_VB WANT_CURRENT=0x0100)
ntpmu_header_test(test_counter_sets.mn test_counter_sets.c
  NTDDI_VERSION=NTDDI_WIN10_MN WANT_CURRENT=0x0100 WANT_VERSION_2=0x0200)
ntpmu_header_test(test_counter_sets.fe test_counter_sets.c
  NTDDI_VERSION=NTDDI_WIN10_FE WANT_CURRENT=0x0200 WANT_VERSION_2=0x0200)

# What is said of COUNTERS that are none: nothing, and another target.
foreach(counters IN ITEMS wave_counters no_counters)
  add_test(NAME driver.unknown_counters.${counters} COMMAND "${CMAKE_COMMAND}"
    -S "${drivers}/unknown_counters"
    -B "${CMAKE_CURRENT_BINARY_DIR}/unknown_${counters}"
    -D "COUNTERS=${counters}")
  set_tests_properties(driver.unknown_counters.${counters} PROPERTIES
    PASS_REGULAR_EXPRESSION
    "ntpmu_add_driver\\(waves\\): COUNTERS ${counters}: .*ntpmu_add_counters\\(${counters} ")
endforeach()
