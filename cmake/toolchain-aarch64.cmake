# Builds for aarch64 on another machine, with Debian's cross compiler and the
# libraries that scripts/aarch64_sysroot.sh unpacks. protoc and Python are the
# host's, and qemu-user runs the result.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)

cmake_path(SET TESSERA_SYSROOT NORMALIZE
  ${CMAKE_CURRENT_LIST_DIR}/../.sysroot-aarch64)
if(NOT EXISTS ${TESSERA_SYSROOT}/usr/lib/aarch64-linux-gnu)
  message(FATAL_ERROR "no sysroot ${TESSERA_SYSROOT}: "
    "scripts/aarch64_sysroot.sh makes it, and ./dev build aarch64 calls that")
endif()
set(CMAKE_SYSROOT ${TESSERA_SYSROOT})
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

set(CMAKE_FIND_ROOT_PATH ${TESSERA_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${TESSERA_SYSROOT})
