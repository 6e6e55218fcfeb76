# Read by ctest when it starts: the rows of the room NTPMU_ROOM are tests of its
# program, NTPMU_PROGRAM, which is made of NTPMU_FILES. Where the environment has
# NTPMU_TEST_EACH=OFF the room is one test, as in other presets (tools/test).
execute_process(COMMAND "${NTPMU_PROGRAM}" --list
  OUTPUT_VARIABLE names RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  add_test("${NTPMU_ROOM}.discovery" "${NTPMU_PROGRAM}" --list)
  return()
endif()
foreach(file IN LISTS NTPMU_FILES)
  if("${file}" IS_NEWER_THAN "${NTPMU_PROGRAM}")
    add_test("${NTPMU_ROOM}.stale"
      sh -c [[echo "$0 is older than $1: build it"; exit 1]]
      "${NTPMU_PROGRAM}" "${file}")
    break()
  endif()
endforeach()
if("$ENV{NTPMU_TEST_EACH}" STREQUAL "OFF")
  add_test("${NTPMU_ROOM}" "${NTPMU_PROGRAM}")
  set_tests_properties("${NTPMU_ROOM}" PROPERTIES TIMEOUT 300)
  return()
endif()
# Leaks are looked for where a room runs in one process: it takes as long as a
# row.
string(REGEX MATCHALL "[^\n]+" names "${names}")
list(TRANSFORM names PREPEND "${NTPMU_ROOM}." OUTPUT_VARIABLE tests)
foreach(name test IN ZIP_LISTS names tests)
  add_test("${test}" "${NTPMU_PROGRAM}" "${name}")
endforeach()
set_tests_properties(${tests} PROPERTIES
  TIMEOUT 120 ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
