// Counts nodes of types, shapes and attributes.
#include "xla/stablehlo/to_hlo/conversion/work_budget.h"

#include <algorithm>

#include "xla/core/shape_util.h"

namespace xla::stablehlo {
namespace {

// Counts shared nodes once per use; readers limit the depth of types and
// attributes and their number of nodes.
int64_t Nodes(const Type& type) {
  int64_t nodes = 1;
  for (const Type* element : type.elements) nodes += Nodes(*element);
  return nodes;
}

int64_t WorkOfAttribute(const Attribute& attribute) {
  int64_t work = 16 + static_cast<int64_t>(attribute.text.size()) +
                 8 * static_cast<int64_t>(attribute.integers.size());
  for (const Attribute* element : attribute.elements) {
    work += WorkOfAttribute(*element);
  }
  for (const NamedAttribute& field : attribute.fields) {
    work += field.name.size() + WorkOfAttribute(*field.value);
  }
  return work;
}

}  // namespace

absl::Status WorkBudget::Charge(int64_t work) {
  left_ -= std::min(work, left_ + 1);
  if (left_ >= 0) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      "the program asks for too much: functions to inline, constants and types "
      "to copy, locations to follow or sizes to evaluate");
}

int64_t WorkOfShape(const Shape& shape) {
  int64_t nodes = 0;
  ShapeUtil::ForEachSubshape(shape,
                             [&](const Shape&, const ShapeIndex&) { ++nodes; });
  return nodes * WorkBudget::kInstruction;
}

int64_t WorkOfOp(const Op& op) {
  int64_t work = WorkBudget::kInstruction;
  for (const Value& result : op.results) {
    work += Nodes(*result.type) * WorkBudget::kInstruction;
  }
  for (const NamedAttribute& attribute : op.attributes) {
    work += WorkOfAttribute(*attribute.value);
  }
  return work;
}

}  // namespace xla::stablehlo
