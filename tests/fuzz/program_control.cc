// Loops that count, whose state is written in place, swapped and summed;
// conditionals and calls.
#include "tests/fuzz/program_control.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "xla/core/shape_util.h"

namespace xla::fuzz {
namespace {

constexpr int kMaxDepth = 2;
constexpr int kMaxTrips = 7;

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

// --- Loops.

// What holds for a part of the state before and after each iteration.
Knowledge Invariant(const Value& value) {
  Knowledge known = value.known;
  if (!IsReal(value.type) && value.type != C64) return AnyOf(value.type);
  if (known.exact() && known.finite()) {
    known.bound = std::exp2(std::ceil(std::log2(std::max(known.bound, 1.0))));
  }
  known.signs = false;
  return known;
}

// A value of the body that may follow `state`.
XlaOp NextState(ProgramWriter& body, const Value& state, XlaOp counter) {
  const Knowledge& kept = state.known;
  const bool real = IsReal(state.type);
  const Value* found = body.Find([&](const Value& value) {
    if (value.type != state.type || value.dims != state.dims) return false;
    if (kept.exact()) {
      if (!value.known.exact() || value.known.grain < kept.grain) return false;
      return !kept.finite() || value.known.finite();
    }
    return value.known.bound <= kept.bound && value.known.error <= kept.error;
  });
  if (found == nullptr || body.random().Chance(0.1)) return state.op;
  const Value next = *found;
  const bool fits = next.known.bound <= kept.bound || !kept.finite();
  if (state.type == C64 && !fits) return state.op;
  if (body.random().Chance(0.3) && state.rank() > 0 && fits) {
    // A part of it goes into the old array, at a place that moves.
    Dims part = state.dims;
    for (int64_t& size : part) size = std::min<int64_t>(size, 2);
    std::vector<XlaOp> starts(state.rank(), body.random().Chance(0.5)
                                                ? counter
                                                : body.Scalar(S32, 0).op);
    return DynamicUpdateSlice(state.op, DynamicSlice(next.op, starts, part),
                              starts);
  }
  if (!real || fits) return next.op;
  return Clamp(body.Scalar(state.type, -kept.bound).op, next.op,
               body.Scalar(state.type, kept.bound).op);
}

struct Loop {
  std::vector<Value> state;  // counter, limit, ...
  std::optional<size_t> sum;
  Knowledge summed;
};

XlaComputation Condition(ProgramWriter& w, const Loop& loop) {
  auto b = w.builder()->CreateSubBuilder("condition");
  const XlaOp state = Parameter(b.get(), 0, TupleShape(loop.state), "state");
  XlaOp more = Lt(GetTupleElement(state, 0), GetTupleElement(state, 1));
  for (size_t i = 2; i < loop.state.size(); ++i) {
    if (loop.state[i].type == PRED && loop.state[i].rank() == 0 &&
        w.random().Chance(0.3)) {
      more = And(more, GetTupleElement(state, i));
    }
  }
  return b->BuildAndNoteError();
}

XlaComputation Body(ProgramWriter& w, Loop& loop) {
  auto b = w.builder()->CreateSubBuilder("body");
  const XlaOp tuple = Parameter(b.get(), 0, TupleShape(loop.state), "state");
  ProgramWriter body(b.get(), w.random(), w.depth() + 1, nullptr);
  std::vector<Value> state = loop.state;
  for (size_t i = 0; i < state.size(); ++i) {
    state[i].op = GetTupleElement(tuple, i);
    if (loop.sum == i) continue;
    body.Put(state[i].op, state[i].type, state[i].dims, state[i].known);
  }
  body.AddOps(w.random().In(1, 7));
  std::vector<XlaOp> next = {Add(state[0].op, body.Scalar(S32, 1).op),
                             state[1].op};
  for (size_t i = 2; i < state.size(); ++i) {
    if (loop.sum != i) {
      next.push_back(NextState(body, state[i], state[0].op));
      continue;
    }
    const Value* term = body.Find([&](const Value& value) {
      return value.type == state[i].type && value.dims == state[i].dims &&
             value.known.finite();
    });
    loop.summed = {.bound = 0, .grain = 1};
    if (term == nullptr) {
      next.push_back(state[i].op);
      continue;
    }
    loop.summed = term->known;
    next.push_back(Add(state[i].op, term->op));
  }
  Tuple(b.get(), next);
  return b->BuildAndNoteError();
}

bool AddLoop(ProgramWriter& w) {
  Loop loop;
  loop.state.push_back(w.Scalar(S32, 0));
  Value limit = w.Scalar(S32, w.random().In(0, kMaxTrips));
  if (w.random().Chance(0.4)) {
    limit.op = And(w.Partner(S32, {}).op, w.Scalar(S32, kMaxTrips).op);
  }
  loop.state.push_back(limit);
  for (const Value& value : SomeValues(w, w.random().In(1, 4))) {
    if (value.elements() > 3000) return false;
    loop.state.push_back(value);
  }
  for (Value& value : loop.state) value.known = Invariant(value);
  const Value& last = loop.state.back();
  if (IsReal(last.type) && w.random().Chance(0.4)) {
    Value zero = last;
    zero.op = w.Full(last.type, last.dims, 0);
    loop.sum = loop.state.size();
    loop.state.push_back(zero);
  }
  const XlaComputation body = Body(w, loop);
  const XlaOp end =
      While(Condition(w, loop), body, TupleOf(w.builder(), loop.state));
  bool put = false;
  for (size_t i = 2; i < loop.state.size(); ++i) {
    Knowledge known = loop.state[i].known;
    if (loop.sum == i) {
      known = loop.summed;
      known.bound *= kMaxTrips;
      known.error *= kMaxTrips;
      known = Rounded(loop.state[i].type, known, kMaxTrips);
    }
    put |= w.PutLike(loop.state[i], GetTupleElement(end, i), known);
  }
  return put;
}

// --- Conditionals and calls.

// (operands) -> values of the types and sizes of `results`; what holds for
// those is added to their knowledge.
XlaComputation Branch(ProgramWriter& w, const std::vector<Value>& operands,
                      std::vector<Value>& results, bool tuple) {
  auto b = w.builder()->CreateSubBuilder("branch");
  ProgramWriter inner(b.get(), w.random(), w.depth() + 1, nullptr);
  std::vector<Value> values = operands;
  if (tuple) {
    const XlaOp all = Parameter(b.get(), 0, TupleShape(operands), "all");
    for (size_t i = 0; i < values.size(); ++i) {
      values[i].op = GetTupleElement(all, i);
    }
  } else {
    for (size_t i = 0; i < values.size(); ++i) {
      values[i].op = Parameter(b.get(), i, values[i].shape(), "p");
    }
  }
  for (const Value& value : values) {
    inner.Put(value.op, value.type, value.dims, value.known);
  }
  inner.AddOps(w.random().In(0, 6));
  std::vector<Value> chosen;
  for (Value& result : results) {
    chosen.push_back(inner.Partner(result.type, result.dims));
    result.known = Union(result.known, chosen.back().known);
  }
  TupleOf(b.get(), chosen);
  return b->BuildAndNoteError();
}

bool PutResults(ProgramWriter& w, XlaOp tuple,
                const std::vector<Value>& results) {
  bool put = false;
  for (size_t i = 0; i < results.size(); ++i) {
    put |= w.PutLike(results[i], GetTupleElement(tuple, i), results[i].known);
  }
  return put;
}

// Nothing is known to be excluded: the empty union.
std::vector<Value> Results(ProgramWriter& w,
                           const std::vector<Value>& operands) {
  std::vector<Value> results;
  for (int64_t i = w.random().In(1, 3); i > 0; --i) {
    results.push_back(w.random().Of(operands));
    results.back().known = {.bound = 0, .grain = kInfinity};
  }
  return results;
}

bool AddConditional(ProgramWriter& w) {
  const bool two = w.random().Chance(0.5);
  const Value index = w.Partner(two ? PRED : S32, {});
  const std::vector<Value> first = SomeValues(w, w.random().In(1, 4));
  if (first.empty()) return false;
  std::vector<Value> results = Results(w, first);
  std::vector<XlaComputation> branches;
  std::vector<XlaOp> operands;
  for (int64_t i = two ? 2 : w.random().In(1, 4); i > 0; --i) {
    const std::vector<Value> own = branches.empty() || w.random().Chance(0.5)
                                       ? first
                                       : SomeValues(w, w.random().In(1, 3));
    branches.push_back(Branch(w, own, results, /*tuple=*/true));
    operands.push_back(TupleOf(w.builder(), own));
  }
  if (two) {
    return PutResults(w,
                      Conditional(index.op, operands[0], branches[0],
                                  operands[1], branches[1]),
                      results);
  }
  std::vector<const XlaComputation*> pointers;
  for (const XlaComputation& branch : branches) pointers.push_back(&branch);
  return PutResults(w, Conditional(index.op, pointers, operands), results);
}

bool AddCall(ProgramWriter& w) {
  const std::vector<Value> operands = SomeValues(w, w.random().In(1, 3));
  if (operands.empty()) return false;
  std::vector<Value> results = Results(w, operands);
  const XlaComputation callee = Branch(w, operands, results, /*tuple=*/false);
  std::vector<XlaOp> ops;
  for (const Value& operand : operands) ops.push_back(operand.op);
  return PutResults(w, Call(w.builder(), callee, ops), results);
}

}  // namespace

bool AddControl(ProgramWriter& w) {
  if (w.depth() >= kMaxDepth || w.values().empty()) return false;
  switch (w.random().Below(5)) {
    case 0:
      return AddCall(w);
    case 1:
    case 2:
      return AddConditional(w);
    default:
      return AddLoop(w);
  }
}

}  // namespace xla::fuzz
