# ntpmu_program(VARIABLE): what runs ntpmu. In this project's own build that is
# the target; in another's the program that NTPMU_PROGRAM names, else the one
# that tools/run has built in this checkout, else the one on the path.
include_guard(GLOBAL)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH NTPMU_PROGRAM_ROOT)

function(ntpmu_program variable)
  if(TARGET ntpmu)
    set(${variable} "$<TARGET_FILE:ntpmu>" PARENT_SCOPE)
    return()
  endif()
  find_program(NTPMU_PROGRAM ntpmu
    HINTS "${NTPMU_PROGRAM_ROOT}/build/release" DOC "The program ntpmu")
  if(NOT NTPMU_PROGRAM)
    message(FATAL_ERROR "The program ntpmu is needed: build it with "
      "${NTPMU_PROGRAM_ROOT}/tools/run, put it on the path, or name it with "
      "-D NTPMU_PROGRAM=FILE.")
  endif()
  set(${variable} "${NTPMU_PROGRAM}" PARENT_SCOPE)
endfunction()
