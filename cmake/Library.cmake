# ntpmu_find_archive(VARIABLE NAME): the library's archive, where
# NTPMU_STATIC_LIBRARIES asks for it and the host has one. Each shared library costs a
# start of the program 40 us, and each process that is forked its five mappings.
function(ntpmu_find_archive variable name)
  if(NTPMU_STATIC_LIBRARIES)
    find_library(${variable} NAMES lib${name}.a)
  endif()
endfunction()

# ntpmu_find_library(NAME MODULE): the imported target PkgConfig::NAME of a module of
# pkg-config's, whose library is that archive or the shared one.
function(ntpmu_find_library name module)
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${module})
  ntpmu_find_archive(${name}_ARCHIVE ${name})
  if(${name}_ARCHIVE)
    set_target_properties(PkgConfig::${name} PROPERTIES
      INTERFACE_LINK_LIBRARIES "${${name}_ARCHIVE}")
  endif()
endfunction()
