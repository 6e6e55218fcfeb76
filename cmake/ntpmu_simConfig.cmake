# find_package(ntpmu_sim): the target ntpmu::sim. It needs Debian's
# libboost-context-dev.
include("${CMAKE_CURRENT_LIST_DIR}/ntpmu_simTargets.cmake")
