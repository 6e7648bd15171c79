# Makes libtessera_c.so, the C API (docs/c-api.md), and the C programs that test
# it. The library is small: it uses libtessera.so, whose name changes with the
# ABI of C++, and keeps its own.

if(NOT TARGET tessera OR NOT TARGET tessera_capi)
  return()
endif()

# The API's version stands in the header alone.
set(capi_header ${PROJECT_SOURCE_DIR}/xla/capi/include/tessera/tessera.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${capi_header})
foreach(part MAJOR MINOR)
  file(STRINGS ${capi_header} line REGEX "^#define TESSERA_API_${part} ")
  string(REGEX REPLACE ".* " "" TESSERA_API_${part} "${line}")
endforeach()

set(capi_exports ${PROJECT_SOURCE_DIR}/cmake/libtessera_c.map)
add_library(tessera_c SHARED $<TARGET_OBJECTS:tessera_capi>)
add_library(Tessera::c ALIAS tessera_c)
set_target_properties(tessera_c PROPERTIES
  LINKER_LANGUAGE CXX
  EXPORT_NAME c
  VERSION ${TESSERA_API_MAJOR}.${TESSERA_API_MINOR}
  SOVERSION ${TESSERA_API_MAJOR}
  LINK_DEPENDS ${capi_exports})
target_include_directories(tessera_c INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/xla/capi/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(tessera_c PRIVATE tessera)
# As for the plugin: its own names come first, and it stays loaded, since
# threads of a client may outlive the last dlclose().
target_link_options(tessera_c PRIVATE
  -Wl,--version-script=${capi_exports} -Wl,--no-undefined-version
  -Wl,-Bsymbolic -Wl,-z,nodelete ${TESSERA_NO_UNDEFINED})

if(TESSERA_BUILD_TESTS)
  # X_program.c is a program with the sources that all share, checks.c.
  file(GLOB capi_programs CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/tests/capi/*_program.c)
  foreach(source IN LISTS capi_programs)
    cmake_path(GET source STEM name)
    add_executable(capi_${name} ${source}
      ${PROJECT_SOURCE_DIR}/tests/capi/checks.c)
    target_link_libraries(capi_${name} PRIVATE tessera_c Threads::Threads)
    target_compile_options(capi_${name} PRIVATE
      -Wall -Wextra -Wpedantic -Werror -Wunused-parameter
      -Wmissing-field-initializers)
    set_target_properties(capi_${name} PROPERTIES
      C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
  endforeach()
endif()
