# cmake -D ROOT=dir -P CheckLayers.cmake: fails when a layer includes anything
# but itself and the layers it stands on. Tests may include everything.
set(may_sim "sim")
set(may_api "sim|api")
set(may_scenarios "sim|api|scenarios")

# What is looked at: all "..." and those <...> that name files of the project.
set(looked_at [[^[ 	]*#[ 	]*include[ 	]*("|<(sim|api|scenarios|tests)/)]])

set(checked 0)
foreach(layer IN ITEMS sim api scenarios)
  file(GLOB_RECURSE files RELATIVE "${ROOT}"
    "${ROOT}/${layer}/*.[ch]" "${ROOT}/${layer}/*.def")
  list(LENGTH files count)
  math(EXPR checked "${checked} + ${count}")
  if(count EQUAL 0)
    continue()
  endif()
  set(allowed ":#include \"(${may_${layer}})(/[A-Za-z0-9_-]+)+\\.[a-z]+\"")
  execute_process(
    COMMAND grep -EHn "${looked_at}" ${files}
    COMMAND grep -Ev "^[^:]+:[0-9]+${allowed}"
    WORKING_DIRECTORY "${ROOT}"
    OUTPUT_VARIABLE refused
    RESULTS_VARIABLE results)
  if(NOT results MATCHES "^[01];[01]$")
    message(FATAL_ERROR "${layer}: grep failed: ${results}")
  endif()
  if(NOT refused STREQUAL "")
    string(REPLACE "\n" "\n  " refused "${refused}")
    message(SEND_ERROR "${layer} may not include this:\n  ${refused}")
  endif()
endforeach()

if(checked EQUAL 0)
  message(FATAL_ERROR "no file below ${ROOT} was checked")
endif()
message(STATUS "${checked} files checked")
