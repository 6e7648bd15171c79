// Walks from the second dot up to the first.
#include "xla/backends/cpu/fusion/attention.h"

#include <algorithm>

#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/analysis/reduction_structure.h"
#include "xla/backends/cpu/fusion/single_reads.h"
#include "xla/backends/cpu/fusion/strided_view.h"
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
constexpr absl::string_view kFewColumns =
    "with fewer than 32 keys, the products are faster one after the other";
// The least block of longer rows would be no small part of the last cache.
constexpr int64_t kMaxRowBytes = 1 << 20;
// Right operands of both dots together, for one item of the batch, that every
// thread packs for itself and that stay close to the core. Larger ones are
// packed as a whole into memory, which pays if they are so much smaller than
// what is between the dots.
constexpr int64_t kMaxRightBytes = 4 << 20;
// The most rows (or columns) of a dot that reads each element of the other
// operand so few times that transposing it would count, and the least bytes of
// that.
constexpr int64_t kFewRows = 32;
constexpr int64_t kMinMovedBytes = 32 << 10;
// The most products in place one after the other.
constexpr int64_t kMostItems = 64;
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

// Why it is no product of matrices, or of a batch of them, of which nothing is
// asked that depends on how it is computed; empty if it is one.
absl::string_view WhyNotPlainProduct(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kDot) return "it is no dot";
  if (hlo.HasControlDependencies()) return "it has control dependencies";
  if (!hlo.shape().is_static()) return "its sizes are known only at run time";
  const DotAttrs& attrs = hlo.attrs<DotAttrs>();
  const DotDimensionNumbers& numbers = attrs.dot_dimension_numbers;
  const int batch = numbers.lhs_batch_dimensions_size();
  const bool batch_first =
      batch == 0 || (batch == 1 && numbers.lhs_batch_dimensions(0) == 0 &&
                     numbers.rhs_batch_dimensions(0) == 0);
  if (!IsUsualAlgorithm(hlo)) {
    return "it asks for a precision (a dot algorithm) that attention's code "
           "does not have";
  }
  if (numbers.lhs_contracting_dimensions_size() != 1) {
    return "it sums over several dimensions at once, or over none";
  }
  if (!batch_first) {
    return "its batch dimensions are not the same first ones of both operands";
  }
  if (hlo.operand(0)->shape().rank() != batch + 2 ||
      hlo.operand(1)->shape().rank() != batch + 2) {
    return "its operands are no matrices, or batches of them";
  }
  return "";
}

bool IsPlainProduct(const HloInstruction& hlo) {
  return WhyNotPlainProduct(hlo).empty();
}

const HloInstruction* SkipBitcasts(const HloInstruction* hlo) {
  while (hlo->opcode() == HloOpcode::kBitcast) hlo = hlo->operand(0);
  return hlo;
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

// The group of two dots whose operands are read as they are.
std::optional<AttentionGroup> FindProducts(const HloInstruction& second,
                                           AttentionRefusal& refusal) {
  refusal.where = &second;
  refusal.reason = WhyNotPlainProduct(second);
  if (!refusal.reason.empty()) return std::nullopt;
  const Shape& left = second.operand(0)->shape();
  if (second.attrs<DotAttrs>().dot_dimension_numbers.lhs_contracting_dimensions(
          0) != left.rank() - 1) {
    refusal.reason =
        "it does not sum over the last dimension of its left operand, the "
        "weights";
    return std::nullopt;
  }
  const int64_t columns = LastDimension(left);
  if (columns == 0) {
    refusal.reason = "the weights have no elements";
    return std::nullopt;
  }
  refusal.where = second.operand(0);
  const HloInstruction* middle = OnlyReadHere(second.operand(0));
  if (middle == nullptr) {
    refusal.reason = "something else reads the weights, too";
    refusal.is_shared = true;
    return std::nullopt;
  }
  refusal.where = middle;
  if (!WorksOnRows(*middle, ShapeUtil::ElementsIn(left) / columns, columns)) {
    refusal.reason =
        "what is between the products is not one kernel that computes row by "
        "row";
    // Of few columns reductions are computed by element.
    refusal.not_by_rows = columns >= kMinColumns;
    if (columns < kMinColumns) refusal.reason = kFewColumns;
    return std::nullopt;
  }
  refusal.middle = middle;
  refusal.not_by_rows = true;
  refusal.reason = "it reads no product of the dimensions of the weights";
  for (int64_t i = 0; i < middle->operand_count(); ++i) {
    const HloInstruction* product = SkipBitcasts(middle->operand(i));
    if (product->opcode() != HloOpcode::kDot) continue;
    const HloInstruction* first = OnlyReadHere(middle->operand(i));
    const absl::string_view why =
        first == nullptr ? "something else reads the scores, too"
        : first->shape().dimensions() != left.dimensions()
            ? "the scores have other dimensions than the weights, or another "
              "order of them"
        : !ReadsOwnRows(*middle, i)
            ? "a row of the weights needs scores of other rows"
            : WhyNotPlainProduct(*first);
    if (!why.empty()) {
      refusal.where = refusal.first = product;
      refusal.reason = why;
      refusal.not_by_rows = false;
      refusal.is_shared = first == nullptr;
      continue;
    }
    return AttentionGroup{first,
                          middle,
                          i,
                          &second,
                          first->operand(0),
                          first->operand(1),
                          second.operand(1),
                          &second};
  }
  return std::nullopt;
}

// The dimensions of memory of an operand of a dot, by what the dot does with
// them; those of a result are its batch, its rows (as `contracted`) and its
// columns (as `free`).
struct MatrixView {
  StridedDims batch, free, contracted;
};

MatrixView ByRole(const StridedView& view, int64_t batch, int64_t contracted) {
  const std::vector<StridedDims>& dims = view.dimensions();
  MatrixView matrix;
  if (batch > 0) matrix.batch = dims[0];
  matrix.contracted = dims[contracted];
  matrix.free = dims[2 * batch + 1 - contracted];
  return matrix;
}

bool IsMove(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kBitcast ||
         hlo.opcode() == HloOpcode::kTranspose ||
         hlo.opcode() == HloOpcode::kBroadcast;
}

// A fusion that may be one of moves, which StridedView knows.
bool IsMoveFusion(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kFusion && hlo.operand_count() == 1 &&
         hlo.attrs<FusionAttrs>().kind == FusionKind::kLoop;
}

int64_t BatchDimensions(const HloInstruction& dot) {
  return dot.attrs<DotAttrs>()
      .dot_dimension_numbers.lhs_batch_dimensions_size();
}

// The view of operand `i` that moves make of `source`.
std::optional<MatrixView> ViewOfOperand(const HloInstruction& dot, int i,
                                        const HloInstruction* source) {
  std::vector<const HloInstruction*> moves;
  for (const HloInstruction* hlo = dot.operand(i); hlo != source;
       hlo = hlo->operand(0)) {
    moves.push_back(hlo);
  }
  if (ShapeUtil::ElementsIn(source->shape()) == 0) return std::nullopt;
  std::optional<StridedView> view = StridedView::Of(source->shape());
  for (auto it = moves.rbegin(); it != moves.rend(); ++it) {
    view = view->Through(**it);
    if (!view.has_value()) return std::nullopt;
  }
  const DotDimensionNumbers& numbers =
      dot.attrs<DotAttrs>().dot_dimension_numbers;
  return ByRole(*view, BatchDimensions(dot),
                i == 0 ? numbers.lhs_contracting_dimensions(0)
                       : numbers.rhs_contracting_dimensions(0));
}

std::optional<MatrixView> ViewOfResult(const HloInstruction& dot,
                                       const HloInstruction& last) {
  if (ShapeUtil::ElementsIn(last.shape()) == 0) return std::nullopt;
  std::optional<StridedView> view = StridedView::Of(last.shape());
  for (const HloInstruction* hlo = &last; hlo != &dot; hlo = hlo->operand(0)) {
    view = view->Before(*hlo);
    if (!view.has_value()) return std::nullopt;
  }
  const int64_t batch = BatchDimensions(dot);
  return ByRole(*view, batch, /*contracted=*/batch);
}

bool IsContiguous(const StridedDims& dims) {
  return dims.empty() || (dims.size() == 1 && dims[0].stride == 1);
}

// Finds out whether a matrix consists of contiguous rows of `columns` that do
// not overlap, or else of such columns, and the stride between these. Only
// where `many_rows` may there be several dimensions of rows, whose strides are
// not that one then. False if it is neither.
bool FindMatrixStride(const StridedDims& columns, const StridedDims& rows,
                      bool many_rows, bool& by_rows, int64_t& stride) {
  const auto is_stride = [&](const StridedDims& inner,
                             const StridedDims& outer) {
    const int64_t length = inner.empty() ? 1 : inner[0].size;
    if (outer.empty()) {
      stride = length;
      return true;
    }
    stride = outer[0].stride;
    return std::all_of(outer.begin(), outer.end(), [&](const StridedDim& dim) {
      return dim.stride >= length;
    });
  };
  by_rows = true;
  if (IsContiguous(columns) && (many_rows || rows.size() <= 1) &&
      is_stride(columns, rows)) {
    return true;
  }
  by_rows = false;
  return IsContiguous(rows) && columns.size() <= 1 && is_stride(rows, columns);
}

// Splits all of them until their sizes are the same; false if that cannot be.
bool SplitAllAlike(absl::Span<StridedDims> all) {
  // In the second round nothing has to be split for a later one.
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 1; i < all.size(); ++i) {
      if (!SplitAlike(all[0], all[i])) return false;
    }
  }
  return true;
}

// Returns the array furthest up from operand `i` through moves, one of which is
// no bitcast, that can be read in place; if there is none the operand itself.
// Only with `many_rows` may rows of a left operand lie in several dimensions.
const HloInstruction* FindSource(const HloInstruction& dot, int i,
                                 bool many_rows) {
  const HloInstruction* found = dot.operand(i);
  bool moves = false;
  for (const HloInstruction* hlo = found; IsMove(*hlo) || IsMoveFusion(*hlo);) {
    moves |= hlo->opcode() != HloOpcode::kBitcast;
    hlo = hlo->operand(0);
    if (!moves) continue;
    const auto view = ViewOfOperand(dot, i, hlo);
    bool by_rows;
    int64_t stride;
    if (view.has_value() &&
        FindMatrixStride(view->contracted, view->free, many_rows && i == 0,
                         by_rows, stride)) {
      found = hlo;
    }
  }
  return found;
}

// Returns what is the furthest down from the dot's result through moves, one of
// which is no bitcast, each of which alone reads what is before it, and can be
// written in place; if there is nothing the dot itself.
const HloInstruction* FindLast(const HloInstruction& dot) {
  const HloInstruction* found = &dot;
  bool moves = false;
  for (const HloInstruction* hlo = &dot; IsReadOnce(*hlo);) {
    hlo = hlo->users()[0];
    if (!IsMove(*hlo) || hlo->opcode() == HloOpcode::kBroadcast) break;
    moves |= hlo->opcode() != HloOpcode::kBitcast;
    if (!moves) continue;
    const auto view = ViewOfResult(dot, *hlo);
    bool by_rows;
    int64_t stride;
    if (view.has_value() &&
        FindMatrixStride(view->free, view->contracted, /*many_rows=*/true,
                         by_rows, stride) &&
        by_rows) {
      found = hlo;
    }
  }
  return found;
}

}  // namespace

std::optional<AttentionGroup> FindAttention(const HloInstruction& second,
                                            AttentionRefusal* refusal) {
  AttentionRefusal unread;
  if (refusal == nullptr) refusal = &unread;
  std::optional<AttentionGroup> group = FindProducts(second, *refusal);
  if (!group.has_value()) return std::nullopt;
  AttentionGroup moved = *group;
  moved.lhs = FindSource(*group->first, 0, /*many_rows=*/true);
  moved.rhs = FindSource(*group->first, 1, /*many_rows=*/true);
  moved.values = FindSource(*group->second, 1, /*many_rows=*/true);
  moved.last = FindLast(*group->second);
  // Each of them can be read or written in place, but the dimensions of the
  // batch may be divided in too many ways.
  if (FindStrides(moved).has_value()) return moved;
  if (FindStrides(*group).has_value()) return group;
  *refusal = {
      "queries, keys, values or the result lie in memory in an order "
      "in which neither rows nor columns of a matrix are contiguous",
      &second, group->first, group->middle};
  return std::nullopt;
}

std::optional<AttentionStrides> FindStrides(const AttentionGroup& group) {
  const auto lhs = ViewOfOperand(*group.first, 0, group.lhs);
  const auto rhs = ViewOfOperand(*group.first, 1, group.rhs);
  const auto values = ViewOfOperand(*group.second, 1, group.values);
  const auto out = ViewOfResult(*group.second, *group.last);
  if (!lhs.has_value() || !rhs.has_value() || !values.has_value() ||
      !out.has_value()) {
    return std::nullopt;
  }
  AttentionStrides strides;
  if (!FindMatrixStride(lhs->contracted, lhs->free, /*many_rows=*/true,
                        strides.lhs_by_rows, strides.lhs_stride) ||
      !FindMatrixStride(rhs->contracted, rhs->free, /*many_rows=*/false,
                        strides.rhs_by_rows, strides.rhs_stride) ||
      !FindMatrixStride(values->free, values->contracted, /*many_rows=*/false,
                        strides.values_by_rows, strides.values_stride)) {
    return std::nullopt;
  }
  bool out_by_rows;
  int64_t out_stride;
  if (!FindMatrixStride(out->free, out->contracted, /*many_rows=*/true,
                        out_by_rows, out_stride) ||
      !out_by_rows) {
    return std::nullopt;
  }
  StridedDims batch[] = {lhs->batch, rhs->batch, values->batch, out->batch};
  StridedDims rows[] = {lhs->free, out->contracted};
  if (!SplitAllAlike(batch) || !SplitAllAlike(rows) ||
      (!strides.lhs_by_rows && rows[0].size() > 1)) {
    return std::nullopt;
  }
  for (size_t i = 0; i < batch[0].size(); ++i) {
    strides.batch.push_back({batch[0][i].size, batch[0][i].stride,
                             batch[1][i].stride, batch[2][i].stride,
                             batch[3][i].stride});
  }
  for (size_t i = 0; i < rows[0].size(); ++i) {
    strides.rows.push_back(
        {rows[0][i].size, rows[0][i].stride, 0, 0, rows[1][i].stride});
  }
  return strides;
}

bool IsAttentionProfitable(const AttentionGroup& group) {
  return WhyNotProfitable(group).empty();
}

absl::string_view WhyNotProfitable(const AttentionGroup& group) {
  const Shape& between = group.first->shape();
  const int64_t rank = between.rank();
  const int64_t rows = between.dimensions(rank - 2);
  const int64_t columns = between.dimensions(rank - 1);
  const int64_t row_bytes =
      columns * ShapeUtil::ByteSizeOfPrimitiveType(between.element_type());
  if (rows < kMinRows) {
    return "with fewer than 64 queries of an item of the batch, the products "
           "are faster one after the other";
  }
  if (columns < kMinColumns) return kFewColumns;
  if (row_bytes > kMaxRowBytes) {
    return "a row of scores has more than 1 MiB, which is no small part of a "
           "cache";
  }
  if (ShapeUtil::ByteSizeOf(between) < kMinBytes) {
    return "the scores have less than 256 KiB, which a core's cache keeps "
           "anyway";
  }
  const int64_t most = std::max(kMaxRightBytes, rows * row_bytes / kRightRatio);
  const int64_t first = RightBytes(*group.first);
  if (first <= most && RightBytes(*group.second) <= most - first) return "";
  return "keys and values of one item of the batch are too large to stay close "
         "to a core";
}

std::optional<AttentionGroup> FusedAttention(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kFusion ||
      hlo.attrs<FusionAttrs>().kind != FusionKind::kCustom) {
    return std::nullopt;
  }
  const HloInstruction* root =
      hlo.fused_instructions_computation()->root_instruction();
  const HloInstruction* second = root;
  while (IsMove(*second)) second = second->operand(0);
  std::optional<AttentionGroup> group = FindAttention(*second);
  if (!group.has_value() || group->last != root) return std::nullopt;
  return group;
}

std::optional<DotInPlaceGroup> FindDotInPlace(const HloInstruction& dot) {
  if (!IsPlainProduct(dot)) return std::nullopt;
  const DotInPlaceGroup group = {&dot, FindSource(dot, 0, /*many_rows=*/false),
                                 FindSource(dot, 1, /*many_rows=*/false)};
  if ((group.lhs == dot.operand(0) && group.rhs == dot.operand(1)) ||
      !FindDotStrides(group).has_value()) {
    return std::nullopt;
  }
  return group;
}

bool IsDotInPlaceProfitable(const DotInPlaceGroup& group) {
  const Shape& result = group.dot->shape();
  int64_t bytes = 0;
  for (int i = 0; i < 2; ++i) {
    const HloInstruction* source = i == 0 ? group.lhs : group.rhs;
    if (source != group.dot->operand(i)) {
      bytes += ShapeUtil::ByteSizeOf(source->shape());
    }
  }
  return bytes >= kMinMovedBytes &&
         std::min(result.dimensions(result.rank() - 2),
                  result.dimensions(result.rank() - 1)) <= kFewRows;
}

std::optional<DotInPlaceGroup> FusedDotInPlace(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kFusion ||
      hlo.attrs<FusionAttrs>().kind != FusionKind::kCustom) {
    return std::nullopt;
  }
  return FindDotInPlace(
      *hlo.fused_instructions_computation()->root_instruction());
}

std::optional<DotStrides> FindDotStrides(const DotInPlaceGroup& group) {
  auto lhs = ViewOfOperand(*group.dot, 0, group.lhs);
  auto rhs = ViewOfOperand(*group.dot, 1, group.rhs);
  if (!lhs.has_value() || !rhs.has_value()) return std::nullopt;
  DotStrides strides;
  // A result of one column is one of one row.
  strides.swapped = rhs->free.empty() && !lhs->free.empty();
  if (strides.swapped) std::swap(lhs, rhs);
  if (!SplitAlike(lhs->batch, rhs->batch)) return std::nullopt;
  // Items of one row that share a right operand are rows of one item.
  if (lhs->free.empty() && !rhs->batch.empty() &&
      rhs->batch.back().stride == 0) {
    lhs->free = {lhs->batch.back()};
    lhs->batch.pop_back();
    rhs->batch.pop_back();
  }
  if (!FindMatrixStride(lhs->contracted, lhs->free, /*many_rows=*/false,
                        strides.lhs_by_rows, strides.lhs_stride) ||
      !FindMatrixStride(rhs->free, rhs->contracted, /*many_rows=*/false,
                        strides.rhs_by_rows, strides.rhs_stride)) {
    return std::nullopt;
  }
  strides.rows = lhs->free.empty() ? 1 : lhs->free[0].size;
  strides.columns = rhs->free.empty() ? 1 : rhs->free[0].size;
  int64_t items = 1;  // that are multiplied one after the other
  for (size_t i = 0; i < lhs->batch.size(); ++i) {
    if (i + 1 < lhs->batch.size()) items *= lhs->batch[i].size;
    strides.batch.push_back(
        {lhs->batch[i].size, lhs->batch[i].stride, rhs->batch[i].stride});
  }
  if (!strides.batch.empty() &&
      (strides.batch.back().lhs == 0 || strides.batch.back().rhs == 0)) {
    return std::nullopt;
  }
  if (items > kMostItems) return std::nullopt;
  return strides;
}

}  // namespace xla::cpu
