# The JSON Schema and the validator agree. A python3 that lacks a module fails
# with its name.
function(ntpmu_has_modules result program)
  execute_process(COMMAND "${program}" -c "import jsonschema, yaml"
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
find_program(NTPMU_PYTHON NAMES python3 VALIDATOR ntpmu_has_modules
  DOC "A Python with jsonschema and PyYAML")
if(NTPMU_PYTHON)
  set(python "${NTPMU_PYTHON}")
else()
  set(python python3)
endif()
add_test(NAME schema.corpus COMMAND "${python}"
  "${PROJECT_SOURCE_DIR}/tests/schema/check.py" "$<TARGET_FILE:ntpmu>"
  "${PROJECT_SOURCE_DIR}")
set_tests_properties(schema.corpus PROPERTIES TIMEOUT 600)
