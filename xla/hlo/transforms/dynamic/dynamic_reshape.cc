// reshape and dynamic-reshape of arrays with dynamic dimensions: elements
// within the sizes keep their row-major order, so they may have to move.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/dynamic/dynamic_ops.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Arrays = absl::Span<const DynamicArray>;

// Returns whether the dynamic dimensions in [begin, end) are outermost, so that
// the elements within the sizes lie at the front, without gaps.
bool IsAtFront(const DynamicArray& array, size_t begin, size_t end) {
  bool first = true;
  for (size_t d = begin; d < end; ++d) {
    if (array.IsDynamic(d) && !first) return false;
    if (array.data->shape().dimensions(d) != 1) first = false;
  }
  return true;
}

// Returns the product of the sizes of dimensions [begin, end), s64[].
Hlo CountOf(HloBuilder& emit, const DynamicArray& array, size_t begin,
            size_t end) {
  Hlo count = emit.Integer(S64, 1);
  for (size_t d = begin; d < end; ++d) {
    count = emit.Times(count, emit.Convert(SizeOf(emit, array, d), S64));
  }
  return count;
}

// Sets the size of the group's dynamic dimension in the result from the number
// of its elements.
absl::Status SetGroupSize(HloBuilder& emit, const HloInstruction& hlo,
                          const DynamicArray& operand,
                          const ReshapeGroup& group, DynamicArray& result) {
  const Shape& shape = hlo.shape();
  int64_t dynamic = -1;
  int64_t others = 1;
  for (size_t d = group.to; d < group.to_end; ++d) {
    if (!shape.is_dynamic_dimension(d)) {
      others *= shape.dimensions(d);
    } else if (dynamic == -1) {
      dynamic = d;
    } else {
      return absl::UnimplementedError(absl::StrCat(
          "reshape: dimensions ", dynamic, " and ", d, " of ", shape.ToString(),
          " are both dynamic and come from the same dimensions of the "
          "operand"));
    }
  }
  if (dynamic == -1) return absl::OkStatus();
  const int64_t bound = shape.dimensions(dynamic);
  if (others == 0) {
    result.sizes[dynamic] = emit.Integer(S32, bound);
    return absl::OkStatus();
  }
  Hlo size = emit.Over(CountOf(emit, operand, group.from, group.from_end),
                       emit.Integer(S64, others));
  size = emit.Binary(HloOpcode::kMinimum, size, emit.Integer(S64, bound));
  result.sizes[dynamic] = emit.Convert(size, S32);
  return absl::OkStatus();
}

// Returns, for each index of the result, the operand's element that the groups
// move there; arbitrary values beyond the sizes.
Hlo MoveElements(HloBuilder& emit, const HloInstruction& hlo,
                 absl::Span<const ReshapeGroup> groups,
                 const DynamicArray& operand, const DynamicArray& result) {
  const auto to = hlo.shape().dimensions();
  const auto from = operand.data->shape().dimensions();
  const int64_t n = ShapeUtil::ElementsIn(operand.data->shape());
  const int64_t to_elements =
      ShapeUtil::ElementsIn(ShapeUtil::MakeStaticShape(hlo.shape()));
  const PrimitiveType type =
      std::max(n, to_elements) <= std::numeric_limits<int32_t>::max() ? S32
                                                                      : S64;
  std::vector<int64_t> strides(from.size(), 1);
  for (size_t d = from.size(); d-- > 1;) strides[d - 1] = strides[d] * from[d];
  auto everywhere = [&](Hlo scalar) {
    return emit.Splat(emit.Convert(scalar, type), to);
  };
  Hlo at = emit.Splat(emit.Integer(type, 0), to);
  for (const ReshapeGroup& group : groups) {
    Hlo position = emit.Splat(emit.Integer(type, 0), to);
    for (size_t d = group.to; d < group.to_end; ++d) {
      Hlo size =
          result.IsDynamic(d) ? result.sizes[d] : emit.Integer(S32, to[d]);
      position = emit.Plus(emit.Times(position, everywhere(size)),
                           emit.Iota(type, to, d));
    }
    for (size_t d = group.from_end; d-- > group.from;) {
      Hlo size = everywhere(SizeOf(emit, operand, d));
      Hlo index = emit.Binary(HloOpcode::kRemainder, position, size);
      at = emit.Plus(at, emit.Times(index, emit.IntegerLike(at, strides[d])));
      position = emit.Over(position, size);
    }
  }
  GatherAttrs attrs;
  attrs.dimension_numbers.add_collapsed_slice_dims(0);
  attrs.dimension_numbers.add_start_index_map(0);
  attrs.dimension_numbers.set_index_vector_dim(1);
  attrs.slice_sizes = {1};
  Hlo gathered = emit.Add(
      HloOpcode::kGather,
      emit.MakeShape(hlo.shape().element_type(), {to_elements}),
      {emit.Reshape(operand.data, {n}), emit.Reshape(at, {to_elements, 1})},
      std::move(attrs));
  return emit.Reshape(gathered, to);
}

}  // namespace

absl::StatusOr<DynamicArray> LowerDynamicReshape(HloBuilder& emit,
                                                 const HloInstruction& hlo,
                                                 Arrays operands) {
  const DynamicArray& operand = operands[0];
  const auto from = operand.data->shape().dimensions();
  const auto to = hlo.shape().dimensions();
  DynamicArray result;
  result.sizes.resize(hlo.shape().rank(), nullptr);
  const bool is_dynamic_reshape = hlo.opcode() == HloOpcode::kDynamicReshape;
  std::vector<ReshapeGroup> groups = {{0, from.size(), 0, to.size()}};
  bool moves = false;
  // The relevant sizes: groups without a dynamic result keep their bytes.
  DynamicArray counted = operand;
  if (is_dynamic_reshape) {
    for (size_t i = 1; i < operands.size(); ++i) {
      if (!hlo.shape().is_dynamic_dimension(i - 1)) continue;
      result.sizes[i - 1] =
          ClampSize(emit, emit.Convert(operands[i].data, S32), to[i - 1]);
    }
    DynamicArray as_result = result;
    as_result.data = emit.Splat(emit.Zero(hlo.shape().element_type()), to);
    moves = !IsAtFront(operand, 0, from.size()) ||
            !IsAtFront(as_result, 0, to.size());
  } else {
    groups = ReshapeGroups(from, to);
    for (const ReshapeGroup& group : groups) {
      TF_RETURN_IF_ERROR(SetGroupSize(emit, hlo, operand, group, result));
      bool is_dynamic = false;
      bool first = true;
      for (size_t d = group.to; d < group.to_end; ++d) {
        is_dynamic = is_dynamic || result.IsDynamic(d);
        moves = moves || (result.IsDynamic(d) && !first);
        if (to[d] != 1) first = false;
      }
      if (is_dynamic) {
        moves = moves || !IsAtFront(operand, group.from, group.from_end);
        continue;
      }
      for (size_t d = group.from; d < group.from_end; ++d) {
        counted.sizes[d] = nullptr;
      }
    }
  }
  const bool has_elements = ShapeUtil::ElementsIn(operand.data->shape()) > 0 &&
                            std::find(to.begin(), to.end(), 0) == to.end();
  if (ShapeUtil::ElementsIn(operand.data->shape()) ==
          ShapeUtil::ElementsIn(ShapeUtil::MakeStaticShape(hlo.shape())) &&
      !(moves && has_elements)) {
    result.data = emit.Reshape(operand.data, to);
  } else if (has_elements) {
    result.data = MoveElements(emit, hlo, groups, counted, result);
  } else {
    result.data = emit.Splat(emit.Zero(hlo.shape().element_type()), to);
  }
  return result;
}

}  // namespace xla
