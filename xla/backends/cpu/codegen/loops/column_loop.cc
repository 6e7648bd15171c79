// Loops over vectors of rows. The columns of all outputs are computed one after
// the other, so that values which several of them need are computed once; then
// they are transposed to rows, in registers, and stored.
#include "xla/backends/cpu/codegen/loops/column_loop.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "llvm/Analysis/VectorUtils.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/backends/cpu/codegen/llvm_ir/transpose_vectors.h"
#include "xla/backends/cpu/codegen/plans/tile_plan.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

// So many columns are interleaved by shuffles of all of them, and stored in
// vectors that contain several rows.
constexpr int64_t kMaxInterleaved = 4;

class ColumnLoop {
 public:
  ColumnLoop(ElementalEmitter& emitter, const ColumnPlan& plan,
             absl::Span<const LoopOutput> outputs, bool in_place)
      : emitter_(emitter),
        b_(emitter.b()),
        plan_(plan),
        outputs_(outputs),
        in_place_(in_place) {}

  absl::Status Emit(llvm::Value* begin, llvm::Value* end) {
    return EmitFor(b_, begin, end, 1, [&](llvm::Value* workgroup) {
      return EmitWorkgroup(workgroup);
    });
  }

 private:
  absl::Status EmitWorkgroup(llvm::Value* workgroup) {
    ElementalEmitter::Scope scope(emitter_);
    VectorIndex place{.lanes = 1};
    place.linear =
        AffineIndex{.base = workgroup, .min = 0, .max = plan_.workgroups() - 1};
    place.MakeTerms(b_, {plan_.outer, plan_.bands});
    outer_ = VectorIndex{.lanes = 1};
    outer_.linear = place.terms[0];
    outer_.MakeTerms(b_, plan_.shape->dimensions().first(
                             plan_.shape->dimensions().size() - 2));
    llvm::Value* first =
        b_.CreateMul(place.terms[1].base, b_.getInt64(plan_.band));
    llvm::Value* end =
        AtMost(b_, b_.CreateAdd(first, b_.getInt64(plan_.band)), plan_.rows);
    return EmitFor(b_, first, end, plan_.lanes,
                   [&](llvm::Value* row) { return EmitRowsAt(row); });
  }

  absl::Status EmitRowsAt(llvm::Value* row) {
    const int lanes = plan_.lanes;
    if (plan_.rows % lanes == 0) {
      return EmitRows({.base = row, .step = 1, .divisor = lanes}, lanes);
    }
    const int64_t last = plan_.rows - lanes;
    if (!in_place_) {
      // The last vector begins earlier and computes some rows again.
      return EmitRows({.base = AtMost(b_, row, last), .step = 1}, lanes);
    }
    llvm::Value* whole = b_.CreateICmpSLE(row, b_.getInt64(last));
    TF_RETURN_IF_ERROR(EmitWhen(b_, whole, [&] {
      return EmitRows({.base = row, .step = 1, .divisor = lanes}, lanes);
    }));
    return EmitWhen(b_, b_.CreateNot(whole), [&] {
      return EmitFor(b_, row, b_.getInt64(plan_.rows), 1,
                     [&](llvm::Value* r) { return EmitRows({.base = r}, 1); });
    });
  }

  // Computes and stores all columns of `lanes` rows.
  absl::Status EmitRows(AffineIndex row, int lanes) {
    ElementalEmitter::Scope scope(emitter_);
    row.min = 0;
    row.max = plan_.rows - 1;
    std::vector<std::vector<llvm::Value*>> columns(outputs_.size());
    for (int64_t c = 0; c < plan_.columns; ++c) {
      const AffineIndex column = AffineIndexBuilder(b_, lanes).Constant(c);
      for (size_t i = 0; i < outputs_.size(); ++i) {
        const HloInstruction* value = BeforeReshapes(outputs_[i].value);
        TF_ASSIGN_OR_RETURN(Element element,
                            emitter_.Emit(value, IndexAt(row, column, lanes)));
        columns[i].push_back(ToMemory(b_, value->shape().element_type(),
                                      Splat(b_, element, lanes).value));
      }
    }
    // All loads come before any store: an output may overlap an input.
    for (size_t i = 0; i < outputs_.size(); ++i) {
      Store(outputs_[i], row, columns[i], lanes);
    }
    return absl::OkStatus();
  }

  // Stores columns of `lanes` rows each, in memory form.
  void Store(const LoopOutput& output, const AffineIndex& row,
             const std::vector<llvm::Value*>& columns, int lanes) {
    if (lanes == 1) {
      for (int64_t c = 0; c < plan_.columns; ++c) {
        StoreAt(output, RowPlus(row, 0), c, columns[c], 1);
      }
      return;
    }
    if (plan_.columns <= kMaxInterleaved) {
      return StoreInterleaved(output, row, columns);
    }
    // Blocks of as many columns as a power of two; the last one overlaps the
    // one before.
    const int64_t block = std::bit_floor(
        static_cast<uint64_t>(std::min<int64_t>(lanes, plan_.columns)));
    for (int64_t c = 0; c < plan_.columns; c += block) {
      const int64_t first = std::min(c, plan_.columns - block);
      for (int64_t r = 0; r < lanes; r += block) {
        std::vector<llvm::Value*> square;
        for (int64_t i = 0; i < block; ++i) {
          square.push_back(Lanes(columns[first + i], r, block));
        }
        const std::vector<llvm::Value*> rows = TransposeVectors(b_, square);
        for (int64_t i = 0; i < block; ++i) {
          StoreAt(output, RowPlus(row, r + i), first, rows[i],
                  static_cast<int>(block));
        }
      }
    }
  }

  // Stores few columns, all rows at once.
  void StoreInterleaved(const LoopOutput& output, const AffineIndex& row,
                        const std::vector<llvm::Value*>& columns) {
    const int lanes = plan_.lanes;
    const int count = static_cast<int>(plan_.columns);
    llvm::Value* all = llvm::concatenateVectors(b_, columns);
    for (int64_t first = 0; first < int64_t{count} * lanes; first += lanes) {
      std::vector<int> mask;
      for (int64_t e = first; e < first + lanes; ++e) {
        mask.push_back(static_cast<int>(e % count * lanes + e / count));
      }
      StoreAt(output, RowPlus(row, 0), first, b_.CreateShuffleVector(all, mask),
              lanes);
    }
  }

  // The lanes [first, first + count) of a vector.
  llvm::Value* Lanes(llvm::Value* vector, int64_t first, int64_t count) {
    if (count == plan_.lanes) return vector;
    std::vector<int> mask(count);
    std::iota(mask.begin(), mask.end(), static_cast<int>(first));
    return b_.CreateShuffleVector(vector, mask);
  }

  AffineIndex RowPlus(const AffineIndex& row, int64_t more) {
    AffineIndex result = row;
    result.step = 0;
    if (more > 0) {
      result.base = b_.CreateAdd(row.base, b_.getInt64(more), "", true, true);
      result.divisor = 1;
    }
    return result;
  }

  // Stores `count` elements of memory form, from `column` of a row on; they may
  // go on in the next rows.
  void StoreAt(const LoopOutput& output, const AffineIndex& row, int64_t column,
               llvm::Value* value, int count) {
    const Shape& shape = BeforeReshapes(output.value)->shape();
    const AffineIndexBuilder t(b_, count);
    VectorIndex index{.lanes = count};
    index.linear = IndexAt(row, t.Constant(0), count)
                       .Linear(b_, plan_.shape->dimensions());
    AffineIndex columns = t.Constant(column);
    columns.step = count > 1 ? 1 : 0;
    columns.divisor = column == 0 ? 0 : column;
    index.linear = t.Add(*index.linear, columns);
    output.array.WithShape(&shape).Store(
        emitter_.context(), index,
        {FromMemory(b_, shape.element_type(), value)});
  }

  VectorIndex IndexAt(const AffineIndex& row, const AffineIndex& column,
                      int lanes) {
    VectorIndex index{.lanes = lanes};
    index.terms = outer_.terms;
    index.terms.push_back(row);
    index.terms.push_back(column);
    return index;
  }

  ElementalEmitter& emitter_;
  llvm::IRBuilder<>& b_;
  const ColumnPlan& plan_;
  const absl::Span<const LoopOutput> outputs_;
  const bool in_place_;
  VectorIndex outer_;
};

}  // namespace

absl::Status EmitColumnLoop(ElementalEmitter& emitter, const ColumnPlan& plan,
                            absl::Span<const LoopOutput> outputs,
                            llvm::Value* begin, llvm::Value* end,
                            bool in_place) {
  return ColumnLoop(emitter, plan, outputs, in_place).Emit(begin, end);
}

}  // namespace xla::cpu
