# Makes libpjrt_tessera.so, the PJRT plugin: all layers in one shared object
# that exports only GetPjrtApi; and the C programs that test it.

if(NOT TARGET tessera_pjrt_c)
  return()
endif()
get_target_property(type tessera_pjrt_c TYPE)
if(type STREQUAL "INTERFACE_LIBRARY")
  return()
endif()

set(plugin_exports ${PROJECT_SOURCE_DIR}/cmake/pjrt_plugin.map)
add_library(pjrt_tessera SHARED $<TARGET_OBJECTS:tessera_pjrt_c>)
add_library(Tessera::pjrt_tessera ALIAS pjrt_tessera)
set_target_properties(pjrt_tessera PROPERTIES
  LINKER_LANGUAGE CXX
  LINK_DEPENDS ${plugin_exports})
# The layers below; the linker takes what the function table reaches.
get_target_property(layers tessera_pjrt_c LINK_LIBRARIES)
target_link_libraries(pjrt_tessera PRIVATE ${layers})
# -Bsymbolic binds references to this object's own symbols, including weak ones,
# whatever else the process holds. nodelete is set because threads of a client
# and registered handlers may outlive the last dlclose().
target_link_options(pjrt_tessera PRIVATE
  -Wl,--version-script=${plugin_exports} -Wl,-Bsymbolic -Wl,-z,nodelete
  ${TESSERA_NO_UNDEFINED})
# Symbols of the newest glibc and libstdc++ are replaced by older ones, so that
# the plugin loads on systems of 2021 (docs/packages.md).
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT TESSERA_SANITIZE
    AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|aarch64|arm64)$")
  target_sources(pjrt_tessera PRIVATE
    ${PROJECT_SOURCE_DIR}/cmake/older_symbols.cc)
  foreach(symbol hypot arc4random
      _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE)
    target_link_options(pjrt_tessera PRIVATE -Wl,--wrap=${symbol})
  endforeach()
endif()
# Functions with equal code become one, 4% of the file. Nothing compares
# addresses of functions.
if(TESSERA_LLD_19 OR TESSERA_LLD)
  target_link_options(pjrt_tessera PRIVATE -Wl,--icf=all)
endif()
install(TARGETS pjrt_tessera EXPORT Tessera_plugin
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT plugin)

if(TESSERA_BUILD_TESTS)
  file(GLOB plugin_programs CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/tests/pjrt/c/*_program.c)
  foreach(source IN LISTS plugin_programs)
    cmake_path(GET source STEM name)
    # X_program.c is linked with X_*.c, and all programs with their shared
    # sources.
    string(REGEX REPLACE "_program$" "" stem ${name})
    file(GLOB parts CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/tests/pjrt/c/${stem}_*.c)
    add_executable(pjrt_${name} ${parts}
      ${PROJECT_SOURCE_DIR}/tests/pjrt/c/c_api_calls.c)
    target_include_directories(pjrt_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(pjrt_${name} PRIVATE ${CMAKE_DL_LIBS}
      Threads::Threads)
    set_target_properties(pjrt_${name} PROPERTIES
      C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
    add_dependencies(pjrt_${name} pjrt_tessera)
  endforeach()
endif()
