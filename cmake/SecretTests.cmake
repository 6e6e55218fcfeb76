# What drivers can read and what they can spoil.
add_executable(scan_suite
  "${PROJECT_SOURCE_DIR}/tests/secrets/scan_suite.c"
  "${PROJECT_SOURCE_DIR}/tests/secrets/host_ranges.c")
target_link_libraries(scan_suite PRIVATE runner)
target_link_options(scan_suite PRIVATE -pie -Wl,--wrap=memory_free)
ntpmu_warnings(scan_suite)
add_test(NAME secrets.suite
  COMMAND scan_suite "${NTPMU_DRIVER_BUILD}/scenarios/drivers"
    scenarios/drivers scenarios/requirements
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_executable(spoil "${PROJECT_SOURCE_DIR}/tests/secrets/spoil.c")
target_link_libraries(spoil PRIVATE runner)
target_link_options(spoil PRIVATE -pie)
ntpmu_warnings(spoil)
add_test(NAME secrets.spoil
  COMMAND spoil tests/secrets/spoil.yaml "${NTPMU_DRIVER_BUILD}/tests/drivers"
    --count 300
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")

# What our own code leaves in registers is made the worst there can be.
target_link_options(test_api_image PRIVATE -Wl,--wrap=guest_enter
  -Wl,--wrap=guest_import -Wl,--wrap=guest_resume -Wl,--wrap=syscall)
