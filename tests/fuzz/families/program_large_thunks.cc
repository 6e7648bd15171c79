// Thunks that end a sequence of small ones: each takes a small array, and its
// result has that size again, so that the next thunks may be small ones.
#include "tests/fuzz/families/program_large_thunks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/fuzz/families/program_reduction.h"
#include "tests/fuzz/families/program_state.h"

namespace xla::fuzz {
namespace {

constexpr int64_t kMaxSmallElements = 600;

// Adds as many elements of `wide` as `dims` has, in these dimensions.
bool PutNarrowed(ProgramWriter& w, const Value& wide, const Dims& dims) {
  int64_t count = 1;
  for (int64_t size : dims) count *= size;
  const int64_t all = wide.elements();
  if (all < count) return false;
  const XlaOp flat = Reshape(wide.op, Dims{all});
  const XlaOp part = Slice(flat, Dims{all - count}, Dims{all}, Dims{1});
  return w.Put(Reshape(part, dims), wide.type, dims, wide.known);
}

bool AddWideDot(ProgramWriter& w, const Value& a) {
  if (!IsReal(a.type) || !a.known.finite()) return false;
  const int64_t n = a.elements();
  const int64_t m = w.random().In(64, 80);
  const Value b = w.Partner(a.type, {n});
  if (!b.known.finite()) return false;
  const XlaOp lhs = BroadcastInDim(Reshape(a.op, Dims{n}), Dims{m, n}, {1});
  const XlaOp rhs = BroadcastInDim(b.op, Dims{n, m}, {0});
  const Knowledge &x = a.known, &y = b.known;
  const Knowledge sum = {.bound = n * x.bound * y.bound,
                         .grain = x.grain * y.grain,
                         .error = n * (x.error * y.bound + y.error * x.bound)};
  const Value wide = {Dot(lhs, rhs),
                      a.type,
                      {m, m},
                      Rounded(a.type, sum, 4 + 2 * std::sqrt(n))};
  return PutNarrowed(w, wide, a.dims);
}

bool AddFourier(ProgramWriter& w, const Value& a) {
  if ((a.type != F32 && a.type != C64) || !a.known.finite()) return false;
  if (a.rank() == 0) return false;
  const int64_t n = a.dims.back();
  const bool back = a.type == C64 && w.random().Chance(0.5);
  const FftType type = a.type == F32 ? FftType::RFFT
                       : back        ? FftType::IFFT
                                     : FftType::FFT;
  const Knowledge sum = {.bound = 2.0 * n * a.known.bound,
                         .error = 2.0 * n * a.known.error};
  Value result = {Fft(a.op, type, Dims{n}), C64, a.dims,
                  Rounded(C64, sum, 16 + 4 * std::log2(n))};
  if (a.type == F32) {
    result.dims.back() = n / 2 + 1;
    result.op = Real(result.op);
    result.type = F32;
    // Twice as many, so that there are enough.
    Dims dims = result.dims;
    dims.insert(dims.begin(), 2);
    std::vector<int64_t> map(result.rank());
    std::iota(map.begin(), map.end(), 1);
    result.op = BroadcastInDim(result.op, dims, map);
    result.dims = dims;
  }
  return PutNarrowed(w, result, a.dims);
}

// Concatenates more arrays than native code takes.
bool AddLongConcatenate(ProgramWriter& w, const Value& a) {
  if (a.rank() == 0 || a.elements() > 130) return false;
  std::vector<XlaOp> ops;
  Knowledge known = Invariant(a);
  for (int64_t i = w.random().In(33, 38); i > 0; --i) {
    if (w.random().Chance(0.7)) {
      ops.push_back(Changed(w, a));
      continue;
    }
    const Value other = w.Partner(a.type, a.dims);
    known = Union(known, Invariant(other));
    ops.push_back(other.op);
  }
  Value wide = a;
  const int64_t d = w.random().Below(a.rank());
  wide.dims[d] *= ops.size();
  wide.op = ConcatInDim(w.builder(), ops, d);
  wide.known = known;
  return PutNarrowed(w, wide, a.dims);
}

// Makes some ten thousand elements and returns the greatest, or the sum of
// integers.
bool AddLargeKernel(ProgramWriter& w, const Value& a) {
  if (a.type == C64 || !a.known.finite()) return false;
  const int64_t copies = w.random().In(10000, 60000) / a.elements();
  Dims dims = a.dims;
  dims.insert(dims.begin(), copies);
  std::vector<int64_t> map(a.rank());
  std::iota(map.begin(), map.end(), 1);
  XlaOp wide = BroadcastInDim(a.op, dims, map);
  Knowledge known = Invariant(a);
  const bool sum = IsInteger(a.type);
  if (sum) {
    const XlaOp numbers =
        Iota(w.builder(), ShapeUtil::MakeShape(a.type, dims), 0);
    wide = w.random().Chance(0.5) ? Mul(wide, numbers) : Xor(wide, numbers);
  } else if (IsReal(a.type)) {
    wide = Max(wide, Neg(Abs(wide)));
  }
  auto combine = w.builder()->CreateSubBuilder("combine");
  const Shape scalar = ShapeUtil::MakeShape(a.type, {});
  const XlaOp x = Parameter(combine.get(), 0, scalar, "x");
  const XlaOp y = Parameter(combine.get(), 1, scalar, "y");
  if (sum) {
    Add(x, y);
  } else {
    Max(x, y);
  }
  const Value init = w.Scalar(a.type, 0);
  const XlaOp result = Reduce(wide, init.op, combine->BuildAndNoteError(), {0});
  return w.PutLike(a, result, sum ? AnyOf(a.type) : Union(known, init.known));
}

}  // namespace

bool AddLargeThunk(ProgramWriter& w) {
  const Value* found = w.Find([](const Value& value) {
    return value.elements() > 0 && value.elements() <= kMaxSmallElements;
  });
  if (found == nullptr) return false;
  const Value a = *found;
  switch (w.random().Below(6)) {
    case 0:
    case 1:
      return AddSort(w, a);
    case 2:
      return AddWideDot(w, a);
    case 3:
      return AddFourier(w, a);
    case 4:
      return AddLongConcatenate(w, a);
    default:
      return AddLargeKernel(w, a);
  }
}

}  // namespace xla::fuzz
