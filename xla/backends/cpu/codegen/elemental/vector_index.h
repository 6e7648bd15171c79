// VectorIndex: where in an array the lanes of an Element are, kept affine in
// the lane as long as possible, so that loads know whether they are contiguous.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_VECTOR_INDEX_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_VECTOR_INDEX_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "llvm/IR/IRBuilder.h"
#include "xla/hlo/indexing/interval.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// The index along one dimension (or in the row-major order of an array): lane
// l is at base + l * step, or at lanes[l] where `lanes` is set. All i64; all
// arithmetic on them is exact.
struct AffineIndex {
  llvm::Value* base = nullptr;  // scalar
  int64_t step = 0;
  llvm::Value* lanes = nullptr;  // <lanes x i64>; base and step mean nothing
  // What is known: bounds of all lanes, and a number that divides base.
  int64_t min = 0;
  int64_t max = INT64_MAX;
  int64_t divisor = 1;
  // The bounds are those of lanes that the context's mask keeps; others, and
  // with them the base, may be anywhere.
  bool masked = false;
  // Where it was cut out of a position, so that VectorIndex::Linear can put
  // that together again: this is `whole` / `divisor` % `size` (0: no
  // remainder).
  struct Origin {
    std::shared_ptr<const AffineIndex> whole;
    int64_t divisor = 1;
    int64_t size = 0;
  };
  Origin origin;

  bool uniform() const { return lanes == nullptr && step == 0; }
  bool affine() const { return lanes == nullptr; }
};

// Emits arithmetic on terms of `lanes` lanes.
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
  // Quotient and remainder for x >= 0 and d >= 1. Stay affine where no lane of
  // x crosses a multiple of d.
  AffineIndex Divide(const AffineIndex& x, int64_t d) const;
  AffineIndex Remainder(const AffineIndex& x, int64_t d) const;
  // Into [low, high].
  AffineIndex Clamp(const AffineIndex& x, int64_t low, int64_t high) const;
  // x of lanes that are known, or masked, to be in `range`. A uniform index is
  // moved there: it has to be one that exists.
  AffineIndex Within(const AffineIndex& x, Interval range) const;
  // The i64 of one lane, or the vector of all.
  llvm::Value* Materialize(const AffineIndex& x) const;
  // A term of these values: uniform if scalar, else one each lane.
  AffineIndex FromValue(llvm::Value* value, int64_t min, int64_t max) const;
  // i1 or <lanes x i1>; scalar where the term is uniform or the answer known.
  llvm::Value* Less(const AffineIndex& x, int64_t limit) const;
  llvm::Value* AtLeast(const AffineIndex& x, int64_t limit) const;

  bool IsInOneBlock(const AffineIndex& x, int64_t d) const;

 private:
  llvm::IRBuilder<>& b_;
  const int lanes_;
};

// Finds the lanes whose indices are within an array, bound by bound.
class InsideTest {
 public:
  InsideTest(llvm::IRBuilder<>& b, int lanes);

  // Requires that x is in `range`, and returns it bounded by that.
  AffineIndex Require(const AffineIndex& x, Interval range);
  // i1 or <lanes x i1>: all that was required is so.
  llvm::Value* inside() const { return inside_; }

 private:
  void And(llvm::Value* condition);

  llvm::IRBuilder<>& b_;
  const AffineIndexBuilder t_;
  llvm::Value* inside_;
};

// Integers of `type`, of one lane or more, as i64; larger ones as the largest.
llvm::Value* IndexFromInteger(llvm::IRBuilder<>& b, llvm::Value* value,
                              PrimitiveType type);

// Of `lanes` elements of an array with some dimensions. Either the terms of
// the dimensions are given, or `linear`, the position in row-major order, or
// both.
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
