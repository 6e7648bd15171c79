# Compiles xla/proto/*.proto to C++ under gen/ of the build folder, so that
# "xla/proto/xla_data.pb.h" is the include. Sets TESSERA_PROTO_SOURCES.

set(TESSERA_GEN_DIR ${PROJECT_BINARY_DIR}/gen)
file(MAKE_DIRECTORY ${TESSERA_GEN_DIR})
file(GLOB protos CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  ${PROJECT_SOURCE_DIR}/xla/proto/*.proto)

set(TESSERA_PROTO_SOURCES)
set(TESSERA_PROTO_HEADERS)
foreach(proto IN LISTS protos)
  string(REGEX REPLACE "\\.proto$" ".pb" stem ${TESSERA_GEN_DIR}/${proto})
  list(APPEND TESSERA_PROTO_SOURCES ${stem}.cc)
  list(APPEND TESSERA_PROTO_HEADERS ${stem}.h)
endforeach()
if(protos)
  # One call compiles all: they import each other.
  add_custom_command(
    OUTPUT ${TESSERA_PROTO_SOURCES} ${TESSERA_PROTO_HEADERS}
    COMMAND protobuf::protoc --cpp_out=${TESSERA_GEN_DIR}
      -I ${PROJECT_SOURCE_DIR} ${protos}
    DEPENDS ${protos}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Compiling the protos"
    VERBATIM)
endif()
add_custom_target(tessera_protos_generated DEPENDS ${TESSERA_PROTO_HEADERS})
