// Convolutions that treat each feature by itself: which taps the positions of a
// line of output meet, and sums over them at several positions, with vectors
// over features. A line has what differs only in the last spatial dimension.
#ifndef XLA_BACKENDS_CPU_KERNELS_CONVOLUTIONS_CONVOLUTION_TAPS_H_
#define XLA_BACKENDS_CPU_KERNELS_CONVOLUTIONS_CONVOLUTION_TAPS_H_

#include <cstdint>
#include <vector>

#include "xla/backends/cpu/kernels/convolutions/convolution.h"
#include "xla/proto/xla_data.pb.h"

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

// Returns the most input positions that `count` places at distances of `step`
// in the input with its holes meet.
int64_t LinesMet(const ConvolutionDim& dim, int64_t count, int64_t step);

// A line of input and the line of kernel elements that it meets.
struct TapLine {
  const char* input;
  const char* kernel;
};

// out[p][c] = sum over lines and taps of input[p][tap][c] kernel[tap][c], for
// the positions p of a block. Starts and steps are in bytes.
struct TapBlock {
  const TapLine* lines;
  int64_t count;
  int64_t taps;  // of a line
  // Those of the first tap and position; the input may lie before or behind the
  // line, in padding.
  int64_t input_start, kernel_start;
  int64_t input_step, kernel_step;  // from one tap to the next
  int64_t position_step, out_step;  // from one position to the next
  int64_t channels;
  // For each tap, a bit for each position at which it meets input.
  const uint8_t* masks;
  // Of the inputs of a line that are `input_step` apart, those that are no
  // padding.
  int64_t inputs_begin, inputs_end;
  char* out;
  bool adds;  // to what is there
};

// The most positions of a block: as many sums as leave registers for the other
// operands where there are sixteen.
inline constexpr int kMaxPositions = 7;

using TapKernel = void (*)(const TapBlock& block);
struct TapKernels {
  TapKernel inside;  // of kMaxPositions positions that meet no padding
  TapKernel masked[kMaxPositions];  // by positions
};

// Returns those of the current vector level for the positions of `phase`; `sum`
// is F32 or F64.
TapKernels TapKernelsOf(PrimitiveType sum, const LinePhase& phase);

// Writes the masks of the taps for `count` positions from number `j` on, unless
// kernels need none there.
void FindMasks(const ConvolutionDim& dim, const LinePhase& phase, int64_t j,
               int64_t count, uint8_t* masks);

// Computes `count` positions of `phase`, at most kMaxPositions, from number `j`
// on. `block` has the lines, channels, `out` and `adds`; its steps are those
// from one input, kernel element and output of a line to the next, and
// `kernel_start` is where a line of the kernel begins. `masks` are what
// FindMasks writes.
void RunTaps(const TapKernels& kernels, const ConvolutionDim& dim,
             const LinePhase& phase, int64_t j, int64_t count, TapBlock block,
             const uint8_t* masks);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_CONVOLUTIONS_CONVOLUTION_TAPS_H_
