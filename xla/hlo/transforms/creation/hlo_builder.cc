// One short function per op; shapes follow from the operands.
#include "xla/hlo/transforms/creation/hlo_builder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla {
namespace {

using Hlo = HloBuilder::Hlo;
using Dims = HloBuilder::Dims;

Dims Copy(absl::Span<const int64_t> dims) {
  return Dims(dims.begin(), dims.end());
}

// Makes the computations of a loop or a branch, with those of loops, branches
// and fusions inside, run in its thread.
void SetThreads(absl::Span<HloComputation* const> computations,
                absl::string_view thread) {
  std::vector<HloComputation*> work(computations.begin(), computations.end());
  while (!work.empty()) {
    HloComputation* computation = work.back();
    work.pop_back();
    if (computation->execution_thread() == thread) continue;
    computation->SetExecutionThread(thread);
    for (const HloInstruction* hlo : computation->instructions()) {
      const HloOpcode opcode = hlo->opcode();
      if (opcode != HloOpcode::kConditional && opcode != HloOpcode::kFusion &&
          opcode != HloOpcode::kWhile) {
        continue;
      }
      const auto& called = hlo->called_computations();
      work.insert(work.end(), called.begin(), called.end());
    }
  }
}

}  // namespace

Shape HloBuilder::MakeShape(PrimitiveType type, DimSpan sizes) {
  absl::StatusOr<Shape> shape = ShapeUtil::MakeValidatedShape(type, sizes);
  if (shape.ok()) return *std::move(shape);
  Fail(std::move(shape).status());
  return Shape(type, sizes);
}

Hlo HloBuilder::Insert(std::unique_ptr<HloInstruction> instruction) {
  if (source_ != nullptr) instruction->set_metadata(source_->metadata());
  if (computation_->parent() != nullptr) {
    computation_->parent()->set_is_scheduled(false);
  }
  return computation_->AddInstruction(std::move(instruction));
}

Hlo HloBuilder::Add(HloOpcode opcode, Shape shape,
                    absl::Span<const Hlo> operands, Attrs attrs,
                    absl::Span<HloComputation* const> computations) {
  if (opcode == HloOpcode::kWhile || opcode == HloOpcode::kConditional) {
    SetThreads(computations, computation_->execution_thread());
  }
  return Insert(HloInstruction::Create(opcode, std::move(shape), operands,
                                       std::move(attrs), computations));
}

Hlo HloBuilder::Unary(HloOpcode opcode, Hlo x) {
  return Add(opcode, Like(x, x->shape().element_type()), {x});
}

Hlo HloBuilder::Binary(HloOpcode opcode, Hlo x, Hlo y) {
  return Add(opcode, Like(x, x->shape().element_type()), {x, y});
}

Hlo HloBuilder::Compare(ComparisonDirection direction, Hlo x, Hlo y) {
  return Add(HloOpcode::kCompare, Like(x, PRED), {x, y},
             CompareAttrs{direction});
}

Hlo HloBuilder::CompareTotalOrder(ComparisonDirection direction, Hlo x, Hlo y) {
  CompareAttrs attrs{direction};
  if (primitive_util::IsFloatingPointType(x->shape().element_type())) {
    attrs.type = Comparison::Type::kFloatTotalOrder;
  }
  return Add(HloOpcode::kCompare, Like(x, PRED), {x, y}, std::move(attrs));
}

Hlo HloBuilder::Select(Hlo pred, Hlo on_true, Hlo on_false) {
  return Add(HloOpcode::kSelect, Like(on_true, on_true->shape().element_type()),
             {pred, on_true, on_false});
}

Hlo HloBuilder::Convert(Hlo x, PrimitiveType type) {
  if (x->shape().element_type() == type) return x;
  return Add(HloOpcode::kConvert, Like(x, type), {x});
}

Hlo HloBuilder::BitcastConvert(Hlo x, PrimitiveType type) {
  if (x->shape().element_type() == type) return x;
  return Add(HloOpcode::kBitcastConvert, Like(x, type), {x});
}

Hlo HloBuilder::Constant(Literal literal) {
  return Insert(HloInstruction::CreateConstant(std::move(literal)));
}

Hlo HloBuilder::Number(PrimitiveType type, double value) {
  return Constant(LiteralUtil::CreateR0(type, value));
}

void HloBuilder::Fail(absl::Status error) {
  if (status_.ok()) status_ = std::move(error);
}

Hlo HloBuilder::Integer(PrimitiveType type, int64_t value) {
  if (type == S32 && value != static_cast<int32_t>(value)) {
    Fail(absl::UnimplementedError(
        absl::StrCat("an index of ", value, ", which is no s32")));
  }
  return Constant(LiteralUtil::CreateR0(type, value));
}

Hlo HloBuilder::Zero(PrimitiveType type) {
  return Constant(LiteralUtil::Zero(type));
}

Hlo HloBuilder::NumberLike(Hlo like, double value) {
  return Splat(Number(like->shape().element_type(), value),
               like->shape().dimensions());
}

Hlo HloBuilder::IntegerLike(Hlo like, int64_t value) {
  return Splat(Integer(like->shape().element_type(), value),
               like->shape().dimensions());
}

Hlo HloBuilder::Broadcast(Hlo x, DimSpan sizes, DimSpan dimensions) {
  if (x->shape().dimensions() == sizes &&
      std::is_sorted(dimensions.begin(), dimensions.end())) {
    return x;
  }
  return Insert(HloInstruction::CreateBroadcast(
      MakeShape(x->shape().element_type(), sizes), x, dimensions));
}

Hlo HloBuilder::Iota(PrimitiveType type, DimSpan sizes, int64_t dimension) {
  return Add(HloOpcode::kIota, MakeShape(type, sizes), {},
             IotaAttrs{dimension});
}

Hlo HloBuilder::Reshape(Hlo x, DimSpan sizes) {
  if (x->shape().dimensions() == sizes) return x;
  return Add(HloOpcode::kReshape, MakeShape(x->shape().element_type(), sizes),
             {x});
}

Hlo HloBuilder::Transpose(Hlo x, DimSpan permutation) {
  if (std::is_sorted(permutation.begin(), permutation.end())) return x;
  Dims sizes;
  for (int64_t d : permutation) sizes.push_back(x->shape().dimensions(d));
  return Add(HloOpcode::kTranspose, MakeShape(x->shape().element_type(), sizes),
             {x}, TransposeAttrs{Copy(permutation)});
}

Hlo HloBuilder::Slice(Hlo x, DimSpan starts, DimSpan limits, DimSpan strides) {
  SliceAttrs attrs;
  Dims sizes;
  for (size_t d = 0; d < starts.size(); ++d) {
    const int64_t stride = strides.empty() ? 1 : strides[d];
    attrs.slice.push_back({starts[d], limits[d], stride});
    sizes.push_back(CeilOfRatio(limits[d] - starts[d], stride));
  }
  if (x->shape().dimensions() == DimSpan(sizes)) return x;
  return Add(HloOpcode::kSlice, MakeShape(x->shape().element_type(), sizes),
             {x}, std::move(attrs));
}

Hlo HloBuilder::SliceDim(Hlo x, int64_t dimension, int64_t start,
                         int64_t limit) {
  Dims starts(x->shape().rank(), 0);
  Dims limits = Copy(x->shape().dimensions());
  starts[dimension] = start;
  limits[dimension] = limit;
  return Slice(x, starts, limits);
}

Hlo HloBuilder::Concatenate(absl::Span<const Hlo> parts, int64_t dimension) {
  if (parts.size() == 1) return parts[0];
  Dims sizes = Copy(parts[0]->shape().dimensions());
  for (size_t i = 1; i < parts.size(); ++i) {
    sizes[dimension] += parts[i]->shape().dimensions(dimension);
  }
  return Add(HloOpcode::kConcatenate,
             MakeShape(parts[0]->shape().element_type(), sizes), parts,
             ConcatenateAttrs{{dimension}});
}

Hlo HloBuilder::At(Hlo vector, int64_t index) {
  return Reshape(SliceDim(vector, 0, index, index + 1), {});
}

Hlo HloBuilder::DynamicSlice(Hlo x, absl::Span<const Hlo> starts,
                             DimSpan sizes) {
  std::vector<Hlo> operands = {x};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return Add(HloOpcode::kDynamicSlice,
             MakeShape(x->shape().element_type(), sizes), operands,
             DynamicSliceAttrs{Copy(sizes)});
}

Hlo HloBuilder::DynamicUpdateSlice(Hlo x, Hlo update,
                                   absl::Span<const Hlo> starts) {
  std::vector<Hlo> operands = {x, update};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return Add(HloOpcode::kDynamicUpdateSlice, Like(x, x->shape().element_type()),
             operands);
}

Hlo HloBuilder::Dot(Hlo lhs, Hlo rhs, DotAttrs attrs, PrimitiveType type) {
  const DotDimensionNumbers& numbers = attrs.dot_dimension_numbers;
  Dims sizes;
  for (const int64_t d : numbers.lhs_batch_dimensions()) {
    sizes.push_back(lhs->shape().dimensions(d));
  }
  const auto add_free = [&](const Shape& shape, const auto& batch,
                            const auto& contracting) {
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (!absl::c_linear_search(batch, d) &&
          !absl::c_linear_search(contracting, d)) {
        sizes.push_back(shape.dimensions(d));
      }
    }
  };
  add_free(lhs->shape(), numbers.lhs_batch_dimensions(),
           numbers.lhs_contracting_dimensions());
  add_free(rhs->shape(), numbers.rhs_batch_dimensions(),
           numbers.rhs_contracting_dimensions());
  return Add(HloOpcode::kDot, MakeShape(type, sizes), {lhs, rhs},
             std::move(attrs));
}

Hlo HloBuilder::Reduce(HloOpcode opcode, Hlo x, Hlo init, DimSpan dimensions) {
  const PrimitiveType type = x->shape().element_type();
  Dims sizes;
  for (int64_t d = 0; d < x->shape().rank(); ++d) {
    if (std::find(dimensions.begin(), dimensions.end(), d) ==
        dimensions.end()) {
      sizes.push_back(x->shape().dimensions(d));
    }
  }
  HloComputation* function =
      MakeScalarComputation(computation_->parent(), opcode, type);
  return Add(HloOpcode::kReduce, MakeShape(type, sizes), {x, init},
             ReduceAttrs{Copy(dimensions)}, {function});
}

Hlo HloBuilder::Tuple(absl::Span<const Hlo> elements) {
  return Insert(HloInstruction::CreateTuple(elements));
}

Hlo HloBuilder::Element(Hlo tuple, int64_t index) {
  if (tuple->opcode() == HloOpcode::kTuple) {
    return tuple->mutable_operand(index);
  }
  return Insert(HloInstruction::CreateGetTupleElement(tuple, index));
}

absl::Status HloBuilder::ReplaceSource(Hlo result) {
  TF_RETURN_IF_ERROR(status_);
  TF_RETURN_IF_ERROR(MoveControlDependencies(source_, result));
  TF_RETURN_IF_ERROR(source_->ReplaceAllUsesWith(result));
  return computation_->RemoveInstruction(std::exchange(source_, nullptr));
}

HloComputation* MakeScalarComputation(HloModule* module, HloOpcode opcode,
                                      PrimitiveType type) {
  const Shape scalar = ShapeUtil::MakeShape(type, {});
  HloComputation* computation =
      module->AddEmbeddedComputation(std::make_unique<HloComputation>(
          absl::StrCat(std::string(HloOpcodeString(opcode)), "_",
                       absl::AsciiStrToLower(PrimitiveType_Name(type)))));
  Hlo a = computation->AddInstruction(
      HloInstruction::CreateParameter(0, scalar, "a"));
  Hlo b = computation->AddInstruction(
      HloInstruction::CreateParameter(1, scalar, "b"));
  computation->set_root_instruction(computation->AddInstruction(
      HloInstruction::Create(opcode, scalar, {a, b})));
  return computation;
}

absl::Status MoveControlDependencies(HloInstruction* from, HloInstruction* to) {
  const std::vector<HloInstruction*> before = from->control_predecessors();
  const std::vector<HloInstruction*> after = from->control_successors();
  TF_RETURN_IF_ERROR(from->DropAllControlDeps());
  for (HloInstruction* other : before) {
    if (other == to) continue;
    TF_RETURN_IF_ERROR(other->AddControlDependencyTo(to));
  }
  for (HloInstruction* other : after) {
    if (other == to) continue;
    TF_RETURN_IF_ERROR(to->AddControlDependencyTo(other));
  }
  return absl::OkStatus();
}

absl::Status BypassControlDependencies(HloInstruction* from,
                                       HloInstruction* result) {
  const std::vector<HloInstruction*> before = from->control_predecessors();
  const std::vector<HloInstruction*> after = from->control_successors();
  TF_RETURN_IF_ERROR(from->DropAllControlDeps());
  for (HloInstruction* second : after) {
    for (HloInstruction* first : before) {
      TF_RETURN_IF_ERROR(first->AddControlDependencyTo(second));
    }
    if (result == second) continue;
    TF_RETURN_IF_ERROR(result->AddControlDependencyTo(second));
  }
  return absl::OkStatus();
}

bool LeavesInPlace(const Shape& shape, absl::Span<const int64_t> order) {
  int64_t last = -1;
  for (int64_t d : order) {
    if (shape.dimensions(d) == 1) continue;
    if (d < last) return false;
    last = d;
  }
  return true;
}

std::vector<int64_t> InverseOf(absl::Span<const int64_t> permutation) {
  std::vector<int64_t> inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) inverse[permutation[i]] = i;
  return inverse;
}

}  // namespace xla
