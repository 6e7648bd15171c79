// Looks at the right operand of a dot, and at what computes its elements.
#include "xla/backends/cpu/fusion/prologue.h"

#include <algorithm>
#include <vector>

#include "xla/backends/cpu/fusion/epilogue.h"
#include "xla/backends/cpu/fusion/single_reads.h"
#include "xla/backends/cpu/fusion/strided_view.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla::cpu {
namespace {

// Shorter rows are no work for vectors.
constexpr int64_t kMinPrologueColumns = 16;
// Smaller arrays stay in the first cache.
constexpr int64_t kMinPrologueBytes = 32 << 10;
// Kernels read rows in parts that begin at multiples of this many elements.
constexpr int64_t kRowPart = 512;

// Whether each element takes a few instructions, wherever in a row it is.
bool IsSimple(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kBitcast:
    case HloOpcode::kBitcastConvert:
    case HloOpcode::kBroadcast:
    case HloOpcode::kConcatenate:
    case HloOpcode::kConstant:
    case HloOpcode::kDynamicSlice:
    case HloOpcode::kIota:
    case HloOpcode::kPad:
    case HloOpcode::kParameter:
    case HloOpcode::kReshape:
    case HloOpcode::kSlice:
      return true;
    default:
      return hlo.IsElementwiseOp() && hlo.opcode() != HloOpcode::kMap &&
             hlo.opcode() != HloOpcode::kCopy;
  }
}

// What the code of a prologue cannot do.
absl::string_view WhyNotSimple(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kReduce:
    case HloOpcode::kReduceWindow:
      return "its elements are computed by reductions";
    case HloOpcode::kTranspose:
      return "its elements are computed and transposed";
    case HloOpcode::kGather:
      return "its elements are gathered at indices that are data";
    default:
      return "its elements are computed by operations that a product does not "
             "repeat for parts of its rows";
  }
}

// Why its elements cannot be computed in parts of rows; empty if they can.
absl::string_view WhyNoProducer(const HloInstruction& hlo) {
  if (!hlo.shape().IsArray()) return "it is one of several results";
  if (!hlo.shape().is_static()) return "its sizes are known only at run time";
  if (hlo.shape().rank() == 0) return "it is a scalar";
  if (hlo.HasControlDependencies()) return "it has control dependencies";
  if (hlo.opcode() != HloOpcode::kFusion) {
    return hlo.IsElementwiseOp() && IsSimple(hlo) ? "" : WhyNotSimple(hlo);
  }
  for (const auto& value :
       hlo.fused_instructions_computation()->instructions()) {
    if (!IsSimple(*value)) return WhyNotSimple(*value);
  }
  return hlo.attrs<FusionAttrs>().kind == FusionKind::kLoop
             ? ""
             : "its elements are not computed one by one";
}

// Why the product takes no computed operand; empty if its right operand is
// [k,n] or [n,k], after at most one batch dimension, of real numbers that the
// algorithm takes as they are.
absl::string_view WhyTakesNoComputed(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kDot) {
    return "convolutions read their operands from memory";
  }
  if (hlo.HasControlDependencies()) {
    return "the product has control dependencies";
  }
  const DotAttrs& attrs = hlo.attrs<DotAttrs>();
  const auto& numbers = attrs.dot_dimension_numbers;
  const int64_t batch = numbers.rhs_batch_dimensions_size();
  const auto is_real = [](const HloInstruction* operand) {
    return !primitive_util::IsComplexType(operand->shape().element_type());
  };
  if (attrs.precision_config.algorithm() != PrecisionConfig::ALG_UNSET) {
    return "the product asks for a dot algorithm, whose operands come from "
           "memory";
  }
  if (batch > 1 || (batch == 1 && numbers.rhs_batch_dimensions(0) != 0) ||
      hlo.operand(1)->shape().rank() != batch + 2 ||
      numbers.rhs_contracting_dimensions_size() != 1) {
    return "the product's right operand is no matrix, and no batch of matrices";
  }
  return is_real(hlo.operand(0)) && is_real(hlo.operand(1)) && is_real(&hlo)
             ? ""
             : "products of complex numbers read their operands from memory";
}

const HloInstruction* SkipReshapes(const HloInstruction* hlo) {
  while (hlo->opcode() == HloOpcode::kBitcast ||
         hlo->opcode() == HloOpcode::kReshape) {
    hlo = hlo->operand(0);
  }
  return hlo;
}

// Returns the value behind reshapes and a conversion that changes no number.
const HloInstruction* SkipExactConversion(const HloInstruction* hlo) {
  hlo = SkipReshapes(hlo);
  if (hlo->opcode() == HloOpcode::kConvert &&
      primitive_util::CastPreservesValues(
          hlo->operand(0)->shape().element_type(),
          hlo->shape().element_type())) {
    hlo = SkipReshapes(hlo->operand(0));
  }
  return hlo;
}

// Whether the elements of a dynamic-slice lie one after the other.
bool IsContiguousSlice(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kDynamicSlice ||
      hlo.HasControlDependencies() || !hlo.operand(0)->shape().is_static() ||
      hlo.operand_count() != hlo.shape().rank() + 1) {
    return false;
  }
  bool is_part = false;
  for (int64_t d = hlo.shape().rank() - 1; d >= 0; --d) {
    const int64_t size = hlo.shape().dimensions(d);
    if (is_part && size != 1) return false;
    is_part |= size != hlo.operand(0)->shape().dimensions(d);
  }
  return true;
}

// Returns the array that `hlo` is, behind reshapes; nullopt if it is something
// else.
std::optional<ScaledWeights::Array> ArrayAt(const HloInstruction* hlo) {
  ScaledWeights::Array array;
  hlo = SkipReshapes(hlo);
  if (hlo->opcode() == HloOpcode::kDynamicSlice) {
    if (!IsContiguousSlice(*hlo)) return std::nullopt;
    array.slice = hlo;
    for (int64_t d = 0; d < hlo->shape().rank(); ++d) {
      if (hlo->shape().dimensions(d) !=
              hlo->operand(0)->shape().dimensions(d) &&
          hlo->operand(d + 1)->opcode() != HloOpcode::kParameter) {
        return std::nullopt;
      }
    }
    hlo = hlo->operand(0);
  }
  if (hlo->opcode() != HloOpcode::kParameter) return std::nullopt;
  array.operand = hlo->parameter_number();
  return array;
}

// Returns the weights, without scales, whose values `hlo` has; nullopt if it is
// something else.
std::optional<ScaledWeights> FindWeights(const HloInstruction* hlo) {
  hlo = SkipExactConversion(hlo);
  ScaledWeights weights;
  weights.type = hlo->shape().element_type();
  if (hlo->opcode() == HloOpcode::kBitcastConvert &&
      hlo->shape().rank() > hlo->operand(0)->shape().rank()) {
    weights.packed = true;
    hlo = hlo->operand(0);
    if (hlo->shape().element_type() != U8) return std::nullopt;
  }
  const std::optional<ScaledWeights::Array> elements = ArrayAt(hlo);
  if (!elements.has_value()) return std::nullopt;
  weights.elements = *elements;
  return weights;
}

// Returns the elements of depth with one scale that a broadcast to an operand
// [depth, columns], or [columns, depth] if `transposed`, repeats; 0 if it has
// other scales.
int64_t GroupOf(const HloInstruction& broadcast, int64_t depth, int64_t columns,
                bool transposed) {
  const auto sizes = broadcast.shape().dimensions();
  const auto& kept = broadcast.attrs<BroadcastAttrs>().dimensions;
  const int64_t rank = broadcast.shape().rank();
  const auto keeps = [&](std::vector<int64_t> dimensions) {
    return std::equal(kept.begin(), kept.end(), dimensions.begin(),
                      dimensions.end());
  };
  if (rank < 2 || sizes[transposed ? 0 : rank - 1] != columns) return 0;
  if (keeps({transposed ? 0 : rank - 1})) return depth;
  if (rank != 3 || !keeps(transposed ? std::vector<int64_t>{0, 1}
                                     : std::vector<int64_t>{0, 2})) {
    return 0;
  }
  return sizes[transposed ? 2 : 1];
}

// Returns the bytes of a parameter of a fusion that are read.
int64_t BytesRead(const HloInstruction& parameter) {
  int64_t bytes = 0;
  for (const HloInstruction* user : parameter.users()) {
    bytes += ShapeUtil::ByteSizeOf(user->opcode() == HloOpcode::kDynamicSlice
                                       ? user->shape()
                                       : parameter.shape());
  }
  return bytes;
}

// Whether `hlo` repeats a matrix for each element of a batch.
bool RepeatsMatrix(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kBroadcast &&
         !hlo.HasControlDependencies() && hlo.shape().is_static() &&
         hlo.attrs<BroadcastAttrs>().dimensions == std::vector<int64_t>{1, 2} &&
         hlo.shape().rank() == 3;
}

int64_t Minor(const Shape& shape) { return shape.dimensions(shape.rank() - 1); }

// Whether it writes an array that it computes or moves elements to.
bool ComputesArray(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kFusion
             ? hlo.attrs<FusionAttrs>().kind != FusionKind::kCustom
             : IsReadInPlace(hlo) || hlo.IsElementwiseOp();
}

constexpr int64_t kLeft = 0, kRight = 1;

// Finds the group that ends in `product`, or says why there is none.
absl::string_view FindPrologueOf(const HloInstruction& product,
                                 std::optional<PrologueGroup>& found) {
  const absl::string_view why = WhyTakesNoComputed(product);
  if (!why.empty()) return why;
  const HloInstruction* left = product.operand(kLeft);
  if (RepeatsMatrix(*left) && IsReadOnce(*left)) {
    found = PrologueGroup{left, &product, kLeft};
    return "";
  }
  const HloInstruction* producer = OnlyReadHere(product.operand(kRight));
  const Shape& operand = product.operand(kRight)->shape();
  if (producer == nullptr) return "others read it, too";
  if (producer->shape().element_type() != operand.element_type()) {
    return "the product reads its bits as another type";
  }
  if (!FindMovedOperand(*producer, product).has_value() &&
      !IsContiguousSlice(*producer)) {
    if (producer->opcode() == HloOpcode::kTranspose) {
      return "the transposed array has no contiguous rows where it is";
    }
    const absl::string_view not_simple = WhyNoProducer(*producer);
    if (!not_simple.empty()) return not_simple;
    if (!PrologueColumns(producer->shape(), Minor(operand)).has_value()) {
      return "its rows are shorter than 16 elements, or are not divided as "
             "those of the product";
    }
  }
  found = PrologueGroup{producer, &product, kRight};
  return "";
}

}  // namespace

std::optional<MovedOperand> FindMovedOperand(const HloInstruction& producer,
                                             const HloInstruction& product) {
  if (producer.opcode() != HloOpcode::kTranspose ||
      !producer.operand(0)->shape().is_static() ||
      ShapeUtil::ElementsIn(producer.shape()) == 0) {
    return std::nullopt;
  }
  const Shape& operand = product.operand(1)->shape();
  const int64_t rank = operand.rank();
  std::optional<StridedView> view =
      StridedView::Of(producer.operand(0)->shape()).Through(producer);
  if (view.has_value()) view = view->Reshaped(operand.dimensions());
  if (!view.has_value()) return std::nullopt;
  const StridedDims& row = view->dimensions()[rank - 1];
  const StridedDims& rows = view->dimensions()[rank - 2];
  const int64_t length = Minor(operand);
  if (row.size() > 1 || (row.size() == 1 && row[0].stride != 1) ||
      rows.size() > 1) {
    return std::nullopt;
  }
  MovedOperand moved = {.row = rows.empty() ? length : rows[0].stride};
  if (moved.row < length) return std::nullopt;
  moved.batch = moved.row * operand.dimensions(rank - 2);
  if (rank == 2) return moved;
  const StridedDims& batch = view->dimensions()[0];
  if (batch.size() > 2) return std::nullopt;
  if (!batch.empty()) moved.batch = batch.back().stride;
  if (batch.size() == 2) {
    moved.inner = batch[1].size;
    moved.outer = batch[0].stride;
  }
  return moved;
}

bool IsReadInPlace(const HloInstruction& producer) {
  return producer.opcode() == HloOpcode::kTranspose ||
         producer.opcode() == HloOpcode::kDynamicSlice ||
         producer.opcode() == HloOpcode::kBroadcast;
}

std::optional<PrologueGroup> FindPrologue(const HloInstruction& product) {
  std::optional<PrologueGroup> found;
  FindPrologueOf(product, found);
  return found;
}

absl::string_view WhyNoPrologue(const HloInstruction& product, int64_t operand,
                                std::optional<PrologueGroup>& found) {
  const HloInstruction* array = SkipReshapes(product.operand(operand));
  if (!ComputesArray(*array)) return "";
  const absl::string_view why = FindPrologueOf(product, found);
  if (found.has_value() && found->operand == operand) return "";
  if (found.has_value()) {
    found.reset();
    return "the product computes its other operand while it reads it, and "
           "can do so for one";
  }
  if (operand == kLeft && why != WhyTakesNoComputed(product)) {
    return "it is the left operand of the product, which is read from memory "
           "unless it repeats one matrix; what computes the right one can "
           "become part of the product";
  }
  return why;
}

absl::string_view WhyPrologueDoesNotPay(const PrologueGroup& group) {
  const int64_t written = ShapeUtil::ByteSizeOf(group.producer->shape());
  if (group.producer->opcode() == HloOpcode::kBroadcast) return "";
  const absl::string_view small =
      written < kMinPrologueBytes
          ? "it has less than 32 KiB, which the first cache keeps anyway"
          : "";
  if (IsReadInPlace(*group.producer)) return small;
  int64_t read = 0;
  if (group.producer->opcode() == HloOpcode::kFusion) {
    for (const HloInstruction* parameter :
         group.producer->fused_instructions_computation()
             ->parameter_instructions()) {
      read += std::min(BytesRead(*parameter), written);
    }
  } else {
    for (const HloInstruction* operand : group.producer->operands()) {
      read += std::min(ShapeUtil::ByteSizeOf(operand->shape()), written);
    }
  }
  if (!small.empty()) return small;
  return read < written ? ""
                        : "it has no more bytes than what it is computed of, "
                          "so the product would read as much, and compute it "
                          "for each of its tasks";
}

std::optional<ScaledWeights> FindScaledWeights(const PrologueGroup& group) {
  // Kernels read groups in whole vectors.
  constexpr int64_t kMinGroup = 16;
  const HloInstruction& producer = *group.producer;
  const auto& numbers = group.product->attrs<DotAttrs>().dot_dimension_numbers;
  const Shape& operand = group.product->operand(group.operand)->shape();
  if (producer.opcode() != HloOpcode::kFusion || operand.rank() != 2) {
    return std::nullopt;
  }
  const HloInstruction& root =
      *producer.fused_instructions_computation()->root_instruction();
  const HloInstruction* last = SkipReshapes(&root);
  if (last->opcode() != HloOpcode::kMultiply) {
    const std::optional<ScaledWeights> weights = FindWeights(last);
    return weights.has_value() && weights->packed ? weights : std::nullopt;
  }
  const bool transposed = numbers.rhs_contracting_dimensions(0) == 1;
  const int64_t depth = operand.dimensions(transposed ? 1 : 0);
  const int64_t columns = operand.dimensions(transposed ? 0 : 1);
  for (const int64_t i : {0, 1}) {
    std::optional<ScaledWeights> weights = FindWeights(last->operand(i));
    const HloInstruction* spread = SkipReshapes(last->operand(1 - i));
    if (!weights.has_value() || spread->opcode() != HloOpcode::kBroadcast) {
      continue;
    }
    const auto scales = ArrayAt(SkipExactConversion(spread->operand(0)));
    const int64_t size = GroupOf(*spread, depth, columns, transposed);
    if (!scales.has_value() || size < kMinGroup) continue;
    weights->scales = *scales;
    weights->group = size;
    return weights;
  }
  return std::nullopt;
}

std::optional<int64_t> PrologueColumns(const Shape& producer, int64_t row) {
  const int64_t columns = Minor(producer);
  if (columns < kMinPrologueColumns) return std::nullopt;
  const int64_t part = EpilogueColumns(columns);
  // Workgroups are then parts of both kinds of rows.
  if (columns % part == 0 && row % part == 0 && kRowPart % part == 0) {
    return part;
  }
  if (columns != row || (part < row && kRowPart % part != 0)) {
    return std::nullopt;
  }
  return part;
}

}  // namespace xla::cpu
