# The PMU model as a library for others, ntpmu::sim, and what
# `cmake --install DIR --component sim --prefix DIR` installs of it: library,
# header, and a package for find_package(ntpmu_sim). It is one object file in
# which no symbol is visible but those of lone_cpu.h, so that none can be in the
# way of another.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/ntpmu_sim")
set(headers "${CMAKE_INSTALL_INCLUDEDIR}/ntpmu/sim")

# Objects that are compiled when a program is linked have no symbols yet.
set_target_properties(sim PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
target_compile_options(sim PRIVATE -fno-lto)

set(object "${CMAKE_CURRENT_BINARY_DIR}/ntpmu_sim.o")
add_custom_command(OUTPUT "${object}"
  COMMAND "${CMAKE_LINKER}" -r -o "${object}" "$<TARGET_OBJECTS:sim>"
  COMMAND "${CMAKE_OBJCOPY}" --wildcard "--keep-global-symbol=lone_*"
    "${object}"
  DEPENDS sim "$<TARGET_OBJECTS:sim>" COMMAND_EXPAND_LISTS VERBATIM)
add_library(ntpmu_sim STATIC "${object}")
add_library(ntpmu::sim ALIAS ntpmu_sim)
set_target_properties(ntpmu_sim PROPERTIES
  LINKER_LANGUAGE C EXPORT_NAME sim)
target_include_directories(ntpmu_sim INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/ntpmu>")
target_link_libraries(ntpmu_sim INTERFACE
  "$<BUILD_INTERFACE:${BOOST_CONTEXT_LIBRARY}>" "$<INSTALL_INTERFACE:boost_context>")

install(TARGETS ntpmu_sim EXPORT ntpmu_sim COMPONENT sim
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/sim/lone_cpu.h" COMPONENT sim
  DESTINATION "${headers}")
install(FILES
  "${PROJECT_SOURCE_DIR}/sim/pmu/events.def"
  "${PROJECT_SOURCE_DIR}/sim/pmu/model_fields.def"
  "${PROJECT_SOURCE_DIR}/sim/pmu/vendors.def"
  COMPONENT sim DESTINATION "${headers}/pmu")
install(EXPORT ntpmu_sim COMPONENT sim NAMESPACE ntpmu::
  FILE ntpmu_simTargets.cmake DESTINATION "${package}")
# Before version 1 each minor one may change the interface.
write_basic_package_version_file(
  "${CMAKE_CURRENT_BINARY_DIR}/ntpmu_simConfigVersion.cmake"
  VERSION "${PROJECT_VERSION}" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_SOURCE_DIR}/cmake/ntpmu_simConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/ntpmu_simConfigVersion.cmake" COMPONENT sim
  DESTINATION "${package}")
