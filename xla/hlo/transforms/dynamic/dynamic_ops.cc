// Element-wise ops, dots and batch norms, and dispatch of other ops to their
// families.
#include "xla/hlo/transforms/dynamic/dynamic_ops.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/opcode_groups.h"
#include "xla/hlo/ops/reduction/batch_norm.h"
#include "xla/hlo/transforms/expand/batch_norm_expander.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;
using Arrays = absl::Span<const DynamicArray>;

bool IsDynamicIn(const DynamicArray& operand, int64_t rank, int64_t d) {
  return static_cast<int64_t>(operand.sizes.size()) == rank &&
         operand.IsDynamic(d);
}

// Returns the common size of operands of `a` and of `b` elements: the smaller
// one, unless it is 1, which broadcasts.
Hlo CommonSize(HloBuilder& emit, Hlo a, Hlo b) {
  Hlo smaller = emit.Binary(HloOpcode::kMinimum, a, b);
  Hlo larger = emit.Binary(HloOpcode::kMaximum, a, b);
  Hlo broadcasts =
      emit.Compare(ComparisonDirection::kEq, smaller, emit.Integer(S32, 1));
  return emit.Select(broadcasts, larger, smaller);
}

// Returns the data of an operand. If it has a single element in dimension `d`
// and `size` is more, repeats that element.
Hlo BroadcastOne(HloBuilder& emit, Hlo data, int64_t d, Hlo own_size,
                 Hlo size) {
  const Dims sizes(data->shape().dimensions().begin(),
                   data->shape().dimensions().end());
  Dims kept, kept_sizes;
  for (size_t k = 0; k < sizes.size(); ++k) {
    if (static_cast<int64_t>(k) == d) continue;
    kept.push_back(k);
    kept_sizes.push_back(sizes[k]);
  }
  Hlo first = emit.Reshape(emit.SliceDim(data, d, 0, 1), kept_sizes);
  Hlo broadcasts = emit.Compare(ComparisonDirection::kLt, own_size, size);
  Hlo one =
      emit.Compare(ComparisonDirection::kEq, own_size, emit.Integer(S32, 1));
  return emit.Select(emit.Splat(emit.And(broadcasts, one), sizes),
                     emit.Broadcast(first, sizes, kept), data);
}

// Cuts operands that differ in the size of a dynamic dimension to the smaller
// one; broadcasts operands of one element. Ignores static operands.
DynamicArray LowerElementwise(HloBuilder& emit, const HloInstruction& hlo,
                              Arrays operands) {
  const int64_t rank = hlo.shape().rank();
  std::vector<Hlo> sizes(rank, nullptr);
  std::vector<DynamicArray> parts(operands.begin(), operands.end());
  for (int64_t d = 0; d < rank; ++d) {
    bool differ = false;
    for (const DynamicArray& operand : operands) {
      if (!IsDynamicIn(operand, rank, d) || operand.sizes[d] == sizes[d]) {
        continue;
      }
      differ = sizes[d] != nullptr;
      sizes[d] = differ ? CommonSize(emit, sizes[d], operand.sizes[d])
                        : operand.sizes[d];
    }
    if (!differ || hlo.shape().dimensions(d) < 2) continue;
    for (DynamicArray& part : parts) {
      if (!IsDynamicIn(part, rank, d)) continue;
      part.data = BroadcastOne(emit, part.data, d, part.sizes[d], sizes[d]);
    }
  }
  return WithSizes(emit, OnData(emit, hlo, parts), hlo.shape(), sizes);
}

DynamicArray LowerDot(HloBuilder& emit, const HloInstruction& hlo,
                      Arrays operands) {
  const auto& numbers = hlo.attrs<DotAttrs>().dot_dimension_numbers;
  const Dims batch[] = {Dims(numbers.lhs_batch_dimensions().begin(),
                             numbers.lhs_batch_dimensions().end()),
                        Dims(numbers.rhs_batch_dimensions().begin(),
                             numbers.rhs_batch_dimensions().end())};
  const Dims depth[] = {Dims(numbers.lhs_contracting_dimensions().begin(),
                             numbers.lhs_contracting_dimensions().end()),
                        Dims(numbers.rhs_contracting_dimensions().begin(),
                             numbers.rhs_contracting_dimensions().end())};
  std::vector<Hlo> sizes;
  for (int64_t d : batch[0]) sizes.push_back(operands[0].sizes[d]);
  DynamicArray masked[2];
  for (int side = 0; side < 2; ++side) {
    const DynamicArray& operand = operands[side];
    masked[side] = StaticArray(
        FillBeyond(emit, operand, depth[side],
                   emit.Zero(operand.data->shape().element_type())));
    for (size_t d = 0; d < operand.sizes.size(); ++d) {
      if (absl::c_linear_search(batch[side], static_cast<int64_t>(d)) ||
          absl::c_linear_search(depth[side], static_cast<int64_t>(d))) {
        continue;
      }
      sizes.push_back(operand.sizes[d]);
    }
  }
  return WithSizes(emit, OnData(emit, hlo, masked), hlo.shape(),
                   std::move(sizes));
}

// The first result has the operand's sizes, the others the features' size.
std::vector<DynamicArray> LowerBatchNorm(HloBuilder& emit,
                                         const HloInstruction& hlo,
                                         Arrays operands) {
  std::vector<DynamicArray> results;
  for (Hlo data : EmitBatchNorm(emit, hlo, operands)) {
    const bool is_first = results.empty();
    const Shape& shape = hlo.shape().IsTuple()
                             ? hlo.shape().tuple_shapes(results.size())
                             : hlo.shape();
    std::vector<Hlo> sizes = {
        operands[0].sizes[hlo.attrs<BatchNormAttrs>().feature_index]};
    if (is_first) sizes = operands[0].sizes;
    results.push_back(WithSizes(emit, data, shape, std::move(sizes)));
  }
  return results;
}

absl::Status Unsupported(const HloInstruction& hlo) {
  return absl::UnimplementedError(absl::StrCat(
      "dynamic dimensions: ", std::string(HloOpcodeString(hlo.opcode())),
      " of ", hlo.shape().ToString(), " (instruction ", hlo.name(), ")"));
}

absl::StatusOr<DynamicArray> LowerMovement(HloBuilder& emit,
                                           const HloInstruction& hlo,
                                           Arrays operands) {
  switch (hlo.opcode()) {
    case HloOpcode::kReshape:
    case HloOpcode::kDynamicReshape:
      return LowerDynamicReshape(emit, hlo, operands);
    case HloOpcode::kBitcastConvert:
    case HloOpcode::kCopy:
    case HloOpcode::kIota:
      return LowerElementwise(emit, hlo, operands);
    case HloOpcode::kCopyStart:
    case HloOpcode::kCopyDone:
      return Unsupported(hlo);
    default:
      return LowerDynamicMovement(emit, hlo, operands);
  }
}

absl::StatusOr<DynamicArray> LowerOne(HloBuilder& emit,
                                      const HloInstruction& hlo,
                                      Arrays operands) {
  switch (hlo.def().cost_class) {
    case CostClass::kMovement:
      return LowerMovement(emit, hlo, operands);
    case XLA_ELEMENTWISE_COST_CLASSES:
      return LowerElementwise(emit, hlo, operands);
    case CostClass::kNone:
      if (hlo.opcode() != HloOpcode::kAddDependency) break;
      return LowerElementwise(emit, hlo, operands);
    case CostClass::kApplication:
      if (hlo.opcode() != HloOpcode::kMap) break;
      return LowerElementwise(emit, hlo, operands);
    case CostClass::kAlgorithm:
      if (hlo.opcode() != HloOpcode::kRng) break;
      return LowerElementwise(emit, hlo, operands);
    case CostClass::kContraction:
      if (hlo.opcode() == HloOpcode::kDot) return LowerDot(emit, hlo, operands);
      if (hlo.opcode() != HloOpcode::kConvolution) break;
      return LowerDynamicConvolution(emit, hlo, operands);
    case CostClass::kForeign:
      if (!IsDynamicConvolution(hlo)) break;
      return LowerDynamicConvolution(emit, hlo, operands);
    case CostClass::kControl:
    case CostClass::kFusion:
    case CostClass::kScatteredUpdate:
    case CostClass::kDevice:
      break;
  }
  return Unsupported(hlo);
}

}  // namespace

Hlo AddScalarParameter(HloComputation* computation, int64_t i,
                       PrimitiveType type) {
  return computation->AddInstruction(HloInstruction::CreateParameter(
      i, ShapeUtil::MakeShape(type, {}), absl::StrCat("p", i)));
}

PrimitiveType ParameterType(const HloComputation& computation, int64_t i) {
  return computation.parameter_instruction(i)->shape().element_type();
}

absl::StatusOr<std::vector<DynamicArray>> LowerDynamicOp(
    HloBuilder& emit, const HloInstruction& hlo, Arrays operands) {
  switch (hlo.opcode()) {
    case XLA_REDUCTION_OPCODES:
    case HloOpcode::kScatter:
    case HloOpcode::kSelectAndScatter:
      return LowerDynamicReduction(emit, hlo, operands);
    case HloOpcode::kSort:
      return LowerDynamicSort(emit, hlo, operands);
    case HloOpcode::kTopK:
      return LowerDynamicTopK(emit, hlo, operands);
    case HloOpcode::kBatchNormTraining:
    case HloOpcode::kBatchNormInference:
    case HloOpcode::kBatchNormGrad:
      return LowerBatchNorm(emit, hlo, operands);
    default: {
      TF_ASSIGN_OR_RETURN(DynamicArray result, LowerOne(emit, hlo, operands));
      return std::vector<DynamicArray>{std::move(result)};
    }
  }
}

}  // namespace xla
