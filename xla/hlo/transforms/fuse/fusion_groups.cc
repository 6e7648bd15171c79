// Finds uses, limits, merges and paths between groups.
#include "xla/hlo/transforms/fuse/fusion_groups.h"

#include <algorithm>

#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/transforms/fuse/fusion_shapes.h"

namespace xla {
namespace {

// The nodes that Search visits before it assumes that there is a path.
constexpr size_t kMaxSearch = 64;

// Scalar constants, and broadcasts of scalars, will be computed inside.
bool CountsAsRead(const HloInstruction& operand) {
  return !IsScalarConstant(operand) &&
         !(operand.opcode() == HloOpcode::kBroadcast &&
           FusionElements(*operand.operand(0)) == 1);
}

}  // namespace

const HloInstruction* MemoryOf(const HloInstruction* hlo) {
  while (hlo->opcode() == HloOpcode::kBitcast ||
         hlo->opcode() == HloOpcode::kReshape) {
    hlo = hlo->operand(0);
  }
  return hlo;
}

FusionGroups::FusionGroups(HloComputation* computation,
                           const FusionBackend& backend)
    : backend_(backend), limits_(backend.limits()), maps_(backend) {
  for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
    positions_[hlo] = static_cast<int>(values_.size());
    FusedValue value;
    value.hlo = hlo;
    value.role = backend.RoleOf(*hlo);
    if (value.role != FusionRole::kOpaque) {
      value.ns = backend.ElementNanoseconds(*hlo);
    }
    values_.push_back(std::move(value));
    span_ends_.push_back(size());
  }
}

int FusionGroups::Find(int group) const {
  while (merged_into_[group] != group) {
    merged_into_[group] = merged_into_[merged_into_[group]];
    group = merged_into_[group];
  }
  return group;
}

std::vector<int> FusionGroups::GroupNumbers() const {
  std::vector<int> numbers;
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g) {
    if (merged_into_[g] == g) numbers.push_back(g);
  }
  return numbers;
}

FusionGroups::Uses FusionGroups::UsesOf(int position) {
  const HloInstruction* hlo = values_[position].hlo;
  Uses uses;
  uses.escapes = hlo->IsRoot();
  auto add = [&](int group, const IndexingMapIdSet& maps) {
    for (FusionUse& use : uses.groups) {
      if (use.group != group) continue;
      use.maps = Union(use.maps, maps);
      return;
    }
    uses.groups.push_back({group, maps});
  };
  auto escape = [&](const HloInstruction* user) {
    uses.escapes = true;
    if (uses.reader == nullptr) uses.reader = user;
  };
  auto add_users = [&](const HloInstruction* value) {
    for (const HloInstruction* user : value->users()) {
      const FusedValue& at = values_[positions_.at(user)];
      if (at.role == FusionRole::kOpaque || at.outside) escape(user);
      if (!at.in.empty()) uses.excess = std::max(uses.excess, at.excess);
      for (const FusionUse& in : at.in) {
        const int number = Find(in.group);
        const FusionGroup& group = groups_[number];
        for (int64_t i = 0; i < user->operand_count(); ++i) {
          if (user->operand(i) != value) continue;
          if (group.target != nullptr &&
              group.roots[0] == positions_.at(user)) {
            // The array into which an update or scatter writes lies in memory.
            if (i < (at.role == FusionRole::kScatter ? user->operand_count() / 2
                                                     : 1)) {
              escape(user);
              continue;
            }
            add(number, {maps_.Identity(value->shape())});
            continue;
          }
          add(number,
              maps_.OfOperand(*user, i, in.maps, at.role,
                              group.kind == FusionGroup::Kind::kReduction));
        }
      }
    }
  };
  if (hlo->shape().IsTuple() && values_[position].role != FusionRole::kOpaque) {
    for (const HloInstruction* element : hlo->users()) {
      uses.escapes |= element->IsRoot();
      add_users(element);
    }
  } else {
    add_users(hlo);
  }
  std::sort(
      uses.groups.begin(), uses.groups.end(),
      [](const FusionUse& a, const FusionUse& b) { return a.group < b.group; });
  return uses;
}

int FusionGroups::NewGroup(FusionGroup::Kind kind, int root) {
  const int number = static_cast<int>(groups_.size());
  FusionGroup group;
  group.kind = kind;
  groups_.push_back(std::move(group));
  merged_into_.push_back(number);
  const HloInstruction* hlo = values_[root].hlo;
  if (kind == FusionGroup::Kind::kUpdate ||
      kind == FusionGroup::Kind::kScatter) {
    groups_[number].target = MemoryOf(hlo->operand(0));
  }
  AddMember(number, root, {maps_.Identity(FusionShape(*hlo))});
  AddRoot(number, root);
  return number;
}

void FusionGroups::AddMember(int group, int position,
                             const IndexingMapIdSet& maps) {
  FusionGroup& at = Group(group);
  at.members.push_back(position);
  if (values_[position].ns > 0) {
    at.emitted += static_cast<int>(maps.size()) * at.stages;
  }
  const HloInstruction* hlo = values_[position].hlo;
  for (const HloInstruction* operand : hlo->operands()) {
    if (CountsAsRead(*operand)) at.referenced.insert(operand);
  }
  values_[position].in.push_back({Find(group), maps});
}

void FusionGroups::AddRoot(int group, int position) {
  Group(group).roots.push_back(position);
  values_[position].root_of = Find(group);
  NoteSpan(Find(group));
}

void FusionGroups::NoteSpan(int group) {
  const auto [begin, end] = std::minmax_element(groups_[group].roots.begin(),
                                                groups_[group].roots.end());
  for (int p = *begin; p <= *end; ++p) {
    span_ends_[p] = std::max(span_ends_[p], *end + 1);
  }
}

std::vector<const HloInstruction*> FusionGroups::Members(int group, int extra) {
  std::vector<int> positions = Group(group).members;
  if (extra >= 0) positions.push_back(extra);
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()),
                  positions.end());
  std::vector<const HloInstruction*> members;
  for (int position : positions) members.push_back(values_[position].hlo);
  return members;
}

std::vector<const HloInstruction*> FusionGroups::Roots(int group, int extra) {
  std::vector<const HloInstruction*> roots;
  for (int position : Group(group).roots) {
    roots.push_back(values_[position].hlo);
  }
  if (extra >= 0) roots.push_back(values_[extra].hlo);
  return roots;
}

absl::string_view FusionGroups::WhyNoRoom(int group, int position,
                                          const IndexingMapIdSet& maps) {
  const FusionGroup& at = Group(group);
  if (at.is_copy && FusionElements(*values_[position].hlo) > 1) {
    return "it updates memory from whose other elements the update is computed";
  }
  if (static_cast<int>(maps.size()) > limits_.max_maps) {
    return "it needs the value at more places than code is made for";
  }
  if (static_cast<int>(at.members.size()) >= limits_.max_instructions ||
      at.emitted + static_cast<int>(maps.size()) * at.stages >
          limits_.max_emitted) {
    return "it has as many instructions as a kernel may have";
  }
  int fresh = 0;
  for (const HloInstruction* operand : values_[position].hlo->operands()) {
    if (CountsAsRead(*operand) && !at.referenced.contains(operand)) ++fresh;
  }
  // Members are referenced too, but do not become parameters.
  const int outside = static_cast<int>(at.referenced.size()) -
                      static_cast<int>(at.members.size());
  return fresh <= 1 || outside + fresh <= limits_.max_parameters
             ? ""
             : "it reads as many arrays as a kernel may read";
}

namespace {

// NewBytes looks for the sources of values at most this many operands back, to
// bound the time.
constexpr int kMaxSourceDepth = 4;

}  // namespace

double FusionGroups::SourceBytes(const HloInstruction& hlo, int depth) const {
  if (FusionElements(hlo) <= 1 || hlo.opcode() == HloOpcode::kIota) return 0;
  const double bytes = BytesOf(hlo.shape());
  const FusionRole role = RoleOf(&hlo);
  if (depth == 0 ||
      (role != FusionRole::kElementwise && role != FusionRole::kReshape &&
       hlo.opcode() != HloOpcode::kBroadcast)) {
    return bytes;
  }
  double behind = 0;
  for (const HloInstruction* operand : hlo.operands()) {
    behind += SourceBytes(*operand, depth - 1);
    if (behind >= bytes) return bytes;
  }
  return behind;
}

double FusionGroups::NewBytes(int group, int position) {
  const FusionGroup& at = Group(group);
  double bytes = 0;
  for (const HloInstruction* operand : values_[position].hlo->operands()) {
    if (at.referenced.contains(operand)) continue;
    bytes += SourceBytes(*operand, kMaxSourceDepth);
  }
  return bytes;
}

bool FusionGroups::RespectsTarget(int group, int position,
                                  const IndexingMapIdSet& maps) {
  const FusionGroup& at = Group(group);
  if (at.target == nullptr) return true;
  const HloInstruction* hlo = values_[position].hlo;
  bool reads = false;
  for (const HloInstruction* operand : hlo->operands()) {
    reads |= MemoryOf(operand) == at.target;
  }
  if (!reads) return true;
  // The value may read exactly the overwritten elements, one by one.
  const HloInstruction* update = values_[at.roots[0]].hlo;
  if (at.kind != FusionGroup::Kind::kUpdate ||
      hlo->opcode() != HloOpcode::kDynamicSlice ||
      hlo->operand(0) != update->operand(0) ||
      !ShapeUtil::SameDimensions(hlo->shape(), update->operand(1)->shape())) {
    return false;
  }
  for (int64_t i = 1; i < hlo->operand_count(); ++i) {
    if (hlo->operand(i) != update->operand(i + 1)) return false;
  }
  return maps.size() == 1 && maps[0] == maps_.Identity(hlo->shape());
}

bool FusionGroups::LimitsAllowMerge(int a, int b) {
  const FusionGroup& x = Group(a);
  const FusionGroup& y = Group(b);
  const size_t parameters = x.referenced.size() + y.referenced.size() -
                            std::min(x.members.size() + y.members.size(),
                                     x.referenced.size() + y.referenced.size());
  return static_cast<int>(x.members.size() + y.members.size()) <=
             limits_.max_instructions &&
         x.emitted + y.emitted <= limits_.max_emitted &&
         static_cast<int>(x.roots.size() + y.roots.size()) <=
             limits_.max_outputs &&
         static_cast<int>(parameters) <= limits_.max_parameters;
}

void FusionGroups::Merge(int into, int from) {
  into = Find(into);
  from = Find(from);
  FusionGroup& x = groups_[into];
  FusionGroup& y = groups_[from];
  absl::flat_hash_set<int> seen(x.members.begin(), x.members.end());
  for (int position : y.members) {
    if (seen.insert(position).second) {
      x.members.push_back(position);
      continue;
    }
    // A member of both groups becomes a member of one.
    auto& in = values_[position].in;
    FusionUse both{into, {}};
    for (const FusionUse& use : in) {
      const int number = Find(use.group);
      if (number == into || number == from) {
        both.maps = Union(both.maps, use.maps);
      }
    }
    in.erase(std::remove_if(in.begin(), in.end(),
                            [&](const FusionUse& use) {
                              const int number = Find(use.group);
                              return number == into || number == from;
                            }),
             in.end());
    in.push_back(both);
  }
  x.roots.insert(x.roots.end(), y.roots.begin(), y.roots.end());
  for (int root : y.roots) values_[root].root_of = into;
  x.referenced.insert(y.referenced.begin(), y.referenced.end());
  x.emitted += y.emitted;
  x.stages = std::max(x.stages, y.stages);
  if (y.kind == FusionGroup::Kind::kReduction) x.kind = y.kind;
  merged_into_[from] = into;
  groups_[from] = FusionGroup();
  NoteSpan(into);
}

void FusionGroups::AddUsers(const HloInstruction* hlo,
                            std::vector<Node>& nodes) const {
  auto add = [&](const HloInstruction* user) {
    const int position = positions_.at(user);
    const FusedValue& at = values_[position];
    for (const FusionUse& use : at.in) nodes.push_back({Find(use.group), -1});
    if (at.role == FusionRole::kOpaque || at.outside || at.in.empty()) {
      nodes.push_back({-1, position});
    }
  };
  for (const HloInstruction* user : hlo->users()) add(user);
  for (const HloInstruction* next : hlo->control_successors()) add(next);
}

int FusionGroups::Begin(const Node& node) const {
  if (node.position >= 0) return node.position;
  int begin = size();
  for (int root : groups_[node.group].roots) begin = std::min(begin, root);
  return begin;
}

bool FusionGroups::Search(std::vector<Node> pending, int to) const {
  int end = 0;
  for (int root : groups_[to].roots) end = std::max(end, root + 1);
  // No path leads from after `end` back to the group.
  while (end < size() && span_ends_[end - 1] > end) end = span_ends_[end - 1];
  absl::flat_hash_set<int> groups;
  absl::flat_hash_set<int> positions;
  while (!pending.empty()) {
    const Node node = pending.back();
    pending.pop_back();
    if (node.group == to) return true;
    if (Begin(node) >= end) continue;
    if (node.group >= 0) {
      if (!groups.insert(node.group).second) continue;
      for (int root : groups_[node.group].roots) {
        AddUsers(values_[root].hlo, pending);
      }
    } else {
      if (!positions.insert(node.position).second) continue;
      AddUsers(values_[node.position].hlo, pending);
    }
    if (groups.size() + positions.size() > kMaxSearch ||
        pending.size() > 8 * kMaxSearch) {
      return true;
    }
  }
  return false;
}

bool FusionGroups::Reaches(int from, int to) {
  from = Find(from);
  to = Find(to);
  std::vector<Node> pending;
  for (int root : groups_[from].roots) {
    AddUsers(values_[root].hlo, pending);
  }
  // Edges within the group do not count.
  pending.erase(std::remove_if(pending.begin(), pending.end(),
                               [&](const Node& n) { return n.group == from; }),
                pending.end());
  return Search(std::move(pending), to);
}

bool FusionGroups::UsersReach(int position, int to) {
  to = Find(to);
  std::vector<Node> pending;
  if (values_[position].hlo->shape().IsTuple()) {
    for (const HloInstruction* element : values_[position].hlo->users()) {
      AddUsers(element, pending);
    }
  } else {
    AddUsers(values_[position].hlo, pending);
  }
  pending.erase(std::remove_if(pending.begin(), pending.end(),
                               [&](const Node& n) { return n.group == to; }),
                pending.end());
  return Search(std::move(pending), to);
}

}  // namespace xla
