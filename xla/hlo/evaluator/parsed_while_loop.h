// ParsedWhileLoop: the trip count of a while loop, found without running it.
#ifndef XLA_HLO_EVALUATOR_PARSED_WHILE_LOOP_H_
#define XLA_HLO_EVALUATOR_PARSED_WHILE_LOOP_H_

#include <cstdint>
#include <optional>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

class ConstantFinder;

// A loop that runs as often on every run of the program. The induction variable
// starts at induction_var_init_value and changes by step_size in each
// iteration, until it reaches or passes loop_bound.
struct ParsedStaticWhileLoop {
  // -1 for a loop that never ends.
  int64_t trip_count = -1;
  // The variable's place in the carry; -1 if the condition compares constants.
  int64_t induction_var_index = -1;
  int64_t induction_var_init_value = -1;
  int64_t step_size = -1;
  int64_t loop_bound = -1;
};

// A loop without static_while_loop is dynamic: its induction variable starts
// at, or changes by, a value that depends on the arguments of the program.
struct ParsedWhileLoop {
  std::optional<ParsedStaticWhileLoop> static_while_loop;
  bool is_dynamic() const { return !static_while_loop.has_value(); }
};
inline constexpr ParsedWhileLoop kParsedDynamicWhileLoop = ParsedWhileLoop();

// PatternMatchParseWhileLoop (hlo_evaluator.h) with the values that `finder`
// knows or finds.
std::optional<ParsedWhileLoop> ParseWhileLoop(const HloInstruction& loop,
                                              ConstantFinder& finder);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_PARSED_WHILE_LOOP_H_
