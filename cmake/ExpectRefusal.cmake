# cmake -D CHECK=script -D ROOT=dir [-D OPTIONS=option...] -D NAMES=text...
#   -P ExpectRefusal.cmake: fails unless the check fails for that tree and names
# each text.
execute_process(
  COMMAND "${CMAKE_COMMAND}" -D "ROOT=${ROOT}" ${OPTIONS} -P "${CHECK}"
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
message("${output}")
if(result EQUAL 0)
  message(FATAL_ERROR "the check passed and should have failed")
endif()
foreach(name IN LISTS NAMES)
  string(FIND "${output}" "${name}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the check failed without naming ${name}")
  endif()
endforeach()
