# Tests of the repository itself: layers, sizes, format. And tests of these
# checks, each with a small tree that has to be refused.

# ntpmu_repository_check(NAME SCRIPT): the test repository.NAME.
function(ntpmu_repository_check name script)
  add_test(NAME repository.${name} COMMAND "${CMAKE_COMMAND}"
    -D "ROOT=${PROJECT_SOURCE_DIR}" -P "${PROJECT_SOURCE_DIR}/cmake/${script}")
endfunction()

# ntpmu_repository_refusal(NAME SCRIPT TEXT...): the script has to refuse the
# tree of that name and to mention each text.
function(ntpmu_repository_refusal name script)
  add_test(NAME repository.${name} COMMAND "${CMAKE_COMMAND}"
    -D "CHECK=${PROJECT_SOURCE_DIR}/cmake/${script}"
    -D "ROOT=${PROJECT_BINARY_DIR}/fixtures/${name}" -D "NAMES=${ARGN}"
    -P "${PROJECT_SOURCE_DIR}/cmake/ExpectRefusal.cmake")
endfunction()

ntpmu_repository_check(layers CheckLayers.cmake)
ntpmu_repository_check(size CheckSize.cmake)
ntpmu_repository_check(format CheckFormat.cmake)
set_tests_properties(repository.format PROPERTIES
  SKIP_REGULAR_EXPRESSION "^skipped: ")

set(tree "${PROJECT_BINARY_DIR}/fixtures/layers_refuses_upward")
file(WRITE "${tree}/sim/upward.c"
  "#include \"sim/own.h\"\n#include \"api/above.h\"\n")
ntpmu_repository_refusal(layers_refuses_upward CheckLayers.cmake
  "sim/upward.c:2:#include \"api/above.h\"")

set(tree "${PROJECT_BINARY_DIR}/fixtures/size_refuses_long")
string(REPEAT "\n" 401 lines)
file(WRITE "${tree}/sim/long_file.h" "${lines}")
string(REPEAT "\n" 58 lines)
file(WRITE "${tree}/sim/long_function.c" "void too_long(void)\n{\n${lines}}\n")
ntpmu_repository_refusal(size_refuses_long CheckSize.cmake
  "sim/long_file.h: 401 lines" "too_long() has 61 lines")
