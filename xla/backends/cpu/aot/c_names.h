// The names that generated C headers may have.
#ifndef XLA_BACKENDS_CPU_AOT_C_NAMES_H_
#define XLA_BACKENDS_CPU_AOT_C_NAMES_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace xla::cpu::aot {

// Whether C, up to C23, or C++, up to C++23, has the word for itself.
bool IsKeyword(absl::string_view word);

// Checks that a program can be called `name`: with it begin the names of its
// functions and, in capitals, of its macros. Errors: InvalidArgument for what
// is no C identifier, keywords, main, and what tessera_aot.h declares.
absl::Status CheckProgramName(absl::string_view name);

// Gives parameters of a function names that are different, and neither
// keywords, nor types, nor such as macros have.
class ParameterNames {
 public:
  // `taken` are names that no parameter gets.
  explicit ParameterNames(const std::vector<std::string>& taken)
      : taken_(taken.begin(), taken.end()) {}

  // Returns a name like `wanted`, of which letters, digits and underscores
  // stay.
  std::string Of(absl::string_view wanted);

 private:
  absl::flat_hash_set<std::string> taken_;
};

}  // namespace xla::cpu::aot

#endif  // XLA_BACKENDS_CPU_AOT_C_NAMES_H_
