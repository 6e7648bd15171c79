# Compiler and linker settings that hold for every target of the tree.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

# The presets' build type `Dev`: quick to compile, no debug information. For an
# unknown build type CMake itself makes an empty entry.
foreach(language C CXX)
  if(NOT CMAKE_${language}_FLAGS_DEV)
    set(CMAKE_${language}_FLAGS_DEV "-O1" CACHE STRING "Flags of the Dev kind"
      FORCE)
  endif()
endforeach()

# -fPIC everywhere rather than CMake's mix of -fPIC and -fPIE: libraries and
# programs then share one precompiled header.
# A section for each function, so that the linker leaves out of the plugin what
# nothing calls and makes one of functions with equal code.
add_compile_options(
  -fPIC -fno-semantic-interposition -ffunction-sections -fdata-sections
  -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers
  -Werror=switch
  # protobuf 3.21 marks parts of its reflection as deprecated that later
  # releases keep, and we read fields that XLA's protos mark as deprecated.
  -Wno-deprecated-declarations)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 warns falsely about empty std::optional members of moved structs.
  add_compile_options(-Wno-maybe-uninitialized)
  if(TESSERA_UNITY)
    # GCC also takes the anonymous namespace of a source in a group for a
    # header's.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  endif()
else()
  # Clang reports loops that XLA_IVDEP lets it vectorize and that it does not,
  # which under a sanitizer are all of them.
  add_compile_options(-Wno-pass-failed)
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)")
  # Every aarch64 processor has fused multiply-adds, and compilers form them by
  # default; but the evaluator and the runtime must round as they do on x86-64.
  # The kernels enable them (TesseraLayers.cmake).
  add_compile_options(-ffp-contract=off)
endif()

if(TESSERA_SANITIZE)
  add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -g1)
  add_link_options(-fsanitize=${TESSERA_SANITIZE})
  if(TESSERA_SANITIZE MATCHES thread)
    # With this macro protobuf's headers add members to its maps that Debian's
    # library, which is built without it, does not have; libstdc++ has another.
    add_compile_options(-U__SANITIZE_THREAD__ -D_GLIBCXX_TSAN=1)
    add_compile_definitions(TESSERA_SANITIZE_THREAD)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND TESSERA_SANITIZE MATCHES undefined)
    # It reads a signature before each function that is called by pointer, which
    # compiled kernels and callbacks in C lack.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=function>)
  endif()
endif()

# Uses a faster linker if there is one; the result is the same.
find_program(TESSERA_LLD_19 ld.lld PATHS /usr/lib/llvm-19/bin NO_DEFAULT_PATH)
find_program(TESSERA_LLD ld.lld)
find_program(TESSERA_GOLD ld.gold)
mark_as_advanced(TESSERA_LLD_19 TESSERA_LLD TESSERA_GOLD)
if(TESSERA_LLD_19)
  cmake_path(GET TESSERA_LLD_19 PARENT_PATH lld_folder)
  add_link_options(-fuse-ld=lld -B${lld_folder})
elseif(TESSERA_LLD)
  add_link_options(-fuse-ld=lld)
elseif(TESSERA_GOLD)
  add_link_options(-fuse-ld=gold)
endif()
add_link_options(-Wl,--as-needed)
# Shared libraries leave no symbol undefined, except a sanitizer's, which the
# program provides.
if(NOT TESSERA_SANITIZE)
  set(TESSERA_NO_UNDEFINED -Wl,-z,defs)
endif()

find_program(TESSERA_CCACHE ccache)
mark_as_advanced(TESSERA_CCACHE)
if(TESSERA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache requires this sloppiness to cache users of precompiled headers; the
  # base folder lets another clone of this tree hit the same entries.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${TESSERA_CCACHE})
  if(TESSERA_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()

# Stored native code names the build that made it, by its build id; not every
# compiler requests one by default.
add_link_options(-Wl,--build-id)
