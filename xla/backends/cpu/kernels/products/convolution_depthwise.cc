// Depthwise convolutions: vectors over features, with sums over the kernel's
// elements in registers.
#include <algorithm>
#include <cstring>
#include <memory>

#include "xla/backends/cpu/kernels/products/convolution_algorithms.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The first features of a kernel element and of the input element that it
// meets.
struct Tap {
  const void* input;
  const void* kernel;
};

// out[c] = sum over taps of input[c] kernel[c].
using TapKernel = void (*)(const Tap* taps, int64_t count, int64_t channels,
                           void* out);
struct DepthwiseTable {
  TapKernel f32, f64;
};

#define XLA_VECTOR_BODY \
  "xla/backends/cpu/kernels/products/convolution_depthwise.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

// The multiplications, and the elements converted, per nanosecond.
constexpr double kMultiplyRate = 16;
constexpr double kConvertRate = 4;

class DepthwisePlan : public UnfinishedConvolutionPlan {
 public:
  DepthwisePlan(const ConvolutionDesc& desc, const KernelTarget& target);

  size_t ScratchBytes(int num_threads) const override {
    return kernel_bytes_ + input_bytes_ +
           WorkerSlots(tasks_, num_threads) * slot_bytes_;
  }
  void Run(const void* input, const void* kernel, void* out, void* scratch,
           ParallelRunner& runner) const override;

 private:
  friend class LineRunner;

  void PackKernel(const char* kernel, char* packed, char* row) const;

  const ConvolutionDesc desc_;
  const ConvolutionSizes sizes_;
  PrimitiveType sum_;
  int width_;  // bytes of a sum
  TapKernel sum_taps_;
  RunConverter convert_input_, convert_kernel_, convert_sums_;
  int64_t lines_, line_;  // of the output, and the positions in each
  int64_t tasks_;
  int64_t input_elements_;
  int64_t converted_at_once_;  // elements of a task that only converts
  bool converts_input_, stores_directly_;
  // Scratch holds the kernel as [output feature of a group][element][group] and
  // the converted input, and for each slot taps, the sums of one position, and
  // the sums by output feature.
  size_t kernel_bytes_, input_bytes_, tap_bytes_, sum_bytes_, slot_bytes_;
};

DepthwisePlan::DepthwisePlan(const ConvolutionDesc& desc,
                             const KernelTarget& target)
    : UnfinishedConvolutionPlan(desc), desc_(desc), sizes_(desc) {
  sum_ = ProductKindOf(desc.input, desc.kernel, desc.out, target.caches).sum;
  width_ = primitive_util::ByteWidth(sum_);
  const DepthwiseTable& table =
      TableOf(baseline::kDepthwiseTable, avx2::kDepthwiseTable,
              avx512::kDepthwiseTable);
  sum_taps_ = sum_ == F32 ? table.f32 : table.f64;
  convert_input_ = RunConverterOf(desc.input, sum_);
  convert_kernel_ = RunConverterOf(desc.kernel, sum_);
  convert_sums_ = RunConverterOf(sum_, desc.out);
  line_ = desc.dims.empty() ? 1 : desc.dims.back().output;
  lines_ = sizes_.out_batch * (sizes_.positions / std::max<int64_t>(line_, 1));
  const int64_t work =
      std::max<int64_t>(line_ * sizes_.taps * desc.out_features, 1);
  const int64_t lines_per_task =
      std::max<int64_t>(target.TaskUnits(kMultiplyRate) / work, 1);
  tasks_ = std::clamp<int64_t>(lines_ / lines_per_task, 1,
                               std::max<int64_t>(lines_, 1));
  converts_input_ = desc.input != sum_;
  stores_directly_ = desc.out == sum_ && sizes_.group_out == 1;
  input_elements_ = desc.batch * sizes_.input_positions * desc.in_features;
  converted_at_once_ = target.TaskUnits(kConvertRate);
  kernel_bytes_ = RoundUpTo(sizes_.taps * desc.out_features * width_, 64);
  input_bytes_ = converts_input_ ? RoundUpTo(input_elements_ * width_, 64) : 0;
  tap_bytes_ = RoundUpTo(sizes_.taps * sizeof(Tap), 64);
  sum_bytes_ = RoundUpTo(sizes_.groups * width_, 64);
  slot_bytes_ =
      tap_bytes_ + sum_bytes_ + RoundUpTo(desc.out_features * width_, 64);
}

void DepthwisePlan::PackKernel(const char* kernel, char* packed,
                               char* row) const {
  const int64_t group_out = sizes_.group_out;
  const int64_t row_bytes =
      desc_.out_features * primitive_util::ByteWidth(desc_.kernel);
  for (int64_t t = 0; t < sizes_.taps; ++t) {
    convert_kernel_(kernel + t * row_bytes, row, desc_.out_features);
    for (int64_t j = 0; j < group_out; ++j) {
      char* to = packed + (j * sizes_.taps + t) * sizes_.groups * width_;
      for (int64_t g = 0; g < sizes_.groups; ++g) {
        std::memcpy(to + g * width_, row + (g * group_out + j) * width_,
                    width_);
      }
    }
  }
}

// Computes lines of output.
class LineRunner {
 public:
  LineRunner(const DepthwisePlan& plan, const char* input, const char* kernel,
             char* out, char* scratch)
      : plan_(plan),
        desc_(plan.desc_),
        input_(input),
        kernel_(kernel),
        out_(out),
        taps_(reinterpret_cast<Tap*>(scratch)),
        sums_(scratch + plan.tap_bytes_),
        row_(sums_ + plan.sum_bytes_),
        rank_(desc_.dims.size()) {}

  void Run(int64_t line) {
    output_.assign(rank_, 0);
    const int64_t item = OutputPosition(desc_, std::max<int64_t>(rank_, 1) - 1,
                                        line, output_.data());
    for (int64_t o = 0; o < plan_.line_; ++o) {
      if (rank_ > 0) output_[rank_ - 1] = o;
      count_ = 0;
      FindTaps(0, item, 0);
      RunPosition(line * plan_.line_ + o);
    }
  }

 private:
  // Adds the taps of dimensions from `d` on; `input` and `tap` are the linear
  // positions in the dimensions before.
  void FindTaps(int64_t d, int64_t input, int64_t tap) {
    const int64_t bytes = desc_.in_features * plan_.width_;
    if (d == rank_) {
      taps_[count_++] = {input_ + input * bytes, kernel_ + tap * bytes};
      return;
    }
    const ConvolutionDim& dim = desc_.dims[d];
    for (int64_t w = 0; w < dim.kernel; ++w) {
      const int64_t at = InputPosition(dim, output_[d], w);
      if (at < 0) continue;
      FindTaps(d + 1, input * dim.input + at, tap * dim.kernel + w);
    }
  }

  void RunPosition(int64_t position) {
    const int64_t groups = plan_.sizes_.groups;
    char* to = out_ + position * desc_.out_features *
                          primitive_util::ByteWidth(desc_.out);
    if (plan_.stores_directly_)
      return plan_.sum_taps_(taps_, count_, groups, to);
    const int64_t group_out = plan_.sizes_.group_out;
    const int64_t kernel_step = plan_.sizes_.taps * groups * plan_.width_;
    for (int64_t j = 0; j < group_out; ++j) {
      plan_.sum_taps_(taps_, count_, groups, sums_);
      for (int64_t g = 0; g < groups; ++g) {
        std::memcpy(row_ + (g * group_out + j) * plan_.width_,
                    sums_ + g * plan_.width_, plan_.width_);
      }
      for (int64_t t = 0; t < count_; ++t) {
        taps_[t].kernel =
            static_cast<const char*>(taps_[t].kernel) + kernel_step;
      }
    }
    plan_.convert_sums_(row_, to, desc_.out_features);
  }

  const DepthwisePlan& plan_;
  const ConvolutionDesc& desc_;
  const char* const input_;
  const char* const kernel_;
  char* const out_;
  Tap* const taps_;
  char* const sums_;
  char* const row_;
  const int64_t rank_;
  absl::InlinedVector<int64_t, 3> output_;
  int64_t count_ = 0;
};

void DepthwisePlan::Run(const void* input, const void* kernel, void* out,
                        void* scratch, ParallelRunner& runner) const {
  char* const packed = static_cast<char*>(scratch);
  char* const converted = packed + kernel_bytes_;
  char* const slots = converted + input_bytes_;
  PackKernel(static_cast<const char*>(kernel), packed,
             slots + tap_bytes_ + sum_bytes_);
  const char* from = static_cast<const char*>(input);
  if (converts_input_) {
    const int bytes = primitive_util::ByteWidth(desc_.input);
    const int64_t tasks = CeilOfRatio(input_elements_, converted_at_once_);
    runner.ParallelFor(tasks, [&](int64_t i) {
      const int64_t first = i * converted_at_once_;
      convert_input_(from + first * bytes, converted + first * width_,
                     std::min(converted_at_once_, input_elements_ - first));
    });
    from = converted;
  }
  ForEachRange(runner, lines_, tasks_,
               [&](int64_t first, int64_t last, int64_t slot) {
                 LineRunner line(*this, from, packed, static_cast<char*>(out),
                                 slots + slot * slot_bytes_);
                 for (int64_t i = first; i < last; ++i) line.Run(i);
               });
}

}  // namespace

bool IsDepthwise(const ConvolutionDesc& desc) {
  const ConvolutionSizes sizes(desc);
  if (desc.feature_groups == 1 || sizes.group_in != 1) return false;
  const PrimitiveType sum =
      ProductKindOf(desc.input, desc.kernel, desc.out, CacheSizes()).sum;
  return sum == F32 || sum == F64;
}

std::unique_ptr<const ConvolutionPlan> PlanDepthwise(
    const ConvolutionDesc& desc, const KernelTarget& target) {
  return std::make_unique<DepthwisePlan>(desc, target);
}

}  // namespace xla::cpu
