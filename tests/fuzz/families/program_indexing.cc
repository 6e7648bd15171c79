// Slices at positions that are data, and their inverses.
#include "tests/fuzz/families/program_indexing.h"

#include <algorithm>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/arithmetic.h"

namespace xla::fuzz {
namespace {

PrimitiveType IndexType(ProgramWriter& w) {
  static const std::vector<PrimitiveType> kTypes = {S32, S32, S32, S64,
                                                    U32, U8,  S8,  U64};
  return w.random().Of(kTypes);
}

std::vector<XlaOp> Starts(ProgramWriter& w, int64_t rank) {
  const PrimitiveType type = IndexType(w);
  std::vector<XlaOp> starts;
  for (int64_t d = 0; d < rank; ++d) {
    starts.push_back(w.random().Chance(0.3)
                         ? w.Scalar(type, w.random().In(0, 5)).op
                         : w.Partner(type, {}).op);
  }
  return starts;
}

Dims Part(ProgramWriter& w, const Dims& dims) {
  Dims part;
  for (int64_t size : dims) {
    const bool whole = size == 0 || w.random().Chance(0.4);
    part.push_back(whole ? size : w.random().In(1, size));
  }
  return part;
}

bool AddDynamicSlice(ProgramWriter& w, const Value& a) {
  const Dims dims = Part(w, a.dims);
  return w.Put(DynamicSlice(a.op, Starts(w, a.rank()), dims), a.type, dims,
               a.known);
}

bool AddDynamicUpdateSlice(ProgramWriter& w, const Value& a) {
  const Value update = w.Partner(a.type, Part(w, a.dims));
  return w.PutLike(a, DynamicUpdateSlice(a.op, update.op, Starts(w, a.rank())),
                   Union(a.known, update.known));
}

// The dimension numbers of a gather of slices of `a`; a scatter has the same
// under other names.
struct GatherPlan {
  GatherDimensionNumbers numbers;
  Dims slice_sizes;
  Dims indices;
  Dims result;
  int64_t slices = 1;
};

GatherPlan PlanGather(ProgramWriter& w, const Dims& operand) {
  Random& random = w.random();
  const int64_t rank = operand.size();
  GatherPlan plan;
  // The role of each operand dimension: paired with one of the indices,
  // collapsed, or part of the slice; and whether indices give its start.
  std::vector<int64_t> batching, indexed, window;
  for (int64_t d = 0; d < rank; ++d) {
    if (random.Chance(0.1)) {
      batching.push_back(d);
      plan.slice_sizes.push_back(std::min<int64_t>(operand[d], 1));
      continue;
    }
    if (random.Chance(0.6)) indexed.push_back(d);
    if (operand[d] > 0 && random.Chance(0.4)) {
      plan.numbers.add_collapsed_slice_dims(d);
      plan.slice_sizes.push_back(1);
      continue;
    }
    const bool whole = operand[d] == 0 || random.Chance(0.5);
    plan.slice_sizes.push_back(whole ? operand[d] : random.In(1, operand[d]));
    window.push_back(plan.slice_sizes.back());
  }
  for (int64_t i : random.Permutation(indexed.size())) {
    plan.numbers.add_start_index_map(indexed[i]);
  }
  Dims batch;
  for (int64_t i = random.In(0, 2); i > 0; --i) {
    batch.push_back(random.Of(Dims{1, 2, 3, 5, 7, 16, 40}));
  }
  std::vector<int64_t> places =
      random.Permutation(batch.size() + batching.size());
  places.resize(batching.size());
  std::sort(places.begin(), places.end());
  for (size_t i = 0; i < batching.size(); ++i) {
    batch.insert(batch.begin() + places[i], operand[batching[i]]);
  }
  plan.indices = batch;
  const int64_t vector_dim = random.In(0, batch.size());
  const bool implicit = indexed.size() == 1 && random.Chance(0.3);
  plan.numbers.set_index_vector_dim(implicit ? batch.size() : vector_dim);
  if (!implicit) {
    plan.indices.insert(plan.indices.begin() + vector_dim, indexed.size());
  }
  for (size_t i = 0; i < batching.size(); ++i) {
    plan.numbers.add_operand_batching_dims(batching[i]);
    plan.numbers.add_start_indices_batching_dims(
        places[i] + (!implicit && places[i] >= vector_dim));
  }
  std::vector<int64_t> offsets =
      random.Permutation(batch.size() + window.size());
  offsets.resize(window.size());
  std::sort(offsets.begin(), offsets.end());
  plan.result = batch;
  for (size_t i = 0; i < window.size(); ++i) {
    plan.numbers.add_offset_dims(offsets[i]);
    plan.result.insert(plan.result.begin() + offsets[i], window[i]);
  }
  for (int64_t size : batch) plan.slices *= size;
  return plan;
}

// Indices, mostly in range.
XlaOp Indices(ProgramWriter& w, const Dims& dims) {
  const PrimitiveType type = IndexType(w);
  const Value indices = w.Partner(type, dims);
  if (w.random().Chance(0.4)) return indices.op;
  return And(indices.op, w.Full(type, dims, 7));
}

bool AddGather(ProgramWriter& w, const Value& a) {
  const GatherPlan plan = PlanGather(w, a.dims);
  if (ShapeUtil::ElementsIn(ShapeUtil::MakeShape(a.type, plan.result)) > 5000) {
    return false;
  }
  return w.Put(
      Gather(a.op, Indices(w, plan.indices), plan.numbers, plan.slice_sizes),
      a.type, plan.result, a.known);
}

bool AddScatter(ProgramWriter& w, const Value& a) {
  const GatherPlan plan = PlanGather(w, a.dims);
  if (ShapeUtil::ElementsIn(ShapeUtil::MakeShape(a.type, plan.result)) > 5000) {
    return false;
  }
  ScatterDimensionNumbers numbers;
  *numbers.mutable_update_window_dims() = plan.numbers.offset_dims();
  *numbers.mutable_inserted_window_dims() = plan.numbers.collapsed_slice_dims();
  *numbers.mutable_scatter_dims_to_operand_dims() =
      plan.numbers.start_index_map();
  *numbers.mutable_input_batching_dims() = plan.numbers.operand_batching_dims();
  *numbers.mutable_scatter_indices_batching_dims() =
      plan.numbers.start_indices_batching_dims();
  numbers.set_index_vector_dim(plan.numbers.index_vector_dim());
  const Value updates = w.Partner(a.type, plan.result);
  Knowledge known = Union(a.known, updates.known);
  const bool ordered = a.type != C64;
  XlaOpGenerator combine = [](XlaOp, XlaOp update) { return update; };
  const bool number = a.type != PRED;
  switch (w.random().Below(4)) {
    case 0:
      if (!number) break;
      if (!known.finite()) return false;
      combine = [](XlaOp old, XlaOp update) { return Add(old, update); };
      known.bound = a.known.bound +
                    static_cast<double>(plan.slices) * updates.known.bound;
      known.error = a.known.error +
                    static_cast<double>(plan.slices) * updates.known.error;
      known = Rounded(a.type, known, 4);
      break;
    case 1:
      if (!number || !ordered) break;
      combine = [](XlaOp old, XlaOp update) { return Max(old, update); };
      known.signs = false;
      break;
    case 2:
      if (!IsInteger(a.type)) break;
      combine = [](XlaOp old, XlaOp update) { return Mul(old, update); };
      known = AnyOf(a.type);
      break;
    default:
      break;
  }
  const XlaComputation computation =
      CreateScalarComputation("update", a.type, w.builder(), combine);
  return w.PutLike(
      a,
      Scatter(a.op, Indices(w, plan.indices), updates.op, computation, numbers),
      known);
}

}  // namespace

bool AddIndexing(ProgramWriter& w) {
  const Value* found = w.Any();
  if (found == nullptr) return false;
  const Value a = *found;
  switch (w.random().Below(5)) {
    case 0:
      return AddDynamicSlice(w, a);
    case 1:
    case 2:
      return AddDynamicUpdateSlice(w, a);
    case 3:
      return AddGather(w, a);
    default:
      return AddScatter(w, a);
  }
}

}  // namespace xla::fuzz
