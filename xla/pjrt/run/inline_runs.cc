// Estimates runs from opcodes and costs.
#include "xla/pjrt/run/inline_runs.h"

#include <cmath>

#include "xla/hlo/analysis/cost/cost_analysis.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla {
namespace {

// The longest run on the calling thread. A handover and the wake-up of a thread
// take 10 to 50 microseconds; a caller that would rather continue loses no more
// than this.
constexpr double kInlineNanoseconds = 200'000;
// The factor by which an estimate may exceed the bound and be corrected by a
// measurement. A higher one is trusted, since the branches that a run did not
// take may be long.
constexpr double kMaxOff = 10;
// Bounds of operations, bytes and instructions: at most about 50 microseconds
// in an interpreter.
constexpr double kInlineOperations = 8192;
constexpr double kInlineBytes = 256 << 10;
constexpr int64_t kInlineInstructions = 256;

// True if the op may take long, call foreign code, or wait.
bool MayTakeLong(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kCall:
    case HloOpcode::kConditional:
    case HloOpcode::kCustomCall:
    case HloOpcode::kScan:
    case HloOpcode::kSort:
    case HloOpcode::kFft:
    case HloOpcode::kCholesky:
    case HloOpcode::kTriangularSolve:
    case HloOpcode::kInfeed:
    case HloOpcode::kOutfeed:
    case HloOpcode::kSend:
    case HloOpcode::kRecv:
    case HloOpcode::kAsyncStart:
    case HloOpcode::kWhile:
      return true;
    default:
      return false;
  }
}

bool IsShortInterpreted(const HloModule& module) {
  if (module.instruction_count() > kInlineInstructions) return false;
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (MayTakeLong(hlo->opcode())) return false;
    }
  }
  CostAnalysis analysis;
  return analysis.Run(*module.entry_computation()).ok() &&
         analysis.flop_count() + 4 * analysis.transcendental_count() <=
             kInlineOperations &&
         analysis.bytes_accessed() <= kInlineBytes;
}

}  // namespace

InlineRuns::InlineRuns(const HloModule& module, const CompileReport* report) {
  if (module.config().replica_count() * module.config().num_partitions() != 1) {
    return;
  }
  if (report == nullptr) {
    allowed_ = IsShortInterpreted(module);
    return;
  }
  allowed_ = report->run_nanoseconds <= kInlineNanoseconds;
  near_bound_ = report->run_nanoseconds <= kMaxOff * kInlineNanoseconds;
  varies_ = std::isinf(report->run_nanoseconds) &&
            report->shortest_run_nanoseconds <= kInlineNanoseconds;
}

void InlineRuns::Measured(absl::Duration time) {
  const bool is_short = absl::ToDoubleNanoseconds(time) <= kInlineNanoseconds;
  if (varies_ || (near_bound_ && is_short)) {
    allowed_.store(is_short, std::memory_order_relaxed);
  }
}

bool UsesQueues(const HloModule& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      switch (hlo->opcode()) {
        case HloOpcode::kInfeed:
        case HloOpcode::kOutfeed:
        case HloOpcode::kSend:
        case HloOpcode::kRecv:
          return true;
        default:
          break;
      }
    }
  }
  return false;
}

}  // namespace xla
