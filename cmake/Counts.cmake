# ntpmu_count(TARGET): with NTPMU_COVERAGE it is counted which of its code runs,
# exactly, though processes share the counts.
function(ntpmu_count target)
  if(NTPMU_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage -fdata-sections
      -fprofile-update=atomic -fprofile-info-section=gcov_infos)
  endif()
endfunction()

# ntpmu_share_counts(TARGET): a program that has such code shares its counts with
# the processes that it makes, and with its next run. All programs are lines of
# the file `programs` of the build.
function(ntpmu_share_counts target)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    return()
  endif()
  set(shared "${PROJECT_SOURCE_DIR}/tests/gcov/shared_counts")
  if(NOT TARGET shared_counts)
    add_library(shared_counts OBJECT "${shared}.c")
    target_compile_definitions(shared_counts PRIVATE _XOPEN_SOURCE=700)
    cmake_language(DEFER DIRECTORY "${PROJECT_SOURCE_DIR}"
      CALL ntpmu_list_programs)
  endif()
  set_property(GLOBAL APPEND PROPERTY ntpmu_programs
    "$<TARGET_FILE:${target}>\n")
  target_link_libraries(${target} PRIVATE shared_counts gcov)
  target_link_options(${target} PRIVATE "LINKER:-T,${shared}.ld")
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${shared}.ld")
endfunction()

function(ntpmu_list_programs)
  get_property(programs GLOBAL PROPERTY ntpmu_programs)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/programs"
    CONTENT "$<JOIN:${programs},>")
endfunction()
