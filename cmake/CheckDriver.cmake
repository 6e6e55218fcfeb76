# cmake -D READOBJ=llvm-readobj -D FILE=driver -D PLACED=symbol:section,...
#   -D IMPORTS=image:symbol,... -P CheckDriver.cmake
# Fails unless the file is what Windows loads as a driver, and what the reports
# and the pageable sections of ntpmu rely on.
execute_process(
  COMMAND "${READOBJ}" --file-headers --sections --symbols
    --coff-imports "${FILE}"
  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)

function(expect what regex)
  if(NOT text MATCHES "${regex}")
    message(SEND_ERROR "${FILE}: ${what}")
  endif()
endfunction()

expect("not for x64" "Machine: IMAGE_FILE_MACHINE_AMD64 ")
expect("no native image" "Subsystem: IMAGE_SUBSYSTEM_NATIVE ")
expect("relocations stripped" "BaseRelocationTableSize: 0x[1-9A-F]")
expect("no checksum" "CheckSum: 0x[1-9A-F]")
expect("no symbol table" "SymbolCount: [1-9]")
expect("may not be moved" "IMAGE_DLL_CHARACTERISTICS_DYNAMIC_BASE ")

# A section's entry ends with its flags, in brackets.
expect("no discardable INIT"
  "\n +Name: INIT \\([^]]*IMAGE_SCN_MEM_DISCARDABLE")
expect("no PAGE" "\n +Name: PAGE \\(")
if(text MATCHES "\n +Name: PAGE \\([^]]*IMAGE_SCN_MEM_DISCARDABLE")
  message(SEND_ERROR "${FILE}: PAGE is discardable")
endif()

string(REPLACE "," ";" placed "${PLACED}")
foreach(pair IN LISTS placed)
  string(REGEX MATCH "^([^:]+):(.+)$" pair "${pair}")
  expect("${CMAKE_MATCH_1} is not in ${CMAKE_MATCH_2}"
    "Name: ${CMAKE_MATCH_1}\n +Value: [0-9]+\n +Section: ${CMAKE_MATCH_2} ")
endforeach()

# In an image's entry the symbols come after its name.
string(REPLACE "," ";" imports "${IMPORTS}")
foreach(pair IN LISTS imports)
  string(REGEX MATCH "^([^:]+):(.+)$" pair "${pair}")
  expect("does not import ${CMAKE_MATCH_2} from ${CMAKE_MATCH_1}"
    "Import {\n +Name: ${CMAKE_MATCH_1}\n[^}]*Symbol: ${CMAKE_MATCH_2} ")
endforeach()
