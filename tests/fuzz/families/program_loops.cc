// Loops that count to a limit, or run until a predicate that they carry fails.
// Arrays of the state are passed on, exchanged with others, recomputed, written
// in place or summed; the same array may enter at several places.
#include "tests/fuzz/families/program_loops.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tests/fuzz/families/program_state.h"

namespace xla::fuzz {
namespace {

constexpr int64_t kMaxArrayElements = 3000;
constexpr int64_t kMaxStateElements = 20000;

struct Loop {
  std::vector<Value> state;  // counter, limit, ...
  // The part of the state that each one takes over in an iteration; -1: ops
  // make it.
  std::vector<int64_t> from;
  std::optional<size_t> sum;
  Knowledge summed;
};

int64_t CountOfCarries(ProgramWriter& w) {
  Random& random = w.random();
  if (w.style() == Style::kMixed || random.Chance(0.7)) return random.In(1, 4);
  if (w.depth() > 0 || random.Chance(0.8)) return random.In(5, 16);
  return random.In(30, 250);
}

void ChooseState(ProgramWriter& w, int64_t count, Loop& loop) {
  int64_t elements = 0;
  for (Value& value : SomeValues(w, count)) {
    elements += value.elements();
    if (value.elements() > kMaxArrayElements) continue;
    if (elements > kMaxStateElements) break;
    if (count > 8 && w.random().Chance(0.7)) {
      value.known = Invariant(value);
      value.op = Changed(w, value);
    }
    loop.state.push_back(value);
  }
  if (w.style() == Style::kControl && w.random().Chance(0.3)) {
    loop.state.push_back(w.Partner(PRED, {}));
  }
}

// Some arrays are passed on; some of equal shape change places in twos and
// threes.
void ChooseWays(ProgramWriter& w, Loop& loop) {
  Random& random = w.random();
  std::vector<Value>& state = loop.state;
  loop.from.assign(state.size(), -1);
  const bool large = state.size() > 20;
  const double passed = random.Of<double>({0, 0.2, 0.6, 0.95});
  const double exchanged = random.Of<double>({0, 0.2, large ? 0.2 : 0.7});
  for (size_t i = 2; i < state.size(); ++i) {
    if (loop.from[i] >= 0 || !random.Chance(exchanged)) continue;
    std::vector<size_t> circle = {i};
    for (size_t j = i + 1; j < state.size() && circle.size() < 3; ++j) {
      if (loop.from[j] < 0 && state[j].type == state[i].type &&
          state[j].dims == state[i].dims && random.Chance(0.7)) {
        circle.push_back(j);
      }
    }
    if (circle.size() == 1) continue;
    Knowledge known = state[i].known;
    for (size_t k = 0; k < circle.size(); ++k) {
      loop.from[circle[k]] = circle[(k + 1) % circle.size()];
      known = Union(known, state[circle[k]].known);
    }
    for (size_t place : circle) state[place].known = known;
  }
  for (size_t i = 2; i < state.size(); ++i) {
    if (loop.from[i] < 0 && random.Chance(passed)) loop.from[i] = i;
  }
}

void AddSumToState(ProgramWriter& w, Loop& loop) {
  if (loop.state.size() < 3) return;
  const Value& last = loop.state.back();
  if (!IsReal(last.type) || !w.random().Chance(0.4)) return;
  Value zero = last;
  zero.op = w.Full(last.type, last.dims, 0);
  loop.sum = loop.state.size();
  loop.state.push_back(zero);
  loop.from.push_back(-1);
}

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

// The next value of the sum of a loop, which may be unchanged.
XlaOp NextSum(ProgramWriter& body, const Value& sum, Loop& loop) {
  const Value* term = body.Find([&](const Value& value) {
    return value.type == sum.type && value.dims == sum.dims &&
           value.known.finite();
  });
  loop.summed = {.bound = 0, .grain = 1};
  if (term == nullptr) return sum.op;
  loop.summed = term->known;
  return Add(sum.op, term->op);
}

XlaComputation Body(ProgramWriter& w, Loop& loop) {
  auto b = w.builder()->CreateSubBuilder("body");
  const XlaOp tuple = Parameter(b.get(), 0, TupleShape(loop.state), "state");
  ProgramWriter body(b.get(), w);
  std::vector<Value> state = loop.state;
  for (size_t i = 0; i < state.size(); ++i) {
    state[i].op = GetTupleElement(tuple, i);
    if (loop.sum == i) continue;
    body.Put(state[i].op, state[i].type, state[i].dims, state[i].known);
  }
  body.AddOps(w.random().In(1, w.depth() == 0 ? 7 : 4));
  std::vector<XlaOp> next = {Add(state[0].op, body.Scalar(S32, 1).op),
                             state[1].op};
  for (size_t i = 2; i < state.size(); ++i) {
    if (loop.sum == i) {
      next.push_back(NextSum(body, state[i], loop));
    } else if (loop.from[i] >= 0) {
      next.push_back(state[loop.from[i]].op);
    } else {
      next.push_back(NextState(body, state[i], state[0].op));
    }
  }
  Tuple(b.get(), next);
  return b->BuildAndNoteError();
}

// Reads a few of hundreds of results.
bool PutResults(ProgramWriter& w, XlaOp end, const Loop& loop, int64_t trips) {
  const double read = loop.state.size() > 20 ? 0.05 : 0.8;
  bool put = false;
  for (size_t i = 2; i < loop.state.size(); ++i) {
    if (put && !w.random().Chance(read)) continue;
    Knowledge known = loop.state[i].known;
    if (loop.sum == i) {
      known = loop.summed;
      known.bound *= trips;
      known.error *= trips;
      known = Rounded(loop.state[i].type, known, trips);
    }
    put |= w.PutLike(loop.state[i], GetTupleElement(end, i), known);
  }
  return put;
}

}  // namespace

bool AddLoop(ProgramWriter& w) {
  if (w.depth() >= w.MostDepth() || w.values().empty()) return false;
  const int64_t trips = MostTrips(w);
  Loop loop;
  loop.state = {w.Scalar(S32, 0), TripCount(w, trips)};
  ChooseState(w, CountOfCarries(w), loop);
  if (loop.state.size() == 2) return false;
  ChooseWays(w, loop);
  for (Value& value : loop.state) value.known = Invariant(value);
  AddSumToState(w, loop);
  const XlaComputation body = Body(w, loop);
  const XlaOp end =
      While(Condition(w, loop), body, TupleOf(w.builder(), loop.state));
  return PutResults(w, end, loop, trips);
}

}  // namespace xla::fuzz
