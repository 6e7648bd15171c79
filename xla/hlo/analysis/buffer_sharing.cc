// A union-find over values and targets of moves, which keeps the ranges of each
// set.
#include "xla/hlo/analysis/buffer_sharing.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"

namespace xla {

using Move = HloLiveRange::Move;
using ValueKind = HloDataflow::Kind;

absl::StatusOr<std::unique_ptr<BufferSharing>> BufferSharing::Run(
    const HloModule& module, const AliasInfo& alias_info) {
  auto analysis = std::unique_ptr<BufferSharing>(new BufferSharing());
  TF_ASSIGN_OR_RETURN(analysis->flow_, HloDataflow::Run(module));
  TF_ASSIGN_OR_RETURN(analysis->live_,
                      HloLiveRange::Run(module, *analysis->flow_, alias_info));
  analysis->MakeBuffers();
  analysis->JoinMoves();
  return analysis;
}

int BufferSharing::Representative(int node) const {
  while (parent_[node] != node) node = parent_[node];
  return node;
}

int BufferSharing::Find(int node) {
  while (parent_[node] != node) {
    parent_[node] = parent_[parent_[node]];
    node = parent_[node];
  }
  return node;
}

bool BufferSharing::IsReadOnly(int node) const {
  return read_only_[Representative(node)];
}

void BufferSharing::MakeBuffers() {
  const auto& nodes = live_->nodes();
  parent_.resize(nodes.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  next_ = parent_;
  ranges_.resize(nodes.size());
  read_only_.assign(nodes.size(), false);
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const HloLiveRange::Range& range : nodes[i].ranges) {
      ranges_[i].emplace(range.begin, range.end);
    }
  }
  for (int i = 0; i < flow_->value_count(); ++i) {
    const ValueKind kind = flow_->value(i).kind;
    read_only_[i] =
        kind == ValueKind::kParameter || kind == ValueKind::kConstant;
  }
  const auto& moves = live_->moves();
  for (size_t i = 0; i < moves.size(); ++i) move_at_[moves[i].time] = i;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].partner >= 0) Unite(i, nodes[i].partner);
  }
  // A loop's result is its carry after the last iteration.
  for (int i = 0; i < flow_->value_count(); ++i) {
    const HloDataflow::Value& value = flow_->value(i);
    if (value.kind == ValueKind::kLoopResult && !flow_->IsReplaced(i)) {
      Unite(i, flow_->CarryOf(value.instruction, value.leaf));
    }
  }
  for (size_t i = 0; i < live_->homes().size(); ++i) {
    const int home = live_->homes()[i];
    if (home < 0) continue;
    read_only_[home] = false;
    Unite(home, live_->outputs()[i]);
  }
}

void BufferSharing::Unite(int a, int b) {
  a = Find(a);
  b = Find(b);
  if (a == b) return;
  if (ranges_[a].size() < ranges_[b].size()) std::swap(a, b);
  for (auto [begin, end] : ranges_[b]) {
    // If an op writes over an operand, both ranges contain its time; the
    // earlier one is shortened.
    auto after = ranges_[a].lower_bound(begin);
    if (after != ranges_[a].end()) end = std::min(end, after->first);
    if (after != ranges_[a].begin()) {
      auto before = std::prev(after);
      before->second = std::min(before->second, begin);
    }
    if (begin < end) ranges_[a].emplace_hint(after, begin, end);
  }
  ranges_[b].clear();
  parent_[b] = a;
  std::swap(next_[a], next_[b]);
}

// Whether `node` is read at `time` and not needed afterwards. The ranges of its
// buffer cannot tell, since they end where the next value begins.
bool BufferSharing::DiesAt(int node, int64_t time) const {
  for (const HloLiveRange::Range& range : live_->nodes()[node].ranges) {
    if (range.end == time + 1) return true;
  }
  return false;
}

// Whether another result of the op that writes `writer` is in `buffer`: results
// are written at the same time, and one that nobody reads lives no longer than
// the operand that it lies over.
bool BufferSharing::HoldsOtherResult(int buffer, int writer) const {
  for (const int result : flow_->values(live_->nodes()[writer].instruction)) {
    if (result >= 0 && result != writer && Representative(result) == buffer) {
      return true;
    }
  }
  return false;
}

// Whether the move or op at `time` may write the one buffer over the other.
bool BufferSharing::MayTouch(int64_t time, int reader_buffer,
                             int writer_buffer) const {
  if (auto it = move_at_.find(time); it != move_at_.end()) {
    const Move& move = live_->moves()[it->second];
    return DiesAt(move.source, time) &&
           Representative(move.source) == reader_buffer &&
           Representative(move.target) == writer_buffer;
  }
  const auto& shares = live_->shares();
  auto it = std::lower_bound(
      shares.begin(), shares.end(), time,
      [](const HloLiveRange::Share& s, int64_t t) { return s.time < t; });
  for (; it != shares.end() && it->time == time; ++it) {
    if (DiesAt(it->reader, time) &&
        Representative(it->reader) == reader_buffer &&
        Representative(it->writer) == writer_buffer &&
        !HoldsOtherResult(reader_buffer, it->writer)) {
      return true;
    }
  }
  return false;
}

int BufferSharing::NodeAt(int buffer, int64_t time) const {
  constexpr int kMost = 1000;  // for a message only
  int node = buffer;
  for (int i = 0; i < kMost; ++i) {
    for (const HloLiveRange::Range& range : live_->nodes()[node].ranges) {
      if (range.begin <= time && time < range.end) return node;
    }
    node = next_[node];
    if (node == buffer) break;
  }
  return buffer;
}

std::optional<BufferSharing::Conflict> BufferSharing::FindConflict(
    int a, int b) const {
  if (ranges_[a].size() < ranges_[b].size()) std::swap(a, b);
  const Ranges& many = ranges_[a];
  for (const auto& [begin, end] : ranges_[b]) {
    auto it = many.upper_bound(begin);
    if (it != many.begin()) --it;
    for (; it != many.end() && it->first < end; ++it) {
      const int64_t from = std::max(begin, it->first);
      const int64_t to = std::min(end, it->second);
      if (from >= to) continue;
      if (to == from + 1) {
        if (it->second == to && begin == from && MayTouch(from, a, b)) continue;
        if (end == to && it->first == from && MayTouch(from, b, a)) continue;
      }
      return Conflict{NodeAt(a, from), NodeAt(b, from)};
    }
  }
  return std::nullopt;
}

std::optional<BufferSharing::Conflict> BufferSharing::TryJoin(int a, int b) {
  a = Find(a);
  b = Find(b);
  if (a == b) return std::nullopt;
  std::optional<Conflict> conflict = FindConflict(a, b);
  if (!conflict.has_value()) Unite(a, b);
  return conflict;
}

std::string BufferSharing::Describe(int node) const {
  const std::string& name = live_->nodes()[node].instruction->name();
  if (node >= flow_->value_count()) {
    // Targets have the order of their moves.
    const Move& move = live_->moves()[node - flow_->value_count()];
    switch (move.kind) {
      case Move::Kind::kLoopInit:
        return absl::StrCat("carry ", move.leaf, " of ", name);
      case Move::Kind::kInPlace:
        return absl::StrCat("operand ", move.operand, " of ", name);
      default:
        return absl::StrCat("leaf ", move.leaf, " of ", name);
    }
  }
  const HloDataflow::Value& value = flow_->value(node);
  switch (value.kind) {
    case ValueKind::kCarry:
      return absl::StrCat("carry ", value.leaf, " of ", name);
    case ValueKind::kLoopResult:
    case ValueKind::kJoin:
      return absl::StrCat("result ", value.leaf, " of ", name);
    default:
      return name;
  }
}

std::string BufferSharing::ReadOnlyReason(const Move& move) const {
  const HloInstruction* source = live_->nodes()[move.source].instruction;
  const bool is_parameter = source->opcode() == HloOpcode::kParameter;
  const absl::string_view what = is_parameter ? "parameter" : "constant";
  if (move.kind == Move::Kind::kEntryRoot) {
    return absl::StrCat("output ", move.leaf, " of ", move.consumer->name(),
                        " is the ", what, " ", source->name(),
                        ", which has memory of its own");
  }
  return absl::StrCat(what, " ", source->name(), " is read only and ",
                      live_->nodes()[move.target].instruction->name(),
                      " is written to the same memory");
}

std::string BufferSharing::ConflictReason(const Move& move,
                                          const Conflict& conflict) const {
  int first = conflict.first;
  int second = conflict.second;
  const auto& nodes = live_->nodes();
  // The later one writes while the earlier one is still needed.
  if (nodes[first].ranges[0].begin > nodes[second].ranges[0].begin) {
    std::swap(first, second);
  }
  const HloInstruction* reader = nodes[first].last_reader;
  const bool is_value = first < flow_->value_count() && reader != nullptr &&
                        reader != nodes[second].instruction;
  return is_value
             ? absl::StrCat(Describe(second), " would overwrite ",
                            Describe(first), ", which ", reader->name(),
                            " reads later; for ", move.consumer->name())
             : absl::StrCat(Describe(first), " and ", Describe(second),
                            " are needed at once; for ", move.consumer->name());
}

void BufferSharing::JoinMoves() {
  const auto& moves = live_->moves();
  const auto& nodes = live_->nodes();
  std::vector<int> order(moves.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    if (moves[a].loop_depth != moves[b].loop_depth) {
      return moves[a].loop_depth > moves[b].loop_depth;
    }
    return nodes[moves[a].source].bytes > nodes[moves[b].source].bytes;
  });
  for (const int i : order) {
    const Move& move = moves[i];
    std::string reason;
    const bool is_parameter =
        move.source < flow_->value_count() &&
        flow_->value(move.source).kind == ValueKind::kParameter;
    if (move.kind == Move::Kind::kSave) {
      reason = absl::StrCat("leaf ", move.leaf, " of ", move.consumer->name(),
                            " is part of a cycle of values that change places "
                            "through ",
                            nodes[move.source].instruction->name());
    } else if (is_parameter || read_only_[Find(move.source)]) {
      reason = ReadOnlyReason(move);
    } else if (auto conflict = TryJoin(move.source, move.target)) {
      reason = ConflictReason(move, *conflict);
    } else {
      continue;
    }
    needed_copies_.push_back({i, std::move(reason)});
  }
  std::sort(
      needed_copies_.begin(), needed_copies_.end(),
      [](const NeededCopy& a, const NeededCopy& b) { return a.move < b.move; });
}

void BufferSharing::ShareDyingOperands() {
  const auto& nodes = live_->nodes();
  for (const HloLiveRange::Share& share : live_->shares()) {
    if (read_only_[Find(share.reader)] || read_only_[Find(share.writer)] ||
        nodes[share.reader].bytes != nodes[share.writer].bytes) {
      continue;
    }
    TryJoin(share.reader, share.writer);
  }
}

}  // namespace xla
