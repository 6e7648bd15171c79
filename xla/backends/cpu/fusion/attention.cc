// Walks from the second dot up to the first.
#include "xla/backends/cpu/fusion/attention.h"

#include <algorithm>

#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/analysis/reduction_structure.h"
#include "xla/backends/cpu/fusion/single_reads.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/linear/contraction.h"

namespace xla::cpu {
namespace {

// Values between dots that one core's second cache keeps anyway.
constexpr int64_t kMinBytes = 256 << 10;
// Fewer rows do not pay for packing right operands, fewer columns are no work.
constexpr int64_t kMinRows = 64;
constexpr int64_t kMinColumns = 32;
// The least block of longer rows would be no small part of the last cache.
constexpr int64_t kMaxRowBytes = 1 << 20;
// Right operands of both dots together, for one item of the batch, that every
// thread packs for itself and that stay close to the core. Larger ones are
// packed as a whole into memory, which pays if they are so much smaller than
// what is between the dots.
constexpr int64_t kMaxRightBytes = 4 << 20;
constexpr int64_t kRightRatio = 4;

// Whether an algorithm asks for no more than what the kernel does.
bool IsUsualAlgorithm(const HloInstruction& dot) {
  const auto reads = [&](PrimitiveType type) {
    return dot.operand(0)->shape().element_type() == type &&
           dot.operand(1)->shape().element_type() == type;
  };
  switch (dot.attrs<DotAttrs>().precision_config.algorithm()) {
    case PrecisionConfig::ALG_UNSET:
      return true;
    case PrecisionConfig::ALG_DOT_BF16_BF16_F32:
      return reads(BF16);
    case PrecisionConfig::ALG_DOT_F16_F16_F32:
      return reads(F16);
    case PrecisionConfig::ALG_DOT_F32_F32_F32:
      return reads(F32);
    default:
      return false;
  }
}

// A product of matrices, or of a batch of them, of which nothing is asked that
// depends on how it is computed.
bool IsPlainProduct(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kDot || hlo.HasControlDependencies() ||
      !hlo.shape().is_static()) {
    return false;
  }
  const DotAttrs& attrs = hlo.attrs<DotAttrs>();
  const DotDimensionNumbers& numbers = attrs.dot_dimension_numbers;
  const int batch = numbers.lhs_batch_dimensions_size();
  const bool batch_first =
      batch == 0 || (batch == 1 && numbers.lhs_batch_dimensions(0) == 0 &&
                     numbers.rhs_batch_dimensions(0) == 0);
  return batch_first && IsUsualAlgorithm(hlo) &&
         numbers.lhs_contracting_dimensions_size() == 1 &&
         hlo.operand(0)->shape().rank() == batch + 2 &&
         hlo.operand(1)->shape().rank() == batch + 2;
}

int64_t LastDimension(const Shape& shape) {
  return shape.dimensions(shape.rank() - 1);
}

// Whether `hlo` is a fusion of rows of `columns` elements with one result, an
// array of `rows` of them.
bool WorksOnRows(const HloInstruction& hlo, int64_t rows, int64_t columns) {
  if (hlo.opcode() != HloOpcode::kFusion || !hlo.shape().IsArray() ||
      hlo.HasControlDependencies() ||
      hlo.attrs<FusionAttrs>().kind != FusionKind::kInput ||
      !std::all_of(
          hlo.operands().begin(), hlo.operands().end(),
          [](const HloInstruction* hlo) { return hlo->shape().IsArray(); })) {
    return false;
  }
  const auto structure = FindReductionStructure(hlo);
  return structure.has_value() && structure->by_rows() &&
         structure->outer == rows && structure->reduced == columns &&
         ShapeUtil::ElementsIn(hlo.shape()) == rows * columns;
}

// Bytes of the right operand for one item of the batch once it is packed, which
// makes f32 of shorter floats.
int64_t RightBytes(const HloInstruction& dot) {
  const Shape& rhs = dot.operand(1)->shape();
  const int64_t rank = rhs.rank();
  const int64_t width = std::max<int64_t>(
      sizeof(float), ShapeUtil::ByteSizeOfPrimitiveType(rhs.element_type()));
  return rhs.dimensions(rank - 2) * rhs.dimensions(rank - 1) * width;
}

}  // namespace

std::optional<AttentionGroup> FindAttention(const HloInstruction& second) {
  if (!IsPlainProduct(second)) return std::nullopt;
  const Shape& left = second.operand(0)->shape();
  if (second.attrs<DotAttrs>().dot_dimension_numbers.lhs_contracting_dimensions(
          0) != left.rank() - 1) {
    return std::nullopt;
  }
  const int64_t columns = LastDimension(left);
  const HloInstruction* middle = OnlyReadHere(second.operand(0));
  if (columns == 0 || middle == nullptr ||
      !WorksOnRows(*middle, ShapeUtil::ElementsIn(left) / columns, columns)) {
    return std::nullopt;
  }
  for (int64_t i = 0; i < middle->operand_count(); ++i) {
    const HloInstruction* first = OnlyReadHere(middle->operand(i));
    if (first == nullptr || !IsPlainProduct(*first) ||
        first->shape().dimensions() != left.dimensions() ||
        !ReadsOwnRows(*middle, i)) {
      continue;
    }
    return AttentionGroup{first, middle, i, &second};
  }
  return std::nullopt;
}

bool IsAttentionProfitable(const AttentionGroup& group) {
  const Shape& between = group.first->shape();
  const int64_t rank = between.rank();
  const int64_t rows = between.dimensions(rank - 2);
  const int64_t columns = between.dimensions(rank - 1);
  const int64_t row_bytes =
      columns * ShapeUtil::ByteSizeOfPrimitiveType(between.element_type());
  if (rows < kMinRows || columns < kMinColumns || row_bytes > kMaxRowBytes ||
      ShapeUtil::ByteSizeOf(between) < kMinBytes) {
    return false;
  }
  const int64_t most = std::max(kMaxRightBytes, rows * row_bytes / kRightRatio);
  const int64_t first = RightBytes(*group.first);
  return first <= most && RightBytes(*group.second) <= most - first;
}

bool IsAttentionFusion(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kFusion &&
         hlo.attrs<FusionAttrs>().kind == FusionKind::kCustom &&
         FindAttention(
             *hlo.fused_instructions_computation()->root_instruction())
             .has_value();
}

}  // namespace xla::cpu
