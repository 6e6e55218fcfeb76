# cmake -D ROOT=dir -P CheckFormat.cmake: fails when clang-format would change
# a C file. Its versions differ in taste, so only version 14 is asked.
execute_process(
  COMMAND clang-format --version
  OUTPUT_VARIABLE version RESULT_VARIABLE result)
if(NOT "${version}" MATCHES "version 14\\.")
  message("skipped: clang-format 14 is needed, there is: ${result} ${version}")
  return()
endif()

set(patterns)
foreach(directory IN ITEMS sim api scenarios tests)
  list(APPEND patterns "${ROOT}/${directory}/*.[ch]")
endforeach()
file(GLOB_RECURSE files RELATIVE "${ROOT}" ${patterns})
list(LENGTH files checked)
if(checked EQUAL 0)
  message(FATAL_ERROR "no file below ${ROOT} was checked")
endif()

execute_process(
  COMMAND clang-format --dry-run -Werror --style=file ${files}
  WORKING_DIRECTORY "${ROOT}"
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "Put it right with: clang-format -i FILE...")
endif()
message(STATUS "${checked} files checked")
