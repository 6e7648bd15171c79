// ValueScope: maps the names of a text to the values that they refer to.
#ifndef XLA_STABLEHLO_TEXT_VALUE_SCOPE_H_
#define XLA_STABLEHLO_TEXT_VALUE_SCOPE_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// Regions see the names around them and may redefine them; functions see no
// names from outside.
class ValueScope {
 public:
  void Enter(bool isolated);
  void Leave();

  // Returns false if the innermost region already has that name.
  bool Define(absl::string_view name, absl::Span<const Value> values);
  // Returns the values of `name`, several for %0:2; empty if it is not visible.
  absl::Span<const Value> Find(absl::string_view name) const;

 private:
  struct Binding {
    absl::Span<const Value> values;
    int level = -1;
  };
  struct Level {
    int outermost = 0;  // outermost visible level
    // The names defined here and what they referred to before.
    std::vector<std::pair<absl::string_view, Binding>> hidden;
  };
  absl::flat_hash_map<absl::string_view, Binding> bindings_;
  std::vector<Level> levels_;
};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TEXT_VALUE_SCOPE_H_
