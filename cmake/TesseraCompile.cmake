# tessera_compile: compiles a program ahead of time, as a part of a target
# (docs/ahead-of-time.md).
#
#   tessera_compile(TARGET net PROGRAM net.hlo [NAME net] [ISA x86-64-v3 ...]
#                   [CONSTANTS net.bin] [MAX_THREADS 4])
#
# Adds to TARGET the object file of PROGRAM, its header NAME.h, and the runtime.
# NAME is that of PROGRAM without its ending, as a C identifier; ISA is one
# processor or several, separated by spaces or commas; CONSTANTS is a file in the
# build folder that the constants go to. The other arguments are those of
# `tessera compile`. The program is compiled again when it changes, and when the
# command does.
function(tessera_compile)
  cmake_parse_arguments(PARSE_ARGV 0 arg ""
    "TARGET;PROGRAM;NAME;CONSTANTS;MAX_THREADS" "ISA")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "tessera_compile: what is "
      "${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}?")
  endif()
  if(NOT TARGET "${arg_TARGET}" OR NOT arg_PROGRAM)
    message(FATAL_ERROR
      "tessera_compile needs TARGET, which must exist, and PROGRAM")
  endif()
  cmake_path(ABSOLUTE_PATH arg_PROGRAM)
  if(NOT arg_NAME)
    cmake_path(GET arg_PROGRAM STEM LAST_ONLY arg_NAME)
    string(MAKE_C_IDENTIFIER "${arg_NAME}" arg_NAME)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.tessera)
  file(MAKE_DIRECTORY ${folder})
  set(object ${folder}/${arg_NAME}.o)
  set(header ${folder}/${arg_NAME}.h)
  set(outputs ${object} ${header})
  set(flags --name ${arg_NAME})
  if(arg_ISA)
    # A quoted list arrives with its semicolons escaped.
    string(REGEX REPLACE "\\\\?;" "," isa "${arg_ISA}")
    list(APPEND flags --isa ${isa})
  endif()
  if(arg_MAX_THREADS)
    list(APPEND flags --max-threads ${arg_MAX_THREADS})
  endif()
  if(arg_CONSTANTS)
    cmake_path(ABSOLUTE_PATH arg_CONSTANTS
      BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    list(APPEND flags --constants ${arg_CONSTANTS})
    list(APPEND outputs ${arg_CONSTANTS})
  endif()
  add_custom_command(OUTPUT ${outputs}
    COMMAND Tessera::command compile ${arg_PROGRAM} -o ${object}
      --header ${header} ${flags}
    DEPENDS ${arg_PROGRAM} Tessera::command VERBATIM
    COMMENT "Compiling ${arg_NAME} ahead of time")
  set_source_files_properties(${object} PROPERTIES
    EXTERNAL_OBJECT TRUE GENERATED TRUE)
  target_sources(${arg_TARGET} PRIVATE ${object} ${header})
  target_include_directories(${arg_TARGET} PRIVATE ${folder})
  target_link_libraries(${arg_TARGET} PRIVATE Tessera::aot_runtime)
endfunction()
