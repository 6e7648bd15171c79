// A loop and its transpose, as in reverse-mode differentiation: the first saves
// its state in stacks before each iteration, the second reads them from the
// end. With checkpoints the first saves only every few iterations, and the
// second recomputes those between in inner loops.
#include "tests/fuzz/families/program_stacks.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "tests/fuzz/families/program_state.h"

namespace xla::fuzz {
namespace {

constexpr int64_t kMaxStackedElements = 600;

using Ops = std::vector<XlaOp>;

// The arrays of a loop, and what each iteration does to them.
struct Iterations {
  std::vector<Value> state;  // invariant over all iterations
  // (arrays that are read..., state..., iteration number) -> state.
  XlaComputation step;
  // Reads the state at an iteration's start to go backwards through it.
  XlaComputation back;
};

// (first `read` of `values`, state..., number) -> state.
XlaComputation Step(ProgramWriter& w, const std::vector<Value>& values,
                    size_t read) {
  auto b = w.builder()->CreateSubBuilder("step");
  ProgramWriter inner(b.get(), w);
  std::vector<Value> taken = values;
  for (size_t i = 0; i < taken.size(); ++i) {
    taken[i].op = Parameter(b.get(), i, taken[i].shape(), "x");
    inner.Put(taken[i].op, taken[i].type, taken[i].dims, taken[i].known);
  }
  const XlaOp number = Parameter(b.get(), taken.size(),
                                 ShapeUtil::MakeShape(S32, {}), "iteration");
  inner.Put(number, S32, {}, AnyOf(S32));
  inner.AddOps(w.random().In(1, 6));
  Ops next;
  for (size_t i = read; i < taken.size(); ++i) {
    next.push_back(NextState(inner, taken[i], number));
  }
  Tuple(b.get(), next);
  return b->BuildAndNoteError();
}

Ops Leaves(XlaOp tuple, size_t count) {
  Ops leaves;
  for (size_t i = 0; i < count; ++i) {
    leaves.push_back(GetTupleElement(tuple, i));
  }
  return leaves;
}

Ops Joined(Ops a, absl::Span<const XlaOp> b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The values after `limit` iterations, numbered from 0. The body may use the
// limit and the values.
using RoundBody =
    std::function<Ops(XlaBuilder*, XlaOp number, XlaOp limit, const Ops&)>;
Ops For(XlaBuilder* builder, XlaOp limit, const Ops& values,
        const RoundBody& body) {
  const Shape shape = builder->GetShape(Tuple(builder, values)).value();
  std::vector<Shape> shapes = {ShapeUtil::MakeShape(S32, {}),
                               ShapeUtil::MakeShape(S32, {})};
  for (const Shape& leaf : shape.tuple_shapes()) shapes.push_back(leaf);
  const Shape all = ShapeUtil::MakeTupleShape(shapes);
  auto test = builder->CreateSubBuilder("iterations_condition");
  const XlaOp tested = Parameter(test.get(), 0, all, "state");
  Lt(GetTupleElement(tested, 0), GetTupleElement(tested, 1));
  const XlaComputation condition = test->BuildAndNoteError();
  auto iteration = builder->CreateSubBuilder("iterations_body");
  const Ops leaves =
      Leaves(Parameter(iteration.get(), 0, all, "state"), shapes.size());
  const XlaOp one = ConstantR0<int32_t>(iteration.get(), 1);
  const Ops next = body(iteration.get(), leaves[0], leaves[1],
                        Ops(leaves.begin() + 2, leaves.end()));
  Tuple(iteration.get(), Joined({Add(leaves[0], one), leaves[1]}, next));
  const XlaOp zero = ConstantR0<int32_t>(builder, 0);
  const XlaOp end = While(condition, iteration->BuildAndNoteError(),
                          Tuple(builder, Joined({zero, limit}, values)));
  const Ops results = Leaves(end, shapes.size());
  return Ops(results.begin() + 2, results.end());
}

Dims StackDims(const Value& value, int64_t most) {
  Dims dims = value.dims;
  dims.insert(dims.begin(), most);
  return dims;
}

Ops StackStarts(XlaBuilder* builder, const Value& value, XlaOp number) {
  Ops starts(value.rank() + 1, ConstantR0<int32_t>(builder, 0));
  starts[0] = number;
  return starts;
}

XlaOp Pushed(XlaBuilder* builder, const Value& value, XlaOp stack, XlaOp number,
             XlaOp op) {
  return DynamicUpdateSlice(stack, Reshape(op, StackDims(value, 1)),
                            StackStarts(builder, value, number));
}

XlaOp Read(XlaBuilder* builder, const Value& value, XlaOp stack, XlaOp number) {
  return Reshape(DynamicSlice(stack, StackStarts(builder, value, number),
                              StackDims(value, 1)),
                 value.dims);
}

// Stacks for up to `most` iterations, filled with zeros.
Ops EmptyStacks(XlaBuilder* builder, const Iterations& iterations,
                int64_t most) {
  Ops stacks;
  for (const Value& value : iterations.state) {
    const XlaOp zero = ConstantLiteral(builder, LiteralUtil::Zero(value.type));
    stacks.push_back(BroadcastInDim(zero, StackDims(value, most), {}));
  }
  return stacks;
}

XlaOp Numbered(XlaOp outer, int64_t factor, XlaOp inner) {
  const XlaOp scale = ConstantR0<int32_t>(inner.builder(), factor);
  return Add(Mul(outer, scale), inner);
}

// Runs `limit` iterations from `state`; `first` is the number of the first one.
Ops Forward(XlaBuilder* builder, const Iterations& iterations, XlaOp limit,
            XlaOp first, const Ops& state) {
  const size_t n = iterations.state.size();
  Ops all =
      For(builder, limit, Joined(state, {first}),
          [&](XlaBuilder* b, XlaOp number, XlaOp, const Ops& values) {
            const Ops in = Joined(Ops(values.begin(), values.begin() + n),
                                  {Add(values[n], number)});
            return Joined(Leaves(Call(b, iterations.step, in), n), {values[n]});
          });
  all.resize(n);
  return all;
}

// The same. After the state come stacks of the states before each iteration, or
// before every `every` iterations, in which case `limit` is a multiple of it.
Ops ForwardStacked(XlaBuilder* builder, const Iterations& iterations,
                   XlaOp limit, const Ops& state, const Ops& stacks,
                   int64_t every, XlaOp first) {
  const size_t n = iterations.state.size();
  Ops all =
      For(builder, limit, Joined(Joined(state, stacks), {first}),
          [&](XlaBuilder* b, XlaOp number, XlaOp, const Ops& values) {
            const Ops now(values.begin(), values.begin() + n);
            const XlaOp start = Numbered(number, every, values[2 * n]);
            Ops next =
                every == 1
                    ? Leaves(Call(b, iterations.step, Joined(now, {start})), n)
                    : Forward(b, iterations, ConstantR0<int32_t>(b, every),
                              start, now);
            for (size_t i = 0; i < n; ++i) {
              next.push_back(Pushed(b, iterations.state[i], values[n + i],
                                    number, now[i]));
            }
            return Joined(next, {values[2 * n]});
          });
  all.resize(2 * n);
  return all;
}

// Goes backwards through the iterations whose initial states are in `stacks`.
Ops Backward(XlaBuilder* builder, const Iterations& iterations, XlaOp limit,
             const Ops& gradients, const Ops& stacks, int64_t every,
             XlaOp first) {
  const size_t n = iterations.state.size();
  Ops all = For(
      builder, limit, Joined(Joined(gradients, stacks), {first}),
      [&](XlaBuilder* b, XlaOp number, XlaOp count, const Ops& values) {
        const XlaOp one = ConstantR0<int32_t>(b, 1);
        const XlaOp place = Sub(Sub(count, one), number);
        const Ops back(values.begin(), values.begin() + n);
        const Ops kept(values.begin() + n, values.begin() + 2 * n);
        Ops start;
        for (size_t i = 0; i < n; ++i) {
          start.push_back(Read(b, iterations.state[i], kept[i], place));
        }
        const XlaOp iteration = Numbered(place, every, values[2 * n]);
        Ops next;
        if (every == 1) {
          const Ops in = Joined(Joined(start, back), {iteration});
          next = Leaves(Call(b, iterations.back, in), n);
        } else {
          const XlaOp few = ConstantR0<int32_t>(b, every);
          const Ops again =
              ForwardStacked(b, iterations, few, start,
                             EmptyStacks(b, iterations, every), 1, iteration);
          next = Backward(b, iterations, few, back,
                          Ops(again.begin() + n, again.end()), 1, iteration);
        }
        return Joined(Joined(next, kept), {values[2 * n]});
      });
  all.resize(n);
  return all;
}

bool ChooseArrays(ProgramWriter& w, Iterations& iterations) {
  for (Value& value : SomeValues(w, w.random().In(1, 4))) {
    if (value.elements() > kMaxStackedElements || value.elements() == 0) {
      return false;
    }
    value.known = Union(Invariant(value), {.bound = 0, .grain = kInfinity});
    iterations.state.push_back(value);
  }
  return !iterations.state.empty();
}

bool PutAll(ProgramWriter& w, const std::vector<Value>& like, const Ops& ops,
            double read) {
  bool put = false;
  for (size_t i = 0; i < like.size(); ++i) {
    if (put && !w.random().Chance(read)) continue;
    put |= w.PutLike(like[i], ops[i], like[i].known);
  }
  return put;
}

}  // namespace

bool AddStackedLoops(ProgramWriter& w) {
  Random& random = w.random();
  if (w.depth() >= w.MostDepth() || w.values().empty()) return false;
  Iterations iterations;
  if (!ChooseArrays(w, iterations)) return false;
  const size_t n = iterations.state.size();
  std::vector<Value> both = iterations.state;
  both.insert(both.end(), iterations.state.begin(), iterations.state.end());
  iterations.step = Step(w, iterations.state, 0);
  iterations.back = Step(w, both, n);

  XlaBuilder* const b = w.builder();
  const int64_t most = MostTrips(w);
  const int64_t every = w.depth() == 0 && random.Chance(0.4) ? 3 : 1;
  const XlaOp limit = TripCount(w, most).op;
  const XlaOp zero = w.Scalar(S32, 0).op;
  Ops state;
  for (const Value& value : iterations.state) state.push_back(value.op);
  const Ops end = ForwardStacked(b, iterations, limit, state,
                                 EmptyStacks(b, iterations, most), every, zero);
  const Ops stacks(end.begin() + n, end.end());
  bool put = PutAll(w, iterations.state, end, 0.6);
  if (random.Chance(0.3)) {
    put |=
        w.Put(stacks[0], iterations.state[0].type,
              StackDims(iterations.state[0], most), iterations.state[0].known);
  }
  // The ops between the two may need the memory.
  if (random.Chance(0.5)) w.AddOps(random.In(1, 4));
  Ops gradients;
  for (const Value& value : iterations.state)
    gradients.push_back(Changed(w, value));
  return PutAll(w, iterations.state,
                Backward(b, iterations, limit, gradients, stacks, every, zero),
                0.8) ||
         put;
}

}  // namespace xla::fuzz
