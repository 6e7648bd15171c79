// Ops that move elements: their results hold only elements of the operands.
#include "tests/fuzz/families/program_movement.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "xla/base/types.h"
#include "xla/core/shape_util.h"

namespace xla::fuzz {
namespace {

bool AddBroadcast(ProgramWriter& w, const Value& a) {
  // Adds dimensions before, between and after the others.
  Dims dims = a.dims;
  std::vector<int64_t> map;
  for (int64_t d = 0; d < a.rank(); ++d) map.push_back(d);
  for (int64_t i = w.random().In(1, 2); i > 0 && dims.size() < 5; --i) {
    const int64_t place = w.random().In(0, dims.size());
    const bool square = w.style() == Style::kSquare && a.rank() > 0;
    dims.insert(
        dims.begin() + place,
        w.random().Of(square ? a.dims : Dims{1, 2, 3, 4, 8, 16, 33, 64}));
    for (int64_t& d : map) d += d >= place;
  }
  return w.Put(BroadcastInDim(a.op, dims, map), a.type, dims, a.known);
}

bool AddReshape(ProgramWriter& w, const Value& a) {
  // Splits or joins adjacent dimensions, adds or drops dimensions of size 1.
  Dims dims = a.dims;
  for (int64_t i = w.random().In(1, 3); i > 0; --i) {
    const int64_t n = dims.size();
    if (n > 1 && w.random().Chance(0.5)) {
      const int64_t d = w.random().Below(n - 1);
      dims[d] *= dims[d + 1];
      dims.erase(dims.begin() + d + 1);
    } else if (n < 5) {
      const int64_t d = w.random().Below(n + 1);
      int64_t part = 1;
      if (d < n) {
        const int64_t factor =
            w.random().Of(std::vector<int64_t>{1, 2, 3, 4, 5, 8, 16});
        if (dims[d] % factor == 0) part = factor;
        dims[d] /= part;
      }
      dims.insert(dims.begin() + d + (d < n && w.random().Chance(0.5)), part);
    }
  }
  return w.Put(Reshape(a.op, dims), a.type, dims, a.known);
}

bool AddTranspose(ProgramWriter& w, const Value& a) {
  const std::vector<int64_t> order = w.random().Permutation(a.rank());
  Dims dims;
  for (int64_t d : order) dims.push_back(a.dims[d]);
  return w.Put(Transpose(a.op, order), a.type, dims, a.known);
}

bool AddSlice(ProgramWriter& w, const Value& a) {
  Dims start, limit, strides, dims;
  for (int64_t size : a.dims) {
    int64_t low = 0, high = size, stride = 1;
    if (w.random().Chance(0.6)) {
      low = w.random().In(0, size);
      high = w.random().In(low, size);
      if (low == high && w.random().Chance(0.9)) low = 0, high = size;
    }
    if (w.random().Chance(0.3)) stride = w.random().In(1, 4);
    start.push_back(low);
    limit.push_back(high);
    strides.push_back(stride);
    dims.push_back((high - low + stride - 1) / stride);
  }
  return w.Put(Slice(a.op, start, limit, strides), a.type, dims, a.known);
}

bool AddReverse(ProgramWriter& w, const Value& a) {
  std::vector<int64_t> reversed;
  for (int64_t d = 0; d < a.rank(); ++d) {
    if (w.random().Chance(0.5)) reversed.push_back(d);
  }
  return w.PutLike(a, Rev(a.op, reversed), a.known);
}

bool AddPad(ProgramWriter& w, const Value& a) {
  PaddingConfig config;
  Dims dims;
  for (int64_t size : a.dims) {
    auto* dimension = config.add_dimensions();
    const int64_t interior = w.random().Chance(0.3) ? w.random().In(1, 3) : 0;
    const int64_t dilated = size == 0 ? 0 : size + (size - 1) * interior;
    int64_t low = 0, high = 0;
    if (w.random().Chance(0.6)) {
      low = w.random().In(-3, 5);
      high = w.random().In(-3, 5);
    }
    if (dilated + low + high < 0) low = high = 0;
    dimension->set_interior_padding(interior);
    dimension->set_edge_padding_low(low);
    dimension->set_edge_padding_high(high);
    dims.push_back(dilated + low + high);
  }
  const Value filler = w.Partner(a.type, {});
  return w.Put(Pad(a.op, filler.op, config), a.type, dims,
               Union(a.known, filler.known));
}

bool AddConcatenate(ProgramWriter& w, const Value& a) {
  if (a.rank() == 0) return false;
  const int64_t d = w.random().Below(a.rank());
  std::vector<XlaOp> parts = {a.op};
  Knowledge known = a.known;
  Dims dims = a.dims;
  for (int64_t i = w.random().In(0, 3); i > 0; --i) {
    const Value* found = w.Find([&](const Value& value) {
      if (value.type != a.type || value.rank() != a.rank()) return false;
      for (int64_t other = 0; other < a.rank(); ++other) {
        if (other != d && value.dims[other] != a.dims[other]) return false;
      }
      return true;
    });
    Value b;
    if (found != nullptr && w.random().Chance(0.8)) {
      b = *found;
    } else {
      Dims size = a.dims;
      size[d] = w.random().In(0, 9);
      b = w.Fresh(a.type, size);
    }
    parts.insert(parts.begin() + w.random().In(0, parts.size()), b.op);
    dims[d] += b.dims[d];
    known = Union(known, b.known);
  }
  return w.Put(ConcatInDim(w.builder(), parts, d), a.type, dims, known);
}

// Passes several values through one barrier.
bool AddBarrier(ProgramWriter& w, const Value& a) {
  const Value b = *w.Any();
  const XlaOp both = OptimizationBarrier(Tuple(w.builder(), {a.op, b.op}));
  const bool first = w.PutLike(a, GetTupleElement(both, 0), a.known);
  const bool second = w.PutLike(b, GetTupleElement(both, 1), b.known);
  return first || second;
}

}  // namespace

bool AddMovement(ProgramWriter& w) {
  const Value* found = w.Any();
  if (found == nullptr) return false;
  const Value a = *found;
  return AddMovementOf(w, a);
}

bool AddMovementOf(ProgramWriter& w, const Value& a) {
  if (w.random().Chance(0.03)) return AddBarrier(w, a);
  if (w.style() == Style::kSquare && w.random().Chance(0.5)) {
    return w.random().Chance(0.5) ? AddTranspose(w, a) : AddBroadcast(w, a);
  }
  switch (w.random().Below(8)) {
    case 0:
      return AddBroadcast(w, a);
    case 1:
      return AddReshape(w, a);
    case 2:
      return AddTranspose(w, a);
    case 3:
      return AddSlice(w, a);
    case 4:
      return AddReverse(w, a);
    case 5:
      return AddPad(w, a);
    default:
      return AddConcatenate(w, a);
  }
}

}  // namespace xla::fuzz
