// Enumerates the elements of an array that a window covers, one dimension at a
// time.
#ifndef XLA_HLO_EVALUATOR_REDUCTION_WINDOW_RANGE_H_
#define XLA_HLO_EVALUATOR_REDUCTION_WINDOW_RANGE_H_

#include <cstdint>

#include "absl/types/span.h"
#include "xla/base/checked_math.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// An array element under a window, and its position in the window.
struct WindowHit {
  int64_t window;  // not reversed
  int64_t base;
};

// Calls f(WindowHit) for each array element of [0, size) under position
// `output` of the window, in the order of window elements. Padding and the
// holes of a dilated base are skipped without being stepped through, so the
// cost is bounded by `size`. The window satisfies the rules window_c*.
template <typename F>
void ForEachWindowHit(const WindowDimension& dim, int64_t output, int64_t size,
                      const F& f) {
  // Window element w meets the position base * base_dilation where
  //   base * base_dilation = origin + w * window_dilation.
  const int64_t origin = output * dim.stride() - dim.padding_low();
  if (dim.base_dilation() > 1) {
    for (int64_t base = 0; base < size; ++base) {
      const int64_t distance = base * dim.base_dilation() - origin;
      if (distance < 0 || distance % dim.window_dilation() != 0) continue;
      const int64_t w = distance / dim.window_dilation();
      if (w >= dim.size()) return;
      f(WindowHit{w, base});
    }
    return;
  }
  const int64_t step = dim.window_dilation();
  int64_t w = origin >= 0 ? 0 : CeilOfRatio(-origin, step);
  for (; w < dim.size(); ++w) {
    const int64_t base = origin + w * step;
    if (base >= size) return;
    f(WindowHit{w, base});
  }
}

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_REDUCTION_WINDOW_RANGE_H_
