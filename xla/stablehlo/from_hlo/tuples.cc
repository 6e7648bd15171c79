// Makes tuples where StableHLO needs them as values: for the entry's parameters
// and results, and for custom calls.
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/values.h"
#include "xla/stablehlo/from_hlo/module_printer.h"
#include "xla/stablehlo/from_hlo/text_forms.h"

namespace xla::stablehlo {

// Makes the value of a shape whose leaves are names[*next], ...
absl::StatusOr<std::string> ModulePrinter::MakeTuple(const Shape& shape,
                                                     const Names& names,
                                                     size_t* next) {
  if (!shape.IsTuple()) {
    const std::string& name = names[(*next)++];
    if (name.empty()) {
      return absl::UnimplementedError(
          absl::StrCat("a tuple holds a part of an asynchronous op"));
    }
    return name;
  }
  OpText op;
  op.name = "stablehlo.tuple";
  for (const Shape& element : shape.tuple_shapes()) {
    TF_ASSIGN_OR_RETURN(op.operands.emplace_back(),
                        MakeTuple(element, names, next));
    TF_ASSIGN_OR_RETURN(op.operand_types.emplace_back(), TypeText(element));
  }
  TF_ASSIGN_OR_RETURN(op.result_types.emplace_back(), TypeText(shape));
  TF_ASSIGN_OR_RETURN(const Names tuple, Write(op));
  return tuple[0];
}

// Returns the leaves of a value.
absl::StatusOr<Names> ModulePrinter::TakeApart(const std::string& name,
                                               const Shape& shape) {
  if (!shape.IsTuple()) return Names{name};
  Names names;
  TF_ASSIGN_OR_RETURN(const std::string type, TypeText(shape));
  for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
    OpText op;
    op.name = "stablehlo.get_tuple_element";
    op.operands = {name};
    op.operand_types = {type};
    op.attributes = {absl::StrCat("index = ", i, " : i32")};
    TF_ASSIGN_OR_RETURN(op.result_types.emplace_back(),
                        TypeText(shape.tuple_shapes(i)));
    TF_ASSIGN_OR_RETURN(const Names element, Write(op));
    TF_ASSIGN_OR_RETURN(const Names leaves,
                        TakeApart(element[0], shape.tuple_shapes(i)));
    names.insert(names.end(), leaves.begin(), leaves.end());
  }
  return names;
}

absl::Status ModulePrinter::PrintGetTupleElement(const HloInstruction& hlo,
                                                 Frame& frame) {
  const HloInstruction* tuple = hlo.operand(0);
  TF_ASSIGN_OR_RETURN(const Names all, NamesOf(*tuple, frame));
  size_t first = 0;
  for (int64_t i = 0; i < hlo.tuple_index(); ++i) {
    first += LeavesOf(tuple->shape().tuple_shapes(i)).size();
  }
  const size_t count = LeavesOf(hlo.shape()).size();
  Names names(all.begin() + first, all.begin() + first + count);
  frame.names[&hlo] = std::move(names);
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
