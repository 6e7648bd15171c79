// Finds the kernel elements of each phase, dimension by dimension, and puts the
// phases together again.
#include "xla/hlo/transforms/linear/base_dilation.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/slicing.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

// The most phases that are a convolution each, and the most holes of a
// dimension where one convolution does for all phases.
constexpr int64_t kMaxPhases = 64;
constexpr int64_t kMaxHoles = 256;
// So many features fill vectors; with fewer, a convolution for all phases is
// faster than one for each.
constexpr int64_t kManyFeatures = 16;
// With so few, and not more elements of a kernel for all of them, the CPU
// backend's convolutions treat holes as they go.
constexpr int64_t kFewFeatures = 8;
constexpr int64_t kMostTaps = 512;
// The kernel elements first, first + step, ... that one phase meets, and the
// input position that the first of them meets at the phase's output position 0.
struct Taps {
  int64_t first = 0, count = 0, input = 0;
};

// The phases of one dimension. Output position o is number o / phases of phase
// o % phases.
struct PhasedDim {
  std::vector<Taps> taps;  // by phase
  int64_t step;            // from one kernel element of a phase to the next
  int64_t stride;          // of the input positions of a phase's output
  int64_t dilation;        // of the input positions of its kernel elements

  explicit PhasedDim(const WindowDimension& dim) {
    const int64_t holes = dim.base_dilation();
    const int64_t phases = holes / std::gcd(holes, dim.stride());
    step = holes / std::gcd(holes, dim.window_dilation());
    stride = phases * dim.stride() / holes;
    dilation = step * dim.window_dilation() / holes;
    for (int64_t phase = 0; phase < phases; ++phase) {
      Taps& found = taps.emplace_back();
      for (int64_t w = 0; w < std::min(step, dim.size()); ++w) {
        const int64_t at = phase * dim.stride() - dim.padding_low() +
                           w * dim.window_dilation();
        if (at % holes != 0) continue;
        found = {w, (dim.size() - 1 - w) / step + 1, at / holes};
      }
    }
  }

  int64_t phases() const { return taps.size(); }
  // Whether all phases meet the same input positions.
  bool MeetSameInput() const {
    return std::all_of(taps.begin(), taps.end(), [&](const Taps& t) {
      return t.count == taps[0].count && t.input == taps[0].input;
    });
  }
  int64_t PhasesWithTaps() const {
    return std::count_if(taps.begin(), taps.end(),
                         [](const Taps& t) { return t.count > 0; });
  }
};

std::vector<PhasedDim> PhasesOf(const Window& window) {
  return {window.dimensions().begin(), window.dimensions().end()};
}

// Whether each phase may be a convolution of its own.
bool HasFewPhases(const std::vector<PhasedDim>& dims) {
  int64_t phases = 1;
  for (const PhasedDim& dim : dims) {
    phases *= dim.phases();
    if (phases > kMaxPhases) return false;
  }
  return true;
}

// Whether one convolution does for all phases, with an output feature for each
// feature of a phase.
bool DoesForAllPhases(const ConvolutionAttrs& attrs, int64_t outputs,
                      const std::vector<PhasedDim>& dims) {
  return attrs.feature_group_count == 1 &&
         (outputs < kManyFeatures || !HasFewPhases(dims)) &&
         std::all_of(dims.begin(), dims.end(),
                     [](const PhasedDim& d) { return d.MeetSameInput(); });
}

class Splitter {
 public:
  using Convolve = absl::FunctionRef<Hlo(CanonicalConvolution)>;

  Splitter(HloBuilder& emit, const CanonicalConvolution& whole,
           PrimitiveType type, Convolve convolve)
      : emit_(emit),
        whole_(whole),
        type_(type),
        convolve_(convolve),
        dims_(PhasesOf(whole.attrs.window)),
        rank_(dims_.size()) {
    for (int64_t d = 0; d < rank_; ++d) {
      positions_.push_back(CeilOfRatio(whole.output[d + 1], dims_[d].phases()));
      has_taps_ = has_taps_ && dims_[d].PhasesWithTaps() > 0;
    }
  }

  Hlo Split() {
    if (!has_taps_) return Zeros(whole_.output);
    phase_.assign(rank_, 0);
    if (DoesForAllPhases(whole_.attrs, whole_.output.back(), dims_)) {
      return AllPhases();
    }
    return PhaseByPhase(0);
  }

 private:
  Hlo Zeros(const Dims& sizes) { return emit_.Splat(emit_.Zero(type_), sizes); }

  // Makes dimension d of a convolution's window the one of a phase whose `size`
  // kernel elements begin with input element `first` at output position 0.
  void SetWindow(int64_t d, int64_t size, int64_t first,
                 ConvolutionAttrs& attrs) const {
    WindowDimension& window = *attrs.window.mutable_dimensions(d);
    const int64_t input = whole_.input->shape().dimensions(d + 1);
    window.set_size(size);
    window.set_stride(dims_[d].stride);
    window.set_window_dilation(dims_[d].dilation);
    window.set_base_dilation(1);
    window.set_padding_low(-first);
    const int64_t last = first + (positions_[d] - 1) * dims_[d].stride +
                         (size - 1) * dims_[d].dilation;
    window.set_padding_high(last + 1 - input);
  }

  // Returns the kernel elements that the current phase meets.
  Hlo KernelOfPhase() {
    const Shape& shape = whole_.kernel->shape();
    Dims starts(rank_ + 2, 0), strides(rank_ + 2, 1);
    Dims limits(shape.dimensions().begin(), shape.dimensions().end());
    for (int64_t d = 0; d < rank_; ++d) {
      const Taps& taps = dims_[d].taps[phase_[d]];
      starts[d] = taps.first;
      strides[d] = dims_[d].step;
      limits[d] = taps.first + (taps.count - 1) * strides[d] + 1;
    }
    return emit_.Slice(whole_.kernel, starts, limits, strides);
  }

  // Returns the kernel whose output features are those of all phases: element
  // [w, in, phase, out] is the one of tap w of a phase.
  Hlo KernelOfAllPhases() {
    Hlo kernel = whole_.kernel;
    // [w, phase, w, phase, ..., in, out].
    Dims order, sizes;
    for (int64_t d = 0; d < rank_; ++d) {
      const PhasedDim& dim = dims_[d];
      Dims limits = DimsOf(kernel), apart = limits;
      Dims starts(limits.size(), 0), strides(limits.size(), 1);
      apart[2 * d] = dim.taps[0].count;
      apart.insert(apart.begin() + 2 * d + 1, 1);
      strides[2 * d] = dim.step;
      std::vector<Hlo> parts;
      for (const Taps& taps : dim.taps) {
        starts[2 * d] = taps.first;
        limits[2 * d] = taps.first + (taps.count - 1) * dim.step + 1;
        parts.push_back(
            emit_.Reshape(emit_.Slice(kernel, starts, limits, strides), apart));
      }
      kernel = emit_.Concatenate(parts, 2 * d + 1);
      order.push_back(2 * d);
      sizes.push_back(dim.taps[0].count);
    }
    const Dims kernel_sizes = DimsOf(kernel);
    order.push_back(2 * rank_);
    sizes.push_back(kernel_sizes[2 * rank_]);
    for (int64_t d = 0; d < rank_; ++d) order.push_back(2 * d + 1);
    order.push_back(2 * rank_ + 1);
    int64_t features = kernel_sizes.back();
    for (const PhasedDim& dim : dims_) features *= dim.phases();
    sizes.push_back(features);
    return emit_.Reshape(emit_.Transpose(kernel, order), sizes);
  }

  // Returns the output of one convolution for all phases, which meet the same
  // input.
  Hlo AllPhases() {
    CanonicalConvolution all = whole_;
    all.kernel = KernelOfAllPhases();
    // [batch, position, phase, position, phase, ..., out].
    Dims apart = {whole_.output[0]}, order = {0}, joined = whole_.output;
    for (int64_t d = 0; d < rank_; ++d) {
      const Taps& taps = dims_[d].taps[0];
      SetWindow(d, taps.count, taps.input, all.attrs);
      all.output[d + 1] = positions_[d];
      apart.push_back(positions_[d]);
      order.push_back(d + 1);
      order.push_back(rank_ + d + 1);
      joined[d + 1] = positions_[d] * dims_[d].phases();
    }
    for (const PhasedDim& dim : dims_) apart.push_back(dim.phases());
    apart.push_back(whole_.output.back());
    order.push_back(2 * rank_ + 1);
    all.output.back() = DimsOf(all.kernel).back();
    Hlo result = emit_.Reshape(convolve_(std::move(all)), apart);
    result = emit_.Reshape(emit_.Transpose(result, order), joined);
    for (int64_t d = 0; d < rank_; ++d) {
      result = emit_.SliceDim(result, d + 1, 0, whole_.output[d + 1]);
    }
    return result;
  }

  // Returns the output of those phases that begin with phase_, with all of its
  // positions in dimensions from d on.
  Hlo PhaseByPhase(int64_t d) {
    if (d == rank_) return OnePhase();
    const PhasedDim& dim = dims_[d];
    const bool single = dim.PhasesWithTaps() == 1;
    std::vector<Hlo> parts;
    for (int64_t phase = 0; phase < dim.phases(); ++phase) {
      phase_[d] = phase;
      const bool empty = dim.taps[phase].count == 0;
      if (single && !empty) return SpreadOut(PhaseByPhase(d + 1), d, phase);
      parts.push_back(empty ? nullptr : PhaseByPhase(d + 1));
    }
    if (parts.size() == 1) return parts[0];
    return Interleave(std::move(parts), d);
  }

  Hlo OnePhase() {
    CanonicalConvolution one = whole_;
    one.kernel = KernelOfPhase();
    for (int64_t d = 0; d < rank_; ++d) {
      one.output[d + 1] = positions_[d];
      const Taps& taps = dims_[d].taps[phase_[d]];
      SetWindow(d, taps.count, taps.input, one.attrs);
    }
    return convolve_(std::move(one));
  }

  Dims WithSize(Hlo x, int64_t dimension, int64_t size) const {
    Dims sizes = DimsOf(x);
    sizes[dimension] = size;
    return sizes;
  }

  // Puts zeros for the other phases between the positions of one.
  Hlo SpreadOut(Hlo x, int64_t d, int64_t phase) {
    PadAttrs attrs;
    for (int64_t i = 0; i < rank_ + 2; ++i) {
      auto* padding = attrs.padding.add_dimensions();
      if (i != d + 1) continue;
      const int64_t phases = dims_[d].phases();
      const int64_t end = phase + (positions_[d] - 1) * phases + 1;
      padding->set_edge_padding_low(phase);
      padding->set_interior_padding(phases - 1);
      padding->set_edge_padding_high(whole_.output[d + 1] - end);
    }
    return emit_.Add(
        HloOpcode::kPad,
        emit_.MakeShape(type_, WithSize(x, d + 1, whole_.output[d + 1])),
        {x, emit_.Zero(type_)}, std::move(attrs));
  }

  // Puts positions of phases next to each other; null parts are zeros.
  Hlo Interleave(std::vector<Hlo> parts, int64_t d) {
    const auto some = std::find_if(parts.begin(), parts.end(),
                                   [](Hlo part) { return part != nullptr; });
    Dims joined = WithSize(*some, d + 1, positions_[d]);
    Dims apart = joined;
    apart.insert(apart.begin() + d + 2, 1);
    for (Hlo& part : parts) {
      part = part == nullptr ? Zeros(apart) : emit_.Reshape(part, apart);
    }
    joined[d + 1] *= dims_[d].phases();
    const Hlo all = emit_.Reshape(emit_.Concatenate(parts, d + 2), joined);
    return emit_.SliceDim(all, d + 1, 0, whole_.output[d + 1]);
  }

  HloBuilder& emit_;
  const CanonicalConvolution& whole_;
  const PrimitiveType type_;
  const Convolve convolve_;
  const std::vector<PhasedDim> dims_;
  const int64_t rank_;
  Dims positions_;  // of a phase, in each dimension
  bool has_taps_ = true;
  Dims phase_;  // the current one, in each dimension
};

// Whether holes cost nothing since there are few features.
bool HasFewFeatures(const ConvolutionAttrs& attrs, PrimitiveType type,
                    int64_t inputs, int64_t outputs) {
  int64_t taps = 1;
  for (const WindowDimension& dim : attrs.window.dimensions()) {
    if (dim.stride() != 1 || dim.size() > kMostTaps) return false;
    taps *= dim.size();
  }
  return primitive_util::IsFloatingPointType(type) &&
         attrs.feature_group_count * attrs.batch_group_count == 1 &&
         outputs <= std::min(inputs, kFewFeatures) &&
         taps * outputs <= kMostTaps;
}

}  // namespace

bool SplitsBaseDilation(const ConvolutionAttrs& attrs, PrimitiveType type,
                        int64_t kernel_inputs, int64_t outputs) {
  // A convolution of single features treats holes as it goes.
  if (kernel_inputs <= 1 ||
      HasFewFeatures(attrs, type, kernel_inputs, outputs)) {
    return false;
  }
  bool dilated = false;
  for (const WindowDimension& dim : attrs.window.dimensions()) {
    const int64_t holes = dim.base_dilation();
    if (dim.size() < 1 || holes > kMaxHoles) return false;
    dilated = dilated || holes > 1;
  }
  if (!dilated) return false;
  const std::vector<PhasedDim> dims = PhasesOf(attrs.window);
  return HasFewPhases(dims) || DoesForAllPhases(attrs, outputs, dims);
}

HloInstruction* SplitBaseDilation(
    HloBuilder& emit, const CanonicalConvolution& convolution,
    PrimitiveType type,
    absl::FunctionRef<HloInstruction*(CanonicalConvolution)> convolve) {
  return Splitter(emit, convolution, type, convolve).Split();
}

}  // namespace xla
