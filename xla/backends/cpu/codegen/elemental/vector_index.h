// VectorIndex: where in an array the lanes of an Element are. It stays affine
// in the lane as long as possible, so that loads know whether they are
// contiguous.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_VECTOR_INDEX_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_VECTOR_INDEX_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "llvm/IR/IRBuilder.h"
#include "xla/hlo/indexing/interval.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// The index along one dimension, or in the row-major order of an array. Lane l
// is at base + l * step, or at lanes[l] if `lanes` is set. All values are i64,
// and all arithmetic on them is exact.
struct AffineIndex {
  llvm::Value* base = nullptr;  // scalar
  int64_t step = 0;
  llvm::Value* lanes = nullptr;  // <lanes x i64>; base and step are then unused
  // If `lanes` and these are set, lane l is also at start + (*offsets)[l].
  llvm::Value* start = nullptr;  // scalar
  std::shared_ptr<const std::vector<int64_t>> offsets;
  // Known facts: the bounds of all lanes, and a number that divides base, or
  // start.
  int64_t min = 0;
  int64_t max = INT64_MAX;
  int64_t divisor = 1;
  // True if the bounds hold only for lanes that the context's mask keeps; other
  // lanes, and with them the base, may be anywhere.
  bool masked = false;
  // The position that this was derived from, so that VectorIndex::Linear can
  // reassemble it: this is `whole` / `divisor` % `size`, or without a remainder
  // if `size` is 0, and then plus `offset`, which is uniform (null: 0).
  struct Origin {
    std::shared_ptr<const AffineIndex> whole;
    int64_t divisor = 1;
    int64_t size = 0;
    std::shared_ptr<const AffineIndex> offset;
  };
  Origin origin;

  bool uniform() const { return lanes == nullptr && step == 0; }
  bool affine() const { return lanes == nullptr; }
};

// Emits arithmetic on indices of `lanes` lanes.
class AffineIndexBuilder {
 public:
  AffineIndexBuilder(llvm::IRBuilder<>& b, int lanes) : b_(b), lanes_(lanes) {}

  int lanes() const { return lanes_; }
  AffineIndex Constant(int64_t value) const;
  AffineIndex Add(const AffineIndex& x, const AffineIndex& y) const;
  AffineIndex Add(const AffineIndex& x, int64_t value) const;
  AffineIndex Multiply(const AffineIndex& x, int64_t factor) const;
  // value - x.
  AffineIndex SubtractFrom(int64_t value, const AffineIndex& x) const;
  // Quotient and remainder for x >= 0 and d >= 1. They stay affine if no lane
  // of x crosses a multiple of d.
  AffineIndex Divide(const AffineIndex& x, int64_t d) const;
  AffineIndex Remainder(const AffineIndex& x, int64_t d) const;
  // Clamps x to [low, high].
  AffineIndex Clamp(const AffineIndex& x, int64_t low, int64_t high) const;
  // x with its lanes bounded by `range`, in which they are known to be, or
  // outside of which they are masked. A uniform index is clamped: it has to be
  // valid.
  AffineIndex Within(const AffineIndex& x, Interval range) const;
  // The i64 of one lane, or the vector of all lanes.
  llvm::Value* Materialize(const AffineIndex& x) const;
  // An index with these values: uniform if scalar, else one per lane.
  AffineIndex FromValue(llvm::Value* value, int64_t min, int64_t max) const;
  // An i1 or <lanes x i1>; scalar if the index is uniform or the answer is
  // known.
  llvm::Value* Less(const AffineIndex& x, int64_t limit) const;
  llvm::Value* AtLeast(const AffineIndex& x, int64_t limit) const;

  bool IsInOneBlock(const AffineIndex& x, int64_t d) const;

 private:
  // Where lanes are that are constant distances apart: at `start` and so many
  // elements behind it. nullopt for others.
  struct Offsets {
    llvm::Value* start;
    std::vector<int64_t> lanes;
  };
  std::optional<Offsets> OffsetsOf(const AffineIndex& x) const;
  // Sets where the lanes of `x` are, whose facts are set.
  void SetOffsets(AffineIndex& x, Offsets offsets) const;

  llvm::IRBuilder<>& b_;
  const int lanes_;
};

// Finds the lanes whose indices are within an array, one bound at a time.
class InsideTest {
 public:
  InsideTest(llvm::IRBuilder<>& b, int lanes);

  // Requires that x is in `range`, and returns x with these bounds.
  AffineIndex Require(const AffineIndex& x, Interval range);
  // An i1 or <lanes x i1>: true where all requirements hold.
  llvm::Value* inside() const { return inside_; }

 private:
  void And(llvm::Value* condition);

  llvm::IRBuilder<>& b_;
  const AffineIndexBuilder t_;
  llvm::Value* inside_;
};

// Converts integers of `type`, with any number of lanes, to i64; larger ones
// become the largest i64.
llvm::Value* IndexFromInteger(llvm::IRBuilder<>& b, llvm::Value* value,
                              PrimitiveType type);

// The index of `lanes` elements of an array. It has the terms of the
// dimensions, or `linear`, the position in row-major order, or both.
struct VectorIndex {
  int lanes = 1;
  absl::InlinedVector<AffineIndex, 6> terms;
  std::optional<AffineIndex> linear;

  // Fills `terms` from `linear` if they are missing.
  void MakeTerms(llvm::IRBuilder<>& b, absl::Span<const int64_t> dimensions);
  // The position in row-major order.
  AffineIndex Linear(llvm::IRBuilder<>& b,
                     absl::Span<const int64_t> dimensions) const;
  // The index of the same elements after a reshape.
  VectorIndex Reshaped(llvm::IRBuilder<>& b, absl::Span<const int64_t> from,
                       absl::Span<const int64_t> to) const;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_VECTOR_INDEX_H_
