// Tables of calls of the builder's functions and of the shapes that they make.
#ifndef TESTS_HLO_BUILDER_SHAPE_ROWS_H_
#define TESTS_HLO_BUILDER_SHAPE_ROWS_H_

#include <functional>
#include <string>
#include <vector>

#include "xla/hlo/builder/xla_builder.h"

namespace xla {

using Ops = std::vector<XlaOp>;

struct ShapeRow {
  std::string name;
  // Shapes of parameters; "token[]" is a new token.
  std::vector<std::string> operands;
  std::function<XlaOp(XlaBuilder&, const Ops&)> make;
  // The shape of the result, or a part of the error.
  std::string expected;
};

// Returns the shape of the result of the verified module, or the error.
std::string ResultOf(const ShapeRow& row,
                     bool remove_dynamic_dimensions = false);

void ExpectShapes(const std::vector<ShapeRow>& rows);
void ExpectErrors(const std::vector<ShapeRow>& rows);

}  // namespace xla

#endif  // TESTS_HLO_BUILDER_SHAPE_ROWS_H_
