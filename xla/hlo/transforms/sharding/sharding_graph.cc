// Walks the computations that run on all partitions, callers before what they
// call.
#include "xla/hlo/transforms/sharding/sharding_graph.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/transforms/sharding/program_order.h"
#include "xla/hlo/transforms/sharding/sharding_calls.h"
#include "xla/hlo/transforms/sharding/sharding_rule.h"

namespace xla {
namespace {

int64_t RankOf(const Shape& shape) {
  return shape.IsArray() ? shape.dimensions().size() : 0;
}

// The dimensions of the operands are those of the result.
DimensionFactors IdentityFactors(const Shape& shape, size_t operands) {
  DimensionFactors identity;
  DimensionFactors::Array array;
  for (int64_t d = 0; d < RankOf(shape); ++d) {
    array.push_back(
        identity.Add(FactorKind::kPassedThrough, shape.dimensions(d)));
  }
  identity.operands.assign(operands, array);
  identity.results = {std::move(array)};
  return identity;
}

// A dynamic-update-slice is divided as the array that it overwrites, although
// a part of it depends on where the update goes.
void KeepTarget(DimensionFactors& update) {
  for (const DimensionFactors::Dimension& dimension : update.results[0]) {
    for (const int32_t factor : dimension) {
      update.factors[factor].kind = FactorKind::kPassedThrough;
    }
  }
}

// Gives each array a factor of its own for each blocked one, so that nothing
// passes between them.
DimensionFactors SplitBlocked(ShardingRule rule) {
  DimensionFactors& factors = rule.factors;
  for (auto* arrays : {&factors.operands, &factors.results}) {
    for (DimensionFactors::Array& array : *arrays) {
      for (DimensionFactors::Dimension& dimension : array) {
        for (int32_t& factor : dimension) {
          if (!rule.is_blocked[factor]) continue;
          factors.factors.push_back(factors.factors[factor]);
          factor = static_cast<int32_t>(factors.factors.size()) - 1;
          rule.is_blocked.push_back(false);
        }
      }
    }
  }
  return std::move(factors);
}

// Propagation passes on what a sort works along, but not, as in Shardy, if the
// other dimensions have one element: then the sort is computed whole.
std::optional<DimensionFactors> FactorsOfSort(const HloInstruction& sort) {
  std::optional<DimensionFactors> factors = DimensionFactorsOf(sort);
  if (!factors.has_value() ||
      absl::c_any_of(factors->factors, [](const DimensionFactor& factor) {
        return factor.kind != FactorKind::kWhole;
      })) {
    return factors;
  }
  std::vector<bool> is_blocked(factors->factors.size(), true);
  return SplitBlocked({*std::move(factors), std::move(is_blocked)});
}

absl::StatusOr<std::optional<DimensionFactors>> FactorsOf(
    const HloInstruction& hlo) {
  if (hlo.opcode() == HloOpcode::kSort) return FactorsOfSort(hlo);
  if (hlo.opcode() != HloOpcode::kCustomCall) return DimensionFactorsOf(hlo);
  TF_ASSIGN_OR_RETURN(std::optional<ShardingRule> rule, ShardingRuleOf(hlo));
  if (!rule.has_value()) return DimensionFactorsOf(hlo);
  return SplitBlocked(*std::move(rule));
}

// Moves the calls that separate parameters of groups in conflict to the front,
// the last one first, which therefore decides.
void MoveOpenCalls(std::vector<HloInstruction*>& order) {
  auto is_open_call = [](const HloInstruction* hlo) {
    return IsConstraint(*hlo) &&
           hlo->sharding_proto().type() == OpSharding::UNKNOWN &&
           hlo->operand(0)->opcode() == HloOpcode::kParameter;
  };
  const auto calls = std::stable_partition(
      order.begin(), order.end(), [](const HloInstruction* hlo) {
        return hlo->opcode() == HloOpcode::kParameter;
      });
  const auto rest = std::stable_partition(calls, order.end(), is_open_call);
  std::reverse(calls, rest);
}

// Returns how many parts the manual axes make of a dimension; 0 if they do not
// stand before all others.
int64_t ManualParts(const MeshSharding::Dimension& dimension,
                    const AxisList& manual) {
  int64_t parts = 1;
  bool is_behind = false;
  for (const AxisPart& axis : dimension.axes) {
    if (!Overlap(manual, axis)) {
      is_behind = true;
      continue;
    }
    if (is_behind || !Difference({&axis, 1}, manual).empty()) return 0;
    parts *= axis.size;
  }
  return parts;
}

}  // namespace

bool ShardedArray::IsBound() const {
  return sharding.mesh->is_maximal() || !sharding.replicated.empty() ||
         !sharding.UsedAxes().empty();
}

absl::StatusOr<ShardingGraph> ShardingGraph::Build(
    HloModule* module, ModuleShardings& shardings,
    const ManualRegions& regions) {
  ShardingGraph graph(shardings, regions);
  HloComputation* entry = module->entry_computation();
  for (const HloInstruction* parameter : entry->parameter_instructions()) {
    graph.numbers_[parameter] = graph.AddArrays(parameter);
  }
  TF_RETURN_IF_ERROR(graph.AddComputation(entry));
  graph.CloseParameters(*module);
  TF_RETURN_IF_ERROR(graph.UniteGroups());
  graph.FinishOps();
  return graph;
}

void ShardingGraph::FinishOps() {
  for (size_t i = 0; i < ops_.size(); ++i) {
    ShardedOp& op = ops_[i];
    Numbers sorted = op.arrays;
    absl::c_sort(sorted);
    op.repeats_arrays = absl::c_adjacent_find(sorted) != sorted.end();
    if (op.kind == ShardedOpKind::kEdge || op.kind == ShardedOpKind::kResult) {
      continue;
    }
    op.operands_have_one_use = absl::c_all_of(
        op_operands_[i],
        [&](int32_t value) { return values_[value].reads <= 1; });
  }
}

std::vector<int32_t> ShardingGraph::ArraysOf(const HloInstruction* hlo) const {
  Numbers arrays;
  for (const int32_t value : ValuesOf(hlo)) {
    arrays.push_back(values_[value].array);
  }
  return arrays;
}

void ShardingGraph::CloseParameters(const HloModule& module) {
  // The flags count leaves. One may stand for all, and none allow all.
  const std::vector<bool>& flags =
      module.config().allow_spmd_sharding_propagation_to_parameters();
  if (flags.empty()) return;
  size_t leaf = 0;
  for (const HloInstruction* parameter :
       module.entry_computation()->parameter_instructions()) {
    for (const int32_t number : ArraysOf(parameter)) {
      const bool is_allowed =
          leaf < flags.size() ? flags[leaf] : flags.size() == 1 && flags[0];
      ++leaf;
      if (is_allowed) continue;
      for (auto& dimension : arrays_[number].sharding.dimensions) {
        dimension.is_open = false;
      }
      stated_.insert(number);
    }
  }
}

ShardingGraph::Numbers ShardingGraph::AddArrays(const HloInstruction* hlo) {
  const ManualRegion& region = regions_->Of(hlo);
  Numbers numbers;
  for (const Shape* leaf : Leaves(hlo->shape())) {
    numbers.push_back(static_cast<int32_t>(values_.size()));
    values_.push_back({static_cast<int32_t>(arrays_.size())});
    ShardedArray& array = arrays_.emplace_back();
    array.shape = leaf;
    array.sharding = MeshSharding::Replicated(
        region.axes.empty() ? shardings_->mesh() : region.mesh, RankOf(*leaf),
        /*is_open=*/true);
    array.sharding.manual = region.axes;
  }
  return numbers;
}

ShardingGraph::Numbers ShardingGraph::AddValues(const Numbers& of) {
  Numbers numbers;
  for (const int32_t value : of) {
    numbers.push_back(static_cast<int32_t>(values_.size()));
    values_.push_back({values_[value].array});
  }
  return numbers;
}

ShardedOp& ShardingGraph::AddOp(ShardedOpKind kind, const HloInstruction* hlo,
                                DimensionFactors factors,
                                const Numbers& values) {
  const int32_t number = static_cast<int32_t>(ops_.size());
  const size_t operands = factors.operands.size();
  ShardedOp& op = ops_.emplace_back();
  op.kind = kind;
  op.instruction = hlo;
  op.factors = std::move(factors);
  for (size_t i = 0; i < values.size(); ++i) {
    Value& value = values_[values[i]];
    value.reads += i < operands;
    op.arrays.push_back(value.array);
    arrays_[value.array].ops.push_back(number);
  }
  op_operands_.emplace_back(values.begin(), values.begin() + operands);
  return op;
}

void ShardingGraph::AddIdentities(ShardedOpKind kind, const HloInstruction* hlo,
                                  absl::Span<const Numbers> from,
                                  const Numbers& to) {
  for (size_t i = 0; i < to.size(); ++i) {
    Numbers values;
    for (const Numbers& source : from) values.push_back(source[i]);
    values.push_back(to[i]);
    AddOp(kind, hlo, IdentityFactors(ShapeOf(to[i]), from.size()), values);
  }
}

void ShardingGraph::AddBarrier(const HloInstruction& hlo, const Numbers& from,
                               const Numbers& to) {
  const auto& attributes = hlo.frontend_attributes().map();
  const auto allowed = attributes.find("xla.sdy.allowed_direction");
  const absl::string_view direction =
      allowed == attributes.end() ? "NONE" : absl::string_view(allowed->second);
  const size_t first = ops_.size();
  AddIdentities(ShardedOpKind::kConstraint, &hlo, {from}, to);
  for (size_t i = first; i < ops_.size(); ++i) {
    ops_[i].passes_forward = direction == "FORWARD" || direction == "BOTH";
    ops_[i].passes_backward = direction == "BACKWARD" || direction == "BOTH";
  }
}

absl::Status ShardingGraph::AddComputation(HloComputation* computation) {
  if (!added_.insert(computation).second) {
    return absl::InternalError(
        absl::StrCat(computation->name(), ": it has several callers"));
  }
  std::vector<HloInstruction*> order = DepthFirstOrder(*computation);
  MoveOpenCalls(order);
  for (HloInstruction* hlo : order) {
    TF_RETURN_IF_ERROR(AddInstruction(hlo));
    TF_RETURN_IF_ERROR(ReadShardings(*hlo));
    PlaceEffects(*hlo);
  }
  return absl::OkStatus();
}

absl::Status ShardingGraph::AddInstruction(HloInstruction* hlo) {
  switch (hlo->opcode()) {
    case HloOpcode::kParameter:
      return absl::OkStatus();  // Set by the caller.
    case HloOpcode::kTuple: {
      Numbers all;
      for (const HloInstruction* operand : hlo->operands()) {
        const Numbers& values = ValuesOf(operand);
        all.insert(all.end(), values.begin(), values.end());
      }
      numbers_[hlo] = std::move(all);
      return absl::OkStatus();
    }
    case HloOpcode::kGetTupleElement: {
      const int first =
          FirstLeafOfElement(hlo->operand(0)->shape(), hlo->tuple_index());
      const Numbers& all = ValuesOf(hlo->operand(0));
      numbers_[hlo] = Numbers(all.begin() + first,
                              all.begin() + first + LeafCount(hlo->shape()));
      return absl::OkStatus();
    }
    case HloOpcode::kWhile:
      return AddWhile(hlo);
    case HloOpcode::kConditional:
    case HloOpcode::kCall:
      return AddBranches(hlo);
    default:
      return AddOpInstruction(hlo);
  }
}

absl::Status ShardingGraph::AddOpInstruction(HloInstruction* hlo) {
  if (IsGroupMarker(*hlo)) {
    // A copy: a new entry moves the others.
    Numbers values = ValuesOf(hlo->operand(0));
    for (const int32_t value : values) ++values_[value].reads;
    numbers_[hlo] = std::move(values);
    return absl::OkStatus();
  }
  Numbers results = AddArrays(hlo);
  Numbers operands;
  for (const HloInstruction* operand : hlo->operands()) {
    const Numbers& values = ValuesOf(operand);
    operands.insert(operands.end(), values.begin(), values.end());
  }
  numbers_[hlo] = results;
  switch (ShardingCallOf(*hlo)) {
    case ShardingCall::kFullToShard:
    case ShardingCall::kShardToFull:
      return AddBoundary(hlo, std::move(operands), std::move(results));
    case ShardingCall::kSharding:
      // Where an array enters or leaves a manual computation, its sharding is
      // that of the edge.
      AddIdentities(IsManualEntry(*hlo) || IsManualExit(*hlo)
                        ? ShardedOpKind::kEdge
                        : ShardedOpKind::kConstraint,
                    hlo, {operands}, results);
      return absl::OkStatus();
    case ShardingCall::kResult:
      AddIdentities(ShardedOpKind::kResult, hlo, {operands}, results);
      return absl::OkStatus();
    case ShardingCall::kBarrier:
      AddBarrier(*hlo, operands, results);
      return absl::OkStatus();
    case ShardingCall::kNone:
      break;
  }
  // These are as an edge, for each array of a tuple.
  if (hlo->opcode() == HloOpcode::kOptimizationBarrier ||
      hlo->opcode() == HloOpcode::kDomain) {
    AddIdentities(ShardedOpKind::kEdge, hlo, {operands}, results);
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(std::optional<DimensionFactors> factors, FactorsOf(*hlo));
  // Ops without factors, or with tuples as operands, pass nothing on.
  if (!factors.has_value() || factors->operands.size() != operands.size() ||
      factors->results.size() != results.size()) {
    return absl::OkStatus();
  }
  if (hlo->opcode() == HloOpcode::kDynamicUpdateSlice) KeepTarget(*factors);
  operands.insert(operands.end(), results.begin(), results.end());
  AddOp(ShardedOpKind::kInstruction, hlo, *std::move(factors), operands);
  return absl::OkStatus();
}

absl::Status ShardingGraph::AddBoundary(HloInstruction* hlo, Numbers operands,
                                        Numbers results) {
  const bool enters = ShardingCallOf(*hlo) == ShardingCall::kFullToShard;
  const HloInstruction& whole = enters ? *hlo->operand(0) : *hlo;
  const HloInstruction& part = enters ? *hlo : *hlo->operand(0);
  const AxisList manual =
      Difference(regions_->Of(&part).axes, regions_->Of(&whole).axes);
  // How the whole array is divided is what its instruction says: propagation
  // adds no manual axes.
  TF_ASSIGN_OR_RETURN(const Stated stated, shardings_->Of(whole));
  if (stated.size() != 1 || !stated[0].sharding.has_value() ||
      !whole.shape().IsArray() || !part.shape().IsArray() ||
      RankOf(whole.shape()) != RankOf(part.shape())) {
    return absl::InvalidArgumentError(
        absl::StrCat(hlo->name(), ": needs an array whose sharding is stated"));
  }
  DimensionFactors factors;
  DimensionFactors::Array all;
  DimensionFactors::Array free;
  for (int64_t d = 0; d < RankOf(part.shape()); ++d) {
    const int64_t parts =
        ManualParts(stated[0].sharding->dimensions[d], manual);
    const int64_t size = part.shape().dimensions(d);
    if (parts == 0 || whole.shape().dimensions(d) % parts != 0 ||
        whole.shape().dimensions(d) / parts != size) {
      return absl::InvalidArgumentError(
          absl::StrCat(hlo->name(), ": dimension ", d, " of ",
                       part.shape().ToString(), " is no part of ",
                       whole.shape().ToString(), " along the manual axes"));
    }
    all.push_back(factors.Add(FactorKind::kWhole, parts));
    free.push_back(factors.Add(FactorKind::kPassedThrough, size));
    all.back().insert(all.back().end(), free.back().begin(), free.back().end());
  }
  factors.operands = {enters ? all : free};
  factors.results = {enters ? free : all};
  operands.insert(operands.end(), results.begin(), results.end());
  AddOp(ShardedOpKind::kEdge, hlo, std::move(factors), operands);
  return absl::OkStatus();
}

absl::Status ShardingGraph::AddWhile(HloInstruction* loop) {
  const Numbers initial = ValuesOf(loop->operand(0));
  Numbers carry = AddArrays(loop);
  std::vector<bool> is_invariant(carry.size());
  if (loop->shape().IsTuple()) {
    size_t leaf = 0;
    for (int64_t i = 0; i < loop->shape().tuple_shapes_size(); ++i) {
      const bool invariant = IsCarriedUnchanged(*loop, i);
      for (int n = LeafCount(loop->shape().tuple_shapes(i)); n > 0; --n) {
        if (invariant) carry[leaf] = initial[leaf];
        is_invariant[leaf++] = invariant;
      }
    }
  }
  numbers_[loop] = carry;
  for (HloComputation* called : {loop->while_condition(), loop->while_body()}) {
    Numbers inside = AddValues(carry);
    for (size_t i = 0; i < carry.size(); ++i) {
      if (is_invariant[i]) inside[i] = carry[i];
    }
    numbers_[called->parameter_instruction(0)] = std::move(inside);
    TF_RETURN_IF_ERROR(AddComputation(called));
  }
  const Numbers returned = ValuesOf(loop->while_body()->root_instruction());
  for (size_t i = 0; i < carry.size(); ++i) {
    if (is_invariant[i]) continue;
    AddIdentities(ShardedOpKind::kEdge, loop,
                  {Numbers{initial[i]}, Numbers{returned[i]}},
                  Numbers{carry[i]});
  }
  return absl::OkStatus();
}

absl::Status ShardingGraph::AddBranches(HloInstruction* hlo) {
  const Numbers results = AddArrays(hlo);
  numbers_[hlo] = results;
  const bool is_call = hlo->opcode() == HloOpcode::kCall;
  std::vector<Numbers> returned;
  for (size_t c = 0; c < hlo->called_computations().size(); ++c) {
    HloComputation* called = hlo->called_computations()[c];
    for (int64_t p = 0; p < called->num_parameters(); ++p) {
      // A branch has one parameter; the first operand chooses the branch.
      Numbers values = ValuesOf(hlo->operand(is_call ? p : c + 1));
      numbers_[called->parameter_instruction(p)] = std::move(values);
    }
    TF_RETURN_IF_ERROR(AddComputation(called));
    returned.push_back(ValuesOf(called->root_instruction()));
  }
  AddIdentities(ShardedOpKind::kEdge, hlo, returned, results);
  return absl::OkStatus();
}

absl::Status ShardingGraph::ReadShardings(const HloInstruction& hlo) {
  if (!hlo.has_sharding()) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(Stated stated, shardings_->Of(hlo));
  const Numbers arrays = ArraysOf(&hlo);
  if (arrays.empty() && stated.size() == 1 && stated[0].sharding.has_value()) {
    places_.emplace(&hlo, *std::move(stated[0].sharding));
    return absl::OkStatus();
  }
  for (size_t i = 0; i < std::min(arrays.size(), stated.size()); ++i) {
    if (stated[i].group.has_value()) {
      groups_.push_back({*stated[i].group, arrays[i]});
    }
    if (!stated[i].sharding.has_value()) continue;
    stated_.insert(arrays[i]);
    TF_RETURN_IF_ERROR(
        SetSharding(hlo, *std::move(stated[i].sharding), arrays_[arrays[i]]));
  }
  return absl::OkStatus();
}

void ShardingGraph::PlaceEffects(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kCustomCall || hlo.has_sharding() ||
      !hlo.HasSideEffectNoRecurse() || !regions_->Of(&hlo).axes.empty()) {
    return;
  }
  const auto first = std::make_shared<const DeviceMesh>(DeviceMesh::Maximal(0));
  for (const int32_t number : ArraysOf(&hlo)) {
    MeshSharding& sharding = arrays_[number].sharding;
    sharding = MeshSharding::Replicated(first, sharding.rank());
    stated_.insert(number);
  }
  places_.emplace(&hlo, MeshSharding::Replicated(first, 0));
}

absl::Status ShardingGraph::SetSharding(const HloInstruction& hlo,
                                        MeshSharding sharding,
                                        ShardedArray& array) {
  const AxisList& manual = array.sharding.manual;
  if (!manual.empty() && !sharding.mesh->is_maximal()) {
    if (sharding.mesh != array.sharding.mesh) {
      return absl::InvalidArgumentError(
          absl::StrCat(hlo.name(),
                       ": a sharding over another mesh than that of the manual "
                       "computation"));
    }
    AxisList used = sharding.DimensionAxes();
    used.insert(used.end(), sharding.unreduced.begin(),
                sharding.unreduced.end());
    if (Overlap(used, manual)) {
      return absl::InvalidArgumentError(absl::StrCat(
          hlo.name(), ": divided along an axis that is manual here"));
    }
    sharding.replicated = Difference(sharding.replicated, manual);
  }
  if (!Difference(sharding.manual, manual).empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        hlo.name(), ": manual axes outside of a manual computation"));
  }
  sharding.manual = manual;
  array.sharding = std::move(sharding);
  return absl::OkStatus();
}

absl::Status ShardingGraph::UniteGroups() {
  if (groups_.empty()) return absl::OkStatus();
  // Groups that have an array in common are one. An array points to another
  // one of its group, or to itself.
  std::vector<int32_t> group(arrays_.size());
  std::iota(group.begin(), group.end(), 0);
  auto find = [&](int32_t array) {
    while (group[array] != array) array = group[array] = group[group[array]];
    return array;
  };
  absl::flat_hash_map<int64_t, int32_t> firsts;
  for (const auto& [id, array] : groups_) {
    const int32_t first = firsts.try_emplace(id, array).first->second;
    const int32_t a = find(first), b = find(array);
    group[std::max(a, b)] = std::min(a, b);
  }
  std::map<int32_t, std::vector<int32_t>> members;
  for (const auto& [id, array] : groups_) members[find(array)].push_back(array);
  std::vector<int32_t> united(arrays_.size());
  std::iota(united.begin(), united.end(), 0);
  for (const auto& [root, arrays] : members) {
    TF_RETURN_IF_ERROR(UniteGroup(arrays, united));
  }
  for (ShardedOp& op : ops_) {
    for (int32_t& array : op.arrays) array = united[array];
  }
  for (Value& value : values_) value.array = united[value.array];
  for (size_t array = 0; array < united.size(); ++array) {
    if (united[array] == static_cast<int32_t>(array)) continue;
    ShardedArray& into = arrays_[united[array]];
    std::vector<int32_t> ops = std::exchange(arrays_[array].ops, {});
    into.ops.insert(into.ops.end(), ops.begin(), ops.end());
  }
  return absl::OkStatus();
}

absl::Status ShardingGraph::UniteGroup(absl::Span<const int32_t> arrays,
                                       std::vector<int32_t>& united) const {
  // The one that states something speaks for all.
  const auto stated = absl::c_find_if(
      arrays, [&](int32_t array) { return stated_.contains(array); });
  const int32_t chosen = stated == arrays.end() ? arrays[0] : *stated;
  const ShardedArray& model = arrays_[chosen];
  bool in_conflict = false;
  for (const int32_t number : arrays) {
    const ShardedArray& array = arrays_[number];
    if (array.shape->dimensions() != model.shape->dimensions() ||
        array.sharding.manual != model.sharding.manual) {
      return absl::InvalidArgumentError(absl::StrCat(
          "a shard group has arrays of different shapes, ",
          array.shape->ToString(), " and ", model.shape->ToString(),
          ", or in different manual computations"));
    }
    in_conflict |=
        stated_.contains(number) && !(array.sharding == model.sharding);
  }
  if (in_conflict) return absl::OkStatus();
  for (const int32_t number : arrays) united[number] = chosen;
  return absl::OkStatus();
}

OpSharding ShardingGraph::ShardingOf(const HloInstruction& hlo) const {
  const Numbers arrays = ArraysOf(&hlo);
  if (hlo.shape().IsTuple() && !arrays.empty()) {
    OpSharding tuple;
    tuple.set_type(OpSharding::TUPLE);
    for (const int32_t array : arrays) {
      *tuple.add_tuple_shardings() = arrays_[array].sharding.ToOpSharding();
    }
    return tuple;
  }
  if (!arrays.empty()) return arrays_[arrays[0]].sharding.ToOpSharding();
  // Without arrays it says where the instruction runs.
  const auto place = places_.find(&hlo);
  if (place != places_.end() && place->second.mesh->is_maximal()) {
    return place->second.ToOpSharding();
  }
  const ManualRegion& region = regions_->Of(&hlo);
  MeshSharding everywhere = MeshSharding::Replicated(
      region.axes.empty() ? shardings_->mesh() : region.mesh, 0);
  everywhere.manual = region.axes;
  return everywhere.ToOpSharding();
}

bool ShardingGraph::WriteShardings() const {
  bool changed = false;
  const HloInstruction* root =
      regions_->computations().front()->root_instruction();
  for (const HloComputation* computation : regions_->computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (IsGroupMarker(*hlo)) continue;
      OpSharding sharding = ShardingOf(*hlo);
      if (hlo->has_sharding() && hlo->sharding_proto().SerializeAsString() ==
                                     sharding.SerializeAsString()) {
        continue;
      }
      hlo->set_sharding(std::move(sharding));
      changed |= ShardingCallOf(*hlo) != ShardingCall::kResult && hlo != root;
    }
  }
  return changed;
}

}  // namespace xla
