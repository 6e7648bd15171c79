// Orders of a computation's instructions, and the memory that they need, for
// hlo_memory_scheduler.h.
#ifndef COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_MEMORY_SCHEDULER_COMPUTATION_ORDERS_H_
#define COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_MEMORY_SCHEDULER_COMPUTATION_ORDERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/hlo/analysis/hlo_alias_analysis.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/service/buffer_value.h"
#include "xla/service/call_graph.h"
#include "xla/service/hlo_buffer.h"
#include "xla/shape_util.h"

namespace xla::memory_scheduler_internal {

using Order = std::vector<HloInstruction*>;

// The buffers that the instructions of a computation make and read.
class BufferUses {
 public:
  BufferUses(const HloComputation& computation, const HloAliasAnalysis& aliases,
             const BufferValue::SizeFunction& size_of) {
    for (HloInstruction* hlo : computation.instructions()) {
      absl::flat_hash_set<int64_t> ids;
      Add(*hlo, aliases, size_of, ids);
      for (const HloInstruction* operand : hlo->operands()) {
        Add(*operand, aliases, size_of, ids);
      }
      std::vector<int64_t>& sorted = ids_[hlo];
      sorted.assign(ids.begin(), ids.end());
      std::sort(sorted.begin(), sorted.end());
      for (int64_t id : sorted) users_[id].push_back(hlo);
    }
    absl::flat_hash_set<int64_t> out;
    Add(*computation.root_instruction(), aliases, size_of, out);
    live_out_ = std::move(out);
  }

  const std::vector<int64_t>& ids(const HloInstruction* hlo) const {
    return ids_.at(hlo);
  }
  int64_t bytes(int64_t id) const { return bytes_.at(id); }
  const Order& users(int64_t id) const { return users_.at(id); }
  bool lives_out(int64_t id) const { return live_out_.contains(id); }

  // The most bytes that are alive while an instruction runs: from the first
  // instruction that has a buffer to the last, or to the end. `inner` has those
  // of computations that control flow calls.
  int64_t PeakOf(
      const Order& order,
      const absl::flat_hash_map<const HloComputation*, int64_t>& inner) const {
    absl::flat_hash_map<int64_t, size_t> left;
    for (const auto& [id, users] : users_) left[id] = users.size();
    absl::flat_hash_set<int64_t> alive;
    int64_t now = 0;
    int64_t peak = 0;
    for (const HloInstruction* hlo : order) {
      for (int64_t id : ids(hlo)) {
        if (alive.insert(id).second) now += bytes(id);
      }
      int64_t called = 0;
      for (const HloComputation* callee : hlo->called_computations()) {
        if (GetInstructionCallContext(hlo->opcode()) !=
            CallContext::kControlFlow) {
          break;  // works on elements
        }
        const auto it = inner.find(callee);
        if (it != inner.end()) called = std::max(called, it->second);
      }
      peak = std::max(peak, now + called);
      for (int64_t id : ids(hlo)) {
        if (--left[id] == 0 && !lives_out(id)) now -= bytes(id);
      }
    }
    return peak;
  }

 private:
  void Add(const HloInstruction& hlo, const HloAliasAnalysis& aliases,
           const BufferValue::SizeFunction& size_of,
           absl::flat_hash_set<int64_t>& ids) {
    ShapeUtil::ForEachSubshape(hlo.shape(), [&](const Shape&,
                                                const ShapeIndex& index) {
      for (const HloBuffer* buffer : aliases.ComputeBuffersAt(&hlo, index)) {
        ids.insert(buffer->id());
        if (bytes_.contains(buffer->id())) continue;
        int64_t& bytes = bytes_[buffer->id()];
        for (const HloValue* value : buffer->values()) {
          bytes = std::max(bytes, size_of(*value));
        }
      }
    });
  }

  absl::flat_hash_map<const HloInstruction*, std::vector<int64_t>> ids_;
  absl::flat_hash_map<int64_t, Order> users_;
  absl::flat_hash_map<int64_t, int64_t> bytes_;
  absl::flat_hash_set<int64_t> live_out_;
};

// The instructions before that each one waits for: operands and control
// predecessors, each once.
inline absl::flat_hash_set<const HloInstruction*> PredecessorsOf(
    const HloInstruction& hlo) {
  absl::flat_hash_set<const HloInstruction*> before(hlo.operands().begin(),
                                                    hlo.operands().end());
  before.insert(hlo.control_predecessors().begin(),
                hlo.control_predecessors().end());
  return before;
}

// Calls `take` for the next of the ready instructions until none is left;
// `ready(hlo)` says that one has become ready.
template <typename Ready, typename Take>
Order TopologicalOrder(const HloComputation& computation, Ready&& ready,
                       Take&& take) {
  absl::flat_hash_map<const HloInstruction*, size_t> waits;
  absl::flat_hash_map<const HloInstruction*, Order> after;
  for (HloInstruction* hlo : computation.instructions()) {
    const auto before = PredecessorsOf(*hlo);
    waits[hlo] = before.size();
    for (const HloInstruction* one : before) after[one].push_back(hlo);
    if (before.empty()) ready(hlo);
  }
  Order order;
  while (HloInstruction* next = take()) {
    order.push_back(next);
    for (HloInstruction* hlo : after[next]) {
      if (--waits[hlo] == 0) ready(hlo);
    }
  }
  return order;
}

// In the order in which they become ready.
inline Order BreadthFirstOrder(const HloComputation& computation) {
  Order queue;
  size_t next = 0;
  return TopologicalOrder(
      computation, [&](HloInstruction* hlo) { queue.push_back(hlo); },
      [&] { return next < queue.size() ? queue[next++] : nullptr; });
}

// Takes the ready instruction that frees the most bytes, net of those that it
// makes; of equal ones the one with the most users, then the first. Scalars
// come at once.
inline Order ListOrder(const HloComputation& computation,
                       const BufferUses& uses) {
  using Key = std::tuple<int64_t, int64_t, int64_t>;
  std::set<std::pair<Key, HloInstruction*>> ready;
  absl::flat_hash_map<const HloInstruction*, Key> key_of;
  absl::flat_hash_map<int64_t, size_t> left;
  absl::flat_hash_map<const HloInstruction*, int64_t> place;
  absl::flat_hash_set<int64_t> alive;
  for (const HloInstruction* hlo : computation.instructions()) {
    place.emplace(hlo, place.size());
    for (int64_t id : uses.ids(hlo)) left[id] = uses.users(id).size();
  }
  auto key = [&](const HloInstruction* hlo) {
    int64_t freed = 0;
    for (int64_t id : uses.ids(hlo)) {
      if (!alive.contains(id)) freed -= uses.bytes(id);
      if (left[id] == 1 && !uses.lives_out(id)) freed += uses.bytes(id);
    }
    if (ShapeUtil::IsEffectiveScalar(hlo->shape())) freed = INT64_MAX;
    return Key(-freed, -hlo->user_count(), place.at(hlo));
  };
  auto add = [&](HloInstruction* hlo) {
    key_of[hlo] = key(hlo);
    ready.insert({key_of[hlo], hlo});
  };
  return TopologicalOrder(computation, add, [&]() -> HloInstruction* {
    if (ready.empty()) return nullptr;
    HloInstruction* best = ready.begin()->second;
    ready.erase(ready.begin());
    key_of.erase(best);
    for (int64_t id : uses.ids(best)) {
      const bool is_new = alive.insert(id).second;
      if (--left[id] != 1 && !is_new) continue;
      for (HloInstruction* hlo : uses.users(id)) {
        const auto it = key_of.find(hlo);
        if (it == key_of.end()) continue;
        ready.erase({it->second, hlo});
        it->second = key(hlo);
        ready.insert({it->second, hlo});
      }
    }
    return best;
  });
}

// Each instruction just before the first that needs it, of its operands those
// first that most bytes are made for.
inline Order DepthFirstOrder(const HloComputation& computation,
                             const BufferUses& uses) {
  absl::flat_hash_map<const HloInstruction*, double> bytes_for;
  const Order by_need = computation.MakeInstructionPostOrder();
  for (const HloInstruction* hlo : by_need) {
    double total = 0;
    for (int64_t id : uses.ids(hlo)) total += uses.bytes(id);
    for (const HloInstruction* before : PredecessorsOf(*hlo)) {
      total += bytes_for[before];
    }
    bytes_for[hlo] = total;
  }
  absl::flat_hash_map<const HloInstruction*, int64_t> place;
  for (const HloInstruction* hlo : by_need) place.emplace(hlo, place.size());
  Order order;
  absl::flat_hash_set<const HloInstruction*> opened, closed;
  // The walk begins at those that nothing needs, and ends with the root.
  Order stack = {computation.root_instruction()};
  for (auto it = by_need.rbegin(); it != by_need.rend(); ++it) {
    if ((*it)->user_count() == 0 && *it != stack[0]) stack.push_back(*it);
  }
  while (!stack.empty()) {
    HloInstruction* hlo = stack.back();
    if (closed.contains(hlo)) {
      stack.pop_back();
    } else if (!opened.insert(hlo).second) {
      stack.pop_back();
      closed.insert(hlo);
      order.push_back(hlo);
    } else {
      const auto before = PredecessorsOf(*hlo);
      std::vector<const HloInstruction*> sorted(before.begin(), before.end());
      std::sort(sorted.begin(), sorted.end(),
                [&](const HloInstruction* a, const HloInstruction* b) {
                  return std::tuple(bytes_for[a], -place[a]) <
                         std::tuple(bytes_for[b], -place[b]);
                });
      for (const HloInstruction* one : sorted) {
        if (!closed.contains(one)) {
          stack.push_back(const_cast<HloInstruction*>(one));
        }
      }
    }
  }
  return order;
}

}  // namespace xla::memory_scheduler_internal

#endif  // COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_MEMORY_SCHEDULER_COMPUTATION_ORDERS_H_
