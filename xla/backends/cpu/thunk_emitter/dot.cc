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
#include "xla/backends/cpu/thunk_emitter/operand_plan.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/permutation_util.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::cpu {
namespace {

using Dims = OperandPlan::Dims;

// Returns the plan of a result that the kernel computes in type `type` for the
// program's `out`.
struct RoundedResult {
  PrimitiveType type, out;
  int64_t elements;
  int64_t bytes() const {
    return RoundUpTo(elements * LiteralElementBytes(type), 64);
  }
};

// Where the right operand is packed: at most one of the two is set.
struct PackedRhs {
  MemoryChunk constant;
  const Thunk* packed_by;  // a thunk of the same sequence

  // Returns null if it is not packed.
  const char* At(const DeviceRun& run) const {
    return packed_by == nullptr ? constant.data() : run.Kept(*packed_by);
  }
};

class DotThunk : public Thunk {
 public:
  // `packed_rhs` replaces rhs if it is packed, and so does `prologue` unless
  // it is empty. `rounding` is a type to which
  // the result is rounded first, if any.
  DotThunk(std::string name, std::unique_ptr<const DotPlan> plan,
           OperandPlan lhs, OperandPlan rhs, PackedRhs packed_rhs,
           Prologue prologue, Slice result,
           std::optional<RoundedResult> rounding, Epilogue epilogue,
           absl::string_view algorithm)
      : Thunk(std::move(name)),
        algorithm_(algorithm),
        plan_(std::move(plan)),
        lhs_(std::move(lhs)),
        rhs_(std::move(rhs)),
        packed_rhs_(std::move(packed_rhs)),
        prologue_(std::move(prologue)),
        result_(result),
        rounding_(rounding),
        epilogue_(std::move(epilogue)),
        lhs_bytes_(lhs_.ScratchBytes()),
        rhs_bytes_(prologue_.is_empty() ? rhs_.ScratchBytes() : 0),
        rounded_bytes_(rounding.has_value() ? rounding->bytes() : 0) {}
  absl::string_view kind() const override { return "dot"; }
  std::string algorithm() const override {
    return absl::StrCat(algorithm_,
                        packed_rhs_.constant.is_null() ? "" : ", constant",
                        packed_rhs_.packed_by == nullptr ? "" : ", kept",
                        prologue_.is_empty()              ? ""
                        : prologue_.weights().has_value() ? ", weights"
                                                          : ", prologue",
                        epilogue_.is_empty() ? "" : ", epilogue");
  }

  int64_t scratch_bytes(int num_threads) const override {
    return lhs_bytes_ + rhs_bytes_ + rounded_bytes_ +
           static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }

  BufferUses buffer_uses() const override {
    BufferUses uses;
    lhs_.AddReads(uses);
    uses.Read(prologue_.reads()).Read(epilogue_.reads());
    if (prologue_.is_empty()) rhs_.AddReads(uses);
    return uses.Write(result_);
  }
  bool may_run_concurrently() const override { return true; }

  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    char* scratch = run.scratch();
    const char* lhs = lhs_.Prepare(run, scratch);
    scratch += lhs_bytes_;
    if (prologue_.weights().has_value()) {
      const ScaledOperand scaled = prologue_.Scaled(run);
      Multiply(run, lhs, reinterpret_cast<const char*>(&scaled), scratch);
      return ThunkResult{here + 1};
    }
    if (!prologue_.is_empty()) {
      const Prologue::Call call(prologue_, run);
      const OperandFunction computed = call;
      Multiply(run, lhs, reinterpret_cast<const char*>(&computed), scratch);
      return ThunkResult{here + 1};
    }
    const char* rhs = packed_rhs_.At(run);
    if (rhs == nullptr) rhs = rhs_.Prepare(run, scratch);
    Multiply(run, lhs, rhs, scratch + rhs_bytes_);
    return ThunkResult{here + 1};
  }

 private:
  void Multiply(DeviceRun& run, const char* lhs, const char* rhs,
                char* scratch) const {
    char* result = run.At(result_);
    char* rounded = scratch;
    scratch += rounded_bytes_;
    if (!epilogue_.is_empty()) {
      const Epilogue::Call call(epilogue_, run, result_);
      plan_->RunAndFinish(lhs, rhs, result, scratch, run.runner(),
                          {call, call.operands()});
      return;
    }
    plan_->Run(lhs, rhs, rounding_.has_value() ? rounded : result, scratch,
               run.runner());
    if (rounding_.has_value()) {
      ConvertElements(rounding_->type, rounded, rounding_->out, result,
                      rounding_->elements);
    }
  }

  const absl::string_view algorithm_;
  const std::unique_ptr<const DotPlan> plan_;
  const OperandPlan lhs_, rhs_;
  const PackedRhs packed_rhs_;
  const Prologue prologue_;
  const Slice result_;
  const std::optional<RoundedResult> rounding_;  // none with an epilogue
  const Epilogue epilogue_;
  const int64_t lhs_bytes_, rhs_bytes_, rounded_bytes_;
};

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
  TF_ASSIGN_OR_RETURN(OperandPlan plan, OperandPlan::Of(operand, context));
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
        plan,
        OperandPlan::OfSlice(producer, product.Outside(*producer.operand(0)),
                             indices, context));
  }
  plan.shape = product.hlo().operand(1)->shape();
  plan.type = plan.shape.element_type();
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
  std::optional<RoundedResult> rounding;
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

// Returns all that decides how the right operand is packed.
std::string PackedForm(const DotDesc& desc) {
  return absl::StrCat("dot ", desc.lhs, " ", desc.rhs, " ", desc.out, " ",
                      desc.batch, " ", desc.k, " ", desc.n, " ",
                      desc.rhs_transposed);
}

// Returns the right operand packed, if it is a constant and that pays, else
// null.
absl::StatusOr<MemoryChunk> PackConstant(const HloInstruction& rhs,
                                         const PlannedDot& dot,
                                         const ThunkEmitterContext& context) {
  const HloInstruction* constant = ConstantAt(rhs);
  if (constant == nullptr || !dot.rhs.is_in_place()) return MemoryChunk();
  const DotDesc& desc = dot.desc;
  const KernelTarget target = context.kernel_target();
  const size_t bytes = PackedDotRhsBytes(desc, target);
  if (bytes == 0) return MemoryChunk();
  return context.ConstantInForm(*constant, PackedForm(desc), bytes,
                                [&](const void* elements, void* to) {
                                  PackDotRhs(desc, target, elements, to);
                                });
}

// Packs the right operand of dots that run later.
class PackThunk : public Thunk {
 public:
  PackThunk(std::string name, const DotDesc& desc, const KernelTarget& target,
            Slice operand)
      : Thunk(std::move(name)),
        desc_(desc),
        target_(target),
        operand_(operand) {}
  absl::string_view kind() const override { return "pack"; }
  BufferUses buffer_uses() const override {
    return BufferUses().Read(operand_);
  }
  int64_t scratch_bytes(int num_threads) const override {
    return static_cast<int64_t>(
        PackDotRhsScratchBytes(desc_, target_, num_threads));
  }
  int64_t kept_bytes() const override {
    return static_cast<int64_t>(PackedDotRhsBytes(desc_, target_));
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    PackDotRhs(desc_, target_, run.At(operand_), run.Kept(*this), run.scratch(),
               run.runner());
    return ThunkResult{here + 1};
  }

 private:
  const DotDesc desc_;
  const KernelTarget target_;
  const Slice operand_;
};

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
  DotDesc& desc = dot.desc;
  TF_ASSIGN_OR_RETURN(Prologue prologue, Prologue::Of(product, context));
  if (const std::optional<DotDesc>& weights = prologue.weights()) {
    desc.rhs = weights->rhs;
    desc.rhs_bits_packed = weights->rhs_bits_packed;
    desc.scales = weights->scales;
  } else {
    desc.rhs_computed = !prologue.is_empty();
    desc.rhs_step = prologue.step();
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
  MemoryChunk constant;
  if (product.computed_operand() != 1) {
    TF_ASSIGN_OR_RETURN(constant,
                        PackConstant(product.operand(1), dot, context));
  }
  const Thunk* packed_by = context.PackThunkOf(product.instruction());
  desc.rhs_packed = !constant.is_null() || packed_by != nullptr;
  TF_ASSIGN_OR_RETURN(Epilogue epilogue, Epilogue::Of(product, context));
  desc.column_step = epilogue.column_step();
  const auto algorithm_of = [&](const KernelTarget& target) {
    return DotAlgorithmOf(desc, target);
  };
  const KernelTarget target =
      context.TunedTarget(product.instruction(), algorithm_of);
  TF_ASSIGN_OR_RETURN(std::unique_ptr<const DotPlan> plan,
                      DotPlan::Make(desc, target));
  TF_ASSIGN_OR_RETURN(const Slice result,
                      context.SliceOf(product.instruction(), 0));
  return std::make_unique<DotThunk>(
      product.instruction().name(), std::move(plan), std::move(dot.lhs),
      std::move(dot.rhs), PackedRhs{std::move(constant), packed_by},
      std::move(prologue), result, dot.rounding, std::move(epilogue),
      DotAlgorithmName(algorithm_of(target)));
}

}  // namespace xla::cpu
