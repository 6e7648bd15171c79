// Matches transposes of parts of dimensions around a dot.
#include "xla/hlo/transforms/linear/dot_transpose_folding.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

// The least rows and columns of each product. Fewer are not worth a batch.
constexpr int64_t kLeastRows = 8;
constexpr int64_t kLeastColumns = 64;
// The lanes of the longest vectors, and the most by which those of a row may
// exceed its columns: transposes take a tenth to a third of a product's time.
constexpr int64_t kLanes = 16;
constexpr double kMostPadding = 1.15;

// What a transpose does with an array of dimensions [batch, first, second],
// each of which may be several of the program's: it makes [batch, second,
// first] of it, or [first, batch, second] if `swaps_batch`.
struct PartsMoved {
  int64_t batch, first, second;
  bool swaps_batch;
};

// Nullopt for other transposes.
std::optional<PartsMoved> PartsMovedBy(const HloInstruction& transpose) {
  const Shape& from = transpose.operand(0)->shape();
  const std::vector<int64_t>& order =
      transpose.attrs<TransposeAttrs>().dimensions;
  // Numbers the dimensions that have more than one element.
  std::vector<int64_t> numbers;
  int64_t count = 0;
  for (const int64_t size : from.dimensions()) {
    numbers.push_back(size == 1 ? -1 : count++);
  }
  struct Part {
    int64_t first, last, size;
  };
  std::vector<Part> parts;  // in the order of the result
  for (const int64_t d : order) {
    const int64_t number = numbers[d], size = from.dimensions(d);
    if (number < 0) continue;
    if (!parts.empty() && parts.back().last + 1 == number) {
      parts.back().last = number;
      parts.back().size *= size;
    } else {
      parts.push_back({number, number, size});
    }
  }
  const auto follows = [&](int a, int b) {
    return parts[a].last + 1 == parts[b].first;
  };
  if (parts.size() == 2) {
    return PartsMoved{1, parts[1].size, parts[0].size, false};
  }
  if (parts.size() != 3) return std::nullopt;
  if (parts[0].first == 0 && follows(0, 2) && follows(2, 1)) {
    return PartsMoved{parts[0].size, parts[2].size, parts[1].size, false};
  }
  if (parts[1].first == 0 && follows(1, 0) && follows(0, 2)) {
    return PartsMoved{parts[1].size, parts[0].size, parts[2].size, true};
  }
  return std::nullopt;
}

bool IsReshape(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kReshape ||
         (hlo.opcode() == HloOpcode::kBitcast &&
          hlo.shape().element_type() == hlo.operand(0)->shape().element_type());
}

bool IsPlain(const HloInstruction& hlo) {
  return hlo.shape().is_static() && !hlo.HasControlDependencies();
}

// Returns the transpose that is `hlo`, behind reshapes, of which nothing else
// is read; null if there is none.
const HloInstruction* TransposeBefore(const HloInstruction* hlo) {
  while (IsReshape(*hlo) && IsPlain(*hlo) && hlo->user_count() == 1) {
    hlo = hlo->operand(0);
  }
  return hlo->opcode() == HloOpcode::kTranspose && IsPlain(*hlo) &&
                 hlo->user_count() == 1 && !hlo->IsRoot()
             ? hlo
             : nullptr;
}

// Returns the transpose that alone reads `hlo`, behind reshapes; null if there
// is none.
HloInstruction* TransposeAfter(HloInstruction* hlo) {
  while (!hlo->IsRoot() && hlo->user_count() == 1) {
    hlo = hlo->users()[0];
    if (!IsPlain(*hlo)) return nullptr;
    if (hlo->opcode() == HloOpcode::kTranspose) return hlo;
    if (!IsReshape(*hlo)) return nullptr;
  }
  return nullptr;
}

// A product of `rows` by `columns` for each element of a batch, with one left
// matrix for all: `matrix`, an operand of the dot, contracted over `depth`
// elements of its dimension `matrix_depth`.
struct SharedProduct {
  HloInstruction* source;  // reshaped, [batch, depth, columns]
  HloInstruction* matrix;
  int64_t matrix_depth;
  int64_t batch, rows, columns, depth;
  bool swaps_operands;
};

// Whether transposing the matrix, where it has depth first, moves fewer
// elements than the transposes before and after.
bool MovesLess(const SharedProduct& product) {
  return product.matrix_depth == 1 ||
         product.rows * product.depth <
             product.batch * product.columns * (product.rows + product.depth);
}

bool FillsVectors(int64_t columns) {
  return columns >= kLeastColumns &&
         static_cast<double>(RoundUpTo(columns, kLanes)) <=
             kMostPadding * static_cast<double>(columns);
}

// Returns the product that gives the result of `after`, if operand `side` of
// `dot` is what is transposed before.
std::optional<SharedProduct> FindProduct(const HloInstruction& dot, int side,
                                         const HloInstruction& after) {
  const DotDimensionNumbers& numbers =
      dot.attrs<DotAttrs>().dot_dimension_numbers;
  const int64_t contracted[] = {numbers.lhs_contracting_dimensions(0),
                                numbers.rhs_contracting_dimensions(0)};
  const Shape& operand = dot.operand(side)->shape();
  const Shape& matrix = dot.operand(1 - side)->shape();
  const HloInstruction* before = TransposeBefore(dot.operand(side));
  if (before == nullptr) return std::nullopt;
  const auto moved = PartsMovedBy(*before);
  const auto result = PartsMovedBy(after);
  if (!moved.has_value() || !result.has_value()) return std::nullopt;
  SharedProduct product = {
      .source = const_cast<HloInstruction*>(before->operand(0)),
      .matrix = const_cast<HloInstruction*>(dot.operand(1 - side)),
      .matrix_depth = contracted[1 - side],
      .batch = moved->batch,
      .rows = matrix.dimensions(1 - contracted[1 - side]),
      .columns = moved->second,
      .depth = moved->first,
      .swaps_operands = side == 0};
  // The operand is [batch * columns, depth] or [depth, batch * columns], and
  // the result of the dot [batch, columns, rows] or [rows, batch, columns].
  if (moved->swaps_batch != (contracted[side] == 0) ||
      operand.dimensions(contracted[side]) != product.depth ||
      result->swaps_batch != (side == 1)) {
    return std::nullopt;
  }
  const bool fits = side == 0 ? result->batch == product.batch &&
                                    result->first == product.columns &&
                                    result->second == product.rows
                              : result->batch == product.rows &&
                                    result->first == product.batch &&
                                    result->second == product.columns;
  if (!fits || product.rows < kLeastRows || !FillsVectors(product.columns) ||
      !MovesLess(product)) {
    return std::nullopt;
  }
  return product;
}

HloInstruction* Multiply(const HloInstruction& dot,
                         const SharedProduct& product, HloBuilder& emit) {
  DotAttrs attrs;
  attrs.precision_config = dot.attrs<DotAttrs>().precision_config;
  if (product.swaps_operands) SwapOperands(attrs.precision_config);
  HloInstruction* left = product.matrix;
  if (product.matrix_depth == 0) left = emit.Transpose(left, {1, 0});
  std::vector<int64_t> sizes = {product.depth, product.columns};
  DotDimensionNumbers& numbers = attrs.dot_dimension_numbers;
  const int64_t batch_rank = product.batch > 1 ? 1 : 0;
  if (product.batch > 1) {
    std::vector<int64_t> repeated = DimsOf(left);
    repeated.insert(repeated.begin(), product.batch);
    left = emit.Broadcast(left, repeated, {1, 2});
    sizes.insert(sizes.begin(), product.batch);
    numbers.add_lhs_batch_dimensions(0);
    numbers.add_rhs_batch_dimensions(0);
  }
  numbers.add_lhs_contracting_dimensions(batch_rank + 1);
  numbers.add_rhs_contracting_dimensions(batch_rank);
  HloInstruction* result =
      emit.Dot(left, emit.Reshape(product.source, sizes), std::move(attrs),
               dot.shape().element_type());
  result->set_raw_backend_config_string(dot.raw_backend_config_string());
  return result;
}

// Element-wise ops, the first of which read an array, and after which one value
// alone is read: an activation, say.
using Region = std::vector<HloInstruction*>;

bool WorksOnElementsOf(const HloInstruction& hlo, const Shape& shape) {
  return hlo.IsElementwiseOp() && hlo.opcode() != HloOpcode::kMap &&
         hlo.opcode() != HloOpcode::kCopy && IsPlain(hlo) &&
         !hlo.has_sharding() && ShapeUtil::SameDimensions(hlo.shape(), shape);
}

// Returns the ops that compute something of `source`, operands first; none if
// they are many or more than one of their values is read elsewhere.
Region RegionAfter(HloInstruction* source) {
  constexpr size_t kMostOps = 32;
  Region region;
  for (HloInstruction* hlo : source->parent()->MakeInstructionPostOrder()) {
    const auto is_computed = [&](const HloInstruction* operand) {
      return operand == source || absl::c_linear_search(region, operand);
    };
    if (!WorksOnElementsOf(*hlo, source->shape()) ||
        !absl::c_any_of(hlo->operands(), is_computed)) {
      continue;
    }
    if (region.size() == kMostOps) return {};
    region.push_back(hlo);
  }
  const auto is_exit = [&](const HloInstruction* hlo) {
    return hlo->IsRoot() || !absl::c_all_of(hlo->users(), [&](auto* user) {
             return absl::c_linear_search(region, user);
           });
  };
  if (is_exit(source) || absl::c_count_if(region, is_exit) != 1) return {};
  return region;
}

// Returns `hlo` reshaped to `sizes`; a broadcast as one of fewer dimensions, if
// it repeats whole ones of these.
HloInstruction* Reshaped(HloInstruction* hlo, const std::vector<int64_t>& sizes,
                         HloBuilder& emit) {
  if (hlo->opcode() != HloOpcode::kBroadcast) return emit.Reshape(hlo, sizes);
  const auto along =
      ReshapedBroadcast(hlo->shape().dimensions(),
                        hlo->attrs<BroadcastAttrs>().dimensions, sizes);
  if (!along.has_value()) return emit.Reshape(hlo, sizes);
  std::vector<int64_t> kept;
  for (const int64_t d : *along) kept.push_back(sizes[d]);
  return emit.Broadcast(emit.Reshape(hlo->mutable_operand(0), kept), sizes,
                        *along);
}

// Computes what is element-wise of `reshaped`, a reshape of a product, before
// it, so that it can be computed on the product's tiles.
absl::Status MoveBehind(HloInstruction* reshaped) {
  HloInstruction* product = reshaped->mutable_operand(0);
  const Region region = RegionAfter(reshaped);
  if (region.empty()) return absl::OkStatus();
  const std::vector<int64_t> sizes = DimsOf(product);
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> moved = {
      {reshaped, product}};
  HloComputation* computation = reshaped->parent();
  for (HloInstruction* hlo : region) {
    HloBuilder emit(hlo);
    std::vector<HloInstruction*> operands;
    for (HloInstruction* operand : hlo->operands()) {
      HloInstruction*& now = moved[operand];
      if (now == nullptr) {
        now = ShapeUtil::IsScalar(operand->shape())
                  ? operand
                  : Reshaped(operand, sizes, emit);
      }
      operands.push_back(now);
    }
    TF_RETURN_IF_ERROR(emit.status());
    moved[hlo] = computation->AddInstruction(hlo->CloneWithNewOperands(
        ShapeUtil::MakeShape(hlo->shape().element_type(), sizes), operands));
  }
  // The last one goes first, and nothing is left of what others read then.
  for (auto it = region.rbegin(); it != region.rend(); ++it) {
    HloInstruction* hlo = *it;
    if (!hlo->IsRoot() && hlo->user_count() == 0) {
      TF_RETURN_IF_ERROR(computation->RemoveInstruction(hlo));
      continue;
    }
    HloBuilder emit(hlo);
    TF_RETURN_IF_ERROR(emit.ReplaceSource(
        emit.Reshape(moved[hlo], hlo->shape().dimensions())));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> FoldTransposes(HloInstruction* dot) {
  const DotDimensionNumbers& numbers =
      dot->attrs<DotAttrs>().dot_dimension_numbers;
  if (!IsPlain(*dot) || numbers.lhs_batch_dimensions_size() > 0 ||
      numbers.lhs_contracting_dimensions_size() != 1 ||
      dot->operand(0)->shape().rank() != 2 ||
      dot->operand(1)->shape().rank() != 2 ||
      ShapeUtil::ElementsIn(dot->shape()) == 0) {
    return false;
  }
  HloInstruction* after = TransposeAfter(dot);
  if (after == nullptr) return false;
  for (const int side : {0, 1}) {
    const auto product = FindProduct(*dot, side, *after);
    if (!product.has_value()) continue;
    HloInstruction* unused = after->mutable_operand(0);
    HloBuilder emit(after);
    HloInstruction* result = Multiply(*dot, *product, emit);
    HloInstruction* reshaped =
        emit.Reshape(result, after->shape().dimensions());
    TF_RETURN_IF_ERROR(emit.ReplaceSource(reshaped));
    TF_RETURN_IF_ERROR(
        reshaped->parent()->RemoveInstructionAndUnusedOperands(unused));
    if (reshaped != result) TF_RETURN_IF_ERROR(MoveBehind(reshaped));
    return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<bool> DotTransposeFolding::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    // Folding removes transposes.
    std::vector<HloInstruction*> dots;
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() == HloOpcode::kDot) dots.push_back(hlo);
    }
    for (HloInstruction* dot : dots) {
      TF_ASSIGN_OR_RETURN(const bool once, FoldTransposes(dot));
      changed |= once;
    }
  }
  return changed;
}

}  // namespace xla
