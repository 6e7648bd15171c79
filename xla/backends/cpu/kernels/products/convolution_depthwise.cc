// Convolutions of each feature for itself: vectors over features, the kernel's
// elements summed in registers.
#include <algorithm>
#include <cstring>
#include <vector>

#include "xla/backends/cpu/kernels/products/convolution_routes.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// Where the features of a kernel element and of what it meets begin.
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

// Multiplications that are worth a task.
constexpr int64_t kTaskWork = 1 << 18;
constexpr int64_t kConvertPiece = 1 << 16;

struct DepthwisePlan {
  ConvolutionSizes sizes;
  PrimitiveType sum;
  int width;
  int64_t lines, line;  // of the output, and the positions in each
  int64_t tasks;
  bool converts_input, stores_directly;

  explicit DepthwisePlan(const ConvolutionDesc& desc) : sizes(desc) {
    sum = ProductKindOf(desc.input, desc.kernel, desc.out).sum;
    width = primitive_util::ByteWidth(sum);
    line = desc.dims.empty() ? 1 : desc.dims.back().output;
    lines = sizes.out_batch * (sizes.positions / std::max<int64_t>(line, 1));
    const int64_t work = line * sizes.taps * desc.out_features;
    tasks = std::clamp<int64_t>(
        lines / std::max<int64_t>(kTaskWork / std::max<int64_t>(work, 1), 1), 1,
        std::max<int64_t>(lines, 1));
    converts_input = desc.input != sum;
    stores_directly = desc.out == sum && sizes.group_out == 1;
  }
  // The kernel as [output feature of a group][element][group].
  size_t kernel_bytes(const ConvolutionDesc& desc) const {
    return RoundUpTo(sizes.taps * desc.out_features * width, 64);
  }
  size_t input_bytes(const ConvolutionDesc& desc) const {
    return converts_input ? RoundUpTo(InputElements(desc) * width, 64) : 0;
  }
  int64_t InputElements(const ConvolutionDesc& desc) const {
    return desc.batch * sizes.input_positions * desc.in_features;
  }
  // Taps, sums of one position, those by output feature.
  size_t tap_bytes() const { return RoundUpTo(sizes.taps * sizeof(Tap), 64); }
  size_t slot_bytes(const ConvolutionDesc& desc) const {
    return tap_bytes() + RoundUpTo(sizes.groups * width, 64) +
           RoundUpTo(desc.out_features * width, 64);
  }
};

void PackKernel(const ConvolutionDesc& desc, const DepthwisePlan& plan,
                const char* kernel, char* packed, char* row) {
  const RunConverter convert = RunConverterOf(desc.kernel, plan.sum);
  const int64_t group_out = plan.sizes.group_out;
  const int64_t row_bytes =
      desc.out_features * primitive_util::ByteWidth(desc.kernel);
  for (int64_t t = 0; t < plan.sizes.taps; ++t) {
    convert(kernel + t * row_bytes, row, desc.out_features);
    for (int64_t j = 0; j < group_out; ++j) {
      char* to =
          packed + (j * plan.sizes.taps + t) * plan.sizes.groups * plan.width;
      for (int64_t g = 0; g < plan.sizes.groups; ++g) {
        std::memcpy(to + g * plan.width, row + (g * group_out + j) * plan.width,
                    plan.width);
      }
    }
  }
}

// Computes lines of output.
class LineRunner {
 public:
  LineRunner(const ConvolutionDesc& desc, const DepthwisePlan& plan,
             const char* input, const char* kernel, char* out, char* scratch)
      : desc_(desc),
        plan_(plan),
        input_(input),
        kernel_(kernel),
        out_(out),
        taps_(reinterpret_cast<Tap*>(scratch)),
        sums_(scratch + plan.tap_bytes()),
        row_(sums_ + RoundUpTo(plan.sizes.groups * plan.width, 64)),
        rank_(desc.dims.size()),
        convert_(RunConverterOf(plan.sum, desc.out)) {
    const DepthwiseTable& table =
        TableOf(baseline::kDepthwiseTable, avx2::kDepthwiseTable,
                avx512::kDepthwiseTable);
    sum_taps_ = plan.sum == F32 ? table.f32 : table.f64;
  }

  void Run(int64_t line) {
    output_.assign(rank_, 0);
    const int64_t item = OutputPosition(desc_, std::max<int64_t>(rank_, 1) - 1,
                                        line, output_.data());
    for (int64_t o = 0; o < plan_.line; ++o) {
      if (rank_ > 0) output_[rank_ - 1] = o;
      count_ = 0;
      FindTaps(0, item, 0);
      RunPosition(line * plan_.line + o);
    }
  }

 private:
  // Adds the taps of dimensions `d` and on; `input` and `tap` are the linear
  // positions in those before.
  void FindTaps(int64_t d, int64_t input, int64_t tap) {
    const int64_t bytes = desc_.in_features * plan_.width;
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
    const int64_t groups = plan_.sizes.groups;
    char* to = out_ + position * desc_.out_features *
                          primitive_util::ByteWidth(desc_.out);
    if (plan_.stores_directly) return sum_taps_(taps_, count_, groups, to);
    const int64_t group_out = plan_.sizes.group_out;
    const int64_t kernel_step = plan_.sizes.taps * groups * plan_.width;
    for (int64_t j = 0; j < group_out; ++j) {
      sum_taps_(taps_, count_, groups, sums_);
      for (int64_t g = 0; g < groups; ++g) {
        std::memcpy(row_ + (g * group_out + j) * plan_.width,
                    sums_ + g * plan_.width, plan_.width);
      }
      for (int64_t t = 0; t < count_; ++t) {
        taps_[t].kernel =
            static_cast<const char*>(taps_[t].kernel) + kernel_step;
      }
    }
    convert_(row_, to, desc_.out_features);
  }

  const ConvolutionDesc& desc_;
  const DepthwisePlan& plan_;
  const char* const input_;
  const char* const kernel_;
  char* const out_;
  Tap* const taps_;
  char* const sums_;
  char* const row_;
  const int64_t rank_;
  const RunConverter convert_;
  TapKernel sum_taps_;
  absl::InlinedVector<int64_t, 3> output_;
  int64_t count_ = 0;
};

}  // namespace

bool IsDepthwise(const ConvolutionDesc& desc) {
  const ConvolutionSizes sizes(desc);
  if (desc.feature_groups == 1 || sizes.group_in != 1) return false;
  const ProductKind kind = ProductKindOf(desc.input, desc.kernel, desc.out);
  return kind.sum == F32 || kind.sum == F64;
}

size_t DepthwiseScratchBytes(const ConvolutionDesc& desc, int num_threads) {
  const DepthwisePlan plan(desc);
  return plan.kernel_bytes(desc) + plan.input_bytes(desc) +
         WorkerSlots(plan.tasks, num_threads) * plan.slot_bytes(desc);
}

void Depthwise(const ConvolutionDesc& desc, const void* input,
               const void* kernel, void* out, void* scratch,
               ParallelRunner& runner) {
  const DepthwisePlan plan(desc);
  char* packed = static_cast<char*>(scratch);
  char* converted = packed + plan.kernel_bytes(desc);
  char* slots = converted + plan.input_bytes(desc);
  PackKernel(
      desc, plan, static_cast<const char*>(kernel), packed,
      slots + plan.tap_bytes() + RoundUpTo(plan.sizes.groups * plan.width, 64));
  const char* from = static_cast<const char*>(input);
  if (plan.converts_input) {
    const RunConverter convert = RunConverterOf(desc.input, plan.sum);
    const int bytes = primitive_util::ByteWidth(desc.input);
    const int64_t elements = plan.InputElements(desc);
    runner.ParallelFor(CeilOfRatio(elements, kConvertPiece), [&](int64_t i) {
      const int64_t first = i * kConvertPiece;
      convert(from + first * bytes, converted + first * plan.width,
              std::min(kConvertPiece, elements - first));
    });
    from = converted;
  }
  ForEachRange(runner, plan.lines, plan.tasks,
               [&](int64_t first, int64_t last, int64_t slot) {
                 LineRunner line(desc, plan, from, packed,
                                 static_cast<char*>(out),
                                 slots + slot * plan.slot_bytes(desc));
                 for (int64_t i = first; i < last; ++i) line.Run(i);
               });
}

}  // namespace xla::cpu
