// Numbers the instructions as a graph, and computes the memory that each order
// needs. Source of the order by need: Liu, "On the storage requirement in the
// out-of-core multifrontal method for sparse factorization", 1986, which is
// about trees.
#include "xla/hlo/transforms/buffers/memory_order.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "xla/base/checked_math.h"

namespace xla {
namespace {

using ValueKind = HloDataflow::Kind;

// Whether a result takes the place of a dead operand. Fusions and custom calls
// that must do so count as if they did not, since schedules have always been
// chosen by that estimate.
bool Overwrites(const HloInstruction& hlo, const AliasInfo& alias_info) {
  switch (hlo.opcode()) {
    case HloOpcode::kWhile:
      return true;
    case HloOpcode::kDynamicUpdateSlice:
    case HloOpcode::kScatter:
      return alias_info.MustAlias(hlo, 0).has_value();
    default:
      return !alias_info.MayAliasPairs(hlo).empty();
  }
}

// A computation whose instructions are numbered by their present position, and
// whose values are numbered in order.
class Graph {
 public:
  Graph(const HloDataflow& flow, const AliasInfo& alias_info,
        const HloDataflow::Computation& computation,
        const absl::flat_hash_set<const HloInstruction*>& effects,
        const absl::flat_hash_map<const HloComputation*, int64_t>& peaks);

  int64_t PeakOf(const std::vector<int>& order) const;
  // Returns the bytes alive while each instruction of an order runs, without
  // those of called computations.
  std::vector<int64_t> AliveDuring(const std::vector<int>& order) const;
  std::vector<int> PresentOrder() const;
  // Goes depth first from the last instructions, so that each one comes right
  // before the first that needs it. If an instruction needs several, those of
  // the highest `priority` come first, unless `priority` is empty.
  std::vector<int> LazyOrder(const std::vector<int64_t>& priority) const;
  std::vector<int> GreedyOrder() const;
  // Returns priorities for LazyOrder: the bytes that computing an instruction
  // takes beyond those of its result, as if nothing else needed its operands.
  std::vector<int64_t> Need() const;

 private:
  struct Step {
    std::vector<int> before;  // steps
    std::vector<int> after;
    std::vector<int> reads;  // values, each once
    std::vector<int> makes;
    int64_t inner_bytes = 0;
    int64_t held_bytes = 0;   // of all values that the result stands for
    bool overwrites = false;  // results take the place of operands
  };

  void AddEdge(int from, int to) {
    steps_[from].after.push_back(to);
    steps_[to].before.push_back(from);
  }
  // `local` are the numbers of the values of the dataflow that are made here.
  void AddHeld(absl::Span<const int> values,
               const absl::flat_hash_map<int, int>& local, Step& step) const;
  int64_t Gain(int step, const std::vector<int>& readers_left) const;

  std::vector<Step> steps_;
  std::vector<int64_t> bytes_;  // by value
  std::vector<int> readers_;    // by value; the root counts as one
};

Graph::Graph(const HloDataflow& flow, const AliasInfo& alias_info,
             const HloDataflow::Computation& computation,
             const absl::flat_hash_set<const HloInstruction*>& effects,
             const absl::flat_hash_map<const HloComputation*, int64_t>& peaks)
    : steps_(computation.order.size()) {
  const std::vector<HloInstruction*>& present = computation.order;
  absl::flat_hash_map<const HloInstruction*, int> number;
  for (size_t i = 0; i < present.size(); ++i) number[present[i]] = i;
  absl::flat_hash_map<int, int> local;  // by value of the dataflow
  int last_effect = -1;
  for (int i = 0; i < static_cast<int>(present.size()); ++i) {
    const HloInstruction* hlo = present[i];
    Step& step = steps_[i];
    for (const HloInstruction* user : hlo->users()) AddEdge(i, number.at(user));
    for (const HloInstruction* next : hlo->control_successors()) {
      AddEdge(i, number.at(next));
    }
    if (effects.contains(hlo)) {
      if (last_effect >= 0) AddEdge(last_effect, i);
      last_effect = i;
    }
    if (HloDataflow::IsForwarding(hlo->opcode())) {
      AddHeld(flow.values(hlo), local, step);
      continue;
    }
    for (const HloInstruction* operand : hlo->operands()) {
      for (const int value : flow.values(operand)) {
        auto it = local.find(value);
        if (it != local.end()) step.reads.push_back(it->second);
      }
    }
    std::sort(step.reads.begin(), step.reads.end());
    step.reads.erase(std::unique(step.reads.begin(), step.reads.end()),
                     step.reads.end());
    for (const int value : step.reads) ++readers_[value];
    for (const HloComputation* callee : hlo->called_computations()) {
      auto it = peaks.find(callee);
      if (it == peaks.end()) continue;
      step.inner_bytes = std::max(step.inner_bytes, it->second);
    }
    step.overwrites = Overwrites(*hlo, alias_info);
    for (const int value : flow.values(hlo)) {
      if (value < 0) continue;
      const HloDataflow::Value& info = flow.value(value);
      if (info.instruction != hlo || info.kind == ValueKind::kParameter ||
          info.kind == ValueKind::kConstant) {
        continue;
      }
      local.emplace(value, bytes_.size());
      step.makes.push_back(bytes_.size());
      bytes_.push_back(info.bytes);
      readers_.push_back(0);
    }
    AddHeld(flow.values(hlo), local, step);
  }
  const HloInstruction* root = computation.computation->root_instruction();
  for (const int value : flow.values(root)) {
    auto it = local.find(value);
    if (it != local.end()) ++readers_[it->second];
  }
}

void Graph::AddHeld(absl::Span<const int> values,
                    const absl::flat_hash_map<int, int>& local,
                    Step& step) const {
  for (const int value : values) {
    auto it = local.find(value);
    if (it == local.end()) continue;
    step.held_bytes = SaturatingAdd(step.held_bytes, bytes_[it->second]);
  }
}

int64_t Graph::PeakOf(const std::vector<int>& order) const {
  const std::vector<int64_t> alive = AliveDuring(order);
  int64_t peak = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    peak =
        std::max(peak, SaturatingAdd(alive[i], steps_[order[i]].inner_bytes));
  }
  return peak;
}

std::vector<int64_t> Graph::AliveDuring(const std::vector<int>& order) const {
  std::vector<int> left = readers_;
  std::vector<int64_t> result;
  result.reserve(order.size());
  int64_t alive = 0;
  for (const int i : order) {
    const Step& step = steps_[i];
    int64_t freed = 0, made = 0, unused = 0;
    for (const int value : step.reads) {
      if (--left[value] == 0) freed = SaturatingAdd(freed, bytes_[value]);
    }
    for (const int value : step.makes) {
      made = SaturatingAdd(made, bytes_[value]);
      if (left[value] == 0) unused = SaturatingAdd(unused, bytes_[value]);
    }
    const int64_t kept = alive - freed;
    const int64_t during = step.overwrites
                               ? std::max(alive, SaturatingAdd(kept, made))
                               : SaturatingAdd(alive, made);
    result.push_back(during);
    alive = SaturatingAdd(kept, made - unused);
  }
  return result;
}

// Returns the present order of the instructions, changed where edges demand it.
std::vector<int> Graph::PresentOrder() const {
  const int n = steps_.size();
  std::vector<int> missing(n);
  std::set<int> ready;
  for (int i = 0; i < n; ++i) {
    missing[i] = steps_[i].before.size();
    if (missing[i] == 0) ready.insert(i);
  }
  std::vector<int> order;
  order.reserve(n);
  while (!ready.empty()) {
    const int i = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(i);
    for (const int next : steps_[i].after) {
      if (--missing[next] == 0) ready.insert(next);
    }
  }
  return order;
}

std::vector<int> Graph::LazyOrder(const std::vector<int64_t>& priority) const {
  const int n = steps_.size();
  std::vector<int> order;
  order.reserve(n);
  std::vector<bool> seen(n, false);
  struct Visit {
    int step;
    size_t next;
    std::vector<int> before;
  };
  std::vector<Visit> stack;
  auto visit = [&](int i) {
    if (seen[i]) return;
    seen[i] = true;
    stack.push_back({i, 0, steps_[i].before});
    if (priority.empty()) return;
    std::vector<int>& before = stack.back().before;
    std::stable_sort(before.begin(), before.end(),
                     [&](int a, int b) { return priority[a] > priority[b]; });
  };
  for (int last = 0; last < n; ++last) {
    if (!steps_[last].after.empty()) continue;
    visit(last);
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next == top.before.size()) {
        order.push_back(top.step);
        stack.pop_back();
      } else {
        visit(top.before[top.next++]);
      }
    }
  }
  return order;
}

std::vector<int64_t> Graph::Need() const {
  std::vector<int64_t> need(steps_.size(), 0);
  for (const int i : PresentOrder()) {
    const Step& step = steps_[i];
    std::vector<int> before = step.before;
    std::stable_sort(before.begin(), before.end(),
                     [&](int a, int b) { return need[a] > need[b]; });
    int64_t peak = 0, held = 0;
    for (const int operand : before) {
      const int64_t own = steps_[operand].held_bytes;
      peak = std::max(peak,
                      SaturatingAdd(held, SaturatingAdd(need[operand], own)));
      held = SaturatingAdd(held, own);
    }
    int64_t made = 0;
    for (const int value : step.makes) {
      made = SaturatingAdd(made, bytes_[value]);
    }
    const int64_t during =
        step.overwrites ? std::max(held, made) : SaturatingAdd(held, made);
    peak = std::max(peak, SaturatingAdd(during, step.inner_bytes));
    need[i] = std::max<int64_t>(0, peak - step.held_bytes);
  }
  return need;
}

int64_t Graph::Gain(int step, const std::vector<int>& readers_left) const {
  int64_t freed = 0, made = 0;
  for (const int value : steps_[step].reads) {
    if (readers_left[value] == 1) freed = SaturatingAdd(freed, bytes_[value]);
  }
  for (const int value : steps_[step].makes) {
    made = SaturatingAdd(made, bytes_[value]);
  }
  return freed - made;
}

std::vector<int> Graph::GreedyOrder() const {
  const int n = steps_.size();
  std::vector<int> left = readers_;
  std::vector<int> missing(n);
  // For each value, the sum of the numbers of the instructions that have yet to
  // read it. If there is one such instruction, this is its number.
  std::vector<int64_t> sum_of_readers(bytes_.size(), 0);
  for (int i = 0; i < n; ++i) {
    missing[i] = steps_[i].before.size();
    for (const int value : steps_[i].reads) sum_of_readers[value] += i;
  }
  std::vector<int64_t> gain(n, 0);
  std::set<std::pair<int64_t, int>> ready;  // by loss, then place
  std::vector<bool> is_ready(n, false);
  auto make_ready = [&](int i) {
    gain[i] = Gain(i, left);
    is_ready[i] = true;
    ready.emplace(-gain[i], i);
  };
  for (int i = 0; i < n; ++i) {
    if (missing[i] == 0) make_ready(i);
  }
  std::vector<int> order;
  order.reserve(n);
  while (!ready.empty()) {
    const int i = ready.begin()->second;
    ready.erase(ready.begin());
    is_ready[i] = false;
    order.push_back(i);
    for (const int value : steps_[i].reads) {
      sum_of_readers[value] -= i;
      if (--left[value] != 1) continue;
      // The last reader frees the value. The root, which may be the last, has
      // no number among the instructions.
      const int64_t last = sum_of_readers[value];
      if (last < n && is_ready[last] && last != i) {
        ready.erase({-gain[last], static_cast<int>(last)});
        make_ready(last);
      }
    }
    for (const int next : steps_[i].after) {
      if (--missing[next] == 0) make_ready(next);
    }
  }
  return order;
}

}  // namespace

std::vector<int64_t> MemoryDuring(const HloDataflow& flow,
                                  const AliasInfo& alias_info,
                                  const HloDataflow::Computation& computation) {
  const Graph graph(flow, alias_info, computation, {}, {});
  std::vector<int> order(computation.order.size());
  std::iota(order.begin(), order.end(), 0);
  return graph.AliveDuring(order);
}

MemoryOrder FindMemoryOrder(
    const HloDataflow& flow, const AliasInfo& alias_info,
    const HloDataflow::Computation& computation,
    const absl::flat_hash_set<const HloInstruction*>& effects,
    const absl::flat_hash_map<const HloComputation*, int64_t>& inner_peaks) {
  const Graph graph(flow, alias_info, computation, effects, inner_peaks);
  std::vector<int> best = graph.PresentOrder();
  MemoryOrder result;
  result.peak_bytes = graph.PeakOf(best);
  for (const std::vector<int>& other :
       {graph.LazyOrder({}), graph.LazyOrder(graph.Need()),
        graph.GreedyOrder()}) {
    const int64_t peak = graph.PeakOf(other);
    if (peak >= result.peak_bytes || other.size() != best.size()) continue;
    result.peak_bytes = peak;
    best = other;
  }
  for (const int i : best) result.order.push_back(computation.order[i]);
  return result;
}

}  // namespace xla
