// Lists of values, invariants, next values.
#include "tests/fuzz/families/program_state.h"

#include <algorithm>
#include <cmath>

#include "xla/core/shape_util.h"

namespace xla::fuzz {

std::vector<Value> SomeValues(ProgramWriter& w, int64_t count) {
  std::vector<Value> values;
  for (; count > 0; --count) {
    if (const Value* value = w.Any()) values.push_back(*value);
  }
  return values;
}

Shape TupleShape(const std::vector<Value>& values) {
  std::vector<Shape> shapes;
  for (const Value& value : values) shapes.push_back(value.shape());
  return ShapeUtil::MakeTupleShape(shapes);
}

XlaOp TupleOf(XlaBuilder* builder, const std::vector<Value>& values) {
  std::vector<XlaOp> ops;
  for (const Value& value : values) ops.push_back(value.op);
  return Tuple(builder, ops);
}

Knowledge Invariant(const Value& value) {
  Knowledge known = value.known;
  if (!IsReal(value.type) && value.type != C64) return AnyOf(value.type);
  if (known.exact() && known.finite()) {
    known.bound = std::exp2(std::ceil(std::log2(std::max(known.bound, 1.0))));
  }
  known.signs = false;
  return known;
}

XlaOp Changed(ProgramWriter& w, const Value& value) {
  if (value.type == PRED) return Not(value.op);
  if (!IsInteger(value.type)) return Neg(value.op);
  const XlaOp number = w.Full(value.type, value.dims, w.random().In(1, 9));
  return w.random().Chance(0.5) ? Add(value.op, number) : Xor(value.op, number);
}

XlaOp NextState(ProgramWriter& body, const Value& state, XlaOp counter) {
  const Knowledge& kept = state.known;
  const bool real = IsReal(state.type);
  Random& random = body.random();
  if (state.type == PRED && state.rank() == 0 && random.Chance(0.3)) {
    return Xor(state.op, Lt(counter, body.Scalar(S32, random.In(0, 4)).op));
  }
  const Value* found = body.Find([&](const Value& value) {
    if (value.type != state.type || value.dims != state.dims) return false;
    if (kept.exact()) {
      if (!value.known.exact() || value.known.grain < kept.grain) return false;
      return !kept.finite() || value.known.finite();
    }
    return value.known.bound <= kept.bound && value.known.error <= kept.error;
  });
  if (found == nullptr || random.Chance(0.1)) {
    return random.Chance(0.5) ? Changed(body, state) : state.op;
  }
  const Value next = *found;
  const bool fits = next.known.bound <= kept.bound || !kept.finite();
  if (state.type == C64 && !fits) return state.op;
  if (random.Chance(0.3) && state.rank() > 0 && fits) {
    // Writes a part of it into the old array, at a position that moves.
    Dims part = state.dims;
    for (int64_t& size : part) size = std::min<int64_t>(size, 2);
    const std::vector<XlaOp> starts(
        state.rank(), random.Chance(0.5) ? counter : body.Scalar(S32, 0).op);
    return DynamicUpdateSlice(state.op, DynamicSlice(next.op, starts, part),
                              starts);
  }
  if (!real || fits) return next.op;
  return Clamp(body.Scalar(state.type, -kept.bound).op, next.op,
               body.Scalar(state.type, kept.bound).op);
}

int64_t MostTrips(const ProgramWriter& w) { return w.depth() == 0 ? 7 : 3; }

Value TripCount(ProgramWriter& w, int64_t most) {
  Value count = w.Scalar(S32, w.random().In(0, most));
  if (w.random().Chance(w.style() == Style::kControl ? 0.7 : 0.4)) {
    const Value* given = w.Find([](const Value& value) {
      return value.type == S32 && value.rank() == 0;
    });
    const Value number =
        given != nullptr && w.random().Chance(0.5) ? *given : w.Fresh(S32, {});
    count.op = And(number.op, w.Scalar(S32, most).op);
  }
  return count;
}

}  // namespace xla::fuzz
