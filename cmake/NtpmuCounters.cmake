# ntpmu_add_counters(NAME MANIFEST file [PREFIX prefix] [BACKCOMPAT]): compiles
# a counter manifest when something is built that needs it. Of STEM.man it makes
# STEM.h, STEM.rc and STEM_symbols.h; PREFIX and BACKCOMPAT are the options
# -prefix and -backcompat of ntpmu ctrpp.
#
# NAME is a target, for COUNTERS of ntpmu_add_driver, whose sources then include
# "STEM.h". Its properties COUNTERS_DIRECTORY and COUNTERS_FILES are where the
# files are, and their paths.
#
# Which program does it: NtpmuProgram.cmake.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/NtpmuProgram.cmake")

function(ntpmu_add_counters name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BACKCOMPAT" "MANIFEST;PREFIX" "")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_MANIFEST)
    message(FATAL_ERROR "ntpmu_add_counters(${name}): MANIFEST is missing, or "
      "there is more than it knows: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  cmake_path(ABSOLUTE_PATH arg_MANIFEST
    BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  cmake_path(GET arg_MANIFEST STEM LAST_ONLY stem)
  cmake_path(GET arg_MANIFEST FILENAME file)
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/${name}.dir")
  set(made "${directory}/made")
  file(MAKE_DIRECTORY "${made}")
  set(files "${directory}/${stem}.h" "${directory}/${stem}.rc"
    "${directory}/${stem}_symbols.h")
  set(options)
  if(arg_PREFIX)
    list(APPEND options -prefix "${arg_PREFIX}")
  endif()
  if(arg_BACKCOMPAT)
    list(APPEND options -backcompat)
  endif()
  # Another program that makes the same of it has no driver compiled again.
  ntpmu_program(program)
  add_custom_command(OUTPUT ${files}
    COMMAND "${program}" ctrpp -o "${made}/${stem}.h" -rc "${made}/${stem}.rc"
      -ch "${made}/${stem}_symbols.h" ${options} "${arg_MANIFEST}"
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${made}/${stem}.h"
      "${made}/${stem}.rc" "${made}/${stem}_symbols.h" "${directory}"
    DEPENDS "${arg_MANIFEST}" "${program}"
    COMMENT "Compiling counter manifest ${file}" VERBATIM)
  add_custom_target(${name} DEPENDS ${files})
  set_target_properties(${name} PROPERTIES
    COUNTERS_DIRECTORY "${directory}" COUNTERS_FILES "${files}")
endfunction()
