// OpDef: everything about one opcode except what it computes. Parser, printer,
// verifier, builder and docs/ops.md are derived from these rows; evaluator and
// backend switch over the opcode.
#ifndef XLA_HLO_OPS_OP_DEF_H_
#define XLA_HLO_OPS_OP_DEF_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/ops/cost_class.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/op_indexing.h"

namespace xla {

// Names of operands or of called computations, in order. A trailing "..."
// marks any number (0 or more) of them, a trailing "?" an optional one:
//   {"operand", "start_indices..."}
struct NameList {
  std::array<std::string_view, 8> names = {};

  constexpr NameList() = default;
  template <typename... N>
  constexpr NameList(N... n) : names{std::string_view(n)...} {}

  constexpr int size() const {
    int n = 0;
    while (n < 8 && !names[n].empty()) ++n;
    return n;
  }
  // The least and the greatest number allowed; INT_MAX where unbounded.
  constexpr int min_count() const;
  constexpr int max_count() const;
};

// The arguments of shape inference.
struct InferArgs {
  absl::Span<const Shape* const> operands;
  // Signatures of the called computations, in the order of OpDef::computations.
  absl::Span<const ProgramShape* const> computations = {};
  // The shape that the program declares; never null for ops with
  // `declares_shape`, ignored by the others.
  const Shape* declared = nullptr;

  const Shape& operand(size_t i) const { return *operands[i]; }
  const ProgramShape& computation(size_t i) const { return *computations[i]; }
};

// Type-erased InferX of an op; `attrs` points to its attribute struct.
using InferFn = absl::StatusOr<Shape> (*)(const InferArgs& args,
                                          const void* attrs);

struct OpDef {
  HloOpcode opcode;
  std::string_view name;
  NameList operands = {};
  // Called computations, by the name of the attribute that lists them in text
  // ("to_apply", "condition", "body", "branch_computations...").
  NameList computations = {};
  const AttrsDef* attrs = &kNoAttrsDef;
  InferFn infer = nullptr;
  // True if operands and attributes do not determine the result's shape
  // (parameter, reshape, convert, iota, ...): InferArgs::declared is set, and
  // infer checks it.
  bool declares_shape = false;
  // True if the op may not be removed, duplicated or reordered freely.
  bool side_effect = false;
  // True if the result depends on the device that runs the op or on other
  // devices' operands.
  bool device_dependent = false;
  // True if element i of the result depends only on element i of each operand
  // (scalars of clamp and select included).
  bool elementwise = false;
  // Returns which elements of operands an element of the result depends on;
  // null if indexing maps cannot express it, or only that it depends on all.
  // Element-wise ops need none: see GetOpIndexing.
  IndexingFn indexing = nullptr;
  // Returns how the dimensions of operands and results correspond, for ops for
  // which that does not follow from indexing maps: see GetDimensionFactors.
  FactorsFn factors = nullptr;
  // True if each element of the result is an element of an operand.
  bool moves = false;
  // True if the called computation combines the elements along whole
  // dimensions, which the result lacks: ReduceAttrs lists them, half of the
  // operands are arrays, the others their init values.
  bool reduces = false;
  // True for commutative and associative binary ops: x op y = y op x and (x op
  // y) op z = x op (y op z), for floats up to rounding.
  bool commutative = false;
  // The work that dominates its run time (cost_class.h). Every row has one.
  CostClass cost_class = {};
  // One sentence about its meaning.
  std::string_view summary = {};
  // The heading in the operation semantics document, "-" where it has none.
  std::string_view section = "-";
};

// Adapts `Fn(args, attrs)`, or `Fn(args)` where A is NoAttrs, to InferFn.
template <typename A, auto Fn>
constexpr InferFn Infer() {
  return [](const InferArgs& args, const void* attrs) {
    if constexpr (std::is_same_v<A, NoAttrs>) {
      return Fn(args);
    } else {
      return Fn(args, *static_cast<const A*>(attrs));
    }
  };
}

// The error of a broken rule. `rule` is the label, "pad_c3"; the op's name is
// taken from it: "pad: <message> (pad_c3)".
absl::Status RuleError(absl::string_view rule, absl::string_view message);

// RuleError unless `shape` is an array. `what` names it: "the operand".
absl::Status CheckArray(absl::string_view rule, const Shape& shape,
                        absl::string_view what);
// RuleError unless it is one whose dynamic dimensions have bounds.
absl::Status CheckBounded(absl::string_view rule, const Shape& shape,
                          absl::string_view what);

// Whether two sizes may be equal: only a run knows one that has no bound.
bool SizesFit(int64_t a, int64_t b);

// One dimension where two arrays meet that must have the same size there: a
// bounded dynamic one fits a static one of its bound and stays dynamic, an
// unbounded one fits all and takes the other's size. False if they differ.
bool MergeDimension(const Shape& a, const Shape& b, int dimension,
                    Shape* result);

// Returns the row of `opcode`; see op_table.h for all.
const OpDef& GetOpDef(HloOpcode opcode);

// Returns `shape` with elements of another type and the default layout; sizes
// and dynamic dimensions stay. Errors: InvalidArgument where the array gets too
// large.
absl::StatusOr<Shape> ShapeWithElementType(const Shape& shape,
                                           PrimitiveType type);

// Returns the rows of all ops, in the order of HloOpcode. table/op_table.cc
// lists them.
absl::Span<const OpDef* const> OpTable();

// Checks the numbers of operands and computations, and that only ops that hand
// values on have buffers (rules op_c1 to op_c3), then runs the op's infer.
// `attrs` must be the struct of def.attrs. The result has default layouts where
// it does not come from `declared`.
absl::StatusOr<Shape> InferShape(const OpDef& def, const InferArgs& args,
                                 const void* attrs);

// Returns the indexing of the op's row, or that of element-wise ops; nullopt if
// it is unknown.
std::optional<OpIndexing> GetOpIndexing(const OpDef& def,
                                        const IndexingArgs& args,
                                        const void* attrs);

// Returns the factors of the op's row, or those that follow from its indexing
// maps; nullopt if they are unknown.
std::optional<DimensionFactors> GetDimensionFactors(const OpDef& def,
                                                    const FactorArgs& args,
                                                    const void* attrs);

constexpr bool IsVariadicName(std::string_view name) {
  return name.size() > 3 && name.substr(name.size() - 3) == "...";
}
constexpr bool IsOptionalName(std::string_view name) {
  return !name.empty() && name.back() == '?';
}
constexpr int NameList::min_count() const {
  int n = 0;
  for (int i = 0; i < size(); ++i) {
    n += !IsVariadicName(names[i]) && !IsOptionalName(names[i]);
  }
  return n;
}
constexpr int NameList::max_count() const {
  for (int i = 0; i < size(); ++i) {
    if (IsVariadicName(names[i])) return 0x7fffffff;
  }
  return size();
}

}  // namespace xla

#endif  // XLA_HLO_OPS_OP_DEF_H_
