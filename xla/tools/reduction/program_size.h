// ProgramSize: what makes a program smaller than another one.
#ifndef XLA_TOOLS_REDUCTION_PROGRAM_SIZE_H_
#define XLA_TOOLS_REDUCTION_PROGRAM_SIZE_H_

#include <cstdint>
#include <tuple>

#include "xla/hlo/ir/hlo_module.h"

namespace xla::tools {

// Compares fields in this order, so that a step that always makes a program
// smaller cannot undo another one for ever.
struct ProgramSize {
  int64_t operations = 0;    // instructions but parameters and constants
  int64_t instructions = 0;  // of all computations
  double elements = 0;       // of all results
  double numbers = 0;        // the sum of scalar integer constants
  int64_t text_bytes = 0;    // with annotations and short constants

  friend bool operator<(const ProgramSize& a, const ProgramSize& b) {
    return a.AsTuple() < b.AsTuple();
  }

 private:
  std::tuple<int64_t, int64_t, double, double, int64_t> AsTuple() const {
    return {operations, instructions, elements, numbers, text_bytes};
  }
};

ProgramSize SizeOf(const HloModule& module);

}  // namespace xla::tools

#endif  // XLA_TOOLS_REDUCTION_PROGRAM_SIZE_H_
