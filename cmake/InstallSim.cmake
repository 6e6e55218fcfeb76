# `cmake --install build/release --component sim --prefix DIR` installs the PMU
# model alone: library, headers, and a package for find_package(ntpmu_sim).
include(GNUInstallDirs)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/ntpmu_sim")

set_target_properties(sim PROPERTIES ARCHIVE_OUTPUT_NAME ntpmu_sim)
target_include_directories(sim INTERFACE
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/ntpmu>")
install(TARGETS sim EXPORT ntpmu_sim COMPONENT sim
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/sim" COMPONENT sim
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ntpmu"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(EXPORT ntpmu_sim COMPONENT sim NAMESPACE ntpmu::
  FILE ntpmu_simTargets.cmake DESTINATION "${package}")
install(FILES "${PROJECT_SOURCE_DIR}/cmake/ntpmu_simConfig.cmake" COMPONENT sim
  DESTINATION "${package}")
