# cmake -D PROGRAM=ntpmu -D MANIFEST=STEM.man -D WORK=dir
#   -P CompareGenerated.cmake
# Compiles and migrates the manifest and compares what is made with the files
# beside it: STEM.h.expected, STEM.rc.expected, STEM_symbols.h.expected,
# STEM_backcompat.h.expected and STEM.migrated. With NTPMU_UPDATE set in the environment it writes them. What
# was migrated is migrated once more, and stays as it is.
cmake_path(GET MANIFEST PARENT_PATH directory)
cmake_path(GET MANIFEST STEM LAST_ONLY stem)
file(MAKE_DIRECTORY "${WORK}")
set(made "${WORK}/${stem}")
execute_process(COMMAND "${PROGRAM}" ctrpp -o "${made}.h" -rc "${made}.rc"
  -ch "${made}_symbols.h" -prefix Demo "${MANIFEST}"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PROGRAM}" ctrpp -o "${made}_backcompat.h"
  -rc "${made}_backcompat.rc" -prefix Demo -backcompat "${MANIFEST}"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PROGRAM}" ctrpp -migrate "${made}.man" "${MANIFEST}"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND "${PROGRAM}" ctrpp -migrate "${made}_again.man" "${made}.man"
  COMMAND_ERROR_IS_FATAL ANY)

# compare(MADE EXPECTED)
function(compare one other)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E compare_files "${one}" "${other}"
    RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${one} is not ${other}")
  endif()
endfunction()

compare("${made}_again.man" "${made}.man")
compare("${made}_backcompat.rc" "${made}.rc")
foreach(ending IN ITEMS .h .rc _symbols.h _backcompat.h .man)
  set(expected "${directory}/${stem}${ending}.expected")
  if(ending STREQUAL ".man")
    set(expected "${directory}/${stem}.migrated")
  endif()
  if(DEFINED ENV{NTPMU_UPDATE})
    file(COPY_FILE "${made}${ending}" "${expected}")
  else()
    compare("${made}${ending}" "${expected}")
  endif()
endforeach()
