# ntpmu_add_scenarios(NAME DIRECTORY dir [DRIVERS path...]): every instance of every scenario
# below the directory becomes a CTest test, NAME.id. They are found when ctest
# starts, not when CMake does: a new file needs no re-configuring, and a broken
# one is a test that fails. DRIVERS are images, or directories of images, that
# the scenarios may run.
function(ntpmu_add_scenarios name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIRECTORY" "DRIVERS")
  if(NOT arg_DIRECTORY)
    message(FATAL_ERROR "ntpmu_add_scenarios(${name}): DIRECTORY is missing")
  endif()
  cmake_path(ABSOLUTE_PATH arg_DIRECTORY BASE_DIRECTORY
    "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  set(options)
  foreach(path IN LISTS arg_DRIVERS)
    string(APPEND options " --allow-driver [==[${path}]==]")
  endforeach()
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${name}_scenarios.cmake")
  file(GENERATE OUTPUT "${script}" CONTENT "
set(NTPMU_PROGRAM [==[$<TARGET_FILE:ntpmu>]==])
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
