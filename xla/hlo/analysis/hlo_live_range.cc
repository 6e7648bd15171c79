// Numbers the instructions, then records the reads of each value in each
// computation.
#include "xla/hlo/analysis/hlo_live_range.h"

#include <algorithm>

#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/parallel_moves.h"

namespace xla {

using ValueKind = HloDataflow::Kind;

absl::StatusOr<std::unique_ptr<HloLiveRange>> HloLiveRange::Run(
    const HloModule& module, const HloDataflow& flow,
    const AliasInfo& alias_info) {
  auto live =
      std::unique_ptr<HloLiveRange>(new HloLiveRange(module, flow, alias_info));
  for (int i = 0; i < flow.value_count(); ++i) {
    const HloDataflow::Value& value = flow.value(i);
    live->nodes_.push_back({value.instruction, nullptr, 0, value.bytes});
  }
  live->uses_.resize(flow.value_count());
  live->FindHomes();
  live->Number(*module.entry_computation(), 0);
  for (const HloDataflow::Computation& computation : flow.computations()) {
    live->RecordReads(computation);
  }
  std::stable_sort(
      live->shares_.begin(), live->shares_.end(),
      [](const Share& a, const Share& b) { return a.time < b.time; });
  live->MakeRanges();
  return live;
}

void HloLiveRange::FindHomes() {
  const HloComputation& entry = *module_.entry_computation();
  const Shape& result = entry.root_instruction()->shape();
  homes_.assign(LeafCount(result), -1);
  outputs_.assign(homes_.size(), -1);
  absl::flat_hash_map<int, int> taken;
  for (const auto& alias : module_.input_output_alias().entries()) {
    const int64_t number = alias.parameter_number();
    if (number < 0 || number >= entry.num_parameters()) continue;
    const HloInstruction* parameter = entry.parameter_instruction(number);
    const ShapeIndex out(alias.output_shape_index().begin(),
                         alias.output_shape_index().end());
    const ShapeIndex in(alias.parameter_shape_index().begin(),
                        alias.parameter_shape_index().end());
    const int output = LeafNumberAt(result, out);
    const int leaf = LeafNumberAt(parameter->shape(), in);
    if (output < 0 || leaf < 0) continue;
    const int value = flow_.values(parameter)[leaf];
    // Types and layouts may differ, since only memory is donated.
    const absl::StatusOr<int64_t> bytes = LeafBytes(*Leaves(result)[output]);
    if (value < 0 || homes_[output] >= 0 || !bytes.ok() ||
        *bytes != flow_.value(value).bytes ||
        !taken.emplace(value, output).second) {
      continue;
    }
    homes_[output] = value;
  }
}

int HloLiveRange::AddMove(Move move, int partner,
                          const HloInstruction* writer) {
  move.target = nodes_.size();
  move.time = now_++;
  Node target{writer, move.consumer, move.time, nodes_[move.source].bytes,
              partner};
  target.ranges.push_back({move.time, now_});
  nodes_.push_back(std::move(target));
  moves_.push_back(move);
  return move.target;
}

void HloLiveRange::EndTarget(int target, int64_t end) {
  nodes_[target].ranges[0].end = end;
}

void HloLiveRange::NumberLoop(const HloInstruction& loop, int loop_depth) {
  const size_t first = moves_.size();
  const absl::Span<const int> init = flow_.values(loop.operand(0));
  for (size_t leaf = 0; leaf < init.size(); ++leaf) {
    const int carry = flow_.CarryOf(&loop, leaf);
    if (carry < 0) continue;
    AddMove({Move::Kind::kLoopInit, &loop, loop.parent(), 0,
             static_cast<int>(leaf), init[leaf], -1, 0, loop_depth},
            carry, &loop);
  }
  times_[&loop].at = now_;
  for (size_t i = first; i < moves_.size(); ++i) {
    EndTarget(moves_[i].target, now_);
  }
  ++now_;
  Number(*loop.while_condition(), loop_depth + 1);
  Number(*loop.while_body(), loop_depth + 1);
}

void HloLiveRange::NumberOp(const HloInstruction& hlo, int loop_depth) {
  const int first = moves_.size();
  const absl::Span<const int> results = flow_.values(&hlo);
  for (size_t leaf = 0; leaf < results.size(); ++leaf) {
    if (results[leaf] < 0) continue;
    const std::optional<OperandLeaf> from = alias_info_.MustAlias(hlo, leaf);
    if (!from.has_value()) continue;
    const int source = flow_.values(hlo.operand(from->operand))[from->leaf];
    if (source < 0) continue;
    AddMove({Move::Kind::kInPlace, &hlo, hlo.parent(), from->operand,
             from->leaf, source, -1, 0, loop_depth},
            results[leaf], &hlo);
  }
  const int last = moves_.size();
  if (last > first) in_place_[&hlo] = {first, last};
  for (int i = first; i < last; ++i) EndTarget(moves_[i].target, now_);
  times_[&hlo].at = now_++;
}

void HloLiveRange::NumberRoot(const HloDataflow::Computation& computation,
                              int loop_depth) {
  const HloInstruction* root = computation.computation->root_instruction();
  if (computation.role == CallRole::kCondition) return;
  const bool is_body = computation.role == CallRole::kBody;
  const bool is_entry = computation.role == CallRole::kEntry;
  const absl::Span<const int> sources = flow_.values(root);
  const int n = sources.size();
  // Leaf i moves into the memory of place[i], where partner[i] is later.
  std::vector<int> place(n, -1), partner(n, -1);
  absl::flat_hash_map<int, int> leaf_of_place;
  for (int i = 0; i < n; ++i) {
    if (sources[i] < 0) continue;
    if (is_body) {
      place[i] = partner[i] = flow_.CarryOf(computation.caller, i);
    } else if (is_entry) {
      place[i] = homes_[i];
    } else {
      // A join that stands for a value from before the branches has nothing to
      // move.
      const int result = flow_.values(computation.caller)[i];
      const HloDataflow::Value& value = flow_.value(result);
      if (value.kind == ValueKind::kJoin &&
          value.instruction == computation.caller) {
        partner[i] = result;
      }
    }
    if (place[i] >= 0) leaf_of_place[place[i]] = i;
  }
  std::vector<int> reads(n, -1);
  for (int i = 0; i < n; ++i) {
    auto it = leaf_of_place.find(sources[i]);
    if (it != leaf_of_place.end()) reads[i] = it->second;
  }
  const MoveOrder order = OrderMoves(reads);
  const size_t first = moves_.size();
  const Move::Kind kind = is_body    ? Move::Kind::kLoopRoot
                          : is_entry ? Move::Kind::kEntryRoot
                                     : Move::Kind::kBranchRoot;
  auto moves = [&](int leaf) {
    return sources[leaf] >= 0 && (is_entry || partner[leaf] >= 0);
  };
  absl::flat_hash_map<int, int> saves;
  for (const int leaf : order.saved) {
    if (!moves(leaf)) continue;
    saves[leaf] = moves_.size();
    AddMove({Move::Kind::kSave, root, root->parent(), -1, leaf, sources[leaf],
             -1, 0, loop_depth},
            -1, root);
  }
  for (const int leaf : order.order) {
    if (!moves(leaf)) continue;
    Move move{kind, root, root->parent(), -1, leaf, sources[leaf],
              -1,   0,    loop_depth};
    if (auto it = saves.find(leaf); it != saves.end()) {
      move.source = moves_[it->second].target;
      move.saved_by = it->second;
      EndTarget(move.source, now_ + 1);
    }
    const int target = AddMove(move, partner[leaf], root);
    if (is_entry) outputs_[leaf] = target;
  }
  for (size_t i = first; i < moves_.size(); ++i) {
    if (moves_[i].kind != Move::Kind::kSave) {
      EndTarget(moves_[i].target, now_ + 1);
    }
  }
}

void HloLiveRange::Number(const HloComputation& computation, int loop_depth) {
  const HloDataflow::Computation& info = flow_.computation(&computation);
  blocks_[&computation].begin = now_++;
  for (const HloInstruction* hlo : info.order) {
    switch (hlo->opcode()) {
      case HloOpcode::kWhile:
        NumberLoop(*hlo, loop_depth);
        times_[hlo].end = now_++;
        break;
      case HloOpcode::kConditional:
      case HloOpcode::kCall:
        times_[hlo].at = now_++;
        for (const HloComputation* callee : hlo->called_computations()) {
          Number(*callee, loop_depth);
        }
        times_[hlo].end = now_++;
        break;
      default:
        if (HloDataflow::IsForwarding(hlo->opcode())) break;
        NumberOp(*hlo, loop_depth);
        times_[hlo].end = times_[hlo].at;
    }
  }
  NumberRoot(info, loop_depth);
  blocks_[&computation].end = now_++;
}

void HloLiveRange::Use(int value, const HloComputation* computation,
                       int64_t time, const HloInstruction* reader) {
  if (value < 0 || value >= flow_.value_count()) return;
  const HloDataflow::Value& info = flow_.value(value);
  Node& node = nodes_[value];
  if (time >= node.last_read) {
    node.last_read = time;
    node.last_reader = reader;
  }
  while (true) {
    Uses& uses = uses_[value];
    auto it = std::find_if(uses.begin(), uses.end(), [&](const auto& use) {
      return use.first == computation;
    });
    if (it != uses.end()) {
      it->second = std::max(it->second, time);
      return;
    }
    uses.push_back({computation, time});
    if (computation == info.home) return;
    const HloDataflow::Computation& callee = flow_.computation(computation);
    if (info.kind == ValueKind::kCarry && callee.caller == info.instruction)
      return;
    // A loop may read a value until its last iteration ends.
    const Times& times = times_[callee.caller];
    time = callee.role == CallRole::kBranch ? times.at : times.end;
    computation = callee.caller->parent();
  }
}

void HloLiveRange::RecordReads(const HloDataflow::Computation& computation) {
  const HloComputation* parent = computation.computation;
  for (const HloInstruction* hlo : computation.order) {
    if (HloDataflow::IsForwarding(hlo->opcode())) continue;
    const Times times = times_[hlo];
    if (hlo->opcode() == HloOpcode::kWhile) {
      const absl::Span<const int> init = flow_.values(hlo->operand(0));
      for (size_t leaf = 0; leaf < init.size(); ++leaf) {
        if (flow_.CarryOf(hlo, leaf) >= 0) continue;
        Use(init[leaf], parent, times.end, hlo);
      }
      continue;
    }
    if (hlo->opcode() == HloOpcode::kCall) continue;
    if (hlo->opcode() == HloOpcode::kConditional) {
      Use(flow_.values(hlo->operand(0))[0], parent, times.at, hlo);
      continue;
    }
    auto moved = in_place_.find(hlo);
    for (int i = 0; i < hlo->operand_count(); ++i) {
      const absl::Span<const int> values = flow_.values(hlo->operand(i));
      for (size_t leaf = 0; leaf < values.size(); ++leaf) {
        bool is_move = false;
        if (moved != in_place_.end()) {
          for (int m = moved->second.first; m < moved->second.second; ++m) {
            is_move |= moves_[m].operand == i &&
                       moves_[m].leaf == static_cast<int>(leaf);
          }
        }
        if (!is_move) Use(values[leaf], parent, times.at, hlo);
      }
    }
    RecordShares(*hlo);
  }
  if (computation.role == CallRole::kCondition) {
    const HloInstruction* root = parent->root_instruction();
    Use(flow_.values(root)[0], parent, blocks_[parent].end, root);
  }
}

void HloLiveRange::RecordShares(const HloInstruction& hlo) {
  const std::vector<AliasPair> pairs = alias_info_.MayAliasPairs(hlo);
  if (pairs.empty()) return;
  absl::flat_hash_map<int, int> reads;  // of each value by this op
  for (const HloInstruction* operand : hlo.operands()) {
    for (const int value : flow_.values(operand)) ++reads[value];
  }
  const absl::Span<const int> results = flow_.values(&hlo);
  absl::flat_hash_map<std::pair<int, int>, int> allowed;
  for (const AliasPair& pair : pairs) {
    const int reader = flow_.values(hlo.operand(pair.operand))[0];
    const int writer = results[pair.leaf];
    if (reader < 0 || writer < 0) continue;
    // Every read of the value must be one that allows it.
    if (++allowed[{reader, writer}] == reads[reader]) {
      shares_.push_back({times_[&hlo].at, reader, writer});
    }
  }
}

void HloLiveRange::MakeRanges() {
  for (const Move& move : moves_) {
    Use(move.source, move.computation, move.time, move.consumer);
  }
  for (int i = 0; i < flow_.value_count(); ++i) {
    if (flow_.IsReplaced(i)) continue;
    const HloDataflow::Value& value = flow_.value(i);
    auto& ranges = nodes_[i].ranges;
    int64_t begin = 0;
    switch (value.kind) {
      case ValueKind::kParameter:
        break;
      case ValueKind::kLoopResult:
      case ValueKind::kJoin:
        begin = times_[value.instruction].end;
        break;
      default:
        begin = times_[value.instruction].at;
    }
    // Condition and body begin with every carry in place.
    int64_t least = value.kind == ValueKind::kCarry
                        ? blocks_[value.instruction->while_body()].begin
                        : begin;
    bool at_home = false;
    for (const auto& [computation, last] : uses_[i]) {
      if (computation == value.home) {
        ranges.push_back({begin, std::max(least, last) + 1});
        at_home = true;
      } else if (value.kind != ValueKind::kCarry ||
                 flow_.computation(computation).caller != value.instruction) {
        ranges.push_back({blocks_[computation].begin, last + 1});
      }
    }
    if (!at_home) ranges.push_back({begin, least + 1});
    std::sort(ranges.begin(), ranges.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    size_t kept = 0;
    for (size_t k = 1; k < ranges.size(); ++k) {
      if (ranges[k].begin <= ranges[kept].end) {
        ranges[kept].end = std::max(ranges[kept].end, ranges[k].end);
      } else {
        ranges[++kept] = ranges[k];
      }
    }
    ranges.resize(kept + 1);
  }
}

}  // namespace xla
