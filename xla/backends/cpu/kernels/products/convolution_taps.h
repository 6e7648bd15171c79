// Kernels of convolutions that treat each feature by itself: sums over taps at
// several positions, with vectors over features.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_CONVOLUTION_TAPS_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_CONVOLUTION_TAPS_H_

#include <cstdint>

#include "xla/backends/cpu/kernels/products/convolution_line.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

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

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_CONVOLUTION_TAPS_H_
