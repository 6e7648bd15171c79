// Knows the keywords of C and C++.
#include "xla/backends/cpu/aot/c_names.h"

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"

namespace xla::cpu::aot {
namespace {

bool IsIdentifier(absl::string_view name) {
  return !name.empty() && !absl::ascii_isdigit(name[0]) &&
         absl::c_all_of(
             name, [](char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

// Whether a macro may be called so: EOF, INT64_MAX, but not W or W1. Of the
// others in C's own headers and in GCC some are in small letters.
bool LooksLikeMacro(absl::string_view name) {
  static constexpr absl::string_view kMacros[] = {"I",
                                                  "assert",
                                                  "errno",
                                                  "i386",
                                                  "imaginary",
                                                  "linux",
                                                  "math_errhandling",
                                                  "noreturn",
                                                  "offsetof",
                                                  "setjmp",
                                                  "stderr",
                                                  "stdin",
                                                  "stdout",
                                                  "unix",
                                                  "complex",
                                                  "major",
                                                  "minor"};
  if (absl::c_linear_search(kMacros, name)) return true;
  return absl::c_count_if(name, absl::ascii_isupper) > 1 &&
         absl::c_none_of(name, absl::ascii_islower);
}

}  // namespace

bool IsKeyword(absl::string_view word) {
  static const auto* const words =
      new absl::flat_hash_set<absl::string_view>{"alignas",
                                                 "alignof",
                                                 "and",
                                                 "and_eq",
                                                 "asm",
                                                 "auto",
                                                 "bitand",
                                                 "bitor",
                                                 "bool",
                                                 "break",
                                                 "case",
                                                 "catch",
                                                 "char",
                                                 "char16_t",
                                                 "char32_t",
                                                 "char8_t",
                                                 "class",
                                                 "co_await",
                                                 "co_return",
                                                 "co_yield",
                                                 "compl",
                                                 "concept",
                                                 "const",
                                                 "const_cast",
                                                 "consteval",
                                                 "constexpr",
                                                 "constinit",
                                                 "continue",
                                                 "decltype",
                                                 "default",
                                                 "delete",
                                                 "do",
                                                 "double",
                                                 "dynamic_cast",
                                                 "else",
                                                 "enum",
                                                 "explicit",
                                                 "export",
                                                 "extern",
                                                 "false",
                                                 "float",
                                                 "for",
                                                 "friend",
                                                 "goto",
                                                 "if",
                                                 "inline",
                                                 "int",
                                                 "long",
                                                 "mutable",
                                                 "namespace",
                                                 "new",
                                                 "noexcept",
                                                 "not",
                                                 "not_eq",
                                                 "nullptr",
                                                 "operator",
                                                 "or",
                                                 "or_eq",
                                                 "private",
                                                 "protected",
                                                 "public",
                                                 "register",
                                                 "reinterpret_cast",
                                                 "requires",
                                                 "restrict",
                                                 "return",
                                                 "short",
                                                 "signed",
                                                 "sizeof",
                                                 "static",
                                                 "static_assert",
                                                 "static_cast",
                                                 "struct",
                                                 "switch",
                                                 "template",
                                                 "this",
                                                 "thread_local",
                                                 "throw",
                                                 "true",
                                                 "try",
                                                 "typedef",
                                                 "typeid",
                                                 "typename",
                                                 "typeof",
                                                 "typeof_unqual",
                                                 "union",
                                                 "unsigned",
                                                 "using",
                                                 "virtual",
                                                 "void",
                                                 "volatile",
                                                 "wchar_t",
                                                 "while",
                                                 "xor",
                                                 "xor_eq"};
  return words->contains(word);
}

absl::Status CheckProgramName(absl::string_view name) {
  if (!IsIdentifier(name)) {
    return InvalidArgument(
        "a program cannot be called '%s', which is no C identifier; --name "
        "gives it another name",
        name);
  }
  if (IsKeyword(name) || name == "main" ||
      absl::StartsWith(name, "tessera_aot")) {
    return InvalidArgument(
        "a program cannot be called '%s', since that is %s; --name gives it "
        "another name",
        name,
        IsKeyword(name)  ? "a keyword of C or C++"
        : name == "main" ? "where a C program begins"
                         : "how the names of the runtime begin");
  }
  return absl::OkStatus();
}

std::string ParameterNames::Of(absl::string_view wanted) {
  std::string name;
  for (const char c : wanted) {
    name.push_back(absl::ascii_isalnum(c) ? c : '_');
  }
  // Names that begin with an underscore belong to the compiler.
  if (!absl::ascii_isalpha(name.empty() ? '\0' : name[0])) {
    name = absl::StrCat("a", name);
  }
  // Names of types end in _t.
  if (IsKeyword(name) || LooksLikeMacro(name) || absl::EndsWith(name, "_t") ||
      absl::StartsWith(name, "tessera_aot")) {
    name.push_back('_');
  }
  std::string result = name;
  for (int i = 2; !taken_.insert(result).second; ++i) {
    result = absl::StrCat(name, "_", i);
  }
  return result;
}

}  // namespace xla::cpu::aot
