// Ops that apply a computation to arrays with dynamic dimensions: elements
// beyond the sizes must not take part.
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/dynamic/dynamic_ops.h"
#include "xla/hlo/transforms/expand/select_and_scatter_expander.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;
using Arrays = absl::Span<const DynamicArray>;

// A computation under construction that applies a function of 2k scalars to two
// optional values of k parts each.
struct OptionalValues {
  HloComputation* computation;
  std::vector<Hlo> a, b;
  Hlo has_a, has_b;
  // The result of f(a..., b...).
  std::vector<Hlo> both;
  Hlo call;

  // Returns the computation that returns `results`, with f inlined.
  absl::StatusOr<HloComputation*> Finish(const HloComputation& function,
                                         std::vector<Hlo> results) {
    computation->set_root_instruction(HloBuilder(computation).Tuple(results));
    std::vector<Hlo> arguments = a;
    arguments.insert(arguments.end(), b.begin(), b.end());
    TF_RETURN_IF_ERROR(InlineCall(call, function, arguments));
    return computation;
  }
};

// Its parameters are (a..., has_a, b..., has_b).
OptionalValues CallWithOptional(HloModule* module, absl::string_view name,
                                HloComputation* function, int64_t k) {
  OptionalValues values;
  values.computation = module->AddEmbeddedComputation(
      std::make_unique<HloComputation>(std::string(name)));
  for (int64_t i = 0; i < k; ++i) {
    values.a.push_back(
        AddScalarParameter(values.computation, i, ParameterType(*function, i)));
  }
  values.has_a = AddScalarParameter(values.computation, k, PRED);
  for (int64_t i = k; i < 2 * k; ++i) {
    values.b.push_back(AddScalarParameter(values.computation, i + 1,
                                          ParameterType(*function, i)));
  }
  values.has_b = AddScalarParameter(values.computation, 2 * k + 1, PRED);
  HloBuilder emit(values.computation);
  std::vector<Hlo> arguments = values.a;
  arguments.insert(arguments.end(), values.b.begin(), values.b.end());
  values.call =
      emit.Add(HloOpcode::kCall, function->root_instruction()->shape(),
               arguments, {}, {function});
  for (int64_t i = 0; i < k; ++i) {
    values.both.push_back(values.call->shape().IsTuple()
                              ? emit.Element(values.call, i)
                              : values.call);
  }
  return values;
}

// Makes f(a..., b...) a function of optional values: (a..., has_a, b..., has_b)
// -> the value that is present, or f of both, and whether there is any. It is
// associative if f is.
absl::StatusOr<HloComputation*> MakeOptional(HloModule* module,
                                             HloComputation* function,
                                             int64_t k) {
  OptionalValues values = CallWithOptional(module, "within_sizes", function, k);
  HloBuilder emit(values.computation);
  std::vector<Hlo> results;
  for (int64_t i = 0; i < k; ++i) {
    const PrimitiveType type = values.a[i]->shape().element_type();
    Hlo one =
        emit.Select(values.has_a, values.a[i], emit.Convert(values.b[i], type));
    results.push_back(emit.Select(emit.And(values.has_a, values.has_b),
                                  emit.Convert(values.both[i], type), one));
  }
  results.push_back(emit.Binary(HloOpcode::kOr, values.has_a, values.has_b));
  return values.Finish(*function, std::move(results));
}

// Returns a mask of all operands together; null if nothing is dynamic.
Hlo CommonMask(HloBuilder& emit, Arrays arrays, const Dims& dimensions) {
  // All must have the same sizes; the first operand that knows one provides it.
  DynamicArray first = arrays[0];
  for (const DynamicArray& array : arrays) {
    for (size_t d = 0; d < array.sizes.size(); ++d) {
      if (first.sizes[d] == nullptr) first.sizes[d] = array.sizes[d];
    }
  }
  return WithinSizes(emit, first, dimensions);
}

std::vector<Hlo> ResultSizes(HloBuilder& emit, const HloInstruction& hlo,
                             const DynamicArray& operand, const Shape& shape) {
  std::vector<Hlo> sizes;
  for (int64_t d = 0; d < static_cast<int64_t>(operand.sizes.size()); ++d) {
    if (hlo.def().reduces) {
      if (!absl::c_linear_search(hlo.attrs<ReduceAttrs>().dimensions, d)) {
        sizes.push_back(operand.sizes[d]);
      }
      continue;
    }
    sizes.push_back(
        operand.IsDynamic(d)
            ? WindowCount(emit, operand.sizes[d],
                          hlo.attrs<ReduceWindowAttrs>().window.dimensions(d),
                          shape.dimensions(d))
            : nullptr);
  }
  return sizes;
}

// Lowers reduce and reduce-window, given operands and initial values.
absl::StatusOr<std::vector<DynamicArray>> LowerReduction(
    HloBuilder& emit, const HloInstruction& hlo, Arrays operands) {
  const int64_t k = operands.size() / 2;
  const Shape& first_shape =
      hlo.shape().IsTuple() ? hlo.shape().tuple_shapes(0) : hlo.shape();
  Dims dimensions = AllDimensions(operands[0]);
  if (hlo.def().reduces) {
    dimensions = hlo.attrs<ReduceAttrs>().dimensions;
  }
  Hlo mask = CommonMask(emit, operands.first(k), dimensions);
  Hlo reduced;
  if (mask == nullptr) {
    reduced = OnData(emit, hlo, operands);
  } else {
    TF_ASSIGN_OR_RETURN(
        HloComputation * function,
        MakeOptional(emit.computation()->parent(), hlo.to_apply(), k));
    std::vector<Hlo> inputs;
    std::vector<Shape> shapes;
    for (int64_t i = 0; i < k; ++i) {
      inputs.push_back(operands[i].data);
      shapes.push_back(emit.MakeShape(ParameterType(*hlo.to_apply(), i),
                                      first_shape.dimensions()));
    }
    inputs.push_back(mask);
    shapes.push_back(emit.MakeShape(PRED, first_shape.dimensions()));
    for (int64_t i = k; i < 2 * k; ++i) inputs.push_back(operands[i].data);
    inputs.push_back(emit.Integer(PRED, 1));
    reduced = emit.Add(hlo.opcode(), ShapeUtil::MakeTupleShape(shapes), inputs,
                       hlo.raw_attrs(), {function});
  }
  std::vector<DynamicArray> results;
  for (int64_t i = 0; i < k; ++i) {
    const Shape& shape =
        hlo.shape().IsTuple() ? hlo.shape().tuple_shapes(i) : hlo.shape();
    Hlo data = reduced->shape().IsTuple() ? emit.Element(reduced, i) : reduced;
    std::vector<Hlo> sizes = ResultSizes(emit, hlo, operands[0], shape);
    for (int d = 0; d < shape.rank(); ++d) {
      if (!shape.is_dynamic_dimension(d)) {
        sizes[d] = nullptr;
      } else if (sizes[d] == nullptr) {
        sizes[d] = emit.Integer(S32, shape.dimensions(d));
      }
    }
    results.push_back({emit.Convert(data, shape.element_type()), sizes});
  }
  return results;
}

// Makes f of an old value and an optional update: (old..., has_old, update...,
// has_update) -> f(old..., update...) or old, and has_old.
absl::StatusOr<HloComputation*> MakeOptionalUpdate(HloModule* module,
                                                   HloComputation* function,
                                                   int64_t k) {
  OptionalValues values =
      CallWithOptional(module, "update_within_sizes", function, k);
  HloBuilder emit(values.computation);
  std::vector<Hlo> results;
  for (int64_t i = 0; i < k; ++i) {
    results.push_back(emit.Select(values.has_b, values.both[i], values.a[i]));
  }
  results.push_back(values.has_a);
  return values.Finish(*function, std::move(results));
}

// Scatters static arrays; `mask`, if not null, tells which elements of the
// updates are present. Returns the results.
absl::StatusOr<std::vector<Hlo>> ScatterWithin(
    HloBuilder& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> parts, Hlo mask) {
  const int64_t k = parts.size() / 2;
  std::vector<Hlo> results;
  Hlo scattered;
  if (mask == nullptr) {
    scattered = OnData(emit, hlo, parts);
  } else {
    TF_ASSIGN_OR_RETURN(
        HloComputation * function,
        MakeOptionalUpdate(emit.computation()->parent(), hlo.to_apply(), k));
    std::vector<Hlo> inputs;
    std::vector<Shape> shapes;
    for (int64_t i = 0; i < k; ++i) {
      inputs.push_back(parts[i].data);
      shapes.push_back(parts[i].data->shape());
    }
    const auto sizes = parts[0].data->shape().dimensions();
    inputs.push_back(emit.Splat(emit.Integer(PRED, 1), sizes));
    shapes.push_back(inputs.back()->shape());
    inputs.push_back(parts[k].data);
    for (int64_t i = 0; i < k; ++i) inputs.push_back(parts[k + 1 + i].data);
    inputs.push_back(mask);
    scattered = emit.Add(HloOpcode::kScatter, ShapeUtil::MakeTupleShape(shapes),
                         inputs, hlo.raw_attrs(), {function});
  }
  for (int64_t i = 0; i < k; ++i) {
    results.push_back(scattered->shape().IsTuple() ? emit.Element(scattered, i)
                                                   : scattered);
  }
  return results;
}

// Updates beyond the sizes have no effect: their indices are out of bounds, and
// elements beyond the size of a window keep the old value.
absl::StatusOr<std::vector<DynamicArray>> LowerScatter(
    HloBuilder& emit, const HloInstruction& hlo, Arrays operands) {
  const auto& numbers = hlo.attrs<ScatterAttrs>().dimension_numbers;
  const size_t k = operands.size() / 2;
  std::vector<DynamicArray> parts(operands.begin(), operands.end());
  DynamicArray indices = operands[k];
  // The dimension of the indices for each scatter dimension of the updates.
  size_t next = 0;
  Dims windows;
  for (int64_t d = 0; d < static_cast<int64_t>(operands[k + 1].sizes.size());
       ++d) {
    Hlo size = operands[k + 1].sizes[d];
    if (absl::c_linear_search(numbers.update_window_dims(), d)) {
      windows.push_back(d);
      continue;
    }
    if (static_cast<int64_t>(next) == numbers.index_vector_dim()) ++next;
    if (size != nullptr && next < indices.sizes.size()) {
      indices.sizes[next] =
          indices.sizes[next] == nullptr
              ? size
              : emit.Binary(HloOpcode::kMinimum, indices.sizes[next], size);
    }
    ++next;
  }
  const PrimitiveType type = indices.data->shape().element_type();
  Hlo nowhere = primitive_util::IsSignedIntegralType(type)
                    ? emit.Integer(type, -1)
                    : emit.Unary(HloOpcode::kNot, emit.Zero(type));
  parts[k] =
      StaticArray(FillBeyond(emit, indices, AllDimensions(indices), nowhere));
  TF_ASSIGN_OR_RETURN(
      std::vector<Hlo> scattered,
      ScatterWithin(emit, hlo, parts,
                    WithinSizes(emit, operands[k + 1], windows)));
  std::vector<DynamicArray> results;
  for (size_t i = 0; i < k; ++i) {
    results.push_back({scattered[i], operands[i].sizes});
  }
  return results;
}

absl::StatusOr<std::vector<DynamicArray>> LowerSelectAndScatter(
    HloBuilder& emit, const HloInstruction& hlo, Arrays operands) {
  SelectAndScatterArrays arrays;
  arrays.operand = operands[0].data;
  arrays.source = operands[1].data;
  arrays.init = operands[2].data;
  arrays.operand_within =
      WithinSizes(emit, operands[0], AllDimensions(operands[0]));
  arrays.source_within =
      WithinSizes(emit, operands[1], AllDimensions(operands[1]));
  TF_ASSIGN_OR_RETURN(Hlo data, EmitSelectAndScatter(emit, hlo, arrays));
  return std::vector<DynamicArray>{{data, operands[0].sizes}};
}

}  // namespace

Hlo WindowCount(HloBuilder& emit, Hlo size, const WindowDimension& dim,
                int64_t bound) {
  auto number = [&](int64_t value) { return emit.Integer(S64, value); };
  Hlo n = emit.Convert(size, S64);
  Hlo dilated = emit.Plus(
      emit.Times(emit.Minus(n, number(1)), number(dim.base_dilation())),
      number(1));
  Hlo is_empty = emit.Compare(ComparisonDirection::kEq, n, number(0));
  Hlo padded = emit.Plus(emit.Select(is_empty, number(0), dilated),
                         number(dim.padding_low() + dim.padding_high()));
  const int64_t window = (dim.size() - 1) * dim.window_dilation() + 1;
  Hlo space = emit.Minus(padded, number(window));
  Hlo count = emit.Plus(emit.Over(space, number(dim.stride())), number(1));
  Hlo fits = emit.Compare(ComparisonDirection::kGe, space, number(0));
  Hlo result = emit.Select(fits, count, number(0));
  result = emit.Binary(HloOpcode::kMinimum, result, number(bound));
  return emit.Convert(result, S32);
}

absl::StatusOr<std::vector<DynamicArray>> LowerDynamicReduction(
    HloBuilder& emit, const HloInstruction& hlo, Arrays operands) {
  if (hlo.opcode() == HloOpcode::kScatter) {
    return LowerScatter(emit, hlo, operands);
  }
  if (hlo.opcode() == HloOpcode::kSelectAndScatter) {
    return LowerSelectAndScatter(emit, hlo, operands);
  }
  return LowerReduction(emit, hlo, operands);
}

}  // namespace xla
