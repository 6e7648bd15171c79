// The ops of artifacts: how each version of an op and its properties appear in
// the tree. Only this file and its source know old versions.
#ifndef XLA_STABLEHLO_BYTECODE_OP_TABLE_H_
#define XLA_STABLEHLO_BYTECODE_OP_TABLE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// A property, an attribute that belongs to the op's definition.
struct PropertyRow {
  absl::string_view name;
  bool optional = false;  // '?': may be missing; encoded with a flag
  bool symbol = false;  // '@': a string (or list of them) that names functions
  // '~': omitted if it has its default value, as in text: an empty list, a
  // default accuracy, no type.
  bool left_out = false;
  bool added = false;  // '+': not in this version; an empty list in the newest
  bool gone = false;   // '!': not in the newest version; must be all zeros
};

struct OpRow {
  std::string name;  // in the tree
  // Of bytecode that is no portable artifact: structs are one property each.
  bool is_plain = false;
  // Encoded properties are listed in alphabetical order, the order of the
  // encoding.
  std::vector<PropertyRow> properties;
};

// Returns the op of a dialect ("vhlo", "sdy", "builtin", or "func",
// "stablehlo", "chlo"), such as "add_v1", or null if it is unknown.
const OpRow* FindOpRow(absl::string_view dialect, absl::string_view name);

// Returns all ops as "vhlo.add_v1", sorted.
std::vector<std::string> AllOpNames();

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_BYTECODE_OP_TABLE_H_
