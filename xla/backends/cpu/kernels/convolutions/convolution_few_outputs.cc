// Convolutions with one output feature for each group, few positions and many
// taps, as the gradient of a depthwise convolution's kernel is one: its taps
// are the positions of the other. Lines of taps are divided into parts, which
// several threads sum; the parts are added in order.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "xla/backends/cpu/kernels/convolutions/convolution_algorithms.h"
#include "xla/backends/cpu/kernels/convolutions/convolution_taps.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/backends/cpu/kernels/vector/transposing.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The products of a sum, for each position: with less, few taps share what is
// read, or sums do not stay in registers.
constexpr int64_t kTapsPerPosition = 16;
// The parts of the lines of taps, which set the order of sums.
constexpr int64_t kParts = 16;
// The multiplications, and the additions of parts, per nanosecond.
constexpr double kMultiplyRate = 16;
constexpr double kAddRate = 4;

// Features of the input are [group][feature of the group], those of the kernel
// [feature of the group][group]: to have vectors over groups, lines of input
// are brought into the order [feature of the group][position][group].
class FewOutputsPlan : public UnfinishedConvolutionPlan {
 public:
  FewOutputsPlan(const ConvolutionDesc& desc, const KernelTarget& target);

  size_t ScratchBytes(int num_threads) const override {
    return parts_ * sums_bytes_ +
           WorkerSlots(tasks_, num_threads) * slot_bytes_;
  }
  void Run(const void* input, const void* kernel, void* out, void* scratch,
           ParallelRunner& runner) const override;

 private:
  friend class PartRunner;

  void AddParts(int64_t first, int64_t last, char* sums, char* out) const;

  const ConvolutionDesc desc_;
  const ConvolutionSizes sizes_;
  PrimitiveType sum_;
  int width_;  // bytes of a sum
  std::vector<LinePhase> phases_;
  std::vector<TapKernels> kernels_;  // by phase
  RunConverter convert_input_, convert_kernel_, convert_sums_;
  bool converts_input_, copies_input_, copies_kernel_;
  int64_t rank_;  // of the dimensions before the last one
  ConvolutionDim last_;
  int64_t tap_lines_, out_lines_;
  int64_t kept_lines_;  // of input, in scratch
  int64_t parts_, tasks_, add_tasks_;
  // Scratch holds the sums of each part, and for each slot lines of taps,
  // masks of all blocks, lines of input with their numbers, a line before it is
  // brought into order, and a line of the kernel.
  size_t sums_bytes_, tap_bytes_, mask_bytes_, number_bytes_, line_bytes_,
      kernel_bytes_, slot_bytes_;
};

FewOutputsPlan::FewOutputsPlan(const ConvolutionDesc& desc,
                               const KernelTarget& target)
    : UnfinishedConvolutionPlan(desc), desc_(desc), sizes_(desc) {
  sum_ = ProductKindOf(desc.input, desc.kernel, desc.out, target.caches).sum;
  width_ = primitive_util::ByteWidth(sum_);
  convert_input_ = RunConverterOf(desc.input, sum_);
  convert_kernel_ = RunConverterOf(desc.kernel, sum_);
  convert_sums_ = RunConverterOf(sum_, desc.out);
  converts_input_ = desc.input != sum_;
  copies_input_ = converts_input_ || sizes_.group_in > 1;
  copies_kernel_ = desc.kernel != sum_;
  rank_ = static_cast<int64_t>(desc.dims.size()) - 1;
  last_ = desc.dims.back();
  phases_ = LinePhasesOf(last_);
  for (const LinePhase& phase : phases_) {
    kernels_.push_back(TapKernelsOf(sum_, phase));
  }
  tap_lines_ = out_lines_ = kept_lines_ = 1;
  for (int64_t d = 0; d < rank_; ++d) {
    const ConvolutionDim& dim = desc.dims[d];
    tap_lines_ *= dim.kernel;
    out_lines_ *= dim.output;
    kept_lines_ *= LinesMet(dim, dim.output, dim.stride);
  }
  parts_ = std::min(tap_lines_, kParts);
  const double work =
      1.0 * sizes_.positions * sizes_.taps * sizes_.group_in * sizes_.groups;
  tasks_ = static_cast<int64_t>(
      std::clamp<double>(work / target.TaskUnits(kMultiplyRate), 1, parts_));
  add_tasks_ = std::clamp<int64_t>(
      parts_ * sizes_.positions * sizes_.groups / target.TaskUnits(kAddRate), 1,
      sizes_.positions);
  sums_bytes_ = RoundUpTo(sizes_.positions * sizes_.groups * width_, 64);
  tap_bytes_ = RoundUpTo(sizes_.group_in * sizeof(TapLine), 64);
  int64_t masks = 0;
  for (const LinePhase& phase : phases_) {
    masks += CeilOfRatio(phase.positions, kMaxPositions) * phase.taps;
  }
  mask_bytes_ = RoundUpTo(masks, 64);
  number_bytes_ =
      copies_input_ ? RoundUpTo(kept_lines_ * sizeof(int64_t), 64) : 0;
  line_bytes_ = copies_input_
                    ? RoundUpTo(last_.input * desc.in_features * width_, 64)
                    : 0;
  kernel_bytes_ = copies_kernel_
                      ? RoundUpTo(last_.kernel * desc.in_features * width_, 64)
                      : 0;
  const bool orders_converted = converts_input_ && sizes_.group_in > 1;
  slot_bytes_ = tap_bytes_ + mask_bytes_ + number_bytes_ +
                (kept_lines_ + (orders_converted ? 1 : 0)) * line_bytes_ +
                kernel_bytes_;
}

// The positions of a block that begins at position `j`.
int64_t BlockOf(const LinePhase& phase, int64_t j) {
  return std::min<int64_t>(kMaxPositions, phase.positions - j);
}

// Sums parts of the lines of taps.
class PartRunner {
 public:
  PartRunner(const FewOutputsPlan& plan, const char* input, const char* kernel,
             char* scratch)
      : plan_(plan),
        desc_(plan.desc_),
        input_(input),
        kernel_(kernel),
        taps_(reinterpret_cast<TapLine*>(scratch)),
        masks_(reinterpret_cast<uint8_t*>(scratch + plan.tap_bytes_)),
        numbers_(reinterpret_cast<int64_t*>(scratch + plan.tap_bytes_ +
                                            plan.mask_bytes_)),
        kept_(scratch + plan.tap_bytes_ + plan.mask_bytes_ +
              plan.number_bytes_),
        converted_(kept_ + plan.kept_lines_ * plan.line_bytes_),
        line_kernel_(scratch + plan.slot_bytes_ - plan.kernel_bytes_),
        group_bytes_(plan.sizes_.groups * plan.width_),
        tap_(plan.rank_),
        output_(plan.rank_) {
    if (plan.copies_input_) std::fill_n(numbers_, plan.kept_lines_, -1);
    uint8_t* masks = masks_;
    for (const LinePhase& phase : plan_.phases_) {
      for (int64_t j = 0; j < phase.positions; j += kMaxPositions) {
        FindMasks(plan_.last_, phase, j, BlockOf(phase, j), masks);
        masks += phase.taps;
      }
    }
  }

  // Writes the sums of lines of taps [first, last) to `sums`.
  void Run(int64_t first, int64_t last, char* sums) {
    std::memset(sums, 0, plan_.sums_bytes_);
    for (int64_t line = first; line < last; ++line) {
      Split(line, &ConvolutionDim::kernel, tap_.data());
      const char* kernel = KernelLine(line);
      for (int64_t o = 0; o < plan_.out_lines_; ++o) {
        Split(o, &ConvolutionDim::output, output_.data());
        const char* input = InputLine();
        if (input == nullptr) continue;
        AddLine(input, kernel, sums + o * plan_.last_.output * group_bytes_);
      }
    }
  }

 private:
  void Split(int64_t line, int64_t ConvolutionDim::* size, int64_t* index) {
    for (int64_t d = plan_.rank_ - 1; d >= 0; --d) {
      index[d] = line % (desc_.dims[d].*size);
      line /= desc_.dims[d].*size;
    }
  }

  const char* KernelLine(int64_t line) {
    const int64_t count = plan_.last_.kernel * desc_.in_features;
    const char* from =
        kernel_ + line * count * primitive_util::ByteWidth(desc_.kernel);
    if (!plan_.copies_kernel_) return from;
    plan_.convert_kernel_(from, line_kernel_, count);
    return line_kernel_;
  }

  // Returns the line of input that the line of taps meets at `output_`; null
  // for padding.
  const char* InputLine() {
    int64_t line = 0, place = 0;
    for (int64_t d = 0; d < plan_.rank_; ++d) {
      const ConvolutionDim& dim = desc_.dims[d];
      const int64_t at = InputPosition(dim, output_[d], tap_[d]);
      if (at < 0) return nullptr;
      const int64_t kept = LinesMet(dim, dim.output, dim.stride);
      line = line * dim.input + at;
      place = place * kept + at % kept;
    }
    const int64_t count = plan_.last_.input * desc_.in_features;
    const char* from =
        input_ + line * count * primitive_util::ByteWidth(desc_.input);
    if (!plan_.copies_input_) return from;
    char* const to = kept_ + place * plan_.line_bytes_;
    if (numbers_[place] == line) return to;
    numbers_[place] = line;
    if (plan_.converts_input_) {
      char* const whole = plan_.sizes_.group_in > 1 ? converted_ : to;
      plan_.convert_input_(from, whole, count);
      from = whole;
    }
    if (plan_.sizes_.group_in > 1) OrderLine(from, to);
    return to;
  }

  // [position][group][feature of a group] => [feature][position][group]
  void OrderLine(const char* from, char* to) {
    const int64_t features = plan_.sizes_.group_in;
    const int64_t groups = plan_.sizes_.groups;
    const int width = plan_.width_;
    const int64_t plane = plan_.last_.input * groups;
    for (int64_t x = 0; x < plan_.last_.input; ++x) {
      int64_t g = 0;
      for (; g + kTransposedRows <= groups; g += kTransposedRows) {
        const void* rows[kTransposedRows];
        for (int64_t r = 0; r < kTransposedRows; ++r) {
          rows[r] = from + (x * groups + g + r) * features * width;
        }
        RowsToColumns(width, rows, features, to + (x * groups + g) * width,
                      plane);
      }
      for (; g < groups; ++g) {
        for (int64_t f = 0; f < features; ++f) {
          std::memcpy(to + (f * plane + x * groups + g) * width,
                      from + ((x * groups + g) * features + f) * width, width);
        }
      }
    }
  }

  // Adds what a line of taps contributes to a line of output.
  void AddLine(const char* input, const char* kernel, char* sums) {
    const int64_t features = plan_.sizes_.group_in;
    for (int64_t f = 0; f < features; ++f) {
      taps_[f] = {input + f * plan_.last_.input * group_bytes_,
                  kernel + f * group_bytes_};
    }
    TapBlock block = {};
    block.lines = taps_;
    block.count = features;
    block.channels = plan_.sizes_.groups;
    block.adds = true;
    block.input_step = group_bytes_;
    block.kernel_step = features * group_bytes_;
    block.out_step = group_bytes_;
    const uint8_t* masks = masks_;
    for (size_t i = 0; i < plan_.phases_.size(); ++i) {
      const LinePhase& phase = plan_.phases_[i];
      for (int64_t j = 0; j < phase.positions; j += kMaxPositions) {
        const int64_t at = phase.first_output + j * phase.output_step;
        block.out = sums + at * group_bytes_;
        RunTaps(plan_.kernels_[i], plan_.last_, phase, j, BlockOf(phase, j),
                block, masks);
        masks += phase.taps;
      }
    }
  }

  const FewOutputsPlan& plan_;
  const ConvolutionDesc& desc_;
  const char* const input_;
  const char* const kernel_;
  TapLine* const taps_;
  uint8_t* const masks_;
  int64_t* const numbers_;  // of the lines in scratch
  char* const kept_;        // those lines
  char* const converted_;
  char* const line_kernel_;
  const int64_t group_bytes_;  // of one element of each group
  absl::InlinedVector<int64_t, 3> tap_, output_;
};

template <typename T>
void AddTo(char* to_data, const char* from_data, int64_t count) {
  T* to = reinterpret_cast<T*>(to_data);
  const T* from = reinterpret_cast<const T*>(from_data);
  for (int64_t i = 0; i < count; ++i) to[i] += from[i];
}

// Adds up positions [first, last), in the sums of the first part.
void FewOutputsPlan::AddParts(int64_t first, int64_t last, char* sums,
                              char* out) const {
  const int64_t from = first * sizes_.groups;
  const int64_t count = (last - first) * sizes_.groups;
  char* const to = sums + from * width_;
  for (int64_t part = 1; part < parts_; ++part) {
    const char* more = to + part * sums_bytes_;
    sum_ == F32 ? AddTo<float>(to, more, count)
                : AddTo<double>(to, more, count);
  }
  convert_sums_(to, out + from * primitive_util::ByteWidth(desc_.out), count);
}

void FewOutputsPlan::Run(const void* input, const void* kernel, void* out,
                         void* scratch, ParallelRunner& runner) const {
  char* const sums = static_cast<char*>(scratch);
  char* const slots = sums + parts_ * sums_bytes_;
  ForEachRange(
      runner, parts_, tasks_, [&](int64_t first, int64_t last, int64_t slot) {
        PartRunner part(*this, static_cast<const char*>(input),
                        static_cast<const char*>(kernel),
                        slots + slot * slot_bytes_);
        for (int64_t i = first; i < last; ++i) {
          part.Run(tap_lines_ * i / parts_, tap_lines_ * (i + 1) / parts_,
                   sums + i * sums_bytes_);
        }
      });
  ForEachRange(runner, sizes_.positions, add_tasks_,
               [&](int64_t first, int64_t last, int64_t) {
                 AddParts(first, last, sums, static_cast<char*>(out));
               });
}

}  // namespace

bool HasFewOutputs(const ConvolutionDesc& desc) {
  const ConvolutionSizes sizes(desc);
  return desc.feature_groups != 1 && sizes.group_out == 1 && desc.batch == 1 &&
         !desc.dims.empty() &&
         sizes.positions * kTapsPerPosition <= sizes.taps * sizes.group_in &&
         SumsFloats(desc);
}

std::unique_ptr<const ConvolutionPlan> PlanFewOutputs(
    const ConvolutionDesc& desc, const KernelTarget& target) {
  return std::make_unique<FewOutputsPlan>(desc, target);
}

}  // namespace xla::cpu
