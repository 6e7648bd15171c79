// Writes the C header of a program.
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/aot/aot_compiler.h"
#include "xla/backends/cpu/aot/c_names.h"
#include "xla/core/shape_util.h"

namespace xla::cpu::aot {
namespace {

// The C type of an element, and how many of them make up one.
struct CType {
  absl::string_view name;
  int count = 1;
  absl::string_view note;  // where C has no such type
};

CType CTypeOf(PrimitiveType type) {
  switch (type) {
    case PRED:
      return {"uint8_t", 1, "0 or 1"};
    case S8:
      return {"int8_t"};
    case S16:
      return {"int16_t"};
    case S32:
      return {"int32_t"};
    case S64:
      return {"int64_t"};
    case U8:
      return {"uint8_t"};
    case U16:
      return {"uint16_t"};
    case U32:
      return {"uint32_t"};
    case U64:
      return {"uint64_t"};
    case F16:
    case BF16:
      return {"uint16_t", 1, "the bits of each element"};
    case F32:
      return {"float"};
    case F64:
      return {"double"};
    case C64:
      return {"float", 2, "real and imaginary parts by turns"};
    case C128:
      return {"double", 2, "real and imaginary parts by turns"};
    case S1:
    case S2:
    case S4:
    case U1:
    case U2:
    case U4:
      return {"uint8_t", 1,
              "one element a byte, in its lowest bits; the others are 0"};
    default:  // small floats
      return {"uint8_t", 1, "the bits of one element a byte"};
  }
}

std::string Description(const AotArray& array, absl::string_view name) {
  const CType type = CTypeOf(array.shape.element_type());
  return absl::StrCat(
      " *   ", name, ": ", ShapeUtil::HumanStringWithLayout(array.shape), ", ",
      array.bytes, " bytes", type.note.empty() ? "" : ", ", type.note,
      array.alias < 0
          ? ""
          : absl::StrCat("; may lie in the memory of argument ", array.alias),
      "\n");
}

// A text that a comment of C can contain.
std::string InComment(std::string text) {
  for (size_t at; (at = text.find("*/")) != std::string::npos;) {
    text.replace(at, 2, "* ");
  }
  return text;
}

}  // namespace

std::string AotHeader(const AotProgram& program, const AotOptions& options,
                      const std::string& source) {
  const std::string& name = options.name;
  const std::string upper = absl::AsciiStrToUpper(name);
  // Those of the function itself and of what it calls.
  ParameterNames names({"arena", "instance", "arguments", "results", name,
                        absl::StrCat(name, "_run"), absl::StrCat(name, "_load"),
                        absl::StrCat(name, "_program")});
  std::string arrays;
  std::vector<std::string> parameters, arguments, results;
  for (const AotArray& array : program.arguments) {
    const std::string own = names.Of(array.name);
    absl::StrAppend(&arrays, Description(array, own));
    parameters.push_back(absl::StrCat(
        "const ", CTypeOf(array.shape.element_type()).name, "* ", own));
    arguments.push_back(own);
  }
  for (const AotArray& array : program.results) {
    const std::string own = names.Of(array.name);
    absl::StrAppend(&arrays, Description(array, own));
    parameters.push_back(
        absl::StrCat(CTypeOf(array.shape.element_type()).name, "* ", own));
    results.push_back(own);
  }
  // An array of no elements is no C.
  if (arguments.empty()) arguments.push_back("0");
  if (results.empty()) results.push_back("0");
  parameters.push_back("void* arena");

  std::string text =
      absl::StrCat("/* Made by tessera compile from ", InComment(source),
                   ". */\n"
                   "#ifndef TESSERA_AOT_",
                   upper, "_H_\n#define TESSERA_AOT_", upper,
                   "_H_\n\n#include \"tessera_aot.h\"\n\n"
                   "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
  const auto define = [&](absl::string_view what, int64_t value,
                          absl::string_view comment) {
    absl::StrAppend(&text, "/* ", comment, " */\n#define ", upper, "_", what,
                    " ", value, "\n");
  };
  define("ALIGNMENT", 64,
         "Arguments, results and the arena begin at multiples of this.");
  define("MAX_THREADS", options.max_threads,
         "The most threads for which the arena below suffices.");
  define("ARENA_BYTES", program.arena_bytes, "The arena of a run.");
  define("LOAD_BYTES", program.load_bytes,
         "The memory that suffices for tessera_aot_options.memory.");
  define("CONSTANTS_BYTES",
         options.constants_apart ? program.constants_bytes : 0,
         "The file of constants; 0 if they are in the object.");
  define("NUM_ARGUMENTS", static_cast<int64_t>(program.arguments.size()),
         "The arrays that a run reads");
  define("NUM_RESULTS", static_cast<int64_t>(program.results.size()),
         "and writes.");
  absl::StrAppend(
      &text, "\nextern const tessera_aot_program ", name,
      "_program;\n\n"
      "/* tessera_aot_load of this program. */\n"
      "static inline tessera_aot_status ",
      name,
      "_load(\n    const tessera_aot_options* options, "
      "tessera_aot_instance** instance) {\n"
      "  return tessera_aot_load(&",
      name,
      "_program, options, instance);\n}\n\n"
      "/* tessera_aot_run of this program, in its object. */\n"
      "tessera_aot_status ",
      name,
      "_run(const tessera_aot_instance* instance,\n"
      "    const void* const* arguments, void* const* results, void* "
      "arena);\n\n"
      "/* Runs it on\n",
      arrays,
      " * with an arena of tessera_aot_arena_bytes(instance) bytes.\n */\n"
      "static inline tessera_aot_status ",
      name, "(\n    const tessera_aot_instance* instance,\n    ",
      absl::StrJoin(parameters, ",\n    "),
      ") {\n  const void* const arguments[] = {",
      absl::StrJoin(arguments, ", "), "};\n  void* const results[] = {",
      absl::StrJoin(results, ", "), "};\n  return ", name,
      "_run(instance, arguments, results, arena);\n}\n\n"
      "#ifdef __cplusplus\n}\n#endif\n\n#endif /* TESSERA_AOT_",
      upper, "_H_ */\n");
  return text;
}

}  // namespace xla::cpu::aot
