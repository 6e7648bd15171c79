// Compares computations without recursion: pairs of called computations wait
// in a list.
#include "xla/hlo/ir/computation/computation_comparison.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {
namespace {

using Pair = std::pair<const HloComputation*, const HloComputation*>;

// Pairs of computations that are assumed to be equal while their callers are
// compared, each of which is compared once.
class ComputationPairs {
 public:
  bool Assume(const HloComputation* a, const HloComputation* b) {
    if (a != b && assumed_.insert({a, b}).second) pending_.push_back({a, b});
    return true;
  }
  template <typename Compare>
  bool AllEqual(const Compare& compare) {
    while (!pending_.empty()) {
      const Pair pair = pending_.back();
      pending_.pop_back();
      if (!compare(*pair.first, *pair.second)) return false;
    }
    return true;
  }

 private:
  absl::flat_hash_set<Pair> assumed_;
  std::vector<Pair> pending_;
};

bool EqualUnder(const HloComputation& a, const HloComputation& b,
                ComputationPairs& pairs) {
  if (a.instruction_count() != b.instruction_count() ||
      a.num_parameters() != b.num_parameters()) {
    return false;
  }
  std::vector<HloInstruction*> a_order = a.MakeInstructionPostOrder();
  std::vector<HloInstruction*> b_order = b.MakeInstructionPostOrder();
  if (a_order.size() != b_order.size()) return false;
  absl::flat_hash_map<const HloInstruction*, const HloInstruction*> partner;
  auto same_operand = [&](const HloInstruction* x, const HloInstruction* y) {
    auto it = partner.find(x);
    return it != partner.end() && it->second == y;
  };
  auto same_computation = [&](const HloComputation* x,
                              const HloComputation* y) {
    return pairs.Assume(x, y);
  };
  for (size_t i = 0; i < a_order.size(); ++i) {
    if (!a_order[i]->IdenticalUnder(*b_order[i], same_operand,
                                    same_computation)) {
      return false;
    }
    partner[a_order[i]] = b_order[i];
  }
  return same_operand(a.root_instruction(), b.root_instruction());
}

}  // namespace

const HloComputation& ComputationComparison::self() const {
  return static_cast<const HloComputation&>(*this);
}

bool ComputationComparison::Equal(const HloComputation& other) const {
  ComputationPairs pairs;
  pairs.Assume(&self(), &other);
  return pairs.AllEqual([&](const HloComputation& a, const HloComputation& b) {
    return EqualUnder(a, b, pairs);
  });
}

// Hashes ---------------------------------------------------------------------

namespace {

using ComputationHashes = absl::flat_hash_map<const HloComputation*, size_t>;

// Returns the hash of a computation whose callees, unless it calls itself, have
// theirs.
size_t HashOfContent(const HloComputation& computation,
                     const ComputationHashes& callees) {
  absl::flat_hash_map<const HloInstruction*, size_t> hashes;
  const auto find = [](const auto& map, const auto* key) {
    const auto it = map.find(key);
    return it == map.end() ? size_t{0} : it->second;
  };
  for (const HloInstruction* hlo : computation.MakeInstructionPostOrder()) {
    std::vector<size_t> parts;
    for (const HloInstruction* operand : hlo->operands()) {
      parts.push_back(find(hashes, operand));
    }
    for (const HloComputation* called : hlo->called_computations()) {
      parts.push_back(find(callees, called));
    }
    hashes[hlo] =
        absl::HashOf(hlo->opcode(), hlo->shape(), hlo->raw_attrs(), parts);
  }
  return absl::HashOf(find(hashes, computation.root_instruction()),
                      computation.instruction_count());
}

}  // namespace

size_t ComputationComparison::ContentHash() const {
  ComputationHashes hashes;
  for (const HloComputation* callee : self().MakeEmbeddedComputationsList()) {
    hashes[callee] = HashOfContent(*callee, hashes);
  }
  return HashOfContent(self(), hashes);
}

// Values ---------------------------------------------------------------------

// Compares the roots and what they depend on.
bool ComputationComparison::SameValue(const HloComputation& a,
                                      const HloComputation& b,
                                      const Rules& rules,
                                      SameComputations eq_computations) {
  // Operands are pairs of their own.
  const auto any = [](const HloInstruction*, const HloInstruction*) {
    return true;
  };
  absl::flat_hash_set<std::pair<const HloInstruction*, const HloInstruction*>>
      seen;
  std::vector<std::pair<const HloInstruction*, const HloInstruction*>> pending =
      {{a.root_instruction(), b.root_instruction()}};
  while (!pending.empty()) {
    const auto pair = pending.back();
    pending.pop_back();
    if (!seen.insert(pair).second) continue;
    const HloInstruction& x = *pair.first;
    const HloInstruction& y = *pair.second;
    const bool same =
        rules.ignore_channel_ids
            ? x.IdenticalIgnoringChannelIdValues(y, any, eq_computations,
                                                 rules.layout_sensitive)
            : x.Identical(y, any, eq_computations, rules.layout_sensitive);
    if (!same) return false;
    for (int64_t i = 0; i < x.operand_count(); ++i) {
      pending.push_back({x.operand(i), y.operand(i)});
    }
  }
  return rules.ignore_threads || a.execution_thread() == b.execution_thread();
}

bool ComputationComparison::SameAs(
    const HloComputation& other, const Rules& rules,
    std::optional<SameComputations> eq_computations) const {
  if (&self() == &other) return true;
  if (eq_computations.has_value()) {
    return SameValue(self(), other, rules, *eq_computations);
  }
  ComputationPairs pairs;
  const auto assume = [&](const HloComputation* a, const HloComputation* b) {
    return pairs.Assume(a, b);
  };
  pairs.Assume(&self(), &other);
  return pairs.AllEqual([&](const HloComputation& a, const HloComputation& b) {
    return SameValue(a, b, rules, assume);
  });
}

}  // namespace xla
