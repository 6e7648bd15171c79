// Has one function for each role that a value can have.
#include "xla/hlo/transforms/fuse/fusion_planner.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/transforms/fuse/fusion_shapes.h"
#include "xla/hlo/transforms/fuse/instruction_fusion.h"

namespace xla {
namespace {

// The least elements of a shared operand that justify merging groups; reading
// smaller arrays twice costs little.
constexpr int64_t kSharedElements = 1024;
// The pairs of groups that MergeUsers tries for one value.
constexpr int kMaxPairs = 8;
// A dynamic-update-slice of more than one element in kFreshRatio of fresh
// memory is written in one loop.
constexpr int64_t kFreshRatio = 8;
// The same ratio for memory from whose other elements the update is computed.
constexpr int64_t kMovedRatio = 2;
// The values that MovesWithinTarget visits at most.
constexpr size_t kMaxLookedAt = 128;

bool Contains(const IndexingMapIdSet& maps, int32_t map) {
  return std::binary_search(maps.begin(), maps.end(), map);
}

// Whether a loop computes the value from almost nothing.
bool IsGenerator(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kIota ||
         (hlo.opcode() == HloOpcode::kBroadcast &&
          FusionElements(*hlo.operand(0)) == 1);
}

// Whether `hlo` is a dynamic-slice of what `update` overwrites.
bool ReadsOverwritten(const HloInstruction& hlo, const HloInstruction& update) {
  if (hlo.opcode() != HloOpcode::kDynamicSlice ||
      hlo.operand(0) != update.operand(0) ||
      !ShapeUtil::SameDimensions(hlo.shape(), update.operand(1)->shape())) {
    return false;
  }
  for (int64_t i = 1; i < hlo.operand_count(); ++i) {
    if (hlo.operand(i) != update.operand(i + 1)) return false;
  }
  return true;
}

// Whether the shapes differ only in dimensions of size 1.
bool SameButOnes(const Shape& a, const Shape& b) {
  auto sizes = [](const Shape& shape) {
    std::vector<int64_t> result;
    for (int64_t size : shape.dimensions()) {
      if (size != 1) result.push_back(size);
    }
    return result;
  };
  return sizes(a) == sizes(b);
}

bool SameLast(const Shape& a, const Shape& b) {
  return !a.dimensions().empty() && !b.dimensions().empty() &&
         a.dimensions().back() == b.dimensions().back();
}

}  // namespace

void FusionPlanner::Plan() {
  for (int p = groups_.size() - 1; p >= 0; --p) Place(p);
}

void FusionPlanner::Place(int position) {
  switch (groups_.At(position).role) {
    case FusionRole::kOpaque:
      return ShareReads(position);
    case FusionRole::kElementwise:
    case FusionRole::kIndexingMap:
    case FusionRole::kInlineReduce:
      return PlaceValue(position);
    case FusionRole::kReshape:
      return PlaceReshape(position);
    case FusionRole::kReduce:
      return PlaceReduce(position);
    case FusionRole::kUpdate:
      return PlaceUpdate(position);
    case FusionRole::kScatter: {
      const Uses uses = groups_.UsesOf(position);
      if (uses.escapes || !uses.groups.empty()) {
        groups_.NewGroup(FusionGroup::Kind::kScatter, position);
      }
      return;
    }
  }
}

void FusionPlanner::ShareReads(int position) {
  const HloInstruction& hlo = *groups_.At(position).hlo;
  if (!hlo.shape().IsArray() || FusionElements(hlo) < kSharedElements) return;
  Uses uses = groups_.UsesOf(position);
  if (uses.groups.size() < 2) return;
  const int32_t all = groups_.maps().Identity(hlo.shape());
  Uses whole;
  for (const FusionUse& use : uses.groups) {
    if (Contains(use.maps, all)) whole.groups.push_back(use);
  }
  MergeUsers(whole);
}

bool FusionPlanner::FitsIn(int position, const FusionUse& use) {
  return groups_.WhyNoRoom(use.group, position, use.maps).empty() &&
         groups_.RespectsTarget(use.group, position, use.maps);
}

double FusionPlanner::Evaluations(int position, const FusionUse& use) {
  const FusedValue& value = groups_.At(position);
  double evaluations = 0;
  for (int32_t map : use.maps) evaluations += groups_.maps().evaluations(map);
  // Loops over a row keep only the results of costly element-wise ops.
  if (value.role != FusionRole::kElementwise &&
      value.ns > groups_.backend().rates().repeated_ns) {
    evaluations *= groups_.Group(use.group).stages;
  }
  return evaluations;
}

double FusionPlanner::ReadNanoseconds(int position, double evaluations) const {
  const HloInstruction& hlo = *groups_.At(position).hlo;
  const FusionRates& rates = groups_.backend().rates();
  const double bytes = BytesOf(hlo.shape());
  const double elements =
      std::max<double>(1, static_cast<double>(FusionElements(hlo)));
  const double rate = bytes > static_cast<double>(rates.cache_bytes)
                          ? rates.read_ns_per_byte
                          : rates.cached_ns_per_byte;
  return bytes * rate * std::min(1.0, evaluations / elements) +
         evaluations * rates.load_ns;
}

bool FusionPlanner::InlinePays(int position, const Uses& uses,
                               InlineCosts* costs) {
  const FusedValue& value = groups_.At(position);
  const FusionRates& rates = groups_.backend().rates();
  const double bytes = BytesOf(value.hlo->shape());
  const double elements = static_cast<double>(FusionElements(*value.hlo));
  const bool large = bytes > static_cast<double>(rates.cache_bytes);
  double evaluations = 0;
  double reads = 0;
  double operands = 0;  // bytes of operands that groups read for this
  double most = 0;
  double scattered = 0;
  for (const FusionUse& use : uses.groups) {
    const double here = Evaluations(position, use);
    evaluations += here;
    reads += ReadNanoseconds(position, here);
    const double bytes_here = groups_.NewBytes(use.group, position);
    operands += bytes_here;
    most = std::max(most, bytes_here);
    // The group would read several operands across their rows instead of one
    // value.
    if (std::any_of(use.maps.begin(), use.maps.end(),
                    [&](int32_t map) { return groups_.maps().strided(map); })) {
      int full = 0;
      for (const HloInstruction* operand : value.hlo->operands()) {
        full += groups_.RoleOf(operand) == FusionRole::kOpaque &&
                BytesOf(operand->shape()) * 2 > bytes &&
                FusionElements(*operand) > kSharedElements;
      }
      scattered += std::max(0, full - 1) * here * rates.strided_ns;
    }
  }
  const double again = std::max(0.0, evaluations - elements) * value.ns;
  const double more_reads =
      (operands - most) *
      (large ? rates.read_ns_per_byte : rates.cached_ns_per_byte);
  costs->excess = uses.excess + again;
  if (again + more_reads + scattered <= 0) return true;
  costs->saved =
      rates.kernel_ns + reads +
      bytes * (large ? rates.write_ns_per_byte : rates.cached_ns_per_byte);
  // An op that only moves elements adds nothing to the recomputation.
  const bool moves =
      value.role == FusionRole::kIndexingMap && value.ns < rates.moving_ns;
  costs->more = (moves ? again : costs->excess) + more_reads + scattered;
  return costs->more <= costs->saved;
}

bool FusionPlanner::BeatsReading(int position, const FusionUse& use) {
  const FusedValue& value = groups_.At(position);
  const double evaluations = Evaluations(position, use);
  const double operands = groups_.NewBytes(use.group, position) *
                          groups_.backend().rates().read_ns_per_byte;
  return evaluations * value.ns + operands + value.excess <
         ReadNanoseconds(position, evaluations);
}

void FusionPlanner::PlaceValue(int position) {
  Uses uses = groups_.UsesOf(position);
  FusedValue& value = groups_.At(position);
  if (uses.groups.empty() && !uses.escapes) return;
  if (uses.groups.size() > 1 && value.ns > 0 && !IsGenerator(*value.hlo) &&
      FusionElements(*value.hlo) > 1 && MergeUsers(uses)) {
    uses = groups_.UsesOf(position);
  }
  value.excess = uses.excess;
  bool inside = !uses.escapes;
  for (const FusionUse& use : uses.groups) {
    inside = inside && FitsIn(position, use);
  }
  InlineCosts costs;
  if (!inside || !InlinePays(position, uses, &costs)) {
    if (explain_) {
      Explain(position, InstructionFusion::kReasonAttribute,
              WhyStored(position, uses, costs));
    }
    return Store(position, uses);
  }
  for (const FusionUse& use : uses.groups) {
    groups_.AddMember(use.group, position, use.maps);
  }
  value.excess = costs.excess;
}

void FusionPlanner::Store(int position, const Uses& uses) {
  int group = JoinAsOutput(position, uses);
  if (group < 0) group = groups_.NewGroup(FusionGroup::Kind::kLoop, position);
  for (const FusionUse& use : uses.groups) {
    if (use.group != group && FitsIn(position, use) &&
        BeatsReading(position, use)) {
      groups_.AddMember(use.group, position, use.maps);
    }
  }
}

int FusionPlanner::JoinAsOutput(int position, const Uses& uses) {
  const FusedValue& value = groups_.At(position);
  const Shape& shape = FusionShape(*value.hlo);
  const int32_t identity = groups_.maps().Identity(shape);
  for (const FusionUse& use : uses.groups) {
    const FusionGroup& group = groups_.Group(use.group);
    if (!Contains(use.maps, identity) || group.target != nullptr ||
        static_cast<int>(group.roots.size()) >=
            groups_.backend().limits().max_outputs ||
        !FitsIn(position, use)) {
      continue;
    }
    const double evaluations = Evaluations(position, use);
    const double again =
        (evaluations - static_cast<double>(FusionElements(*value.hlo))) *
        value.ns;
    if (again > ReadNanoseconds(position, evaluations)) continue;
    if (group.kind == FusionGroup::Kind::kReduction) {
      const auto kernel = groups_.backend().FindReductionKernel(
          groups_.Members(use.group, position),
          groups_.Roots(use.group, position));
      if (!kernel.has_value()) continue;
    } else if (!ShapeUtil::SameDimensions(
                   FusionShape(*groups_.At(group.roots[0]).hlo), shape)) {
      continue;
    }
    if (groups_.UsersReach(position, use.group)) continue;
    groups_.AddMember(use.group, position, use.maps);
    groups_.AddRoot(use.group, position);
    return use.group;
  }
  return -1;
}

void FusionPlanner::PlaceReshape(int position) {
  Uses uses = groups_.UsesOf(position);
  FusedValue& value = groups_.At(position);
  const Shape& shape = value.hlo->shape();
  const Shape& from = value.hlo->operand(0)->shape();
  value.excess = uses.excess;
  int group = -1;
  if (uses.escapes) {
    group = JoinAsOutput(position, uses);
    value.outside = group < 0;
  }
  for (const FusionUse& use : uses.groups) {
    if (use.group == group) continue;
    bool simple = FitsIn(position, use);
    for (int32_t map : use.maps) {
      simple = simple &&
               (map == IndexingMapIds::kOnly ||
                groups_.maps().IsIdentity(map) || SameButOnes(shape, from) ||
                (SameLast(shape, from) && !groups_.maps().strided(map)));
    }
    if (simple) {
      groups_.AddMember(use.group, position, use.maps);
    } else if (group < 0) {
      value.outside = true;
    }
  }
}

bool FusionPlanner::MovesWithinTarget(const HloInstruction& update) const {
  const HloInstruction* target = MemoryOf(update.operand(0));
  std::vector<const HloInstruction*> pending = {update.operand(1)};
  absl::flat_hash_set<const HloInstruction*> seen;
  while (!pending.empty() && seen.size() < kMaxLookedAt) {
    const HloInstruction* hlo = pending.back();
    pending.pop_back();
    if (MemoryOf(hlo) == target) return true;
    if (!seen.insert(hlo).second || ReadsOverwritten(*hlo, update)) continue;
    switch (groups_.RoleOf(hlo)) {
      case FusionRole::kElementwise:
      case FusionRole::kIndexingMap:
      case FusionRole::kInlineReduce:
      case FusionRole::kReshape:
        pending.insert(pending.end(), hlo->operands().begin(),
                       hlo->operands().end());
        break;
      case FusionRole::kOpaque:
      case FusionRole::kReduce:
      case FusionRole::kUpdate:
      case FusionRole::kScatter:
        break;
    }
  }
  return false;
}

void FusionPlanner::PlaceUpdate(int position) {
  const Uses uses = groups_.UsesOf(position);
  if (uses.groups.empty() && !uses.escapes) return;
  const HloInstruction& hlo = *groups_.At(position).hlo;
  // Fresh memory is written once, not filled first.
  if (IsGenerator(*hlo.operand(0)) &&
      FusionElements(hlo) <= kFreshRatio * FusionElements(*hlo.operand(1))) {
    return PlaceValue(position);
  }
  const bool moves = MovesWithinTarget(hlo);
  if (moves) {
    Explain(position, InstructionFusion::kUpdateReasonAttribute,
            "the update is computed from other elements of the array that it "
            "overwrites");
  }
  if (moves &&
      FusionElements(hlo) <= kMovedRatio * FusionElements(*hlo.operand(1))) {
    return PlaceValue(position);
  }
  const int group = groups_.NewGroup(FusionGroup::Kind::kUpdate, position);
  groups_.Group(group).is_copy = moves;
}

void FusionPlanner::PlaceReduce(int position) {
  Uses uses = groups_.UsesOf(position);
  if (uses.groups.empty() && !uses.escapes) return;
  if (uses.groups.size() > 1 && MergeUsers(uses)) {
    uses = groups_.UsesOf(position);
  }
  groups_.At(position).excess = 0;
  absl::string_view why;
  if (!uses.escapes && uses.groups.size() == 1) {
    why = TryAbsorb(position, uses.groups[0], /*as_root=*/false);
    if (why.empty()) return;
  }
  for (const FusionUse& use : uses.groups) {
    why = TryAbsorb(position, use, /*as_root=*/true);
    if (why.empty()) return;
  }
  if (explain_) {
    Explain(position, InstructionFusion::kReasonAttribute,
            uses.groups.empty() ? WhyEscapes(position, uses) : why);
  }
  const HloInstruction* hlo = groups_.At(position).hlo;
  const int group = groups_.NewGroup(FusionGroup::Kind::kLoop, position);
  const auto kernel = groups_.backend().FindReductionKernel({hlo}, {hlo});
  if (kernel.has_value()) MakeReduction(group, *kernel);
}

absl::string_view FusionPlanner::TryAbsorb(int position, const FusionUse& use,
                                           bool as_root) {
  const FusionGroup& group = groups_.Group(use.group);
  const IndexingMapIdSet maps = {
      groups_.maps().Identity(FusionShape(*groups_.At(position).hlo))};
  if (group.target != nullptr) return "its reader updates memory in place";
  const absl::string_view no_room =
      groups_.WhyNoRoom(use.group, position, maps);
  if (!no_room.empty()) return no_room;
  if (as_root && static_cast<int>(group.roots.size()) >=
                     groups_.backend().limits().max_outputs) {
    return "its reader has as many results as a kernel may have";
  }
  const std::vector<const HloInstruction*> members =
      groups_.Members(use.group, position);
  const std::vector<const HloInstruction*> roots =
      groups_.Roots(use.group, as_root ? position : -1);
  const auto kernel = groups_.backend().FindReductionKernel(members, roots);
  if (!kernel.has_value()) {
    const absl::string_view why =
        explain_ ? groups_.backend().WhyNoReductionKernel(members, roots) : "";
    return why.empty() ? "no kernel reduces and computes its readers" : why;
  }
  if (as_root && groups_.UsersReach(position, use.group)) {
    return "its readers depend on each other's results";
  }
  MakeReduction(use.group, *kernel);
  groups_.AddMember(use.group, position, maps);
  if (as_root) groups_.AddRoot(use.group, position);
  return "";
}

void FusionPlanner::Explain(int position, absl::string_view attribute,
                            absl::string_view reason) {
  if (!explain_) return;
  groups_.At(position).hlo->set_frontend_attribute(attribute, reason);
}

std::string FusionPlanner::WhyEscapes(int position, const Uses& uses) const {
  const HloInstruction* reader = uses.reader;
  // A reshape that no group contains names the array for what reads it.
  while (reader != nullptr &&
         groups_.backend().RoleOf(*reader) == FusionRole::kReshape) {
    reader = reader->users().empty() ? nullptr : reader->users()[0];
  }
  if (reader == nullptr) return "it is a result of its computation";
  const absl::string_view why = groups_.backend().WhyOpaque(*reader);
  return why.empty()
             ? absl::StrCat(reader->name(), " writes over it")
             : absl::StrCat(reader->name(), " reads it from memory: ", why);
}

std::string FusionPlanner::WhyStored(int position, const Uses& uses,
                                     const InlineCosts& costs) {
  if (uses.escapes) return WhyEscapes(position, uses);
  for (const FusionUse& use : uses.groups) {
    const std::string& root =
        groups_.At(groups_.Group(use.group).roots[0]).hlo->name();
    const absl::string_view no_room =
        groups_.WhyNoRoom(use.group, position, use.maps);
    if (!no_room.empty()) {
      return absl::StrCat("the kernel of ", root, " has no room: ", no_room);
    }
    if (!groups_.RespectsTarget(use.group, position, use.maps)) {
      return absl::StrCat("it reads what the kernel of ", root, " overwrites");
    }
  }
  return absl::StrFormat(
      "to compute it in %d %s would take %.3g us more, and save %.3g us",
      uses.groups.size(),
      uses.groups.size() == 1 ? "reader for each time it is needed" : "readers",
      costs.more * 1e-3, costs.saved * 1e-3);
}

void FusionPlanner::MakeReduction(int group, const ReductionKernel& kernel) {
  groups_.Group(group).kind = FusionGroup::Kind::kReduction;
  groups_.Group(group).stages = kernel.loops;
}

bool FusionPlanner::MergeUsers(const Uses& uses) {
  bool merged = false;
  int pairs = 0;
  std::vector<int> left;
  for (const FusionUse& use : uses.groups) {
    bool gone = false;
    for (int other : left) {
      if (++pairs > kMaxPairs) return merged;
      if (TryMerge(other, use.group)) {
        gone = true;
        break;
      }
    }
    merged |= gone;
    if (!gone) left.push_back(use.group);
  }
  return merged;
}

bool FusionPlanner::TryMerge(int a, int b) {
  const FusionGroup& x = groups_.Group(a);
  const FusionGroup& y = groups_.Group(b);
  if (x.target != nullptr || y.target != nullptr ||
      !groups_.LimitsAllowMerge(a, b)) {
    return false;
  }
  std::optional<ReductionKernel> kernel;
  if (x.kind == FusionGroup::Kind::kLoop &&
      y.kind == FusionGroup::Kind::kLoop) {
    if (!ShapeUtil::SameDimensions(FusionShape(*groups_.At(x.roots[0]).hlo),
                                   FusionShape(*groups_.At(y.roots[0]).hlo))) {
      return false;
    }
  } else {
    std::vector<int> positions = x.members;
    positions.insert(positions.end(), y.members.begin(), y.members.end());
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()),
                    positions.end());
    std::vector<const HloInstruction*> members;
    for (int position : positions) {
      members.push_back(groups_.At(position).hlo);
    }
    auto roots = groups_.Roots(a);
    for (const HloInstruction* root : groups_.Roots(b)) roots.push_back(root);
    kernel = groups_.backend().FindReductionKernel(members, roots);
    if (!kernel.has_value()) return false;
  }
  if (groups_.Reaches(a, b) || groups_.Reaches(b, a)) return false;
  groups_.Merge(a, b);
  if (kernel.has_value()) MakeReduction(a, *kernel);
  return true;
}

}  // namespace xla
