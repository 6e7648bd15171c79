// The ops of artifacts: what each version of an op is in the tree, and what
// becomes of its properties there. The only place that knows old versions.
#ifndef XLA_STABLEHLO_BYTECODE_OP_TABLE_H_
#define XLA_STABLEHLO_BYTECODE_OP_TABLE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// A property, which is an attribute that belongs to the op's definition.
struct PropertyRow {
  absl::string_view name;
  bool optional = false;  // '?': may be missing; encoded with a flag
  bool symbol = false;  // '@': a string (or list of them) that names functions
  // '~': left out where it says nothing, as text leaves it out: an empty list,
  // a default accuracy, no type
  bool left_out = false;
  bool added = false;  // '+': not in this version; an empty list in the newest
  bool gone = false;   // '!': not in the newest version; must be all zeros
};

struct OpRow {
  std::string name;  // in the tree
  // Those that are encoded come in alphabetical order, as they are encoded.
  std::vector<PropertyRow> properties;
};

// The op of a dialect ("vhlo", "sdy", "builtin"), such as "add_v1". Null for
// an unknown one.
const OpRow* FindOpRow(absl::string_view dialect, absl::string_view name);

// All ops as "vhlo.add_v1", sorted.
std::vector<std::string> AllOpNames();

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_BYTECODE_OP_TABLE_H_
