// Finds the phases of lines.
#include "xla/backends/cpu/kernels/products/convolution_line.h"

#include <algorithm>
#include <numeric>

#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

// Returns the place in the dilated input, which has holes, that kernel element
// `tap` meets at the first output.
int64_t PlaceOf(const ConvolutionDim& dim, int64_t output, int64_t tap) {
  const int64_t step = dim.reversed ? dim.kernel - 1 - tap : tap;
  return output * dim.stride - dim.padding_low + step * dim.window_dilation;
}

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

}  // namespace xla::cpu
