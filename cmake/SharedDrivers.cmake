# ntpmu_add_shared_drivers(NAME TARGET): the target NAME, which brings TARGET of
# the drivers' build up to date. That build, cmake/drivers, is in the directory
# NTPMU_DRIVER_BUILD, which several builds of this project may share, at the same
# time too. It asks the program ntpmu of the build that calls it last to compile
# counter manifests; what that makes is the same, so nothing else is made again.
set(NTPMU_DRIVER_BUILD "${PROJECT_BINARY_DIR}/drivers" CACHE PATH
  "Where drivers are built; builds may share it")

function(ntpmu_add_shared_drivers name target)
  add_custom_target(${name} ALL
    COMMAND "${CMAKE_COMMAND}" -D "SOURCE=${PROJECT_SOURCE_DIR}/cmake/drivers"
      -D "BINARY=${NTPMU_DRIVER_BUILD}" -D "GENERATOR=${CMAKE_GENERATOR}"
      -D "PROGRAM=$<TARGET_FILE:ntpmu>" -D "TARGET=${target}"
      -P "${PROJECT_SOURCE_DIR}/cmake/BuildDrivers.cmake"
    COMMENT "Drivers in ${NTPMU_DRIVER_BUILD}" VERBATIM)
  add_dependencies(${name} ntpmu)
endfunction()
