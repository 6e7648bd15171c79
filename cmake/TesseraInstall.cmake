# Installs libtessera, the command and the headers, and exports targets so that
# find_package(Tessera) works from an installation and from the build folder,
# and pkg-config from an installation (docs/cpp.md).
include(CMakePackageConfigHelpers)

if(NOT TARGET tessera)
  return()
endif()

set(tessera_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)
set(tessera_libraries tessera)
if(TARGET tessera_c)
  list(APPEND tessera_libraries tessera_c)
endif()
install(TARGETS ${tessera_libraries} EXPORT TesseraTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET tessera_command)
  install(TARGETS tessera_command
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/xla ${TESSERA_GEN_DIR}/xla
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera
  FILES_MATCHING PATTERN "*.h" PATTERN "*.proto"
  PATTERN "tools" EXCLUDE
  PATTERN "xla/capi" EXCLUDE)
# <tessera/tessera.h>, the header of the C API.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/xla/capi/include/tessera
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
if(EXISTS ${PROJECT_SOURCE_DIR}/compat)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/compat
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera
    FILES_MATCHING PATTERN "*.h")
endif()

install(EXPORT TesseraTargets NAMESPACE Tessera::
  DESTINATION ${tessera_config_dir})
export(EXPORT TesseraTargets NAMESPACE Tessera::
  FILE ${PROJECT_BINARY_DIR}/TesseraTargets.cmake)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/TesseraConfig.cmake.in
  ${PROJECT_BINARY_DIR}/TesseraConfig.cmake
  INSTALL_DESTINATION ${tessera_config_dir})
# Before 1.0 a minor release may change the interfaces (docs/abi.md).
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(tessera_compatibility SameMinorVersion)
else()
  set(tessera_compatibility SameMajorVersion)
endif()
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
  COMPATIBILITY ${tessera_compatibility})
install(FILES ${PROJECT_BINARY_DIR}/TesseraConfig.cmake
  ${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
  DESTINATION ${tessera_config_dir})

# The installation may be moved: paths are relative to the file's own.
file(RELATIVE_PATH TESSERA_PC_PREFIX
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
list(TRANSFORM TESSERA_PUBLIC_DEPENDENCIES REPLACE "^absl::" "absl_"
  OUTPUT_VARIABLE pc_requires)
list(TRANSFORM pc_requires REPLACE "^protobuf::libprotobuf$" "protobuf")
list(JOIN pc_requires ", " TESSERA_PC_REQUIRES)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tessera.pc.in
  ${PROJECT_BINARY_DIR}/tessera.pc @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tessera-c.pc.in
  ${PROJECT_BINARY_DIR}/tessera-c.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tessera.pc ${PROJECT_BINARY_DIR}/tessera-c.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
