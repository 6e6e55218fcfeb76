# cmake -D SOURCE=dir -D BINARY=dir -D GENERATOR=name -D PROGRAM=ntpmu
#   -D TARGET=name -P BuildDrivers.cmake
# Builds the target of the drivers' project; one call at a time, others wait.
file(MAKE_DIRECTORY "${BINARY}")
file(LOCK "${BINARY}/lock")

# run(COMMAND...): what it says is shown when it fails.
function(run)
  execute_process(COMMAND ${ARGN}
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message("${output}")
    message(FATAL_ERROR "the drivers in ${BINARY} were not built")
  endif()
endfunction()

# The name stays the same, so nothing is configured again for another program.
file(CREATE_LINK "${PROGRAM}" "${BINARY}/ntpmu" SYMBOLIC)
set(is_configured "")
if(EXISTS "${BINARY}/build.ninja" OR EXISTS "${BINARY}/Makefile")
  # Not where the project was copied from.
  file(STRINGS "${BINARY}/CMakeCache.txt" lines
    REGEX "^CMAKE_HOME_DIRECTORY:INTERNAL=")
  if(lines STREQUAL "CMAKE_HOME_DIRECTORY:INTERNAL=${SOURCE}")
    set(is_configured YES)
  endif()
endif()
if(NOT is_configured)
  run("${CMAKE_COMMAND}" --fresh -G "${GENERATOR}" -S "${SOURCE}" -B "${BINARY}"
    -D "NTPMU_PROGRAM=${BINARY}/ntpmu")
endif()
run("${CMAKE_COMMAND}" --build "${BINARY}" --target "${TARGET}")
