// Lines of a convolution's output, which differ only in the last spatial
// dimension: which input elements the taps of their positions meet.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_CONVOLUTION_LINE_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_CONVOLUTION_LINE_H_

#include <cstdint>
#include <vector>

#include "xla/backends/cpu/kernels/products/convolution.h"

namespace xla::cpu {

// Output positions of a line that meet the same taps, but for padding: all of
// them, or every so many if the input has holes. Position j of these is output
//   first_output + j * output_step
// and its tap t is kernel element first_tap + t * tap_step, which meets input
//   first_input + j * input_step + t * tap_input
// if there is such an input element, else padding.
struct LinePhase {
  int64_t first_output = 0, output_step = 1, positions = 0;
  int64_t first_tap = 0, tap_step = 1, taps = 0;
  int64_t first_input = 0, input_step = 0, tap_input = 0;
  // The positions [inside_begin, inside_end) meet no padding.
  int64_t inside_begin = 0, inside_end = 0;

  // Returns the number of positions whose output lies before `output`.
  int64_t PositionsBefore(int64_t output) const {
    if (output <= first_output) return 0;
    return (output - first_output + output_step - 1) / output_step;
  }
};

// Returns the phases of a line along `dim`, which have all its positions.
std::vector<LinePhase> LinePhasesOf(const ConvolutionDim& dim);

// Input positions [begin, end).
struct InputRange {
  int64_t begin, end;
};

// Returns a range of input positions with all that output positions [first,
// last) meet.
InputRange InputsOf(const ConvolutionDim& dim, int64_t first, int64_t last);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_CONVOLUTION_LINE_H_
