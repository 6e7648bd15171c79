// Walks from the last instruction up to the product.
#include "xla/backends/cpu/fusion/epilogue.h"

#include <algorithm>

#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/fusion/prologue.h"
#include "xla/backends/cpu/fusion/single_reads.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/linear/convolution.h"

namespace xla::cpu {
namespace {

// Shorter rows are no work for vectors.
constexpr int64_t kMinEpilogueColumns = 16;
// Smaller results stay in the first cache anyway.
constexpr int64_t kMinEpilogueBytes = 32 << 10;
// Rows that are at least this long are divided, into workgroups of so many
// elements.
constexpr int64_t kDividedColumns = 256;
constexpr int64_t kWorkgroupColumns = 128;
// Products of at least so many multiplications are divided among threads.
constexpr double kLongProduct = 1 << 23;

bool IsPlainDot(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kDot) return false;
  switch (hlo.attrs<DotAttrs>().precision_config.algorithm()) {
    case PrecisionConfig::ALG_DOT_BF16_BF16_BF16:
    case PrecisionConfig::ALG_DOT_F16_F16_F16:
      return false;  // the whole result is rounded
    default:
      return true;
  }
}

// Whether the features of the result come last.
bool IsPlainConvolution(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kConvolution) return false;
  const ConvolutionAttrs& attrs = hlo.attrs<ConvolutionAttrs>();
  const ConvolutionDimensionNumbers& numbers =
      attrs.convolution_dimension_numbers;
  if (numbers.output_batch_dimension() != 0 || attrs.batch_group_count != 1 ||
      numbers.output_feature_dimension() != hlo.shape().rank() - 1) {
    return false;
  }
  for (int d = 0; d < numbers.output_spatial_dimensions_size(); ++d) {
    if (numbers.output_spatial_dimensions(d) != d + 1) return false;
  }
  return true;
}

// Whether `hlo` is a loop over the elements of one array.
bool IsLoop(const HloInstruction& hlo) {
  if (!hlo.shape().IsArray() || !hlo.shape().is_static() ||
      hlo.shape().rank() == 0 || hlo.HasControlDependencies()) {
    return false;
  }
  if (hlo.opcode() == HloOpcode::kFusion) {
    return hlo.attrs<FusionAttrs>().kind == FusionKind::kLoop;
  }
  return hlo.IsElementwiseOp() && hlo.opcode() != HloOpcode::kMap &&
         hlo.opcode() != HloOpcode::kCopy;
}

// Whether a loop of its own would read operands tile by tile, since they lie
// across the rows of the result.
bool ReadsAcrossRows(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kFusion) return false;
  const auto& fused = hlo.fused_instructions_computation()->instructions();
  return std::any_of(fused.begin(), fused.end(), [](const auto& value) {
    return value->opcode() == HloOpcode::kTranspose;
  });
}

// Whether the product is enough work for several threads.
bool IsLong(const HloInstruction& product) {
  if (product.opcode() != HloOpcode::kDot) return true;
  double multiplications = ShapeUtil::ElementsIn(product.shape());
  for (const int64_t d :
       product.attrs<DotAttrs>()
           .dot_dimension_numbers.lhs_contracting_dimensions()) {
    multiplications *= product.operand(0)->shape().dimensions(d);
  }
  return multiplications >= kLongProduct;
}

// Whether the product would have to wait for others, beside which it can run if
// the last instruction is apart.
bool ReadsOtherProducts(const EpilogueGroup& group) {
  for (int64_t i = 0; i < group.last->operand_count(); ++i) {
    const HloInstruction* operand = OnlyReadHere(group.last->operand(i));
    if (i != group.operand && operand != nullptr && IsPlainDot(*operand)) {
      return true;
    }
  }
  return false;
}

int64_t Columns(const HloInstruction& hlo) {
  return hlo.shape().dimensions(hlo.shape().rank() - 1);
}

}  // namespace

namespace {

// Why no code computes `last` of tiles, whatever they are tiles of.
absl::string_view WhyNoLast(const HloInstruction& last) {
  if (!IsLoop(last)) return "its reader is no loop over one array";
  if (Columns(last) < kMinEpilogueColumns) {
    return "rows of the result are too short for vectors";
  }
  return "";
}

// Why operand `i` of `last`, which is what `product` computes, is not the
// product of an epilogue.
absl::string_view WhyNoProduct(const HloInstruction* product,
                               const HloInstruction& last, int64_t i) {
  if (product == nullptr) return "others read the product, too";
  if (product->HasControlDependencies()) return "its order is fixed";
  if (!IsPlainDot(*product) && !IsPlainConvolution(*product)) {
    return "it is no product whose tiles are final, in canonical form";
  }
  if (product->shape().rank() == 0 || Columns(*product) != Columns(last)) {
    return "its reader has rows of another length";
  }
  if (!CpuAliasInfo().MayAlias(last, 0, i)) {
    return "its reader needs other elements than the one at its own place";
  }
  return "";
}

absl::string_view WhyNotProfitable(const EpilogueGroup& group) {
  if (ShapeUtil::ByteSizeOf(group.last->shape()) < kMinEpilogueBytes) {
    return "the result stays in the first cache anyway";
  }
  if (ReadsAcrossRows(*group.last)) {
    return "its reader reads other arrays across their rows, in tiles of its "
           "own";
  }
  if (!IsLong(*group.product) && ReadsOtherProducts(group)) {
    return "its reader reads another short product, beside which it runs";
  }
  return "";
}

}  // namespace

std::optional<EpilogueGroup> FindEpilogue(const HloInstruction& last) {
  if (!WhyNoLast(last).empty()) return std::nullopt;
  for (int64_t i = 0; i < last.operand_count(); ++i) {
    const HloInstruction* product = OnlyReadHere(last.operand(i));
    if (WhyNoProduct(product, last, i).empty()) {
      return EpilogueGroup{product, i, &last};
    }
  }
  return std::nullopt;
}

bool IsEpilogueProfitable(const EpilogueGroup& group) {
  return WhyNotProfitable(group).empty();
}

absl::string_view WhyNoEpilogue(const HloInstruction& product,
                                const HloInstruction& last) {
  const absl::string_view no_last = WhyNoLast(last);
  if (!no_last.empty()) return no_last;
  for (int64_t i = 0; i < last.operand_count(); ++i) {
    const HloInstruction* read = last.operand(i);
    while (read->opcode() == HloOpcode::kBitcast) read = read->operand(0);
    if (read != &product) continue;
    const absl::string_view why =
        WhyNoProduct(OnlyReadHere(last.operand(i)), last, i);
    if (!why.empty()) return why;
    const std::optional<EpilogueGroup> group = FindEpilogue(last);
    if (group.has_value() && group->product != &product) {
      return "its reader is computed on the tiles of another product";
    }
    return WhyNotProfitable({&product, i, &last});
  }
  return "its reader does not read it as it is";
}

bool IsProductFusion(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kFusion ||
      hlo.attrs<FusionAttrs>().kind != FusionKind::kCustom) {
    return false;
  }
  const HloInstruction& root =
      *hlo.fused_instructions_computation()->root_instruction();
  return FindEpilogue(root).has_value() || FindPrologue(root).has_value();
}

int64_t EpilogueColumns(int64_t columns) {
  return columns < kDividedColumns ? columns : kWorkgroupColumns;
}

}  // namespace xla::cpu
