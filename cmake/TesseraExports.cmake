# Sets TESSERA_ABI, the version of libtessera's ABI, and writes libtessera.map
# and libtessera_evaluator.map, the linker's lists of what the libraries export
# (docs/abi.md).

# Before 1.0 each minor release may have an ABI of its own.
set(TESSERA_ABI ${PROJECT_VERSION_MAJOR})
if(TESSERA_ABI EQUAL 0)
  string(APPEND TESSERA_ABI .${PROJECT_VERSION_MINOR})
endif()

# Sets `out` to the lines of patterns for our names of C++.
function(tessera_cxx_exports out)
  # How mangled names of what belongs to a namespace begin.
  set(beginnings
    _ZN             # functions, variables, members
    _ZN[KOR]        # const members and members of rvalues and lvalues
    _ZNK[OR]
    _Z[GT][A-Z]N    # vtables, type information, guards, thread locals
    _ZT[chv]*_N     # thunks
    _ZT[chv]*_NK
    _ZZN            # static variables of functions, and their guards
    _ZZNK
    _ZGVZN
    _ZGVZNK)
  # What stands directly in xla: functions, classes, constants, operators and
  # protoc's default messages.
  set(names
    "3xla[0-9][A-Zk]" "3xla[0-9][0-9][A-Zk]" "3xla[a-z]" "3xla[0-9][0-9]_"
    15stream_executor 3tsl)
  # Namespaces below xla are internal except for those that public headers
  # declare, which are these.
  foreach(namespace attrs_internal builder_internal codec_internal
      constants_internal distributed ffi internal literal_comparison
      log_internal match primitive_util reference
      sharding_builder test_utils tridiagonal window_util)
    string(LENGTH ${namespace} length)
    list(APPEND names 3xla${length}${namespace})
  endforeach()

  set(lines)
  foreach(beginning IN LISTS beginnings)
    foreach(name IN LISTS names)
      string(APPEND lines "    ${beginning}${name}*;\n")
    endforeach()
  endforeach()
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

tessera_cxx_exports(TESSERA_CXX_EXPORTS)
# The linker wants each name that is no pattern to be there.
set(TESSERA_C_EXPORTS "    GetPjrtApi;\n    XLA_FFI_GetApi;\n")
configure_file(${PROJECT_SOURCE_DIR}/cmake/libtessera.map.in
  ${PROJECT_BINARY_DIR}/libtessera.map @ONLY)
set(TESSERA_C_EXPORTS)
configure_file(${PROJECT_SOURCE_DIR}/cmake/libtessera.map.in
  ${PROJECT_BINARY_DIR}/libtessera_evaluator.map @ONLY)
