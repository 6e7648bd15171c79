// Elements of dot: loops inside the element, in the order of the operands; or
// several elements whose rows are multiplied lane by lane.
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "llvm/Analysis/VectorUtils.h"
#include "xla/backends/cpu/codegen/elemental/accumulators.h"
#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/elemental/map_terms.h"
#include "xla/backends/cpu/codegen/elementwise/elementwise.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/backends/cpu/codegen/llvm_ir/transpose_vectors.h"
#include "xla/backends/cpu/codegen/plans/loop_plan.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/linear/contraction.h"

namespace xla::cpu {
namespace {

// A dot of up to so many products for each element is straight code rather than
// a loop.
constexpr int64_t kStraightDot = 16;
// So many steps of vectors along rows are straight code.
constexpr int64_t kStraightSteps = 4;
// The least vectors in a row that repay adding up the lanes.
constexpr int64_t kLeastVectors = 2;

// Returns the contracting dimension of operand `i` if it is the only one and
// elements along it are neighbors in memory, else -1.
int64_t RowDimension(const HloInstruction& dot, int i) {
  const DotDimensionNumbers& numbers =
      dot.attrs<DotAttrs>().dot_dimension_numbers;
  const auto& contracting = i == 0 ? numbers.lhs_contracting_dimensions()
                                   : numbers.rhs_contracting_dimensions();
  if (contracting.size() != 1) return -1;
  const auto sizes = dot.operand(i)->shape().dimensions();
  for (size_t d = contracting[0] + 1; d < sizes.size(); ++d) {
    if (sizes[d] != 1) return -1;
  }
  return contracting[0];
}

bool AllUniform(const VectorIndex& index) {
  return std::all_of(index.terms.begin(), index.terms.end(),
                     [](const AffineIndex& term) { return term.uniform(); });
}

// A vector of `width` lanes that begins with those of `vector`; the others are
// zeros.
llvm::Value* Widened(llvm::IRBuilder<>& b, llvm::Value* vector, int width) {
  const int lanes = LanesOf(vector);
  if (lanes == width) return vector;
  std::vector<int> mask(width, lanes);
  std::iota(mask.begin(), mask.begin() + lanes, 0);
  if (lanes == 1) {
    return b.CreateInsertElement(
        llvm::Constant::getNullValue(WithLanes(vector->getType(), width)),
        vector, uint64_t{0});
  }
  return b.CreateShuffleVector(
      vector, llvm::Constant::getNullValue(vector->getType()), mask);
}

// Lane i of the result is the sum of the lanes of sums[i]; each has as many
// lanes as there are sums, a power of two.
llvm::Value* SumsOfLanes(llvm::IRBuilder<>& b,
                         const std::vector<llvm::Value*>& sums) {
  std::vector<llvm::Value*> left = TransposeVectors(b, sums);
  while (left.size() > 1) {
    const size_t half = left.size() / 2;
    for (size_t i = 0; i < half; ++i) {
      left[i] = left[i]->getType()->isFPOrFPVectorTy()
                    ? b.CreateFAdd(left[i], left[i + half])
                    : b.CreateAdd(left[i], left[i + half]);
    }
    left.resize(half);
  }
  return left[0];
}

// A dot of which lane l needs row l of one operand, and all lanes the same
// vector of the other.
struct RowsOfDot {
  const HloInstruction* dot = nullptr;
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;  // of the sums
  int lanes = 0;
  int64_t length = 0;  // of a row
  int shared = 0;      // the operand with the vector
  // The indices of the first element of each lane's row, and the dimensions
  // along which the rows lie.
  VectorIndex first[2];
  int64_t along[2] = {0, 0};
};

// Multiplies rows in vectors along them; the lanes of a row's sum are added up
// at the end.
class DotOfRows {
 public:
  DotOfRows(ElementalEmitter& emitter, const RowsOfDot& rows)
      : emitter_(emitter),
        context_(emitter.context()),
        b_(emitter.b()),
        rows_(rows),
        width_(context_.target.Lanes(RegisterBytes(rows.type))),
        zero_(Splat(b_, ZeroElement(b_.getContext(), rows.type), width_)) {}

  absl::StatusOr<Element> Emit() {
    std::vector<llvm::Value*> groups;
    for (int first = 0; first < rows_.lanes; first += width_) {
      TF_ASSIGN_OR_RETURN(
          llvm::Value * group,
          EmitGroup(first, std::min(width_, rows_.lanes - first)));
      groups.push_back(group);
    }
    llvm::Value* all =
        groups.size() == 1 ? groups[0] : llvm::concatenateVectors(b_, groups);
    if (LanesOf(all) == rows_.lanes) return Element{all};
    std::vector<int> mask(rows_.lanes);
    std::iota(mask.begin(), mask.end(), 0);
    return Element{b_.CreateShuffleVector(all, mask)};
  }

 private:
  // Emits the sums of `count` rows from `first` on, in the first lanes of a
  // register.
  absl::StatusOr<llvm::Value*> EmitGroup(int first, int count) {
    Accumulators sums(b_, std::vector<Element>(count, zero_));
    const int64_t rest = rows_.length % width_;
    const int64_t whole = rows_.length - rest;
    TF_RETURN_IF_ERROR(EmitFor(
        b_, b_.getInt64(0), b_.getInt64(whole), width_,
        [&](llvm::Value* at) {
          return EmitStep({.base = at,
                           .step = 1,
                           .min = 0,
                           .max = whole - 1,
                           .divisor = width_},
                          width_, first, sums);
        },
        kStraightSteps));
    if (rest > 0) {
      TF_RETURN_IF_ERROR(EmitStep({.base = b_.getInt64(whole),
                                   .step = rest > 1 ? 1 : 0,
                                   .min = whole,
                                   .max = rows_.length - 1,
                                   .divisor = width_},
                                  static_cast<int>(rest), first, sums));
    }
    std::vector<llvm::Value*> lanes;
    for (const Element& sum : sums.Get()) lanes.push_back(sum.value);
    lanes.resize(width_, zero_.value);
    return SumsOfLanes(b_, lanes);
  }

  // Adds the products of `lanes` elements from `at` on.
  absl::Status EmitStep(const AffineIndex& at, int lanes, int first,
                        Accumulators& sums) {
    ElementalEmitter::Scope scope(emitter_);
    TF_ASSIGN_OR_RETURN(Element vector,
                        EmitOperand(rows_.shared, 0, at, lanes));
    std::vector<Element> next = sums.Get();
    for (size_t row = 0; row < next.size(); ++row) {
      TF_ASSIGN_OR_RETURN(
          Element x, EmitOperand(1 - rows_.shared,
                                 first + static_cast<int>(row), at, lanes));
      TF_ASSIGN_OR_RETURN(next[row], EmitMultiplyAdd(context_, rows_.type, x,
                                                     vector, next[row]));
    }
    sums.Set(next);
    return absl::OkStatus();
  }

  // Emits elements [at, at + lanes) of lane `row`'s row, then zeros.
  absl::StatusOr<Element> EmitOperand(int i, int row, const AffineIndex& at,
                                      int lanes) {
    VectorIndex source{.lanes = lanes, .terms = rows_.first[i].terms};
    for (AffineIndex& term : source.terms) {
      if (term.step == 0) continue;
      term.base = b_.CreateAdd(term.base, b_.getInt64(row * term.step));
      term.step = 0;
      term.divisor = 1;
      term.origin = {};
    }
    source.terms[rows_.along[i]] = at;
    const HloInstruction* operand = rows_.dot->operand(i);
    TF_ASSIGN_OR_RETURN(Element element,
                        emitter_.Emit(operand, std::move(source)));
    TF_ASSIGN_OR_RETURN(element,
                        EmitConvert(context_, operand->shape().element_type(),
                                    rows_.type, element));
    return Element{Widened(b_, element.value, width_)};
  }

  ElementalEmitter& emitter_;
  EmitContext& context_;
  llvm::IRBuilder<>& b_;
  const RowsOfDot& rows_;
  const int width_;
  const Element zero_;
};

}  // namespace

absl::StatusOr<std::optional<Element>> ElementalEmitter::EmitDotOfRows(
    const HloInstruction* instruction, const VectorIndex& index,
    PrimitiveType type) {
  if (index.lanes == 1 || context_.mask != nullptr || arguments_have_lanes_ ||
      (type != F32 && type != F64 && type != S32)) {
    return std::nullopt;
  }
  TF_ASSIGN_OR_RETURN(const OpIndexing* indexing, Indexing(instruction));
  const std::vector<int64_t> sizes = indexing->reads[0].map.RangeSizes();
  const int width = context_.target.Lanes(RegisterBytes(type));
  if (sizes.size() != 1 || sizes[0] < kLeastVectors * width || width < 2) {
    return std::nullopt;
  }
  RowsOfDot rows{.dot = instruction,
                 .type = type,
                 .lanes = index.lanes,
                 .length = sizes[0]};
  const AffineIndex start = AffineIndexBuilder(b(), index.lanes).Constant(0);
  for (int i = 0; i < 2; ++i) {
    rows.along[i] = RowDimension(*instruction, i);
    if (rows.along[i] < 0) return std::nullopt;
    MapTerms terms(*this, *instruction, indexing->reads[i].map, index, {start});
    TF_ASSIGN_OR_RETURN(
        rows.first[i],
        terms.Source(instruction->operand(i)->shape().dimensions()));
    for (const AffineIndex& term : rows.first[i].terms) {
      if (!term.affine()) return std::nullopt;
    }
  }
  rows.shared = AllUniform(rows.first[0]) ? 0 : 1;
  if (AllUniform(rows.first[1 - rows.shared]) ||
      !AllUniform(rows.first[rows.shared])) {
    return std::nullopt;
  }
  TF_ASSIGN_OR_RETURN(Element sums, DotOfRows(*this, rows).Emit());
  return sums;
}

absl::StatusOr<Element> ElementalEmitter::EmitDot(
    const HloInstruction* instruction, VectorIndex& index) {
  index.MakeTerms(b(), instruction->shape().dimensions());
  TF_ASSIGN_OR_RETURN(const OpIndexing* indexing, Indexing(instruction));
  const std::vector<int64_t> sizes = indexing->reads[0].map.RangeSizes();
  const PrimitiveType result_type = instruction->shape().element_type();
  const PrimitiveType type = AccumulatorType(
      instruction->operand(0)->shape().element_type(),
      instruction->operand(1)->shape().element_type(), result_type);
  TF_ASSIGN_OR_RETURN(const std::optional<Element> of_rows,
                      EmitDotOfRows(instruction, index, type));
  if (of_rows.has_value()) {
    return EmitConvert(context_, type, result_type, *of_rows);
  }
  const Element zero =
      Splat(b(), ZeroElement(b().getContext(), type), index.lanes);
  Accumulators sum(b(), {zero});
  TF_RETURN_IF_ERROR(EmitForEach(
      b(), sizes,
      [&](absl::Span<llvm::Value* const> at) -> absl::Status {
        Scope scope(*this);
        const std::vector<AffineIndex> ranges = RangeTerms(at, sizes);
        Element sides[2];
        for (int i = 0; i < 2; ++i) {
          const HloInstruction* operand = instruction->operand(i);
          MapTerms terms(*this, *instruction, indexing->reads[i].map, index,
                         ranges);
          TF_ASSIGN_OR_RETURN(VectorIndex source,
                              terms.Source(operand->shape().dimensions()));
          TF_ASSIGN_OR_RETURN(sides[i], Emit(operand, std::move(source)));
        }
        for (int i = 0; i < 2; ++i) {
          TF_ASSIGN_OR_RETURN(
              sides[i],
              EmitConvert(context_,
                          instruction->operand(i)->shape().element_type(), type,
                          sides[i]));
        }
        TF_ASSIGN_OR_RETURN(
            Element next,
            EmitMultiplyAdd(context_, type, sides[0], sides[1], sum.Get()[0]));
        sum.Set({next});
        return absl::OkStatus();
      },
      kStraightDot));
  return EmitConvert(context_, type, result_type, sum.Get()[0]);
}

}  // namespace xla::cpu
