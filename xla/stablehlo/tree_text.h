// The tree as text, for tests and debugging: two sources of the same program
// give the same text.
#ifndef XLA_STABLEHLO_TREE_TEXT_H_
#define XLA_STABLEHLO_TREE_TEXT_H_

#include <string>

#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

struct TreeTextOptions {
  // Whether to print attributes that have their default value. Artifacts have
  // all attributes, text has few.
  bool defaults = true;
};

// Prints MLIR's generic form, one op per line:
//   %2 = "stablehlo.add"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) ->
//        tensor<4xf32>
// Values are numbered in order of appearance, attributes sorted by name;
// numbers have no types, unit is printed as true, array<i64>, array<i1> and
// dense<> of rank 1 of these types all as [1, 2], other dense<> in hexadecimal
// (above 64 bytes as size and hash), equal elements as a splat.
std::string TreeToString(const Module& module,
                         const TreeTextOptions& options = {});
std::string TreeToString(const Op& op, const TreeTextOptions& options = {});

// Includes bounds and quantization, which Type::ToString omits.
std::string TypeToText(const Type& type);
std::string AttributeToText(const Attribute& attribute);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TREE_TEXT_H_
