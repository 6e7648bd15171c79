// Splits groups of dimensions first, then narrow columns, then chunks.
#include "xla/hlo/transforms/fuse/reduction_splitter.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

// Returns the largest divisor of `n` up to `limit`.
int64_t DivisorUpTo(int64_t n, int64_t limit) {
  for (int64_t d = std::min(n, limit); d > 1; --d) {
    if (n % d == 0) return d;
  }
  return 1;
}

class Splitter {
 public:
  Splitter(const FusionBackend& backend, Hlo reduce, HloOpcode opcode)
      : backend_(backend),
        chunks_(backend.reduction_chunks()),
        reduce_(reduce),
        opcode_(opcode),
        emit_(reduce),
        x_(reduce->mutable_operand(0)),
        sizes_(x_->shape().dimensions().begin(),
               x_->shape().dimensions().end()),
        dimensions_(reduce->attrs<ReduceAttrs>().dimensions) {
    std::sort(dimensions_.begin(), dimensions_.end());
  }

  // Makes several reductions of this one and returns the replacement, or null
  // if it stays whole. Appends the new reductions to `made`.
  Hlo Split(std::vector<Hlo>& made) {
    made_ = &made;
    if (dimensions_.empty() ||
        ShapeUtil::ElementsIn(x_->shape()) < chunks_.min_elements) {
      return nullptr;
    }
    if (dimensions_.back() - dimensions_.front() + 1 !=
        static_cast<int64_t>(dimensions_.size())) {
      return SplitGroups();
    }
    const auto part = [&](size_t begin, size_t end) {
      return Product(absl::MakeSpan(sizes_).subspan(begin, end - begin));
    };
    outer_ = part(0, dimensions_.front());
    reduced_ = part(dimensions_.front(), dimensions_.back() + 1);
    inner_ = part(dimensions_.back() + 1, sizes_.size());
    if (inner_ > 1 && inner_ < chunks_.narrow_columns) return Widen();
    if (inner_ == 1) {
      return outer_ < chunks_.workgroups ? SplitRows() : nullptr;
    }
    const int64_t blocks = CeilOfRatio(inner_, chunks_.block_columns);
    return outer_ * blocks < chunks_.workgroups ? SplitColumns() : nullptr;
  }

 private:
  // Returns the identity, for all partial results but one, so that the initial
  // value counts once.
  Hlo Identity() {
    const PrimitiveType type = reduce_->shape().element_type();
    switch (opcode_) {
      case HloOpcode::kAdd:
        return emit_.Number(
            type, primitive_util::IsFloatingPointType(type) ? -0.0 : 0);
      case HloOpcode::kMultiply:
        return emit_.Number(type, 1);
      case HloOpcode::kXor:
        return emit_.Zero(type);
      default:
        // Uses the initial value itself, since combining it again changes
        // nothing.
        return reduce_->mutable_operand(1);
    }
  }

  Hlo Reduce(Hlo x, Hlo init, Dims dimensions) {
    Dims left;
    for (size_t d = 0; d < x->shape().dimensions().size(); ++d) {
      if (std::find(dimensions.begin(), dimensions.end(), d) ==
          dimensions.end()) {
        left.push_back(x->shape().dimensions(d));
      }
    }
    ReduceAttrs attrs;
    attrs.dimensions = std::move(dimensions);
    Hlo result =
        emit_.Add(reduce_->opcode(),
                  emit_.MakeShape(reduce_->shape().element_type(), left),
                  {x, init}, std::move(attrs), {reduce_->to_apply()});
    made_->push_back(result);
    return result;
  }

  Hlo Init() { return reduce_->mutable_operand(1); }

  static Dims Range(int64_t begin, int64_t end) {
    Dims result;
    for (int64_t d = begin; d < end; ++d) result.push_back(d);
    return result;
  }

  // Reduces the last dimensions that are next to each other, then the others;
  // the other way round where the last ones would be short rows.
  Hlo SplitGroups() {
    size_t first = dimensions_.size() - 1;
    while (first > 0 && dimensions_[first - 1] + 1 == dimensions_[first]) {
      --first;
    }
    const Dims last(dimensions_.begin() + first, dimensions_.end());
    const Dims rest(dimensions_.begin(), dimensions_.begin() + first);
    const int64_t row = Product(sizes_, last);
    if (row >= chunks_.narrow_columns || row >= Product(sizes_, rest)) {
      return Reduce(Reduce(x_, Identity(), last), Init(), rest);
    }
    const int64_t gone = static_cast<int64_t>(rest.size());
    return Reduce(Reduce(x_, Identity(), rest), Init(),
                  Range(last.front() - gone, last.back() + 1 - gone));
  }

  // Reduces columns that are fewer than the lanes of a vector.
  Hlo Widen() {
    const int64_t front = dimensions_.front();
    if (reduced_ * inner_ < chunks_.wide_columns) return nullptr;
    const FusionRole role = backend_.RoleOf(*x_);
    const bool in_memory =
        role == FusionRole::kOpaque || role == FusionRole::kReshape;
    if (!in_memory) {
      // The operand is computed anyway, so compute it in an order that turns
      // columns into rows.
      Dims permutation = Range(0, front);
      const Dims inner = Range(dimensions_.back() + 1, sizes_.size());
      permutation.insert(permutation.end(), inner.begin(), inner.end());
      permutation.insert(permutation.end(), dimensions_.begin(),
                         dimensions_.end());
      return Reduce(emit_.Transpose(x_, permutation), Init(),
                    Range(front + inner.size(), sizes_.size()));
    }
    const int64_t together =
        DivisorUpTo(reduced_, chunks_.wide_columns / inner_);
    if (together * inner_ < chunks_.narrow_columns || reduced_ / together < 4)
      return nullptr;
    Dims wide(sizes_.begin(), sizes_.begin() + front);
    Dims parts = wide;
    wide.push_back(reduced_ / together);
    wide.push_back(together * inner_);
    parts.push_back(together);
    parts.insert(parts.end(), sizes_.begin() + dimensions_.back() + 1,
                 sizes_.end());
    Hlo partial = Reduce(emit_.Reshape(x_, wide), Identity(), {front});
    return Reduce(emit_.Reshape(partial, parts), Init(), {front});
  }

  // Reshapes `x` so that dimension `d` is in chunks of `size`: [..., chunks,
  // size, ...].
  Hlo Cut(Hlo x, int64_t d, int64_t size) {
    const auto& dims = x->shape().dimensions();
    Dims cut(dims.begin(), dims.begin() + d);
    cut.push_back(dims[d] / size);
    cut.push_back(size);
    cut.insert(cut.end(), dims.begin() + d + 1, dims.end());
    return emit_.Reshape(x, cut);
  }

  // Splits dimension `d` into chunks of `size`, which need not divide it.
  // Reduces the dimensions from `d` to `end` first.
  Hlo InChunks(int64_t d, int64_t size, int64_t end) {
    const int64_t front = dimensions_.front();
    if (size == 1) {
      return Reduce(Reduce(x_, Identity(), Range(d + 1, end)), Init(),
                    Range(front, d + 1));
    }
    const int64_t whole = RoundDownTo(sizes_[d], size);
    Hlo main = whole == sizes_[d] ? x_ : emit_.SliceDim(x_, d, 0, whole);
    Hlo partial = Reduce(Cut(main, d, size), Identity(), Range(d + 1, end + 1));
    Hlo result = Reduce(partial, Init(), Range(front, d + 1));
    if (whole == sizes_[d]) return result;
    Hlo tail = Reduce(emit_.SliceDim(x_, d, whole, sizes_[d]), Identity(),
                      dimensions_);
    return emit_.Binary(opcode_, result, tail);
  }

  Hlo SplitRows() {
    // `d` is the outermost dimension with at most a chunk of elements inside.
    int64_t behind = 1;
    int64_t d = dimensions_.back();
    while (d > dimensions_.front() && behind * sizes_[d] <= chunks_.row_chunk) {
      behind *= sizes_[d--];
    }
    const int64_t most = std::max<int64_t>(1, chunks_.row_chunk / behind);
    int64_t size = DivisorUpTo(sizes_[d], most);
    if (size * behind < chunks_.min_row_chunk) size = most;
    if (reduced_ / (size * behind) < 2) return nullptr;
    return InChunks(d, size, dimensions_.back() + 1);
  }

  Hlo SplitColumns() {
    int64_t behind = 1;  // rows
    int64_t d = dimensions_.back();
    while (d > dimensions_.front() &&
           behind * sizes_[d] * inner_ <= chunks_.column_chunk) {
      behind *= sizes_[d--];
    }
    const int64_t most = std::max(chunks_.column_chunk / (behind * inner_),
                                  CeilOfRatio(chunks_.min_chunk_rows, behind));
    int64_t size = DivisorUpTo(sizes_[d], most);
    if (size * behind < chunks_.min_chunk_rows) size = most;
    if (reduced_ / (size * behind) < chunks_.min_chunks) return nullptr;
    return InChunks(d, size, dimensions_.back() + 1);
  }

  const FusionBackend& backend_;
  const ReductionChunks& chunks_;
  Hlo reduce_;
  const HloOpcode opcode_;
  HloBuilder emit_;
  Hlo x_;
  const Dims sizes_;
  Dims dimensions_;
  int64_t outer_ = 1;
  int64_t reduced_ = 1;
  int64_t inner_ = 1;
  std::vector<Hlo>* made_ = nullptr;
};

absl::StatusOr<bool> RunOnComputation(const FusionBackend& backend,
                                      HloComputation* computation) {
  std::vector<Hlo> pending;
  for (Hlo hlo : computation->MakeInstructionPostOrder()) {
    if (hlo->def().reduces) pending.push_back(hlo);
  }
  bool changed = false;
  while (!pending.empty()) {
    Hlo reduce = pending.back();
    pending.pop_back();
    if (backend.RoleOf(*reduce) != FusionRole::kReduce ||
        !reduce->shape().IsArray()) {
      continue;
    }
    const std::optional<HloOpcode> opcode = OneOpOf(*reduce->to_apply());
    if (!opcode.has_value()) continue;
    std::vector<Hlo> made;
    Hlo result = Splitter(backend, reduce, *opcode).Split(made);
    if (result == nullptr) continue;
    TF_RETURN_IF_ERROR(reduce->ReplaceAllUsesWith(result));
    TF_RETURN_IF_ERROR(computation->RemoveInstruction(reduce));
    pending.insert(pending.end(), made.begin(), made.end());
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> ReductionSplitter::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (computation->IsFusionComputation()) continue;
    TF_ASSIGN_OR_RETURN(bool one, RunOnComputation(*backend_, computation));
    changed |= one;
  }
  return changed;
}

}  // namespace xla
