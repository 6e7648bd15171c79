// Chooses the kernels of a phase, and describes blocks for them.
#include "xla/backends/cpu/kernels/products/convolution_taps.h"

#include "xla/backends/cpu/kernels/vector/vector_level.h"

namespace xla::cpu {
namespace {

constexpr int kTapCounts = 3;
struct TapTable {
  TapKernels f32, f64;
  // F32, for lines of 3, 5 and 7 taps that are neighbours in the input, as
  // positions are. Those of strides gain nothing: less is read again.
  TapKernels neighbours[kTapCounts];
};

#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/products/convolution_taps.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

bool IsInside(const LinePhase& phase, int64_t j, int64_t count) {
  return count == kMaxPositions && j >= phase.inside_begin &&
         j + count <= phase.inside_end;
}

}  // namespace

TapKernels TapKernelsOf(PrimitiveType sum, const LinePhase& phase) {
  const TapTable& table =
      TableOf(baseline::kTapTable, avx2::kTapTable, avx512::kTapTable);
  if (sum != F32) return table.f64;
  if (phase.tap_input != 1 || phase.input_step != 1) return table.f32;
  for (int i = 0; i < kTapCounts; ++i) {
    if (phase.taps == 3 + 2 * i) return table.neighbours[i];
  }
  return table.f32;
}

void FindMasks(const ConvolutionDim& dim, const LinePhase& phase, int64_t j,
               int64_t count, uint8_t* masks) {
  if (IsInside(phase, j, count)) return;
  for (int64_t t = 0; t < phase.taps; ++t) {
    uint8_t mask = 0;
    for (int64_t p = 0; p < count; ++p) {
      const int64_t at =
          phase.first_input + (j + p) * phase.input_step + t * phase.tap_input;
      mask |= (at >= 0 && at < dim.input ? 1 : 0) << p;
    }
    masks[t] = mask;
  }
}

void RunTaps(const TapKernels& kernels, const ConvolutionDim& dim,
             const LinePhase& phase, int64_t j, int64_t count, TapBlock block,
             const uint8_t* masks) {
  const int64_t input = phase.first_input + j * phase.input_step;
  block.taps = phase.taps;
  block.input_start = input * block.input_step;
  block.kernel_start += phase.first_tap * block.kernel_step;
  block.position_step = phase.input_step * block.input_step;
  block.input_step *= phase.tap_input;
  block.kernel_step *= phase.tap_step;
  block.out_step *= phase.output_step;
  block.inputs_begin = -input;
  block.inputs_end = dim.input - input;
  block.masks = masks;
  IsInside(phase, j, count) ? kernels.inside(block)
                            : kernels.masked[count - 1](block);
}

}  // namespace xla::cpu
