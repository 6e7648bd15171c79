// Rules for the order of transfers between devices. A send and the receive of
// the same pairs of devices meet; the one that comes first waits for the other.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/device/collective_pairs.h"
#include "xla/hlo/ops/device/device_groups.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

// Transfers of loops that a pass overlaps follow rules of their own.
constexpr char kPipelineAttribute[] = "_xla_send_recv_pipeline";

constexpr int64_t kMaxVisited = int64_t{1} << 22;

struct Transfer {
  const HloInstruction* hlo;
  SourceTargetPairs pairs;
};

// Whether it is a send or receive between devices.
bool IsTransfer(const HloInstruction& hlo) {
  return (hlo.opcode() == HloOpcode::kSend ||
          hlo.opcode() == HloOpcode::kRecv) &&
         !hlo.is_host_transfer() &&
         !hlo.frontend_attributes().map().contains(kPipelineAttribute);
}

// Whether nobody sends or receives twice, and nobody waits for itself through
// the others.
bool CanRunAtOnce(const SourceTargetPairs& pairs) {
  absl::flat_hash_map<int64_t, int64_t> target_of;
  absl::flat_hash_set<int64_t> targets;
  for (const auto& [source, target] : pairs) {
    if (!target_of.emplace(source, target).second) return false;
    if (!targets.insert(target).second) return false;
  }
  // Each device is now on one path. Those that start at a device that does not
  // receive reach all devices but those of cycles.
  size_t reached = 0;
  for (const auto& [source, target] : pairs) {
    if (targets.contains(source)) continue;
    auto step = target_of.find(source);
    for (; step != target_of.end(); step = target_of.find(step->second)) {
      ++reached;
    }
  }
  return reached == pairs.size();
}

SourceTargetPairs Joined(SourceTargetPairs first,
                         const SourceTargetPairs& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// deadlock_c1: a transfer between devices says its pairs, which can run at
// once.
absl::StatusOr<SourceTargetPairs> PairsOf(const HloInstruction& hlo) {
  const auto& attributes = hlo.frontend_attributes().map();
  const auto found = attributes.find(kSendRecvPairsAttribute);
  if (found == attributes.end()) {
    return RuleError("deadlock_c1",
                     absl::StrCat(hlo.name(), " has no attribute ",
                                  kSendRecvPairsAttribute));
  }
  TF_ASSIGN_OR_RETURN(SourceTargetPairs pairs,
                      ParseSendRecvPairs(found->second));
  if (CanRunAtOnce(pairs)) return pairs;
  return RuleError("deadlock_c1",
                   absl::StrCat("a device sends or receives twice, or waits "
                                "for itself, in the pairs ",
                                found->second, " of ", hlo.name()));
}

// Goes through a program in the order of its schedule.
class DeadlockChecker {
 public:
  explicit DeadlockChecker(const HloModule& module) {
    for (const HloComputation* computation :
         module.MakeComputationPostOrder()) {
      if (HasEvents(*computation)) eventful_.insert(computation);
    }
  }

  absl::Status Check(const HloComputation& entry) {
    TF_RETURN_IF_ERROR(Run(entry));
    // deadlock_c4: at the end no transfer waits.
    if (IsIdle()) return absl::OkStatus();
    return RuleError("deadlock_c4", absl::StrCat(FirstWaiting(),
                                                 " has no counterpart of the "
                                                 "same pairs of devices"));
  }

 private:
  // A computation and the next of its instructions.
  struct Visit {
    explicit Visit(const HloComputation* of)
        : computation(of), next(of->instructions().begin()) {}
    const HloComputation* computation;
    decltype(std::declval<const HloComputation>().instructions().begin()) next;
    // Whether nothing waited when it began.
    std::optional<bool> began_idle;
  };

  bool HasEvents(const HloComputation& computation) const {
    return absl::c_any_of(
        computation.instructions(), [&](const HloInstruction* hlo) {
          return IsTransfer(*hlo) || IsCollective(hlo->opcode()) ||
                 absl::c_any_of(Callees(*hlo), [&](const HloComputation* c) {
                   return eventful_.contains(c);
                 });
        });
  }

  // The computations that run where `hlo` is. What an async-start wraps starts
  // there; several instructions of it start as one.
  static std::vector<const HloComputation*> Callees(const HloInstruction& hlo) {
    if (hlo.opcode() == HloOpcode::kAsyncUpdate ||
        hlo.opcode() == HloOpcode::kAsyncDone) {
      return {};
    }
    std::vector<const HloComputation*> callees;
    for (const HloComputation* callee : hlo.called_computations()) {
      if (hlo.opcode() == HloOpcode::kAsyncStart &&
          !callee->CanExpandIntoSingleInstruction()) {
        continue;
      }
      callees.push_back(callee);
    }
    return callees;
  }

  bool IsIdle() const { return sends_.empty() && recvs_.empty(); }
  absl::string_view FirstWaiting() const {
    return (sends_.empty() ? recvs_ : sends_)[0].hlo->name();
  }

  absl::Status Run(const HloComputation& entry) {
    std::vector<Visit> stack;
    if (eventful_.contains(&entry)) stack.emplace_back(&entry);
    int64_t visited = 0;
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (!visit.began_idle.has_value()) visit.began_idle = IsIdle();
      const bool is_known =
          *visit.began_idle && harmless_.contains(visit.computation);
      if (is_known || visit.next == visit.computation->instructions().end()) {
        if (*visit.began_idle && IsIdle()) harmless_.insert(visit.computation);
        stack.pop_back();
        continue;
      }
      if (++visited > kMaxVisited) {
        return absl::ResourceExhaustedError(
            absl::StrCat("the check of deadlocks visits more than ",
                         kMaxVisited, " instructions"));
      }
      const HloInstruction& hlo = **visit.next++;
      TF_RETURN_IF_ERROR(Take(hlo));
      const std::vector<const HloComputation*> callees = Callees(hlo);
      // The first is on top.
      for (auto it = callees.rbegin(); it != callees.rend(); ++it) {
        if (eventful_.contains(*it)) stack.emplace_back(*it);
      }
    }
    return absl::OkStatus();
  }

  absl::Status Take(const HloInstruction& hlo) {
    if (IsTransfer(hlo)) return TakeTransfer(hlo);
    // deadlock_c3: no other collective runs while a transfer waits.
    if (!IsCollective(hlo.opcode()) || IsIdle()) return absl::OkStatus();
    return RuleError("deadlock_c3",
                     absl::StrCat(hlo.name(), " comes while ", FirstWaiting(),
                                  " waits for its counterpart"));
  }

  absl::Status TakeTransfer(const HloInstruction& hlo) {
    TF_ASSIGN_OR_RETURN(SourceTargetPairs pairs, PairsOf(hlo));
    const bool is_send = hlo.opcode() == HloOpcode::kSend;
    std::vector<Transfer>& others = is_send ? recvs_ : sends_;
    const auto counterpart = absl::c_find_if(
        others, [&](const Transfer& other) { return other.pairs == pairs; });
    if (counterpart != others.end()) {
      others.erase(counterpart);
      return absl::OkStatus();
    }
    std::vector<Transfer>& alike = is_send ? sends_ : recvs_;
    for (const Transfer& other : alike) {
      // deadlock_c2: two sends, or two receives, wait at once only if their
      // pairs together can run at once.
      if (!CanRunAtOnce(Joined(other.pairs, pairs))) {
        return RuleError(
            "deadlock_c2",
            absl::StrCat(hlo.name(), " comes while ", other.hlo->name(),
                         ", which uses the same devices, waits for its "
                         "counterpart"));
      }
    }
    alike.push_back({&hlo, std::move(pairs)});
    return absl::OkStatus();
  }

  // Computations that have transfers or collectives, in what they call too.
  absl::flat_hash_set<const HloComputation*> eventful_;
  // Those that began when nothing waited, after which nothing did.
  absl::flat_hash_set<const HloComputation*> harmless_;
  // Transfers that wait.
  std::vector<Transfer> sends_, recvs_;
};

}  // namespace

absl::Status VerifyNoDeadlocks(const HloModule& module) {
  return DeadlockChecker(module).Check(*module.entry_computation());
}

}  // namespace xla
