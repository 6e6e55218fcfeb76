# Compiles each header alone, and twice: it must include what it uses and be
# guarded. Those of drivers are for the drivers' compilers.
set(patterns)
foreach(directory IN ITEMS sim api scenarios/runner tests)
  list(APPEND patterns "${PROJECT_SOURCE_DIR}/${directory}/*.h")
endforeach()
file(GLOB_RECURSE headers CONFIGURE_DEPENDS
  RELATIVE "${PROJECT_SOURCE_DIR}" ${patterns})
list(FILTER headers EXCLUDE REGEX "^(api/include|tests/api/ctrpp/golden)/")

set(sources)
foreach(header IN LISTS headers)
  set(source "${PROJECT_BINARY_DIR}/headers/${header}.c")
  # The typedef is there because C forbids an empty file.
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
#include "@header@"
#include "@header@"
typedef int header_is_complete;
]])
  list(APPEND sources "${source}")
endforeach()

add_library(headers OBJECT ${sources})
target_compile_definitions(headers PRIVATE _XOPEN_SOURCE=700)
target_link_libraries(headers PRIVATE runner PkgConfig::cmocka)
ntpmu_warnings(headers)
