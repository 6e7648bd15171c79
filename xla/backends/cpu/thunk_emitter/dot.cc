// Emits dots in the kernel's form, with copies if dimensions have another
// order.
#include "xla/backends/cpu/kernels/products/dot.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/operand_planner.h"
#include "xla/backends/cpu/thunks/library/dot_thunk.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/permutation_util.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::cpu {
namespace {

using Dims = OperandPlan::Dims;

template <typename List>
Dims ToDims(const List& list) {
  return Dims(list.begin(), list.end());
}

Dims Rest(int64_t rank, const Dims& a, const Dims& b) {
  Dims rest;
  for (int64_t d = 0; d < rank; ++d) {
    if (!absl::c_linear_search(a, d) && !absl::c_linear_search(b, d)) {
      rest.push_back(d);
    }
  }
  return rest;
}

Dims Join(const Dims& a, const Dims& b, const Dims& c) {
  Dims all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}

struct Sides {
  Dims lhs_batch, lhs_free, lhs_contracting;
  Dims rhs_batch, rhs_free, rhs_contracting;
};

// Puts dimensions in the order [batch, major, minor], or [batch, minor, major]
// if that saves a copy.
void PlanOrder(const Dims& batch, const Dims& major, const Dims& minor,
               OperandPlan& plan) {
  if (IsIdentityPermutation(Join(batch, major, minor))) return;
  if (IsIdentityPermutation(Join(batch, minor, major))) {
    plan.transposed = true;
    return;
  }
  plan.order = Join(batch, major, minor);
}

// Contracting dimensions may have any order that both operands share.
void OrderContracting(Sides& sides, bool by_lhs) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t i = 0; i < sides.lhs_contracting.size(); ++i) {
    pairs.emplace_back(sides.lhs_contracting[i], sides.rhs_contracting[i]);
  }
  absl::c_sort(pairs, [&](const auto& a, const auto& b) {
    return by_lhs ? a.first < b.first : a.second < b.second;
  });
  for (size_t i = 0; i < pairs.size(); ++i) {
    sides.lhs_contracting[i] = pairs[i].first;
    sides.rhs_contracting[i] = pairs[i].second;
  }
}

// Returns the type to which the algorithm rounds operands, or none.
PrimitiveType RoundedType(PrecisionConfig::Algorithm algorithm) {
  switch (algorithm) {
    case PrecisionConfig::ALG_DOT_BF16_BF16_BF16:
    case PrecisionConfig::ALG_DOT_BF16_BF16_F32:
      return BF16;
    case PrecisionConfig::ALG_DOT_F16_F16_F16:
    case PrecisionConfig::ALG_DOT_F16_F16_F32:
      return F16;
    default:
      // F32 is at least as exact as TF32 and as algorithms with several
      // products.
      return PRIMITIVE_TYPE_INVALID;
  }
}

absl::StatusOr<OperandPlan> PlanRounded(const HloInstruction& operand,
                                        PrimitiveType rounded,
                                        const ThunkEmitterContext& context) {
  TF_ASSIGN_OR_RETURN(OperandPlan plan, PlanOperand(operand, context));
  if (rounded != PRIMITIVE_TYPE_INVALID &&
      primitive_util::IsFloatingPointType(plan.type)) {
    plan.type = rounded;
  }
  return plan;
}

// Returns the plan of the right operand, which has no memory if the fusion
// computes it, and that of another array if it is transposed or a part.
absl::StatusOr<OperandPlan> PlanRight(const ProductInFusion& product,
                                      PrimitiveType rounded,
                                      const ThunkEmitterContext& context) {
  if (product.computed_operand() != 1) {
    return PlanRounded(product.operand(1), rounded, context);
  }
  const HloInstruction& producer = *product.producer();
  OperandPlan plan;
  if (producer.opcode() == HloOpcode::kTranspose) {
    TF_ASSIGN_OR_RETURN(
        plan.slice, context.SliceOf(product.Outside(*producer.operand(0)), 0));
  } else if (producer.opcode() == HloOpcode::kDynamicSlice) {
    std::vector<const HloInstruction*> indices;
    for (int64_t i = 1; i < producer.operand_count(); ++i) {
      indices.push_back(&product.Outside(*producer.operand(i)));
    }
    TF_ASSIGN_OR_RETURN(
        plan, PlanSlice(producer, product.Outside(*producer.operand(0)),
                        indices, context));
  }
  const OperandPlan whole = PlanOfShape(product.hlo().operand(1)->shape());
  plan.dimensions = whole.dimensions;
  plan.array_type = whole.array_type;
  plan.type = whole.type;
  return plan;
}

// Returns the plan of the left operand, which is one for all of a batch if the
// fusion repeats it.
absl::StatusOr<OperandPlan> PlanLeft(const ProductInFusion& product,
                                     PrimitiveType rounded,
                                     const ThunkEmitterContext& context) {
  return PlanRounded(product.computed_operand() == 0
                         ? product.Outside(*product.producer()->operand(0))
                         : product.operand(0),
                     rounded, context);
}

// A dot in the kernel's form.
struct PlannedDot {
  DotDesc desc;  // without a packed operand or an epilogue
  OperandPlan lhs, rhs;
  RoundedResult rounding;
};

absl::StatusOr<PlannedDot> PlanDot(const ProductInFusion& product,
                                   const ThunkEmitterContext& context) {
  const HloInstruction& hlo = product.hlo();
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  const auto& attrs = hlo.attrs<DotAttrs>();
  const DotDimensionNumbers& numbers = attrs.dot_dimension_numbers;
  const auto algorithm = attrs.precision_config.algorithm();
  const Shape& lhs_shape = hlo.operand(0)->shape();
  const Shape& rhs_shape = hlo.operand(1)->shape();
  Sides sides;
  sides.lhs_batch = ToDims(numbers.lhs_batch_dimensions());
  sides.rhs_batch = ToDims(numbers.rhs_batch_dimensions());
  sides.lhs_contracting = ToDims(numbers.lhs_contracting_dimensions());
  sides.rhs_contracting = ToDims(numbers.rhs_contracting_dimensions());
  sides.lhs_free =
      Rest(lhs_shape.rank(), sides.lhs_batch, sides.lhs_contracting);
  sides.rhs_free =
      Rest(rhs_shape.rank(), sides.rhs_batch, sides.rhs_contracting);

  const PrimitiveType rounded = RoundedType(algorithm);
  PlannedDot dot;
  for (const bool by_lhs : {true, false}) {
    OrderContracting(sides, by_lhs);
    TF_ASSIGN_OR_RETURN(dot.lhs, PlanLeft(product, rounded, context));
    TF_ASSIGN_OR_RETURN(dot.rhs, PlanRight(product, rounded, context));
    PlanOrder(sides.lhs_batch, sides.lhs_free, sides.lhs_contracting, dot.lhs);
    PlanOrder(sides.rhs_batch, sides.rhs_contracting, sides.rhs_free, dot.rhs);
    if (!dot.lhs.moves() && !dot.rhs.moves()) break;
  }
  DotDesc& desc = dot.desc;
  desc.lhs = dot.lhs.type;
  desc.rhs = dot.rhs.type;
  desc.out = hlo.shape().element_type();
  desc.batch = Product(lhs_shape.dimensions(), sides.lhs_batch);
  desc.m = Product(lhs_shape.dimensions(), sides.lhs_free);
  desc.k = Product(lhs_shape.dimensions(), sides.lhs_contracting);
  desc.n = Product(rhs_shape.dimensions(), sides.rhs_free);
  desc.lhs_shared = product.computed_operand() == 0;
  desc.lhs_transposed = dot.lhs.transposed;
  desc.rhs_transposed = dot.rhs.transposed;
  if (desc.out == F32 &&
      (algorithm == PrecisionConfig::ALG_DOT_BF16_BF16_BF16 ||
       algorithm == PrecisionConfig::ALG_DOT_F16_F16_F16)) {
    dot.rounding = {rounded, desc.out, desc.batch * desc.m * desc.n};
    desc.out = rounded;
  }
  if (const absl::Status checked = CheckDot(desc); !checked.ok()) {
    return AddStatus(checked, product.instruction().name());
  }
  return dot;
}

// Returns the right operand packed, if it is a constant and that pays, else
// null.
absl::StatusOr<MemoryChunk> PackConstant(const HloInstruction& rhs,
                                         const PlannedDot& dot,
                                         const ThunkEmitterContext& context) {
  const HloInstruction* constant = ConstantAt(rhs);
  if (constant == nullptr || !dot.rhs.is_in_place()) return MemoryChunk();
  return DotThunk::PackConstant(
      dot.desc, context.kernel_target(),
      [&](absl::string_view form, int64_t bytes, auto write) {
        return context.ConstantInForm(*constant, form, bytes, write);
      });
}

}  // namespace

absl::StatusOr<PackedOperand> EmitPackThunk(
    const HloInstruction& value,
    absl::Span<const HloInstruction* const> products,
    const ThunkEmitterContext& context) {
  TF_ASSIGN_OR_RETURN(const Slice slice, context.SliceOf(value, 0));
  const KernelTarget target = context.kernel_target();
  PackedOperand packed;
  std::string form;
  for (const HloInstruction* product : products) {
    TF_ASSIGN_OR_RETURN(const PlannedDot dot,
                        PlanDot(ProductInFusion(*product), context));
    // Where they lie in different places, the loop reads a copy of the value.
    if (!dot.rhs.is_in_place() || dot.rhs.slice != slice ||
        !GainsFromPackedRhs(dot.desc, target)) {
      continue;
    }
    if (packed.thunk == nullptr) {
      form = PackedForm(dot.desc);
      packed.thunk = std::make_unique<PackThunk>(absl::StrCat(value.name()),
                                                 dot.desc, target, slice);
    }
    if (PackedForm(dot.desc) == form) packed.products.push_back(product);
  }
  return packed;
}

ThunkOr EmitDotThunk(const ProductInFusion& product,
                     const ThunkEmitterContext& context) {
  TF_ASSIGN_OR_RETURN(PlannedDot dot, PlanDot(product, context));
  DotThunk::Spec spec;
  DotDesc& desc = dot.desc;
  TF_ASSIGN_OR_RETURN(spec.prologue, PrologueOf(product, context));
  if (const std::optional<DotDesc>& weights = spec.prologue.weights) {
    desc.rhs = weights->rhs;
    desc.rhs_bits_packed = weights->rhs_bits_packed;
    desc.scales = weights->scales;
  } else {
    desc.rhs_computed = !spec.prologue.is_empty();
    desc.rhs_step = spec.prologue.step;
  }
  if (product.computed_operand() == 1) {
    if (const auto view =
            FindMovedOperand(*product.producer(), product.hlo())) {
      desc.rhs_stride = view->row;
      desc.rhs_batch_stride = view->batch;
      desc.rhs_inner_batch = view->inner;
      desc.rhs_outer_stride = view->outer;
    }
  }
  DotThunk::PackedRhs packed;
  if (product.computed_operand() != 1) {
    TF_ASSIGN_OR_RETURN(packed.constant,
                        PackConstant(product.operand(1), dot, context));
    spec.packs_constant = !packed.constant.is_null();
    if (spec.packs_constant) spec.constant = dot.rhs.slice;
  }
  packed.packed_by = context.PackThunkOf(product.instruction());
  desc.rhs_packed = spec.packs_constant || packed.packed_by != nullptr;
  TF_ASSIGN_OR_RETURN(spec.epilogue, EpilogueOf(product, context));
  desc.column_step = spec.epilogue.step;
  spec.target = context.TunedTarget(
      product.instruction(),
      [&](const KernelTarget& target) { return DotAlgorithmOf(desc, target); });
  TF_ASSIGN_OR_RETURN(spec.result, context.SliceOf(product.instruction(), 0));
  spec.desc = desc;
  spec.lhs = std::move(dot.lhs);
  spec.rhs = std::move(dot.rhs);
  spec.rounding = dot.rounding;
  return DotThunk::Make(product.instruction().name(), std::move(spec),
                        std::move(packed));
}

}  // namespace xla::cpu
