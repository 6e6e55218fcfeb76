# ntpmu_add_scenarios(NAME DIRECTORY dir [DRIVERS path...]): every instance of
# every scenario below the directory becomes a CTest test, NAME.id. They are
# found when ctest starts, not when CMake does: a new file needs no configuring,
# and a broken one is a test that fails. DRIVERS are images, or directories of
# images, that the scenarios may run.
#
# A project of its own says enable_testing() and includes this file from a
# checkout; which program runs the scenarios: NtpmuProgram.cmake.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/NtpmuProgram.cmake")

function(ntpmu_add_scenarios name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIRECTORY" "DRIVERS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_DIRECTORY)
    message(FATAL_ERROR "ntpmu_add_scenarios(${name}): DIRECTORY is missing, or "
      "there is more than it knows: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  ntpmu_program(program)
  cmake_path(ABSOLUTE_PATH arg_DIRECTORY BASE_DIRECTORY
    "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  set(options)
  foreach(path IN LISTS arg_DRIVERS)
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
      NORMALIZE)
    string(APPEND options " --allow-driver [==[${path}]==]")
  endforeach()
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${name}_scenarios.cmake")
  file(GENERATE OUTPUT "${script}" CONTENT "
set(NTPMU_PROGRAM [==[${program}]==])
set(NTPMU_OPTIONS${options})
set(NTPMU_PREFIX [==[${name}.]==])
set(list [==[${script}.tests]==])
execute_process(
  COMMAND \"\${NTPMU_PROGRAM}\" list --format ctest [==[${arg_DIRECTORY}]==]
  OUTPUT_FILE \"\${list}\" RESULT_VARIABLE result)
if(result EQUAL 0)
  include(\"\${list}\")
else()
  add_test([==[${name}.discovery]==] \"\${NTPMU_PROGRAM}\" list
    [==[${arg_DIRECTORY}]==])
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()
