// Arithmetic on affine indices; conversion between row-major positions and
// dimensions.
#include "xla/backends/cpu/codegen/elemental/vector_index.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "xla/backends/cpu/codegen/llvm_ir/element.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla::cpu {
namespace {

// The constants 0, step, ..., (lanes - 1) * step.
llvm::Value* Steps(llvm::IRBuilder<>& b, int lanes, int64_t step) {
  std::vector<uint64_t> values(lanes);
  for (int l = 0; l < lanes; ++l) values[l] = static_cast<uint64_t>(l * step);
  return llvm::ConstantDataVector::get(b.getContext(), values);
}

// Quotient and remainder by a constant of lanes that are constant distances
// apart: one scalar division; the rest of each lane is known except for a
// carry.
struct Parts {
  llvm::Value* quotient;   // <lanes x i64>
  llvm::Value* remainder;  // <lanes x i64>
};

bool HasKnownSteps(const AffineIndex& x, int64_t d) {
  return x.affine() && !x.masked && x.step > 0 && x.min >= 0 &&
         x.max <= INT32_MAX && d < (1 << 30) && x.step < (1 << 20);
}

Parts DivideSteps(llvm::IRBuilder<>& b, const AffineIndex& x, int lanes,
                  int64_t d) {
  std::vector<uint32_t> quotients(lanes), remainders(lanes);
  for (int l = 0; l < lanes; ++l) {
    quotients[l] = static_cast<uint32_t>(l * x.step / d);
    remainders[l] = static_cast<uint32_t>(l * x.step % d);
  }
  llvm::LLVMContext& context = b.getContext();
  auto splat = [&](llvm::Value* value) {
    return b.CreateVectorSplat(lanes, b.CreateTrunc(value, b.getInt32Ty()));
  };
  llvm::Value* divisor = b.getInt64(d);
  llvm::Value* rest =
      b.CreateAdd(splat(b.CreateURem(x.base, divisor)),
                  llvm::ConstantDataVector::get(context, remainders));
  llvm::Value* less = b.CreateSub(rest, splat(divisor));
  // One of the two candidates is below d; the other is large as an unsigned
  // number.
  llvm::Value* remainder =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, rest, less);
  llvm::Value* carry =
      b.CreateZExt(b.CreateICmpEQ(remainder, less), rest->getType());
  llvm::Value* quotient =
      b.CreateAdd(splat(b.CreateUDiv(x.base, divisor)),
                  llvm::ConstantDataVector::get(context, quotients));
  quotient = b.CreateAdd(quotient, carry);
  llvm::Type* wide = WithLanes(b.getInt64Ty(), lanes);
  return {b.CreateZExt(quotient, wide, "", /*IsNonNeg=*/true),
          b.CreateZExt(remainder, wide, "", /*IsNonNeg=*/true)};
}

// Applies `op` to the lanes of x as 32-bit numbers if they fit: vectors of
// 64-bit quotients are slow on all processors.
template <typename Op>
llvm::Value* Narrowly(llvm::IRBuilder<>& b, const AffineIndex& x, int lanes,
                      llvm::Value* value, Op op) {
  if (x.min < 0 || x.max > INT32_MAX) return op(value);
  llvm::Type* narrow = WithLanes(b.getInt32Ty(), lanes);
  return b.CreateZExt(op(b.CreateTrunc(value, narrow)), value->getType());
}

bool IsZero(const AffineIndex& x) {
  return x.uniform() && x.min == 0 && x.max == 0;
}

// The position of which the terms of dimensions [first, *last] are all the
// parts; writes `first` to *last. nullopt if there is none.
std::optional<AffineIndex> WholeOf(const AffineIndexBuilder& t,
                                   absl::Span<const AffineIndex> terms,
                                   absl::Span<const int64_t> dimensions,
                                   size_t* last) {
  const AffineIndex::Origin& inner = terms[*last].origin;
  if (inner.whole == nullptr || inner.divisor != 1) return std::nullopt;
  AffineIndex whole = *inner.whole;
  int64_t divisor = 1;
  for (size_t i = *last + 1; i-- > 0;) {
    if (dimensions[i] == 1) continue;
    const AffineIndex::Origin& part = terms[i].origin;
    if (part.whole != inner.whole || part.divisor != divisor) break;
    whole.masked |= terms[i].masked;
    if (part.size == 0) {
      if (part.offset != nullptr) {
        whole = t.Add(whole, t.Multiply(*part.offset, divisor));
      }
      whole.min = std::max<int64_t>(whole.min, 0);
      whole.max =
          std::min(whole.max, SaturatingMultiply(divisor, dimensions[i]) - 1);
      *last = i;
      return whole;
    }
    if (part.size != dimensions[i]) break;
    divisor *= part.size;
  }
  return std::nullopt;
}

// The greatest known divisor of the sum of `other` and a number divisible by
// `divisor` (0: that number is 0).
int64_t Divisor(int64_t divisor, int64_t other) {
  return std::gcd(divisor, other < 0 ? -other : other);
}

}  // namespace

AffineIndex AffineIndexBuilder::Constant(int64_t value) const {
  return {.base = b_.getInt64(value),
          .min = value,
          .max = value,
          .divisor = value < 0 ? -value : value};
}

llvm::Value* AffineIndexBuilder::Materialize(const AffineIndex& x) const {
  if (x.lanes != nullptr) return x.lanes;
  if (lanes_ == 1) return x.base;
  llvm::Value* base = b_.CreateVectorSplat(lanes_, x.base);
  if (x.step == 0) return base;
  return b_.CreateAdd(base, Steps(b_, lanes_, x.step));
}

AffineIndex AffineIndexBuilder::FromValue(llvm::Value* value, int64_t min,
                                          int64_t max) const {
  AffineIndex term{.min = min, .max = max};
  if (value->getType()->isVectorTy()) {
    term.lanes = value;
  } else {
    term.base = value;
  }
  return term;
}

std::optional<AffineIndexBuilder::Offsets> AffineIndexBuilder::OffsetsOf(
    const AffineIndex& x) const {
  if (x.offsets != nullptr) return Offsets{x.start, *x.offsets};
  if (!x.affine()) return std::nullopt;
  Offsets offsets{x.base, {}};
  for (int l = 0; l < lanes_; ++l) offsets.lanes.push_back(l * x.step);
  return offsets;
}

void AffineIndexBuilder::SetOffsets(AffineIndex& x, Offsets offsets) const {
  const int64_t step = lanes_ > 1 ? offsets.lanes[1] - offsets.lanes[0] : 0;
  bool affine = offsets.lanes[0] == 0;
  for (int l = 1; l < lanes_; ++l) {
    affine = affine && offsets.lanes[l] - offsets.lanes[l - 1] == step;
  }
  if (affine) {
    x.base = offsets.start;
    x.step = step;
    return;
  }
  x.start = offsets.start;
  x.lanes = b_.CreateAdd(
      b_.CreateVectorSplat(lanes_, offsets.start),
      llvm::ConstantDataVector::get(
          b_.getContext(),
          std::vector<uint64_t>(offsets.lanes.begin(), offsets.lanes.end())));
  x.offsets =
      std::make_shared<const std::vector<int64_t>>(std::move(offsets.lanes));
}

AffineIndex AffineIndexBuilder::Add(const AffineIndex& x,
                                    const AffineIndex& y) const {
  if (IsZero(x)) return y;
  if (IsZero(y)) return x;
  AffineIndex sum{.min = SaturatingAdd(x.min, y.min),
                  .max = SaturatingAdd(x.max, y.max),
                  .masked = x.masked || y.masked};
  const bool is_part = x.origin.whole != nullptr && x.origin.size == 0;
  if (is_part && y.uniform()) {
    sum.origin = x.origin;
    sum.origin.offset = std::make_shared<const AffineIndex>(
        x.origin.offset == nullptr ? y : Add(*x.origin.offset, y));
  }
  if (x.affine() && y.affine()) {
    sum.base = b_.CreateAdd(x.base, y.base, "", false, true);
    sum.step = x.step + y.step;
    sum.divisor = Divisor(x.divisor, y.divisor);
    return sum;
  }
  std::optional<Offsets> of_x = OffsetsOf(x);
  const std::optional<Offsets> of_y = OffsetsOf(y);
  if (of_x.has_value() && of_y.has_value()) {
    of_x->start = b_.CreateAdd(of_x->start, of_y->start, "", false, true);
    for (int l = 0; l < lanes_; ++l) of_x->lanes[l] += of_y->lanes[l];
    sum.divisor = Divisor(x.divisor, y.divisor);
    SetOffsets(sum, *std::move(of_x));
    return sum;
  }
  sum.lanes = b_.CreateAdd(Materialize(x), Materialize(y), "", false, true);
  return sum;
}

AffineIndex AffineIndexBuilder::Add(const AffineIndex& x, int64_t value) const {
  return value == 0 ? x : Add(x, Constant(value));
}

AffineIndex AffineIndexBuilder::Multiply(const AffineIndex& x,
                                         int64_t factor) const {
  if (factor == 1) return x;
  if (factor == 0) return Constant(0);
  AffineIndex product{.masked = x.masked};
  const int64_t a = SaturatingMultiply(x.min, factor);
  const int64_t c = SaturatingMultiply(x.max, factor);
  product.min = std::min(a, c);
  product.max = std::max(a, c);
  if (x.affine()) {
    product.base = b_.CreateMul(x.base, b_.getInt64(factor), "", false, true);
    product.step = x.step * factor;
    product.divisor =
        SaturatingMultiply(x.divisor, factor < 0 ? -factor : factor);
  } else if (x.offsets != nullptr) {
    Offsets offsets{b_.CreateMul(x.start, b_.getInt64(factor), "", false, true),
                    *x.offsets};
    for (int64_t& offset : offsets.lanes) offset *= factor;
    product.divisor =
        SaturatingMultiply(x.divisor, factor < 0 ? -factor : factor);
    SetOffsets(product, std::move(offsets));
  } else {
    llvm::Value* factors = b_.CreateVectorSplat(lanes_, b_.getInt64(factor));
    product.lanes = b_.CreateMul(x.lanes, factors, "", false, true);
  }
  return product;
}

AffineIndex AffineIndexBuilder::SubtractFrom(int64_t value,
                                             const AffineIndex& x) const {
  return Add(Multiply(x, -1), value);
}

// True if all lanes of x are between the same two multiples of d.
bool AffineIndexBuilder::IsInOneBlock(const AffineIndex& x, int64_t d) const {
  if (x.uniform()) return true;
  if (!x.affine() || x.step < 0) return false;
  if (!x.masked && x.min >= 0 && x.min / d == x.max / d) return true;
  // base is a multiple of g, which divides d: at most d - g into a block.
  const int64_t g = std::gcd(x.divisor, d);
  return SaturatingMultiply(lanes_ - 1, x.step) < g;
}

AffineIndex AffineIndexBuilder::Divide(const AffineIndex& x, int64_t d) const {
  if (d == 1) return x;
  if (x.min >= 0 && x.min / d == x.max / d) return Constant(x.min / d);
  AffineIndex q{.min = std::max<int64_t>(x.min, 0) / d,
                .max = x.max / d,
                .masked = x.masked};
  if (x.affine() && x.step % d == 0 && x.divisor % d == 0) {
    // The base is negative if a mask leaves the first lanes out.
    q.base = b_.CreateExactSDiv(x.base, b_.getInt64(d));
    q.step = x.step / d;
    q.divisor = x.divisor / d;
  } else if (IsInOneBlock(x, d)) {
    q.base = b_.CreateUDiv(x.base, b_.getInt64(d));
  } else if (std::optional<Offsets> offsets = OffsetsOf(x);
             offsets.has_value() && x.divisor % d == 0) {
    offsets->start = b_.CreateExactSDiv(offsets->start, b_.getInt64(d));
    for (int64_t& offset : offsets->lanes) offset = FloorOfRatio(offset, d);
    q.divisor = x.divisor / d;
    SetOffsets(q, *std::move(offsets));
  } else if (HasKnownSteps(x, d)) {
    q.lanes = DivideSteps(b_, x, lanes_, d).quotient;
  } else {
    q.lanes = Narrowly(b_, x, lanes_, Materialize(x), [&](llvm::Value* v) {
      return b_.CreateUDiv(v, llvm::ConstantInt::get(v->getType(), d));
    });
  }
  return q;
}

AffineIndex AffineIndexBuilder::Remainder(const AffineIndex& x,
                                          int64_t d) const {
  if (d == 1) return Constant(0);
  if (x.min >= 0 && x.max < d) return x;
  AffineIndex r{.min = 0, .max = d - 1, .masked = x.masked};
  if (IsInOneBlock(x, d)) {
    if (x.divisor % d == 0) {
      r.base = b_.getInt64(0);
      r.divisor = 0;
    } else {
      r.base = b_.CreateURem(x.base, b_.getInt64(d));
      r.divisor = std::gcd(x.divisor, d);
    }
    r.step = x.step;
  } else if (std::optional<Offsets> offsets = OffsetsOf(x);
             offsets.has_value() && x.divisor % d == 0) {
    offsets->start = b_.getInt64(0);
    for (int64_t& offset : offsets->lanes) {
      offset -= FloorOfRatio(offset, d) * d;
    }
    r.divisor = 0;
    SetOffsets(r, *std::move(offsets));
  } else if (HasKnownSteps(x, d)) {
    r.lanes = DivideSteps(b_, x, lanes_, d).remainder;
  } else {
    r.lanes = Narrowly(b_, x, lanes_, Materialize(x), [&](llvm::Value* v) {
      return b_.CreateURem(v, llvm::ConstantInt::get(v->getType(), d));
    });
  }
  return r;
}

AffineIndex AffineIndexBuilder::Clamp(const AffineIndex& x, int64_t low,
                                      int64_t high) const {
  if (x.min >= low && x.max <= high) return x;
  AffineIndex r{.min = std::clamp(x.min, low, high),
                .max = std::clamp(x.max, low, high),
                .masked = x.masked};
  const int lanes = x.uniform() ? 1 : lanes_;
  llvm::Value* value = x.uniform() ? x.base : Materialize(x);
  auto limit = [&](int64_t v) { return Splat(b_, b_.getInt64(v), lanes); };
  if (x.min < low) {
    value = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, limit(low));
  }
  if (x.max > high) {
    value = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, limit(high));
  }
  (lanes == 1 ? r.base : r.lanes) = value;
  return r;
}

AffineIndex AffineIndexBuilder::Within(const AffineIndex& x,
                                       Interval range) const {
  if (x.uniform()) return Clamp(x, range.lower, range.upper);
  AffineIndex r = x;
  r.masked = x.masked || x.min < range.lower || x.max > range.upper;
  r.min = std::max(x.min, range.lower);
  r.max = std::min(x.max, range.upper);
  return r;
}

llvm::Value* AffineIndexBuilder::Less(const AffineIndex& x,
                                      int64_t limit) const {
  if (x.max < limit) return b_.getTrue();
  if (x.min >= limit) return b_.getFalse();
  const int lanes = x.uniform() ? 1 : lanes_;
  llvm::Value* value = x.uniform() ? x.base : Materialize(x);
  return b_.CreateICmpSLT(value, Splat(b_, b_.getInt64(limit), lanes));
}

llvm::Value* AffineIndexBuilder::AtLeast(const AffineIndex& x,
                                         int64_t limit) const {
  return b_.CreateNot(Less(x, limit));
}

InsideTest::InsideTest(llvm::IRBuilder<>& b, int lanes)
    : b_(b), t_(b, lanes), inside_(b.getTrue()) {}

AffineIndex InsideTest::Require(const AffineIndex& x, Interval range) {
  if (range.lower != Interval::kLeast) And(t_.AtLeast(x, range.lower));
  if (range.upper != Interval::kMost) And(t_.Less(x, range.upper + 1));
  return t_.Within(x, range);
}

void InsideTest::And(llvm::Value* condition) {
  if (condition->getType() != inside_->getType()) {
    condition = Splat(b_, condition, t_.lanes());
    inside_ = Splat(b_, inside_, t_.lanes());
  }
  inside_ = b_.CreateAnd(inside_, condition);
}

llvm::Value* IndexFromInteger(llvm::IRBuilder<>& b, llvm::Value* value,
                              PrimitiveType type) {
  const bool is_signed = primitive_util::IsSignedIntegralType(type);
  llvm::Value* index = b.CreateIntCast(
      value, WithLanes(b.getInt64Ty(), LanesOf(value)), is_signed);
  if (is_signed || primitive_util::BitWidth(type) < 64) return index;
  return b.CreateBinaryIntrinsic(
      llvm::Intrinsic::umin, index,
      llvm::ConstantInt::get(index->getType(), INT64_MAX));
}

void VectorIndex::MakeTerms(llvm::IRBuilder<>& b,
                            absl::Span<const int64_t> dimensions) {
  if (terms.size() == dimensions.size() || !linear.has_value()) return;
  const AffineIndexBuilder t(b, lanes);
  terms.resize(dimensions.size());
  AffineIndex rest = *linear;
  const auto whole = std::make_shared<const AffineIndex>(*linear);
  int64_t divisor = 1;
  for (size_t i = dimensions.size(); i-- > 0;) {
    if (i == 0) {
      rest.min = std::max<int64_t>(rest.min, 0);
      rest.max = std::min(rest.max, dimensions[0] - 1);
      terms[0] = rest;
      if (divisor > 1) terms[0].origin = {whole, divisor, 0};
    } else {
      terms[i] = t.Remainder(rest, dimensions[i]);
      terms[i].origin = {whole, divisor, dimensions[i]};
      rest = t.Divide(rest, dimensions[i]);
      divisor *= dimensions[i];
    }
  }
}

AffineIndex VectorIndex::Linear(llvm::IRBuilder<>& b,
                                absl::Span<const int64_t> dimensions) const {
  if (linear.has_value()) return *linear;
  const AffineIndexBuilder t(b, lanes);
  AffineIndex sum = t.Constant(0);
  int64_t stride = 1;
  for (size_t i = dimensions.size(); i-- > 0;) {
    const int64_t inner_stride = stride;
    AffineIndex term = terms[i];
    stride *= dimensions[i];
    if (dimensions[i] == 1) continue;
    size_t first = i;
    if (std::optional<AffineIndex> whole =
            WholeOf(t, terms, dimensions, &first)) {
      term = *std::move(whole);
      for (; i > first; --i) stride *= dimensions[i - 1];
    }
    sum = t.Add(sum, t.Multiply(term, inner_stride));
  }
  return sum;
}

VectorIndex VectorIndex::Reshaped(llvm::IRBuilder<>& b,
                                  absl::Span<const int64_t> from,
                                  absl::Span<const int64_t> to) const {
  VectorIndex result{.lanes = lanes};
  result.linear = linear;
  if (terms.size() != from.size()) return result;
  const AffineIndexBuilder t(b, lanes);
  result.terms.resize(to.size(), t.Constant(0));
  for (const ReshapeGroup& group : ReshapeGroups(from, to)) {
    VectorIndex part{.lanes = lanes};
    part.terms.assign(terms.begin() + group.from,
                      terms.begin() + group.from_end);
    if (part.terms.size() == 1 && group.to_end - group.to == 1) {
      result.terms[group.to] = part.terms[0];
      continue;
    }
    const AffineIndex position =
        part.Linear(b, from.subspan(group.from, group.from_end - group.from));
    VectorIndex split{.lanes = lanes, .linear = position};
    split.MakeTerms(b, to.subspan(group.to, group.to_end - group.to));
    std::copy(split.terms.begin(), split.terms.end(),
              result.terms.begin() + group.to);
  }
  return result;
}

}  // namespace xla::cpu
