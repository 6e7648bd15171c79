// Runs programs whole and partitioned, and compares what each device computes.
#ifndef TESTS_HLO_TRANSFORMS_SPMD_SPMD_HARNESS_H_
#define TESTS_HLO_TRANSFORMS_SPMD_SPMD_HARNESS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

struct SpmdRunOptions {
  uint64_t seed = 1;
  // Parameters of floats hold random integers of this range, so that sums are
  // exact; integers are from the second range.
  int64_t low = -8;
  int64_t high = 8;
  int64_t integer_low = -8;
  int64_t integer_high = 8;
  // Shardings are propagated to instructions that have none. Without it they
  // are replicated.
  bool propagate = true;
  // 0: results have the same bits.
  double tolerance = 0;
  // Runs custom calls, of whole arrays and of parts.
  CustomCallHandler custom_call_handler;
};

// Parses a module whose header gives num_partitions, and partitions it. The
// computations of the module may be called add (f32), add_s32, max (f32),
// min (f32) and ge (f32) without being defined. Fails the test and returns null
// if a pass fails or the verifier refuses the result.
std::unique_ptr<HloModule> Partitioned(absl::string_view text,
                                       const SpmdRunOptions& options = {});

// Runs the program on one device and on all its partitions, with the same
// random parameters, and expects each device's parts of the results to be those
// of the whole. Elements of parameters beyond the end of a dimension that does
// not divide are NaN or 99, and those of results are not compared. Returns the
// text of the partitioned module, for tests that count its collectives; empty
// if it failed.
std::string ExpectPartsOfWhole(absl::string_view text,
                               const SpmdRunOptions& options = {});

// Returns how often a collective of this name, such as "all-gather", occurs.
int CountOf(absl::string_view text, absl::string_view opcode);

// Returns the number of collectives of any kind.
int CountCollectives(absl::string_view text);

}  // namespace xla

#endif  // TESTS_HLO_TRANSFORMS_SPMD_SPMD_HARNESS_H_
