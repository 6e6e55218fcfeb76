# cmake -D ROOT=dir -P CheckSize.cmake: fails when a file has more than 600
# lines or a function more than 60.
set(file_max 600)
set(function_max 60)

set(patterns)
foreach(directory IN ITEMS sim api scenarios tests)
  list(APPEND patterns
    "${ROOT}/${directory}/*.[ch]" "${ROOT}/${directory}/*.def")
endforeach()
file(GLOB_RECURSE files RELATIVE "${ROOT}" ${patterns})
list(LENGTH files checked)
if(checked EQUAL 0)
  message(FATAL_ERROR "no file below ${ROOT} was checked")
endif()

foreach(file IN LISTS files)
  file(READ "${ROOT}/${file}" text)
  string(REGEX REPLACE "[^\n]+" "" newlines "${text}")
  string(LENGTH "${newlines}" lines)
  if(lines GREATER file_max)
    message(SEND_ERROR "${file}: ${lines} lines, more than ${file_max}")
  endif()
endforeach()

# One line a function: file:first line:last line:name.
list(FILTER files EXCLUDE REGEX "\\.def$")
execute_process(
  COMMAND ctags --quiet --options=NONE --language-force=C --kinds-C=f
    -x "--_xformat=%F:%n:%e:%N" ${files}
  WORKING_DIRECTORY "${ROOT}"
  OUTPUT_VARIABLE functions
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "ctags failed (it has to be universal-ctags): ${result}")
endif()
string(REGEX MATCHALL "[^\n]+" functions "${functions}")
foreach(function IN LISTS functions)
  if(NOT function MATCHES "^(.+):([0-9]+):([0-9]+):(.+)$")
    message(SEND_ERROR "${function}: ctags does not see where it ends")
    continue()
  endif()
  math(EXPR lines "${CMAKE_MATCH_3} - ${CMAKE_MATCH_2} + 1")
  if(lines GREATER function_max)
    message(SEND_ERROR "${CMAKE_MATCH_1}:${CMAKE_MATCH_2}: ${CMAKE_MATCH_4}() "
      "has ${lines} lines, more than ${function_max}")
  endif()
endforeach()
list(LENGTH functions count)
message(STATUS "${checked} files and ${count} functions checked")
