# ntpmu_add_test_room(NAME SOURCES file... LIBRARIES target...): the program
# test_NAME of the files test_*.c, with whatever else they are made of. It is a
# test of CTest, NAME; with NTPMU_TEST_EACH each of its rows is one instead,
# NAME.FILE.ROW. Dots in NAME are underlines in the program's. Rows are found
# when ctest starts: a program that is not there, or is older than its files, is
# a test that fails.
function(ntpmu_add_test_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  string(REPLACE "." "_" program "test_${name}")
  set(prototypes "")
  set(rows "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(GET source STEM stem)
    if(stem MATCHES "^test_")
      string(APPEND prototypes "void ${stem}(struct test_list *list);\n")
      string(APPEND rows "    {\"${stem}\", ${stem}},\n")
    endif()
  endforeach()
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${program}.c")
  file(CONFIGURE OUTPUT "${list}" @ONLY CONTENT [[
/* The files of this room. */
#include "tests/rows.h"

@prototypes@
const char test_room[] = "@name@";
const struct test_file test_files[] = {
@rows@};
const size_t test_file_count = sizeof(test_files) / sizeof(test_files[0]);
]])
  add_executable(${program} ${arg_SOURCES} "${list}"
    "${PROJECT_SOURCE_DIR}/tests/rows.c")
  target_link_libraries(${program} PRIVATE ${arg_LIBRARIES} PkgConfig::cmocka)
  target_include_directories(${program} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(${program} PRIVATE
    "REPOSITORY=\"${PROJECT_SOURCE_DIR}\""
    "NATIVE_DRIVERS=\"${NTPMU_DRIVER_BUILD}/tests/drivers\"")
  ntpmu_warnings(${program})
  if(NTPMU_TEST_EACH)
    ntpmu_add_test_rows(${name} ${program} ${arg_SOURCES})
  else()
    add_test(NAME ${name} COMMAND ${program})
    set_tests_properties(${name} PROPERTIES TIMEOUT 300)
  endif()
endfunction()

# ntpmu_add_test_rows(NAME PROGRAM FILE...): its rows, as tests. A program is
# older than one of the files when nobody built it after a change.
function(ntpmu_add_test_rows name program)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/"
    REGEX "^[^/]" OUTPUT_VARIABLE files)
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${program}_rows.cmake")
  file(GENERATE OUTPUT "${script}" CONTENT "
set(NTPMU_ROOM [==[${name}]==])
set(NTPMU_PROGRAM [==[$<TARGET_FILE:${program}>]==])
set(NTPMU_FILES [==[${files}]==])
include([==[${PROJECT_SOURCE_DIR}/cmake/TestRows.cmake]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()

# ntpmu_add_test_rooms(DIRECTORY LIBRARY [EXCEPT directory...]): a program for each
# folder of tests in the directory, made of the sources in it: tests/sim/pmu is
# sim.pmu.
function(ntpmu_add_test_rooms directory library)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "EXCEPT")
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS
    RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "${directory}/test_*.c")
  set(rooms "")
  foreach(test IN LISTS tests)
    cmake_path(GET test PARENT_PATH room)
    list(APPEND rooms "${room}")
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  list(REMOVE_ITEM rooms ${arg_EXCEPT})
  foreach(room IN LISTS rooms)
    file(GLOB sources CONFIGURE_DEPENDS
      RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "${room}/*.c")
    string(REPLACE "/" "." name "${room}")
    ntpmu_add_test_room(${name} SOURCES ${sources} LIBRARIES ${library})
  endforeach()
endfunction()
