// ValueScope: which values the names of a text mean where.
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

// Regions see the names around them and may define them anew; functions see
// no names from outside.
class ValueScope {
 public:
  void Enter(bool isolated);
  void Leave();

  // False if the innermost region has that name already.
  bool Define(absl::string_view name, absl::Span<const Value> values);
  // What `name` stands for, several for %0:2; empty if it is not visible.
  absl::Span<const Value> Find(absl::string_view name) const;

 private:
  struct Binding {
    absl::Span<const Value> values;
    int level = -1;
  };
  struct Level {
    int outermost = 0;  // visible level
    // Names defined here and what they meant before.
    std::vector<std::pair<absl::string_view, Binding>> hidden;
  };
  absl::flat_hash_map<absl::string_view, Binding> bindings_;
  std::vector<Level> levels_;
};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TEXT_VALUE_SCOPE_H_
