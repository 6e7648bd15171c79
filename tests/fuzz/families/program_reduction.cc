// Reductions to sums, extremes and bits; the element with the greatest key.
#include "tests/fuzz/families/program_reduction.h"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/comparators.h"

namespace xla::fuzz {
namespace {

struct Combiner {
  XlaOpGenerator combine;
  XlaOp init;
  Knowledge known;
};

Knowledge SumOf(PrimitiveType type, const Knowledge& element, double count) {
  Knowledge sum = element;
  sum.bound *= std::max(count, 1.0);
  sum.error *= std::max(count, 1.0);
  return Rounded(type, sum, 4 + 2 * std::sqrt(count));
}

// A combiner that may combine up to `count` elements of `a`.
std::optional<Combiner> ChooseCombiner(ProgramWriter& w, const Value& a,
                                       double count) {
  const Value init = w.Partner(a.type, {});
  const Knowledge known = Union(a.known, init.known);
  auto with = [&](XlaOp (*op)(XlaOp, XlaOp, BroadcastDimensions),
                  Knowledge result) {
    return Combiner{[op](XlaOp x, XlaOp y) { return op(x, y, {}); }, init.op,
                    result};
  };
  if (a.type == PRED) {
    XlaOp (*const kOps[])(XlaOp, XlaOp, BroadcastDimensions) = {And, Or, Xor,
                                                                Max, Min};
    return with(kOps[w.random().Below(5)], AnyOf(PRED));
  }
  if (IsInteger(a.type)) {
    XlaOp (*const kOps[])(XlaOp, XlaOp, BroadcastDimensions) = {
        Add, Add, Mul, And, Or, Xor, Max, Min};
    return with(kOps[w.random().Below(8)], AnyOf(a.type));
  }
  if (w.random().Chance(0.5) || a.type == C64) {
    if (!known.finite()) return std::nullopt;
    return with(Add, SumOf(a.type, known, count + 1));
  }
  Knowledge extreme = known;
  extreme.signs = false;
  const bool greatest = w.random().Chance(0.6);
  Combiner combiner = with(greatest ? Max : Min, extreme);
  if (count > 0 && w.random().Chance(0.5)) {
    combiner.init = w.Scalar(a.type, greatest ? -kInfinity : kInfinity).op;
    combiner.known = a.known;
    combiner.known.signs = false;
  }
  return combiner;
}

XlaComputation Computation(ProgramWriter& w, PrimitiveType type,
                           const XlaOpGenerator& combine) {
  return CreateScalarComputation("combine", type, w.builder(), combine);
}

std::vector<int64_t> SomeDimensions(ProgramWriter& w, const Value& a,
                                    Dims* rest, double* count) {
  std::vector<int64_t> reduced;
  for (int64_t d = 0; d < a.rank(); ++d) {
    if (w.random().Chance(0.5)) {
      reduced.push_back(d);
      *count *= a.dims[d];
    } else {
      rest->push_back(a.dims[d]);
    }
  }
  return reduced;
}

}  // namespace

bool AddReduce(ProgramWriter& w, const Value& a) {
  Dims rest;
  double count = 1;
  const std::vector<int64_t> reduced = SomeDimensions(w, a, &rest, &count);
  const std::optional<Combiner> combiner = ChooseCombiner(w, a, count);
  if (!combiner.has_value()) return false;
  return w.Put(Reduce(a.op, combiner->init,
                      Computation(w, a.type, combiner->combine), reduced),
               a.type, rest, combiner->known);
}

namespace {

// The greatest element and its companion; of equal ones the lesser companion.
XlaComputation GreatestComputation(ProgramWriter& w, PrimitiveType type) {
  auto b = w.builder()->CreateSubBuilder("greatest");
  const Shape value = ShapeUtil::MakeShape(type, {});
  const Shape number = ShapeUtil::MakeShape(S32, {});
  const XlaOp x = Parameter(b.get(), 0, value, "x");
  const XlaOp i = Parameter(b.get(), 1, number, "i");
  const XlaOp y = Parameter(b.get(), 2, value, "y");
  const XlaOp j = Parameter(b.get(), 3, number, "j");
  const XlaOp first = Or(Gt(x, y), And(Eq(x, y), Lt(i, j)));
  Tuple(b.get(), {Select(first, x, y), Select(first, i, j)});
  return b->BuildAndNoteError();
}

bool AddVariadicReduce(ProgramWriter& w, const Value& a) {
  if (a.type == PRED || a.type == C64) return false;
  if (!a.known.exact() || !a.known.finite()) return false;
  Dims rest;
  double count = 1;
  const std::vector<int64_t> reduced = SomeDimensions(w, a, &rest, &count);
  const Value numbers = w.Partner(S32, a.dims);
  const Value least = w.Partner(a.type, {}), last = w.Partner(S32, {});
  if (!least.known.exact() || !least.known.finite()) return false;
  const XlaOp both =
      Reduce(w.builder(), {a.op, numbers.op}, {least.op, last.op},
             GreatestComputation(w, a.type), reduced);
  Knowledge known = Union(a.known, least.known);
  known.signs = false;
  const bool put = w.Put(GetTupleElement(both, 0), a.type, rest, known);
  if (w.random().Chance(0.2)) return put;
  return w.Put(GetTupleElement(both, 1), S32, rest, AnyOf(S32)) || put;
}

bool AddReduceWindow(ProgramWriter& w, const Value& a) {
  Random& random = w.random();
  Dims window, strides, base, dilation;
  std::vector<std::pair<int64_t, int64_t>> padding;
  double count = 1;
  for (int64_t size : a.dims) {
    if (size > 1 && random.Chance(0.15)) {  // running sums
      window.push_back(size);
      strides.push_back(1);
      padding.push_back({size - 1, 0});
      base.push_back(1);
      dilation.push_back(1);
    } else {
      const bool one = random.Chance(0.4);
      window.push_back(one ? 1 : random.In(1, 5));
      strides.push_back(random.Chance(0.6) ? 1 : random.In(1, 3));
      padding.push_back(
          random.Chance(0.5)
              ? std::pair<int64_t, int64_t>{0, 0}
              : std::pair<int64_t, int64_t>{random.In(0, 3), random.In(0, 3)});
      base.push_back(random.Chance(0.85) ? 1 : random.In(1, 3));
      dilation.push_back(random.Chance(0.85) ? 1 : random.In(1, 3));
    }
    count *= window.back();
  }
  if (count * a.elements() > 300000) return false;
  const std::optional<Combiner> combiner = ChooseCombiner(w, a, count);
  if (!combiner.has_value()) return false;
  // Windows that lie in the padding give the initial value.
  Knowledge known = combiner->known;
  if (IsReal(a.type) && known.exact() && known.finite() && known.grain > 0 &&
      known.bound == a.known.bound) {
    known = {.signs = false};
  }
  const XlaOp op = ReduceWindowWithGeneralPadding(
      a.op, combiner->init, Computation(w, a.type, combiner->combine), window,
      strides, base, dilation, padding);
  const auto shape = w.builder()->GetShape(op);
  if (!shape.ok()) return false;
  return w.Put(op, a.type,
               Dims(shape->dimensions().begin(), shape->dimensions().end()),
               known);
}

}  // namespace

bool AddSort(ProgramWriter& w, const Value& a) {
  if (a.rank() == 0 || a.type == C64 || a.type == PRED) return false;
  if (!a.known.exact()) return false;
  if (IsReal(a.type) && (!a.known.finite() || !a.known.signs)) return false;
  const int64_t d = w.random().Below(a.rank());
  std::vector<Value> operands = {a};
  std::vector<PrimitiveType> types = {a.type};
  for (int64_t i = w.random().Below(3); i > 0; --i) {
    operands.push_back(w.Partner(w.RandomType(), a.dims));
    types.push_back(operands.back().type);
  }
  // Keys decide the order, most often the first operand alone.
  using Compare = XlaOp (*)(XlaOp, XlaOp, absl::Span<const int64_t>);
  std::vector<std::optional<Compare>> comparators(types.size());
  const std::vector<Compare> ways = {LtTotalOrder, GtTotalOrder, Lt, Gt};
  comparators[0] = w.random().Of(ways);
  if (types.size() > 1 && types[1] == S32 && w.random().Chance(0.3)) {
    comparators[1] = w.random().Of(ways);
  }
  std::vector<XlaOp> ops;
  for (const Value& operand : operands) ops.push_back(operand.op);
  const bool stable = ops.size() > 1 || w.random().Chance(0.5);
  const XlaOp sorted = Sort(ops,
                            CreateScalarComparisonComputation(
                                "before", types, comparators, w.builder()),
                            d, stable);
  if (ops.size() == 1) return w.PutLike(a, sorted, a.known);
  bool put = false;
  for (size_t i = 0; i < ops.size(); ++i) {
    put |=
        w.PutLike(operands[i], GetTupleElement(sorted, i), operands[i].known);
  }
  return put;
}

namespace {

bool AddTopK(ProgramWriter& w, const Value& a) {
  if (a.type == C64 || a.type == PRED || a.dims.back() == 0) return false;
  if (!a.known.exact() || !a.known.finite() || !a.known.signs) return false;
  const int64_t k = w.random().In(1, a.dims.back());
  Dims dims = a.dims;
  dims.back() = k;
  const XlaOp both = TopK(a.op, k, w.random().Chance(0.7));
  const bool values = w.Put(GetTupleElement(both, 0), a.type, dims, a.known);
  const bool places = w.Put(GetTupleElement(both, 1), S32, dims, AnyOf(S32));
  return values || places;
}

}  // namespace

bool AddReduction(ProgramWriter& w) {
  const Value* found =
      w.Find([&](const Value& value) { return value.rank() > 0; });
  if (found == nullptr) return false;
  const Value a = *found;
  switch (w.random().Below(8)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return AddReduce(w, a);
    case 4:
      return AddVariadicReduce(w, a);
    case 5:
    case 6:
      return AddReduceWindow(w, a);
    default:
      return w.random().Chance(0.2) ? AddTopK(w, a) : AddSort(w, a);
  }
}

}  // namespace xla::fuzz
