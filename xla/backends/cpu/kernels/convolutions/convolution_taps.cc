// Finds phases, lines and masks, and calls the kernels for them.
#include "xla/backends/cpu/kernels/convolutions/convolution_taps.h"

#include <algorithm>
#include <numeric>

#include "xla/backends/cpu/kernels/convolutions/convolution_algorithms.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

void FindInside(const ConvolutionDim& dim, LinePhase& phase) {
  phase.inside_end = phase.positions;
  if (phase.taps == 0) return;
  const int64_t across = (phase.taps - 1) * phase.tap_input;
  const int64_t lowest = phase.first_input + std::min<int64_t>(across, 0);
  const int64_t highest = phase.first_input + std::max<int64_t>(across, 0);
  if (lowest < 0) {
    phase.inside_begin =
        std::min(CeilOfRatio(-lowest, phase.input_step), phase.positions);
  }
  phase.inside_end =
      highest >= dim.input
          ? 0
          : std::min((dim.input - 1 - highest) / phase.input_step + 1,
                     phase.positions);
  phase.inside_end = std::max(phase.inside_begin, phase.inside_end);
}

constexpr int kTapCounts = 3;
struct TapTable {
  TapKernels f32, f64;
  // F32, for lines of 3, 5 and 7 taps that are neighbours in the input, as
  // positions are. Those of strides gain nothing: less is read again.
  TapKernels neighbours[kTapCounts];
};

#define XLA_VECTOR_BODY \
  "xla/backends/cpu/kernels/convolutions/convolution_taps.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

bool IsInside(const LinePhase& phase, int64_t j, int64_t count) {
  return count == kMaxPositions && j >= phase.inside_begin &&
         j + count <= phase.inside_end;
}

}  // namespace

std::vector<LinePhase> LinePhasesOf(const ConvolutionDim& dim) {
  const int64_t holes = dim.base_dilation;
  const int64_t phases =
      std::min(holes / std::gcd(dim.stride, holes), dim.output);
  // Kernel elements at this distance meet holes alike.
  const int64_t tap_step = holes / std::gcd(dim.window_dilation, holes);
  std::vector<LinePhase> result;
  for (int64_t f = 0; f < phases; ++f) {
    LinePhase& phase = result.emplace_back();
    phase.first_output = f;
    phase.output_step = phases;
    phase.positions = CeilOfRatio(dim.output - f, phases);
    phase.tap_step = tap_step;
    while (phase.first_tap < std::min(tap_step, dim.kernel) &&
           PlaceOf(dim, f, phase.first_tap) % holes != 0) {
      ++phase.first_tap;
    }
    // The outputs of one phase, if there are no more of them than phases, may
    // be at a distance that no whole number of input elements has; there is
    // only one then.
    phase.input_step = std::max<int64_t>(dim.stride * phases / holes, 1);
    if (phase.first_tap < std::min(tap_step, dim.kernel)) {
      phase.taps = (dim.kernel - 1 - phase.first_tap) / tap_step + 1;
      phase.first_input = PlaceOf(dim, f, phase.first_tap) / holes;
      phase.tap_input =
          tap_step * dim.window_dilation / holes * (dim.reversed ? -1 : 1);
    }
    FindInside(dim, phase);
  }
  return result;
}

InputRange InputsOf(const ConvolutionDim& dim, int64_t first, int64_t last) {
  const int64_t low = first * dim.stride - dim.padding_low;
  const int64_t high = (last - 1) * dim.stride - dim.padding_low +
                       (dim.kernel - 1) * dim.window_dilation;
  const int64_t begin = std::clamp<int64_t>(
      CeilOfRatio(std::max<int64_t>(low, 0), dim.base_dilation), 0, dim.input);
  const int64_t end =
      high < 0
          ? begin
          : std::clamp<int64_t>(high / dim.base_dilation + 1, begin, dim.input);
  return {begin, end};
}

int64_t LinesMet(const ConvolutionDim& dim, int64_t count, int64_t step) {
  return std::clamp<int64_t>(
      CeilOfRatio((count - 1) * step + 1, dim.base_dilation), 1,
      std::max<int64_t>(dim.input, 1));
}

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
