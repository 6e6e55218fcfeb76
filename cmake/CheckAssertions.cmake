# cmake -D PROJECT=dir -D COMMANDS=file -D WORK=dir -D COMPILER=cc
# -P CheckAssertions.cmake: fails when a file of sim, api or scenarios/runner is
# compiled without assertions: in the build whose compile_commands.json is named;
# and where sim is part of another project that wants none, in any build type.
cmake_policy(VERSION 3.25)

# Of several -D and -U of a macro the last one counts.
function(check_commands file what)
  file(STRINGS "${file}" commands REGEX "^ *\"command\": ")
  set(checked 0)
  foreach(command IN LISTS commands)
    if(NOT command MATCHES "^.*/((sim|api|scenarios/runner)/[a-z0-9_/]+\\.c)[\\\", ]*$")
      continue()
    endif()
    set(source "${CMAKE_MATCH_1}")
    if(NOT EXISTS "${PROJECT}/${source}")
      continue()
    endif()
    string(FIND "${command}" " -DNDEBUG" on REVERSE)
    string(FIND "${command}" " -UNDEBUG" off REVERSE)
    if(NOT off GREATER on)
      message(SEND_ERROR "${what}: ${source} is compiled without assertions")
    endif()
    math(EXPR checked "${checked} + 1")
  endforeach()
  if(checked EQUAL 0)
    message(FATAL_ERROR "${what}: no command was checked")
  endif()
  message(STATUS "${what}: ${checked} commands checked")
endfunction()

check_commands("${COMMANDS}" "this build")

file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/CMakeLists.txt" "
cmake_minimum_required(VERSION 3.25)
project(other LANGUAGES C)
add_compile_definitions(NDEBUG)
set(NTPMU_SIM_ONLY ON)
add_subdirectory([[${PROJECT}]] ntpmu)
")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${WORK}" -B "${WORK}/build"
    -G "Ninja Multi-Config" "-DCMAKE_C_COMPILER=${COMPILER}"
    "-DCMAKE_CONFIGURATION_TYPES=Debug;Release;RelWithDebInfo;MinSizeRel"
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "cmake failed:\n${output}")
endif()
check_commands("${WORK}/build/compile_commands.json" "all build types")
