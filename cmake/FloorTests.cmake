# Tests of the floors of cmake/floors.txt, and of what is held to them. Whether
# they are reached asks tools/coverage.
set(gcov "${PROJECT_SOURCE_DIR}/tests/gcov")
if(NOT NTPMU_PEER)
  add_test(NAME floors.rooms COMMAND "${gcov}/floors" "${PROJECT_SOURCE_DIR}")
  add_test(NAME floors.lowered COMMAND "${gcov}/lowered"
    "${PROJECT_SOURCE_DIR}")
  set_tests_properties(floors.lowered PROPERTIES
    SKIP_REGULAR_EXPRESSION "^skipped: ")
  add_test(NAME floors.refuses
    COMMAND "${gcov}/refuses" "${CMAKE_CURRENT_BINARY_DIR}/floors")
endif()

# All processes of a program are counted, however they end.
if(NTPMU_COVERAGE)
  find_program(GCOV gcov REQUIRED)
  add_executable(counted "${gcov}/counted.c")
  target_link_libraries(counted PRIVATE runner)
  ntpmu_warnings(counted)
  ntpmu_count(counted)
  set(objects "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/counted.dir")
  add_test(NAME counted COMMAND "${gcov}/counted" "$<TARGET_FILE:counted>"
    "${objects}/gcov/counted.c.gcno"
    "${GCOV}" "${PROJECT_BINARY_DIR}/counted")
endif()
