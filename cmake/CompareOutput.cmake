# Runs PROGRAM with ARGUMENTS (a command line) in DIRECTORY and compares what it
# prints, standard output first, and its exit code with the file EXPECTED, whose
# first line is the code; the directory BUILD is @build@ there, and a list of
# kinds of steps @steps@, so that a new kind changes nothing. With
# NTPMU_UPDATE set in the environment it writes the file instead.
separate_arguments(ARGUMENTS UNIX_COMMAND "${ARGUMENTS}")
execute_process(COMMAND "${PROGRAM}" ${ARGUMENTS}
  WORKING_DIRECTORY "${DIRECTORY}"
  OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE code)
set(actual "exit ${code}\n${output}${errors}")
string(REPLACE "${BUILD}" "@build@" actual "${actual}")
# A path with blanks is shown in quotes.
string(REGEX REPLACE "'(@build@[^']*)'" "\\1" actual "${actual}")
string(REGEX REPLACE "(write one of: )call, [^\n]*" "\\1@steps@" actual "${actual}")
string(REGEX REPLACE "(\\^~* a )[a-z_, ]+ or [a-z_]+( has\n)" "\\1@steps@\\2"
  actual "${actual}")
if(DEFINED ENV{NTPMU_UPDATE})
  file(WRITE "${EXPECTED}" "${actual}")
  return()
endif()
file(READ "${EXPECTED}" expected)
if(NOT actual STREQUAL expected)
  message("--- expected\n${expected}--- actual\n${actual}---")
  message(FATAL_ERROR "the output differs from ${EXPECTED}")
endif()
