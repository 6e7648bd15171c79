// Reads orders, shares and repetitions off the expressions of indexing maps.
#include "xla/hlo/analysis/indexing/operand_access.h"

#include <algorithm>
#include <cmath>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/indexing/point_count.h"
#include "xla/hlo/ir/infer_instruction.h"

namespace xla {
namespace {

using Sizes = absl::Span<const int64_t>;

// The innermost of dimensions 0 to `end` - 1 that has more than one element; -1
// if there is none.
int32_t Innermost(Sizes sizes, size_t end) {
  int32_t d = static_cast<int32_t>(end) - 1;
  while (d >= 0 && sizes[d] == 1) --d;
  return d;
}
int32_t Innermost(Sizes sizes) { return Innermost(sizes, sizes.size()); }

double ProductOf(Sizes sizes) {
  double product = 1;
  for (const int64_t size : sizes) product *= static_cast<double>(size);
  return product;
}

// How far the index moves from a value of `variable` to the next, but where a
// remainder starts anew. A quotient moves to the next element at some time, as
// the places of dilated elements do, of which only those that have one count.
double StepOf(const IndexExpr& index, int32_t variable) {
  double step = 0;
  for (const IndexExpr::Term& term : index.terms()) {
    const IndexExpr::Atom& atom = term.atom;
    double of_atom = 0;
    switch (atom.kind) {
      case IndexExpr::Kind::kVariable:
        of_atom = atom.variable == variable ? 1 : 0;
        break;
      case IndexExpr::Kind::kMod:
        of_atom = StepOf(*atom.operand, variable);
        break;
      case IndexExpr::Kind::kFloorDiv: {
        const double divisor = static_cast<double>(atom.divisor);
        const double of_operand = StepOf(*atom.operand, variable);
        of_atom =
            of_operand == 0
                ? 0
                : std::copysign(std::max(1.0, std::abs(of_operand) / divisor),
                                of_operand);
        break;
      }
    }
    step += static_cast<double>(term.coefficient) * of_atom;
  }
  return step;
}

// The order of the indices, where runtime variables stand still.
AccessOrder StaticOrder(const IndexingMap& map, Sizes result, Sizes operand) {
  const int32_t last = Innermost(result);
  const int32_t minor = Innermost(operand);
  if (last < 0 || minor < 0) return AccessOrder::kConstant;
  const bool along = map.results()[minor].DependsOn(last);
  const bool column = map.results()[minor].terms().empty();
  for (int32_t r = 0; r < minor; ++r) {
    if (operand[r] == 1) continue;
    const IndexExpr& index = map.results()[r];
    // The rows of a reshape follow each other: their numbers are quotients of
    // what the minor index is a remainder of.
    if (index.DependsOn(last) && !(along && index.HasQuotients())) {
      return column ? AccessOrder::kStrided : AccessOrder::kTransposed;
    }
  }
  if (!along) return AccessOrder::kConstant;
  const double step = StepOf(map.results()[minor], last);
  if (step == 1) return AccessOrder::kContiguous;
  return step == -1 ? AccessOrder::kReversed : AccessOrder::kStrided;
}

// Whether the place in memory, in row-major order, is that of the result's
// element.
bool KeepsPosition(const IndexingMap& map, Sizes result, Sizes operand) {
  if (!map.constraints().empty() || ProductOf(result) != ProductOf(operand)) {
    return false;
  }
  const IndexSpace& space = map.space();
  IndexExpr from, to;
  for (size_t d = 0; d < operand.size(); ++d) {
    from = space.Add(space.Multiply(from, operand[d]), map.results()[d]);
  }
  for (size_t d = 0; d < result.size(); ++d) {
    to = space.Add(space.Multiply(to, result[d]),
                   map.dimension(static_cast<int64_t>(d)));
  }
  return from.known() && from == to;
}

bool ComputesIndex(const IndexingMap& map, Sizes result, Sizes operand) {
  int32_t before = -1;
  for (size_t r = 0; r < operand.size(); ++r) {
    if (operand[r] == 1) continue;
    const int32_t variable = map.results()[r].variable().value_or(-1);
    if (variable <= before || variable >= map.dimension_count() ||
        result[variable] != operand[r]) {
      return !KeepsPosition(map, result, operand);
    }
    before = variable;
  }
  return false;
}

// How many consecutive elements of the result read the same, where
// `depends_on(d)` says that dimension `d` matters.
template <typename DependsOn>
double RepeatsOf(Sizes result, const DependsOn& depends_on) {
  double repeats = 1;
  for (size_t d = result.size(); d-- > 0;) {
    if (result[d] == 1) continue;
    if (depends_on(static_cast<int32_t>(d))) break;
    repeats *= static_cast<double>(std::max<int64_t>(1, result[d]));
  }
  return repeats;
}

bool IndexDependsOn(const IndexingMap::Variable& variable, int32_t d) {
  return absl::c_any_of(variable.index,
                        [&](const IndexExpr& e) { return e.DependsOn(d); });
}

bool HasRuntimeIndices(const IndexingMap& map) {
  return absl::c_any_of(map.variables(), [](const IndexingMap::Variable& v) {
    return v.kind == IndexingMap::Kind::kRuntime;
  });
}

// True if an index that is data is another one along dimension `d`.
bool RuntimeIndexDependsOn(const IndexingMap& map, int32_t d) {
  return absl::c_any_of(map.variables(), [&](const IndexingMap::Variable& v) {
    return IndexDependsOn(v, d);
  });
}

// How many elements are found at one index that is data: inner dimensions of
// the result that are inner dimensions of the operand, all but the outermost of
// them whole.
double RunOf(const IndexingMap& map, Sizes result, Sizes operand) {
  double run = 1;
  int32_t d = Innermost(result);
  int32_t r = Innermost(operand);
  while (d >= 0 && r >= 0 && !RuntimeIndexDependsOn(map, d) &&
         StepOf(map.results()[r], d) == 1) {
    run *= static_cast<double>(result[d]);
    if (result[d] != operand[r]) break;
    d = Innermost(result, d);
    r = Innermost(operand, r);
  }
  return run;
}

OperandAccess AccessBy(const OperandIndexing& read, Sizes result,
                       Sizes operand) {
  const IndexingMap& map = read.map;
  OperandAccess access;
  access.operand = read.operand;
  access.order = StaticOrder(map, result, operand);
  access.is_tested = !map.constraints().empty();
  access.elements = ProductOf(map.RangeSizes());
  access.is_identity = map.IsIdentity() && result == operand;
  if (access.is_identity) return access;
  access.computes_index = ComputesIndex(map, result, operand);
  bool gathers = false;
  for (int32_t d = 0; d < map.dimension_count(); ++d) {
    if (result[d] == 1) continue;
    access.is_repeated |= !map.DependsOn(d);
    gathers |= RuntimeIndexDependsOn(map, d);
  }
  access.repeats =
      RepeatsOf(result, [&](int32_t d) { return map.DependsOn(d); });
  if (!gathers) {
    access.adds_start = HasRuntimeIndices(map);
  } else if (access.order == AccessOrder::kContiguous &&
             !RuntimeIndexDependsOn(map, Innermost(result))) {
    access.order = AccessOrder::kGatheredRows;
    access.run = RunOf(map, result, operand);
  } else {
    access.order = AccessOrder::kGatheredElements;
  }
  return access;
}

// Finds the shares for an op that moves elements: an element is that of the
// first operand that has one.
void FindShares(const OpIndexing& indexing, Sizes result,
                absl::Span<const HloInstruction* const> operands,
                absl::Span<OperandAccess> accesses) {
  const double all = ProductOf(result);
  double left = 1;
  for (size_t i = 0; i < accesses.size(); ++i) {
    const IndexingMap& map = indexing.reads[i].map;
    double share = map.empty() ? 0 : 1;
    if (accesses[i].is_tested && all > 0) {
      share = CountPoints(map) / all;
      if (HasRuntimeIndices(map)) {
        const Shape& shape = operands[accesses[i].operand]->shape();
        share = std::min(share, ProductOf(shape.dimensions()) / all);
      }
    }
    accesses[i].share = std::min(left, share);
    left -= accesses[i].share;
  }
}

// Whether the op repeats the only element that there is, as most broadcasts do:
// that is known without a map.
bool RepeatsOneElement(const HloInstruction& instruction) {
  return instruction.def().moves && instruction.operand_count() == 1 &&
         ElementsOf(instruction.operand(0)->shape()) == 1 &&
         ElementsOf(instruction.shape()) > 1;
}

}  // namespace

std::optional<std::vector<OperandAccess>> OperandAccessesOf(
    const HloInstruction& instruction) {
  if (RepeatsOneElement(instruction)) {
    OperandAccess access;
    access.order = AccessOrder::kConstant;
    access.is_repeated = true;
    access.repeats = ElementsOf(instruction.shape());
    return std::vector<OperandAccess>{access};
  }
  const std::optional<OpIndexing> indexing = IndexingOf(instruction);
  if (!indexing.has_value()) return std::nullopt;
  const Sizes result = FirstLeaf(instruction.shape()).dimensions();
  std::vector<OperandAccess> accesses;
  for (const OperandIndexing& read : indexing->reads) {
    if (!read.map.known()) return std::nullopt;
    accesses.push_back(AccessBy(
        read, result, instruction.operand(read.operand)->shape().dimensions()));
  }
  if (instruction.def().moves) {
    FindShares(*indexing, result, instruction.operands(),
               absl::MakeSpan(accesses));
  }
  for (const OperandIndexing& read : indexing->reads) {
    for (const IndexingMap::Variable& variable : read.map.variables()) {
      if (variable.kind != IndexingMap::Kind::kRuntime) continue;
      OperandAccess access;
      access.operand = variable.source;
      access.is_index = true;
      access.repeats = RepeatsOf(
          result, [&](int32_t d) { return IndexDependsOn(variable, d); });
      accesses.push_back(access);
    }
  }
  return accesses;
}

}  // namespace xla
